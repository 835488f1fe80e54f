package findings

import (
	"sort"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// sameWatch looks for a client that has several watches of one URL open: informers that were made twice, or one that was
// made for each request and never stopped. Each has a cache of its own and is sent every change. A watch that is opened
// while the one before ends is no second one, so they must be open together for ten seconds. Where several captures were
// put together, they may be of several clients, and nothing is said.
//
// Two watches with different selectors or namespaces bring the same objects if the larger cache has all that the smaller one has.
type sameWatch struct {
	base
	spans []span // of this reader's watches, mostSpans at most
}

// The thresholds.
const (
	sameWatches = 2
	together    = 10 * second
)

// mostSpans bounds the memory for the watches of a reader.
const mostSpans = 1 << 10

// span is the time for which a watch was open. To is never while it is.
type span struct{ from, to Moment }

func (s *sameWatch) record(x *reading, rec *trace.Record) {
	n := len(s.spans)
	switch {
	case rec.Kind == trace.WatchOpen && n < mostSpans:
		s.spans = append(s.spans, span{x.now(rec), Moment{Time: never}})
	case x.watch.ended && n > 0 && s.spans[n-1].to.Time == never:
		s.spans[n-1].to = x.now(rec)
	}
}

// within finds an informer whose cache has all objects of x and more, and whose watch has been open beside the watch of x. It finds nothing
// for an informer that keeps metadata alone.
func (x *reading) within() []Finding {
	spans := stateOf[*sameWatch](x).spans
	if !x.server.whole || x.server.number == 0 || len(spans) == 0 || !x.watch.open {
		return nil
	}
	for _, y := range x.pass.readings {
		r, o := x.r, y.r
		if y == x || r.Resource != o.Resource || r.Group != o.Group || r.Version != o.Version || x.sameURL(y) || isMetadata(r) != isMetadata(o) ||
			!y.server.whole || !y.watch.open || y.server.number < x.server.number || y.server.number == x.server.number && y.resource > x.resource {
			continue
		}
		from := Moment{max(x.watch.began, y.watch.began), x.records}
		if x.pass.trace.Now-from.Time < together || !x.has(y) {
			continue
		}
		f := Finding{
			Subject: Subject{Other: o.Name()}, From: from, To: Moment{x.pass.trace.Now, x.records}, Lacks: "within",
			Counts: []Count{{Name: "objects", N: int64(x.server.number)}, {Name: "of", N: int64(y.server.number)}},
		}
		return []Finding{f}
	}
	return nil
}

// sameURL reports whether two informers of a resource ask for the same.
func (x *reading) sameURL(y *reading) bool {
	return x.r.Namespace == y.r.Namespace && x.r.LabelSelector == y.r.LabelSelector && x.r.FieldSelector == y.r.FieldSelector
}

// isMetadata reports whether an informer asks for PartialObjectMetadata.
func isMetadata(r *trace.Resource) bool {
	return r.Kind == "PartialObjectMetadata" || r.Started != nil && r.Started.Metadata
}

// has reports whether y has all objects of x.
func (x *reading) has(y *reading) bool {
	for k := range x.server.objects {
		if !x.server.objects[k].exists {
			continue
		}
		key, ok := y.r.Table.LookupKey(x.r.Table.KeyText(object.Key(k)))
		if !ok || int(key) >= len(y.server.objects) || !y.server.objects[key].exists {
			return false
		}
	}
	return true
}

func (s *sameWatch) find(x *reading) []Finding {
	t := x.pass.trace
	if x.r.Reader > 1 || t.Header.From != "" || !x.timed() {
		return nil
	}
	all := x.within()
	type edge struct {
		time    Moment
		readers int
	}
	var edges []edge
	readers := 0
	for _, y := range x.pass.readings {
		if r := y.r; r.Resource != x.r.Resource || r.Group != x.r.Group || r.Version != x.r.Version || !x.sameURL(y) {
			continue
		}
		readers++
		for _, o := range stateOf[*sameWatch](y).spans {
			from, to := o.from, Moment{min(o.to.Time, t.Now), o.to.Record}
			if from.Time += together; from.Time <= to.Time {
				edges = append(edges, edge{from, 1}, edge{to, -1})
			}
		}
	}
	sort.SliceStable(edges, func(i, j int) bool {
		a, b := &edges[i], &edges[j]
		return a.time.Time < b.time.Time || a.time.Time == b.time.Time && a.readers > b.readers
	})
	open, most := 0, 0
	var from, to Moment
	for i, e := range edges {
		if open += e.readers; open > most {
			most, from, to = open, Moment{Time: e.time.Time - together}, edges[i+1].time
		}
	}
	if most < sameWatches {
		return all
	}
	return []Finding{{From: from, To: Moment{Time: to.Time}, Counts: []Count{x.count("watches", int64(most)), x.count("readers", int64(readers))}}}
}
