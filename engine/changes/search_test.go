package changes

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/world"
)

var (
	search = flag.String("search", "", "find a script for these `gates`, or all, and print it")
	seeds  = flag.Int("seeds", 20, "how many random scripts each pair of releases plays")
	part   = flag.Int("part", -1, "look for a difference in this Part, and not in the gate's own")
	from   = flag.Int("from", 1, "the first seed")
)

// judge returns what reports whether a script shows the gate's difference, and in that part nothing
// that the other changes of its release make, and whether the two whole releases differ in it.
func (g *Gate) judge() func(text string) bool {
	p, q := g.machines()
	before, after := g.neighbours()
	others, older, newer := g.profileBefore(), profileOf(before), profileOf(after)
	return func(text string) bool {
		was, failed := Play(text, p)
		if failed > 0 {
			return false
		}
		is, failed := Play(text, q)
		if failed > 0 || slices.Equal(was[g.Shows], is[g.Shows]) {
			return false
		}
		rest, _ := Play(text, others)
		old, _ := Play(text, older)
		if !slices.Equal(old[g.Shows], rest[g.Shows]) {
			return false
		}
		all, _ := Play(text, newer)
		return !slices.Equal(old[g.Shows], all[g.Shows])
	}
}

// profileBefore is the profile of the release before the change, with all that came with the change but
// the gate, and what needs it.
func (g *Gate) profileBefore() world.Profile {
	before, after := g.neighbours()
	p, q := profileOf(before), profileOf(after)
	for i := range Gates {
		if o := &Gates[i]; o != g && o.requires != g.Name {
			o.copyFrom(&p, &q)
		}
	}
	return p
}

// TestSearch prints the shortest script that it finds for each gate that is asked for.
func TestSearch(t *testing.T) {
	if *search == "" {
		return
	}
	for i := range Gates {
		g := &Gates[i]
		if *search != "all" && !slices.Contains(strings.Split(*search, ","), g.Name) {
			continue
		}
		if *part >= 0 {
			g.Shows = Part(*part)
		}
		best, found, shows := "", 0, g.judge()
		for seed := *from; seed < *from+*seeds && found < 4; seed++ {
			if text := randomScript(uint64(seed)); shows(text) {
				found++
				if text = shrink(text, shows); best == "" || len(text) < len(best) {
					best = text
				}
			}
		}
		before, after := g.neighbours()
		fmt.Printf("== %s, %s to %s, %s, %d found\n%s", g.Name, before, after, g.Shows, found, best)
		if best != "" {
			g.Script = best
			shown := g.Show()
			for _, l := range shown.Old {
				fmt.Println("  - " + l)
			}
			for _, l := range shown.New {
				fmt.Println("  + " + l)
			}
		}
	}
}

// shrink removes lines, and then words, as long as the rest still holds.
func shrink(text string, holds func(string) bool) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	joined := func() string { return strings.Join(lines, "\n") + "\n" }
	for again := true; again; {
		again = false
		for i := len(lines) - 1; i >= 0; i-- {
			had := lines
			lines = slices.Delete(slices.Clone(lines), i, i+1)
			if holds(joined()) {
				again = true
			} else {
				lines = had
			}
		}
		for i := range lines {
			words := strings.Fields(lines[i])
			for j := len(words) - 1; j > 1; j-- {
				had := lines[i]
				lines[i] = strings.Join(slices.Delete(slices.Clone(words), j, j+1), " ")
				if holds(joined()) {
					again, words = true, strings.Fields(lines[i])
				} else {
					lines[i] = had
				}
			}
		}
	}
	return joined()
}
