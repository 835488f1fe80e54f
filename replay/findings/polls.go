package findings

import (
	"github.com/informerscope/informerscope/replay/trace"
)

// polls looks for lists that no watch follows: whoever wants to know of a resource asks the API server each time. A hundred within ten minutes are
// one in six seconds. A process that starts, or a job that looks at everything now and then, needs fewer. Lists of one resource count together,
// whichever namespace or selector they are for, and however many of them are under way at once. A capture of lists alone says nothing, since somebody
// has made them for it.
type polls struct {
	base
	lists, items int64 // whole ones; of the list that comes, and in the end of all
	from, to     Moment
	asked        Moment
	reader       bool // a watch was asked for
}

// manyPolls is the threshold: lists within ten minutes.
const manyPolls = 100

func (p *polls) record(x *reading, rec *trace.Record) {
	switch rec.Kind {
	case trace.ListBegin:
		p.asked = x.now(rec)
	case trace.ListItem:
		p.items++
	case trace.ListEnd:
		if rec.Failure == trace.NoFailure {
			if p.lists++; p.lists == 1 {
				p.from = p.asked
			}
			p.to = x.now(rec)
		}
	case trace.WatchOpen, trace.WatchError:
		p.reader = true
	}
}

func (p *polls) find(x *reading) []Finding {
	all := polls{from: p.from, to: p.to}
	for _, other := range x.pass.readings {
		o := stateOf[*polls](other)
		if o.reader || o.lists == 0 || other.skip || other.r.Group != x.r.Group || other.r.Resource != x.r.Resource {
			continue
		}
		if all.lists == 0 && other != x {
			return nil // the first one tells
		}
		all.lists, all.items, all.to = all.lists+o.lists, all.items+o.items, later(all.to, o.to)
	}
	span := all.to.Time - all.from.Time
	if all.lists < manyPolls || span > 10*minute/manyPolls*all.lists || x.pass.trace.Header.From != "" || !x.timed() {
		return nil
	}
	return []Finding{{From: all.from, To: all.to, Counts: []Count{
		x.count("lists", all.lists), {Name: "span", N: span, Unit: Duration}, {Name: "items", N: all.items / all.lists},
	}}}
}

// later returns the later one of two moments.
func later(a, b Moment) Moment {
	if b.Time > a.Time {
		return b
	}
	return a
}
