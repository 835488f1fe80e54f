package findings

import "github.com/informerscope/informerscope/replay/trace"

// shortWatches looks for watches that end too early. A reflector asks for five to ten minutes, and the API server gives
// it as much; what ends them earlier is a proxy with a timeout, a server that drops a client which is too slow, or a
// network. One or two may end with a server that restarts. Four within ten minutes have another cause.
type shortWatches struct {
	base
	often
	shortest, longest int64
	broken            int64 // without a clean end
	silent            int64 // without a single event
	evidence          []Evidence
}

// The threshold: watches within ten minutes that ended after less than a minute each.
const (
	manyWatches = 4
	shortWatch  = minute
)

func (s *shortWatches) record(x *reading, rec *trace.Record) {
	w := &x.watch
	if !w.ended || w.canceled || w.lasted >= shortWatch || w.reason == Expired && w.events == 1 { // the last was never really open
		return
	}
	if s.total == 0 || w.lasted < s.shortest {
		s.shortest = w.lasted
	}
	s.longest = max(s.longest, w.lasted)
	if rec.Failure != trace.NoFailure {
		s.broken++
	}
	if w.events == 0 {
		s.silent++
	}
	s.add(x.now(rec))
	s.evidence = show(s.evidence, Evidence{Moment: x.now(rec), Reason: w.reason, N: w.lasted})
}

func (s *shortWatches) find(x *reading) []Finding {
	if s.max < manyWatches || !x.timed() {
		return nil
	}
	return []Finding{{
		From: s.from, To: s.to, Evidence: s.evidence,
		Counts: []Count{
			s.count("watches", x), spanOf(s.from.Time, s.to.Time),
			{Name: "shortest", N: s.shortest, Unit: Duration}, {Name: "longest", N: s.longest, Unit: Duration},
			{Name: "broken", N: s.broken}, {Name: "silent", N: s.silent},
		},
	}}
}
