package findings

import "github.com/informerscope/informerscope/replay/trace"

// burst looks for a second in which very much changes. A handler that takes a millisecond for each call can't keep up with
// a thousand changes a second.
type burst struct {
	base
	from   Moment // of the second that is counted
	count  int64
	most   int64
	at, to Moment
	bursts int64
}

// burstOf is the threshold: changes within a second.
const burstOf = 1000

func (b *burst) record(x *reading, rec *trace.Record) {
	if rec.Kind != trace.WatchEvent || rec.Type >= trace.TypeError || x.told.listing {
		return
	}
	if b.count == 0 || rec.At-b.from.At > second {
		b.from, b.count = x.now(rec), 0
	}
	b.count++
	if b.count == burstOf {
		b.bursts++
	}
	if b.count > b.most {
		b.most, b.at, b.to = b.count, b.from, x.now(rec)
	}
}

func (b *burst) find(x *reading) []Finding {
	if b.most < burstOf || !x.timed() {
		return nil
	}
	return []Finding{{
		From: b.at, To: b.to,
		Counts: []Count{{Name: "changes", N: b.most, AtLeast: x.lossy()}, {Name: "times", N: b.bursts, AtLeast: x.lossy()}},
	}}
}
