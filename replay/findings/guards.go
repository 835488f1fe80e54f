package findings

import (
	"cmp"
	"math"
	"sort"
	"strings"

	"github.com/informerscope/informerscope/replay/report/controller"
)

// GuardTable says which guards would have helped a controller: see controller.Guarded.
type GuardTable struct {
	Title Line
	Rows  []GuardRow // those that help most first; none where nothing was read too early or created twice
}

// GuardRow is one guard.
type GuardRow struct {
	Name              Line
	Stale, Duplicates GuardCell
	Wait              Line // for how long it would have held reconciles back
}

// GuardCell says how many stale reads, or duplicates, a guard would have prevented.
type GuardCell struct {
	controller.Helped
	Line
}

// GuardHeads are the heads of the table's columns.
var GuardHeads = []Line{{ID: "guard.head"}, {ID: "guard.head.stale"}, {ID: "guard.head.duplicates"}, {ID: "guard.head.wait"}}

// NewGuardTable returns the table of a controller. The command line and the page share it.
func NewGuardTable(g *controller.Guarded) *GuardTable {
	t := &GuardTable{}
	count := func(name string, n int) Arg {
		return Arg{Name: name, Count: &Count{N: int64(n), AtLeast: g.AtLeast}}
	}
	who := Arg{Name: "controller", Text: g.Controller}
	if len(g.Stale)+len(g.Duplicates) == 0 {
		if t.Title = (Line{ID: "guard.none", Args: []Arg{who}}); g.AtLeast {
			t.Title.ID = "guard.none.recorded"
		}
		return t
	}
	t.Title = Line{ID: "guard.title", Args: []Arg{who, count("stale", len(g.Stale)), count("duplicates", len(g.Duplicates))}}
	guards := append([]controller.Guard{}, g.Guards...)
	sort.SliceStable(guards, func(i, j int) bool {
		a, b := &guards[i], &guards[j]
		return cmp.Or(cmp.Compare(b.Duplicates.Yes, a.Duplicates.Yes), cmp.Compare(b.Stale.Yes, a.Stale.Yes)) < 0
	})
	for i := range guards {
		k := &guards[i]
		t.Rows = append(t.Rows, GuardRow{GuardName(k.Name), newGuardCell(k.Stale), newGuardCell(k.Duplicates), guardWait(k)})
	}
	return t
}

// GuardName returns the name of a guard.
func GuardName(name string) Line { return Line{ID: "guard." + strings.ReplaceAll(name, " ", "-")} }

func newGuardCell(h controller.Helped) GuardCell {
	all := h.Yes + h.No + h.Unknown
	l := Line{ID: "guard.of", Args: []Arg{number("right", h.Yes), number("all", all)}}
	switch {
	case all == 0:
		l = Line{ID: "guard.of.nothing"}
	case h.Unknown > 0:
		l.ID, l.Args = "guard.of.unknown", append(l.Args, number("left", h.Unknown))
	}
	return GuardCell{h, l}
}

// guardWait says how long a guard would have held reconciles back.
func guardWait(k *controller.Guard) Line {
	held := []Arg{number("n", k.Held), {Name: "time", Count: &Count{N: k.Median, Unit: Duration}}, {Name: "most", Count: &Count{N: k.P99, Unit: Duration}}}
	switch {
	case k.Requests > 0:
		return Line{ID: "guard.wait.lists", Args: []Arg{number("n", k.Requests)}}
	case k.Held+k.Never == 0:
		return Line{ID: "guard.wait.none"}
	case k.Never == 0:
		return Line{ID: "guard.wait", Args: held}
	case k.Held == 0:
		return Line{ID: "guard.wait.end", Args: []Arg{number("others", k.Never)}}
	}
	return Line{ID: "guard.wait.both", Args: append(held, number("others", k.Never))}
}

// GuardCase is one stale read or one duplicate, and what each guard would have done.
type GuardCase struct {
	Title   Line
	Late    int64 // nanoseconds from the answer to the write that the cache lacked until it came; -1 for never
	Guards  []Line
	Answers []Line // by guard
}

// CaseHeads are the heads of the columns of a case.
var CaseHeads = []Line{{ID: "guard.head"}, {ID: "guard.head.helps"}}

// mostCases is how many cases are told of a controller.
const mostCases = 5

// NewGuardCases returns some of the stale reads of a controller: those that created something twice first, then those that wrote, and of
// these the ones whose cache was behind for longest.
func NewGuardCases(g *controller.Guarded, c *controller.Controller) (all []GuardCase) {
	twice := map[int64]*controller.Duplicate{}
	for i := range c.Duplicates {
		twice[c.Duplicates[i].Reconcile] = &c.Duplicates[i]
	}
	order := make([]int, len(c.Stale))
	for i := range order {
		order[i] = i
	}
	harm := func(s *controller.StaleReconcile) (n int64) {
		switch {
		case twice[s.Reconcile] != nil:
			n = 2
		case s.Wrote > 0 || len(s.Refused) > 0:
			n = 1
		}
		return n
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := &c.Stale[order[i]], &c.Stale[order[j]]
		return cmp.Or(cmp.Compare(harm(b), harm(a)), cmp.Compare(lackedFor(b), lackedFor(a))) < 0
	})
	for _, i := range order[:min(len(order), mostCases)] {
		s := &c.Stale[i]
		shown := GuardCase{Title: Line{ID: "guard.case"}, Late: s.Last.Duration}
		text := func(name, text string) { shown.Title.Args = append(shown.Title.Args, Arg{Name: name, Text: text}) }
		took := func(name string, n int64) {
			shown.Title.Args = append(shown.Title.Args, Arg{Name: name, Count: &Count{N: n, Unit: Duration}})
		}
		text("key", s.Key)
		text("name", s.Last.Verb)
		text("what", s.Last.Resource+" "+s.Last.Object)
		d := twice[s.Reconcile]
		if d != nil {
			shown.Title.ID += ".twice"
			text("first", d.First)
			text("second", d.Second)
		}
		switch {
		case s.Last.Received == 0:
			shown.Title.ID += ".never"
			shown.Late = -1
		case s.Queued():
			shown.Title.ID += ".queued"
			took("took", s.Began-s.Last.Received)
		default:
			took("took", s.Last.Received-s.Began)
			took("late", s.Last.Duration)
		}
		stale := &g.Stale[i]
		for j := range g.Duplicates {
			if x := &g.Duplicates[j]; d != nil && x.Reconcile == s.Reconcile && x.Object == d.Second {
				stale = x
			}
		}
		for j, a := range stale.Answers {
			shown.Guards, shown.Answers = append(shown.Guards, GuardName(g.Guards[j].Name)), append(shown.Answers, guardAnswer(a))
		}
		all = append(all, shown)
	}
	return all
}

// lackedFor returns how long the cache lacked the last write, from when the reconcile began. What never came it lacked for longest.
func lackedFor(s *controller.StaleReconcile) int64 {
	if s.Last.Received == 0 {
		return math.MaxInt64
	}
	return s.Last.Received - s.Began
}

// guardAnswer says what a guard would have done.
func guardAnswer(a controller.Answer) Line {
	l := Line{ID: "guard." + string(a.Helps)}
	switch {
	case a.Helps == controller.Unknown:
	case a.Never:
		l.ID += ".end"
	case a.Wait > 0:
		l.ID, l.Args = l.ID+".wait", []Arg{{Name: "time", Count: &Count{N: a.Wait, Unit: Duration}}}
	}
	return l
}
