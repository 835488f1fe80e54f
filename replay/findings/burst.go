package findings

import "github.com/informerscope/informerscope/replay/trace"

// burst looks for a second in which very much changes. A handler that takes a millisecond for each call can't keep up with
// a thousand changes a second.
type burst struct {
	base
	often
}

// burstOf is the threshold: changes within a second.
const burstOf = 1000

func (b *burst) record(x *reading, rec *trace.Record) {
	if rec.Kind == trace.WatchEvent && rec.Type < trace.TypeError && !x.server.listing && x.timed() {
		b.add(x.now(rec))
	}
}

func (b *burst) find(x *reading) []Finding {
	if b.max < burstOf {
		return nil
	}
	return []Finding{{From: b.from, To: b.to, Counts: []Count{b.count("changes", x)}}}
}
