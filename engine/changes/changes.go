// Package changes says what differs for a program between two releases of client-go: the calls of
// its handlers, what HasSynced says, what the cache holds meanwhile, what the API server is asked
// for, which calls are refused, how Run ends, who waits for a lock, how its processes elect a
// leader, and when its metrics are exported.
//
// Releases differ in the gates of a world.Profile. Each Gate here is one difference: what it
// means, what to do about it, who made it, and a short script that shows it. The tests play each
// script to two machines that differ in that gate alone, and hold that no switch of a profile is
// without a Gate.
package changes

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/world"
)

// Gate is one difference between releases.
type Gate struct {
	Name       string
	Difference string // in English, what differs
	Advice     string // what to do about it
	Refs       string // where Kubernetes tells of it, such as "kubernetes/kubernetes#104853", apart by spaces; "" where that isn't known
	Shows      Part   // in which part of what a program sees Script shows it
	Script     string // without a profile line; "" where no script can show it
	Reason     string // in English, why none can

	requires string // the Gate that must be on for this one to be on
	flags    func(p *world.Profile) []*bool
}

func (g *Gate) differs(p, q *world.Profile) bool {
	a, b := g.flags(p), g.flags(q)
	for i := range a {
		if *a[i] != *b[i] {
			return true
		}
	}
	return false
}

// Differs reports whether two releases differ in the gate.
func (g *Gate) Differs(a, b string) bool {
	p, q := profileOf(a), profileOf(b)
	return g.differs(&p, &q)
}

func (g *Gate) copyFrom(p, q *world.Profile) {
	a, b := g.flags(p), g.flags(q)
	for i := range a {
		*a[i] = *b[i]
	}
}

// Named returns the gate of that name, or nil.
func Named(name string) *Gate {
	for i := range Gates {
		if Gates[i].Name == name {
			return &Gates[i]
		}
	}
	return nil
}

// Flip gives p the gate as the release has it that brought it, or, if p has it so already, as the release
// before that. It reports false, and changes nothing, where the gate that this one needs is off, so that
// this one could be either.
func (g *Gate) Flip(p *world.Profile) bool {
	before, after := g.neighbours()
	old, now := profileOf(before), profileOf(after)
	if g.requires != "" && Named(g.requires).differs(p, &now) {
		return false
	}
	to := &old
	if g.differs(p, &now) {
		to = &now
	}
	g.copyFrom(p, to)
	return true
}

// profileOf returns the profile of a release. Before v0.24 there is no SetTransform, so nobody sees how
// v0.22 would transform. It counts as v0.23, and the two don't differ in it.
func profileOf(release string) world.Profile {
	p, _ := world.ProfileFor(release)
	if strings.HasPrefix(release, "v0.22.") {
		p.TransformsLate, p.Queue.TransformsSync, p.Queue.TransformsTombstones = true, true, true
	}
	return p
}

// Change is a Gate in which two releases differ.
type Change struct {
	*Gate
	Since []string // the releases that brought it
}

// Between returns the differences between two releases, in the order in which they came.
func Between(from, to string) []Change {
	var out []Change
	for i := range Gates {
		if g := &Gates[i]; g.Differs(from, to) {
			out = append(out, Change{g, g.Since()})
		}
	}
	return out
}

// Since returns the releases that brought the gate: the first of the minor that had it first, and
// the patch releases of older minors that got it, too.
func (g *Gate) Since() []string {
	var since []string
	releases := world.Releases()
	newest := profileOf(releases[len(releases)-1])
	var before world.Profile // of the patch before, and for the first of a minor of the first one before it
	var first world.Profile
	for i, r := range releases {
		p := profileOf(r)
		if strings.HasSuffix(r, ".0") {
			before, first = first, p
		}
		if i > 0 && g.differs(&before, &p) && !g.differs(&p, &newest) {
			since = append(since, r)
		}
		before = p
	}
	return since
}

// Effect is what a program sees of a Gate's script before the change and after it.
type Effect struct {
	Before, After string   // the last release before the change, and the release that brought it
	Old, New      []string // the lines that differ, or all of them where only their order does
}

// Show plays the gate's script to the last release before the change, and to the same with this
// gate alone as the release has it that brought it.
func (g *Gate) Show() Effect {
	before, after := g.neighbours()
	p, q := g.machines()
	old, _ := observe(g.Script, p)
	now, _ := observe(g.Script, q)
	was, is := old.sorted(g.Shows), now.sorted(g.Shows)
	s := Effect{Before: before, After: after, Old: texts(was), New: texts(is)}
	if !slices.Equal(slices.Sorted(slices.Values(s.Old)), slices.Sorted(slices.Values(s.New))) {
		s.Old, s.New = texts(unmatched(was, is)), texts(unmatched(is, was))
	}
	return s
}

// Place returns the step, on the release before the change, at which the gate's script first shows the
// change: that release sees a line there that the one that brought the gate doesn't see, or the other
// one has seen a line by then that this one doesn't see. It is the last step where the other one sees
// its line later than that.
func (g *Gate) Place() int64 {
	before, after := g.neighbours()
	p, _ := observe(g.Script, profileOf(before))
	q, _ := observe(g.Script, profileOf(after))
	was, is := p.sorted(g.Shows), q.sorted(g.Shows)
	place := p.run.Front().Steps()
	for _, l := range unmatched(was, is) {
		place = min(place, l.step)
	}
	for _, l := range unmatched(is, was) {
		step := p.run.StepOf(l.now)
		if p.run.SeekTo(step).Now() < l.now { // it is not yet seen there
			step++
		}
		place = min(place, step)
	}
	return place
}

// neighbours returns the first release that has the gate as the newest has it, and the one before it.
func (g *Gate) neighbours() (before, after string) {
	after = g.Since()[0]
	for _, r := range world.Releases() {
		if r == after {
			break
		}
		before = r
	}
	return before, after
}

// machines returns the profile of the release before the change, and the same with the gate. Both have
// the gate that it needs.
func (g *Gate) machines() (p, q world.Profile) {
	before, after := g.neighbours()
	p, q = profileOf(before), profileOf(after)
	if g.requires != "" {
		Named(g.requires).copyFrom(&p, &q)
	}
	whole := q
	q = p
	g.copyFrom(&q, &whole)
	return p, q
}

// unmatched returns the lines of a that are not in b, each as often as it is missing there, as the
// longest common sequence of the two says. Two lines are the same if their texts are, whenever they were seen.
func unmatched(a, b []line) []line {
	common := make([][]int, len(a)+1) // the length of the longest sequence that the rests of a and b share
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].String() == b[j].String() {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var left []line
	i, j := 0, 0
	for i < len(a) {
		switch {
		case j < len(b) && a[i].String() == b[j].String():
			i, j = i+1, j+1
		case j == len(b) || common[i+1][j] >= common[i][j+1]:
			left = append(left, a[i])
			i++
		default:
			j++
		}
	}
	return left
}

func texts(lines []line) (all []string) {
	for _, l := range lines {
		all = append(all, l.String())
	}
	return all
}
