package live

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"github.com/informerscope/informerscope/engine/conformance/live/releases"
)

var neighbours = flag.Bool("neighbours", false, "play the random scripts of the next older and the next newer version, too")

// comparison compares a version of client-go with the engine on random scripts.
type comparison struct {
	v       *Version
	driver  *proof.Driver // of the engine
	writers []*Version    // scripts are made up for these: v itself, and its neighbours if that is asked for
	tallies map[string]*tally
	flips   *flips
}

// tally counts the scripts that were made up for a version.
type tally struct {
	played int // to the two
	chance int // left out, because the version that plays them may do one thing or another
	differ int // of those that were played, on which the engine differs between the two versions
}

func newComparison(t *testing.T, v *Version) *comparison {
	c := &comparison{v: v, driver: proof.Start(t), writers: []*Version{v}, tallies: map[string]*tally{}}
	if *neighbours {
		for _, name := range releases.Neighbours(t, v.Name) { // scripts can be made up for them, but not played
			c.writers = append(c.writers, &Version{Name: name})
		}
	}
	c.flips = newFlips(t, c.driver.Bin, v)
	return c
}

// run compares on the scripts of a kind that are made up for each writer, up to the first one that differs. Has reports
// whether a version has this kind of script. Both the writer and the version that plays must have it. Script also returns
// what the engine has printed as the writer, if it was asked already.
func (c *comparison) run(t *testing.T, has func(writer *Version) bool, script func(writer *Version, seed int64) (s []Op, said []string)) {
	t.Helper()
	for _, writer := range c.writers {
		if !has(writer) || !has(c.v) {
			continue
		}
		for seed := *proof.From; seed < *proof.From+*proof.Seeds; seed++ {
			s, said := script(writer, seed)
			if said == nil {
				said = engine(t, c.driver, writer, s, "")
			}
			ours := said
			if writer != c.v {
				ours = engine(t, c.driver, c.v, s, "")
			}
			real, at := compareOnce(t, c.v, s, ours)
			switch n := c.tally(writer); {
			case !comparable(s, real, c.v):
				n.chance++
				if writer == c.v {
					t.Errorf("seed %d: the script leaves to chance what it comes to", seed)
				}
			case at >= 0:
				t.Logf("seed %d of %s", seed, writer.Name)
				report(t, c.driver, c.v, s, real, ours, at)
				return
			default:
				n.played++
				if writer != c.v && differs(said, ours) >= 0 {
					n.differ++
				}
				c.flips.try(fmt.Sprintf("%s, seed %d of %s", t.Name(), seed, writer.Name), func(gate string) bool {
					return c.v.firstDifference(s, engine(t, c.driver, c.v, s, gate), ours) >= 0
				})
			}
		}
	}
}

func (c *comparison) tally(writer *Version) *tally {
	if c.tallies[writer.Name] == nil {
		c.tallies[writer.Name] = &tally{}
	}
	return c.tallies[writer.Name]
}

// report logs what was played, and fails where a mutant was not told from client-go.
func (c *comparison) report(t *testing.T) {
	for _, writer := range c.writers {
		n := c.tally(writer)
		t.Logf("client-go %s played %d scripts of %s as the engine does, and %d were left out; on %d the engine differs between the two", c.v.Name, n.played, writer.Name, n.chance, n.differ)
	}
	for _, told := range c.flips.detected {
		t.Logf("the engine with another gate is not client-go %s: %s", c.v.Name, told)
	}
	if len(c.flips.undetected) > 0 {
		t.Errorf("no script tells client-go %s from the engine with another gate: %s", c.v.Name, strings.Join(c.flips.undetected, ", "))
	}
}

// flips are mutants of the engine: in each, one gate of engine/changes is turned over in which the version differs
// from one that is next to it. Each must differ from client-go on one of the scripts, or the comparison would not
// see it if the engine had the gate wrong.
type flips struct {
	undetected []string // not told from client-go yet
	detected   []string // by which script each of the others was
}

// untold are the gates that no script tells, because they need two goroutines at one moment: listeners that start
// late, and a store that loses an object while its index is asked. LateListeners and since36.ByIndexOfATornStore test
// the two, on both sides of each gate.
var untold = []string{"awaits-listeners", "adds-missing"}

func newFlips(t *testing.T, bin string, v *Version) *flips {
	t.Helper()
	f := &flips{undetected: releases.Gates(t, bin, v.Name)}
	f.undetected = slices.DeleteFunc(f.undetected, func(gate string) bool {
		return slices.Contains(untold, gate) || (gate == "sharded" || gate == "pausable") && !v.since38() // no script of such a version has a shard, or pauses
	})
	return f
}

// try lets the mutants play a script on which the engine is like client-go. Apart reports whether the engine with a gate
// turned over differs from the engine on it.
func (f *flips) try(script string, apart func(gate string) bool) {
	f.undetected = slices.DeleteFunc(f.undetected, func(gate string) bool {
		told := apart(gate)
		if told {
			f.detected = append(f.detected, gate+" by "+script)
		}
		return told
	})
}
