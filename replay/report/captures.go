package report

import (
	"cmp"
	"sort"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// Pace is by what two captures are in step.
type Pace string

const (
	ByRevision Pace = "rv"    // by resourceVersion: some version of an object is in both captures
	ByTime     Pace = "time"  // by the time since their beginnings: no version is in both captures
	ByEvent    Pace = "event" // by the number of watch events: no version is in both captures, and one of them has no times
)

// Captures are one resource of two captures, which have been read to their ends.
type Captures struct {
	Resources [2]*trace.Resource
	Pace      Pace
	Namespace string // only its objects are compared, since one of the resources has no others; "" for all
	// marks say for each record how far the capture is behind it, as the pace counts.
	// They never go back. There are none for ByTime.
	marks [2][]uint64
}

// Counterpart returns the resource of others that can be compared with r: the one of r's name, or else one that sees all objects
// that r sees, or else one that sees some of them. It returns nil if there is none.
func Counterpart(r *trace.Resource, others []*trace.Resource) (best *trace.Resource) {
	most := 0
	for _, o := range others {
		rank := 0
		switch wide, narrow := o.Covers(r), r.Covers(o); {
		case len(o.Records) == 0:
		case o.Name() == r.Name():
			rank = 4
		case wide && narrow:
			rank = 3 // another reader of the same
		case wide:
			rank = 2
		case narrow:
			rank = 1
		}
		if rank > most {
			best, most = o, rank
		}
	}
	return best
}

// NewCaptures returns the Captures of a resource in two traces. NoTimes says
// that one of them has no times of its own.
func NewCaptures(first, second *trace.Resource, noTimes bool) *Captures {
	c := &Captures{Resources: [2]*trace.Resource{first, second}, Pace: ByTime}
	if first.Namespace != second.Namespace {
		c.Namespace = cmp.Or(first.Namespace, second.Namespace)
	}
	switch {
	case share(first.Table, second.Table):
		c.Pace = ByRevision
	case noTimes:
		c.Pace = ByEvent
	default:
		return c
	}
	for by, r := range c.Resources {
		c.marks[by] = make([]uint64, len(r.Records))
		at := uint64(0)
		for i := range r.Records {
			if rec := &r.Records[i]; c.Pace == ByRevision {
				at = max(at, revision(r.Table, rec))
			} else if rec.Kind == trace.WatchEvent {
				at++
			}
			c.marks[by][i] = at
		}
	}
	return c
}

// Has reports whether an object is compared.
func (c *Captures) Has(key string) bool {
	return c == nil || c.Namespace == "" || strings.HasPrefix(key, c.Namespace+"/")
}

// revision returns the resourceVersion that a record brings its reader to, 0 for none.
func revision(t *object.Table, rec *trace.Record) uint64 {
	rv := rec.RV
	switch rec.Kind {
	case trace.WatchEvent:
		if rec.Obj != 0 {
			rv = t.RVOf(rec.Obj)
		}
	case trace.ListEnd, trace.InitialEnd, trace.WatchBookmark:
	default:
		return 0
	}
	n, _ := rv.Number()
	return n
}

// mostShared is how many versions of the first capture are looked for in the second one.
const mostShared = 1 << 17

// share reports whether some version of an object is in both tables: with the same key,
// UID and resourceVersion.
func share(first, second *object.Table) bool {
	known := map[object.RV]object.Ref{}
	every := first.Len()/mostShared + 1
	for r := object.Ref(1); int(r) < first.Len(); r += object.Ref(every) {
		if _, ok := first.RVOf(r).Number(); ok {
			known[first.RVOf(r)] = r
		}
	}
	for r := object.Ref(1); int(r) < second.Len(); r++ {
		a, b := first.Meta(known[second.RVOf(r)]), second.Meta(r)
		if a.Key != 0 && first.KeyIs(a.Key, second.KeyText(b.Key)) && a.UID != 0 && first.Equals(a.UID, second.Text(b.UID)) {
			return true
		}
	}
	return false
}

// Mark returns how far the capture (0 or 1) is when so many of its records are played, as the
// pace counts.
func (c *Captures) Mark(by, played int) uint64 {
	if n := min(played, len(c.marks[by])); n > 0 {
		return c.marks[by][n-1]
	}
	return 0
}

// Place returns how many records of the other capture are played, at least and
// at most, when so many records of this one are.
func (c *Captures) Place(by, played int) (least, most int) {
	to, marks := c.Mark(by, played), c.marks[1-by]
	most = sort.Search(len(marks), func(i int) bool { return marks[i] > to })
	if at := c.Mark(1-by, most); at > 0 {
		least = 1 + sort.Search(most, func(i int) bool { return marks[i] >= at })
	}
	return least, most
}

// Time returns the time in the other capture where it is t in this one.
func (c *Captures) Time(by int, t int64) int64 {
	if c.Pace == ByTime {
		return t
	}
	records, other := c.Resources[by].Records, c.Resources[1-by].Records
	played := sort.Search(len(records), func(i int) bool { return records[i].Time > t })
	least, most := c.Place(by, played)
	var mine, theirs int64
	if len(records) > 0 && len(other) > 0 {
		mine, theirs = records[0].Time, other[0].Time
	}
	if least > 0 {
		first := sort.Search(played, func(i int) bool { return c.marks[by][i] >= c.Mark(by, played) })
		mine, theirs = records[first].Time, other[least-1].Time
	}
	theirs += max(t-mine, 0)
	if most < len(other) {
		theirs = max(min(theirs, other[most].Time-1), 0)
	}
	return theirs
}
