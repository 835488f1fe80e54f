package report

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// capture is a resource with a list at resourceVersion from, and watch events of some of the
// versions after it. They come at the given offset of time.
func capture(uid string, from, to, every int, offset int64) *trace.Resource {
	r := &trace.Resource{Table: object.NewTable(nil)}
	t := r.Table
	add := func(kind trace.Kind, rv int) {
		m := object.Meta{Namespace: t.Sym("n"), Name: t.Sym(fmt.Sprint("o", rv%7)), UID: t.Sym(fmt.Sprint(uid, rv%7)), RV: t.RV(fmt.Sprint(rv))}
		rec := trace.Record{Kind: kind, Time: offset + int64(rv)*1000, RV: m.RV}
		if kind == trace.WatchEvent || kind == trace.ListItem {
			rec.Obj = t.Add(m)
		}
		r.Records = append(r.Records, rec)
	}
	add(trace.ListBegin, from)
	add(trace.ListItem, from)
	add(trace.ListEnd, from)
	add(trace.WatchOpen, from)
	for rv := from + 1; rv <= to; rv += every {
		add(trace.WatchEvent, rv)
	}
	return r
}

// TestPace: two captures of one cluster are in step by resourceVersion, wherever each begins and
// whatever it lacks. Where no version is in both, even under the same names and
// resourceVersions, the time counts, or the number of watch events.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		second  *trace.Resource
		noTimes bool
		want    Pace
	}{
		{capture("uid-", 10, 90, 1, 5), false, ByRevision},
		{capture("uid-", 40, 200, 3, -9000), true, ByRevision},
		{capture("uid-", 300, 400, 1, 0), false, ByTime},
		{capture("other-", 10, 90, 1, 0), false, ByTime},
		{capture("other-", 10, 90, 1, 0), true, ByEvent},
	} {
		if got := NewCaptures(capture("uid-", 10, 90, 1, 0), c.second, c.noTimes).Pace; got != c.want {
			t.Errorf("in step by %s, want %s", got, c.want)
		}
	}
}

// TestPlace: wherever one capture is, the other has a place. The first capture
// has come to all records before that place, and to none after it. The times of
// the two captures agree.
func TestPlace(t *testing.T) {
	const seed = 604
	rnd := rand.New(rand.NewPCG(seed, 3))
	for range 300 {
		a := capture("uid-", 10+rnd.IntN(40), 100+rnd.IntN(40), 1+rnd.IntN(3), 0)
		b := capture("uid-", 10+rnd.IntN(40), 100+rnd.IntN(40), 1+rnd.IntN(3), rnd.Int64N(100_000)-10_000)
		c := NewCaptures(a, b, false)
		if c.Pace != ByRevision { // they have no version in common
			continue
		}
		for by, r := range c.Resources {
			other, last := c.Resources[1-by], int64(0)
			for n := range len(r.Records) + 1 {
				least, most := c.Place(by, n)
				if least > most || c.Mark(1-by, most) > c.Mark(by, n) || most < len(other.Records) && c.Mark(1-by, most+1) <= c.Mark(by, n) || c.Mark(1-by, least) != c.Mark(1-by, most) {
					t.Fatalf("seed %d: %d records of capture %d are at %d, and the other has %d to %d of its own", seed, n, by, c.Mark(by, n), least, most)
				}
				if n == 0 || n < len(r.Records) && r.Records[n].Time == r.Records[n-1].Time { // the time stands for all records of that time
					continue
				}
				at := c.Time(by, r.Records[n-1].Time)
				if at < last {
					t.Fatalf("seed %d: the time goes back from %d to %d", seed, last, at)
				}
				if last = at; most < len(other.Records) && at >= other.Records[most].Time && at > 0 {
					t.Fatalf("seed %d: %d is not before record %d, at %d", seed, at, most, other.Records[most].Time)
				}
			}
		}
	}
}

// TestCounterpart holds which resource of another capture stands beside one.
func TestCounterpart(t *testing.T) {
	reader := func(namespace, labels string, number int) *trace.Resource {
		return &trace.Resource{Resource: "pods", Namespace: namespace, LabelSelector: labels, Reader: number, Records: make([]trace.Record, 1)}
	}
	all, inA, inB, labelled, second := reader("", "", 1), reader("a", "", 1), reader("b", "", 1), reader("a", "app=x", 1), reader("a", "", 2)
	services, empty := reader("", "", 1), reader("", "", 1)
	services.Resource, empty.Records = "services", nil
	for _, c := range []struct {
		r      *trace.Resource
		others []*trace.Resource
		want   *trace.Resource
		only   string
	}{
		{inA, []*trace.Resource{services, all, second, inA}, inA, ""},
		{inA, []*trace.Resource{all, second}, second, ""},
		{inA, []*trace.Resource{inB, labelled, all}, all, "a"},
		{all, []*trace.Resource{services, inB}, inB, "b"},
		{labelled, []*trace.Resource{inB, inA}, inA, ""},
		{inA, []*trace.Resource{inB, services, empty}, nil, ""},
	} {
		got := Counterpart(c.r, c.others)
		if got != c.want {
			t.Errorf("beside %s stands %v, want %v", c.r.Name(), got, c.want)
			continue
		}
		if got == nil {
			continue
		}
		c.r.Table, got.Table = object.NewTable(nil), object.NewTable(nil)
		if x := NewCaptures(c.r, got, false); x.Namespace != c.only || x.Has("c/x") != (c.only == "") || !x.Has(c.only+"/x") {
			t.Errorf("of %s and %s, %q is compared", c.r.Name(), got.Name(), x.Namespace)
		}
	}
}
