package findings

import (
	"cmp"
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
	of := Arg{Name: "controller", Text: g.Controller}
	if len(g.Stale)+len(g.Duplicates) == 0 {
		if t.Title = (Line{ID: "guard.none", Args: []Arg{of}}); g.AtLeast {
			t.Title.ID = "guard.none.recorded"
		}
		return t
	}
	t.Title = Line{ID: "guard.title", Args: []Arg{of, count("stale", len(g.Stale)), count("duplicates", len(g.Duplicates))}}
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
