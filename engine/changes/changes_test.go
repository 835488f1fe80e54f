package changes

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/world"
)

// Each gate's script shows its difference and no other of its release. A gate without a script says why.
func TestScripts(t *testing.T) {
	if len(Gates) != len(switches) {
		t.Errorf("gates.txt has %d gates, and %d have switches", len(Gates), len(switches))
	}
	for i := range Gates {
		g := &Gates[i]
		switch {
		case g.Difference == "" || g.Advice == "":
			t.Errorf("%s: a gate says what differs, and what to do about it", g.Name)
		case (g.Script == "") != (g.Reason != ""):
			t.Errorf("%s: a gate has a script, or says why it has none", g.Name)
		case g.Script == "":
		case !g.judge()(g.Script):
			t.Errorf("%s: the script doesn't show the difference in %s:\n%s%s", g.Name, g.Shows, g.Script, g.shown())
		}
	}
}

// shown is what the script shows in each part.
func (g *Gate) shown() string {
	p, q := g.machines()
	before, after := g.neighbours()
	var b strings.Builder
	for _, m := range []struct {
		name string
		p    world.Profile
	}{{before + " and what it needs", p}, {"the gate alone", q}, {"all but the gate", g.profileBefore()}, {after, profileOf(after)}} {
		seen, failed := Play(g.Script, m.p)
		b.WriteString("--- " + m.name)
		if failed > 0 {
			b.WriteString(", with lines that fail")
		}
		for part, lines := range seen {
			b.WriteString("\n" + Part(part).String() + "\n  " + strings.Join(lines, "\n  "))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Each switch of a Profile in which releases differ belongs to one gate, so that two releases whose
// gates are equal are the same machine.
func TestEachSwitchIsAGates(t *testing.T) {
	for _, r := range world.Releases() {
		p := profileOf(r)
		whose := map[*bool]string{}
		for i := range Gates {
			for _, f := range Gates[i].flags(&p) {
				if whose[f] != "" {
					t.Errorf("%s and %s have the same switch", whose[f], Gates[i].Name)
				}
				whose[f] = Gates[i].Name
			}
		}
	}
	releases := world.Releases()
	last := releases[len(releases)-1]
	newest := profileOf(last)
	for _, r := range releases {
		p := profileOf(r)
		for i := range Gates {
			Gates[i].copyFrom(&p, &newest)
		}
		p.Name, p.Versions, p.Summary = newest.Name, newest.Versions, newest.Summary
		if !reflect.DeepEqual(p, newest) {
			t.Errorf("%s with all gates of %s is %+v, not %+v", r, last, p, newest)
		}
	}
}

// Whatever random scripts and the gates' own scripts show between neighbouring releases goes away when
// the gates are switched in which the two differ. Releases without a difference are one machine.
func TestRandomScripts(t *testing.T) {
	var texts []string
	for i := range Gates {
		texts = append(texts, Gates[i].Script)
	}
	for seed := *from; seed < *from+*seeds; seed++ {
		texts = append(texts, randomScript(uint64(seed)))
	}
	shown := map[string]int{}
	releases := world.Releases()
	for i := range releases[1:] {
		before, after := releases[i], releases[i+1]
		p, q := profileOf(before), profileOf(after)
		list := Between(before, after)
		if len(list) == 0 {
			if p.Name, p.Versions, p.Summary = q.Name, q.Versions, q.Summary; !reflect.DeepEqual(p, q) {
				t.Errorf("%s and %s differ, and no gate says in what", before, after)
			}
			continue
		}
		switched := p
		for _, c := range list {
			c.copyFrom(&switched, &q)
		}
		for _, text := range texts {
			old, _ := Play(text, p)
			now, _ := Play(text, q)
			if len(old.Differs(now)) > 0 {
				shown[after]++
			}
			if with, _ := Play(text, switched); len(with.Differs(now)) > 0 {
				t.Fatalf("%s with the gates of %s differs from it in %v:\n%s", before, after, with.Differs(now), text)
			}
		}
	}
	for i := range Gates {
		g := &Gates[i]
		if _, after := g.neighbours(); g.Script != "" && shown[after] == 0 {
			t.Errorf("no script shows a difference of %s: %s", after, g.Name)
		}
	}
}

// At its Place, each script has shown something that differs, or the rest of its run shows nothing more.
func TestPlaces(t *testing.T) {
	for i := range Gates {
		g := &Gates[i]
		if g.Script == "" {
			continue
		}
		before, after := g.neighbours()
		p, _ := observe(g.Script, profileOf(before))
		q, _ := observe(g.Script, profileOf(after))
		place := g.Place()
		upTo := func(step int64) bool { // reports whether the two have shown the same
			until := p.run.SeekTo(step).Now()
			seen := func(all []line, shown func(l line) bool) (texts []string) {
				for _, l := range all {
					if shown(l) {
						texts = append(texts, l.String())
					}
				}
				return texts
			}
			was := seen(p.sorted(g.Shows), func(l line) bool { return l.step <= step })
			is := seen(q.sorted(g.Shows), func(l line) bool { return l.now <= until })
			return slices.Equal(was, is)
		}
		if last := p.run.Front().Steps(); place < 1 || place > last || place < last && upTo(place) {
			t.Errorf("%s: at step %d of %s nothing differs from %s", g.Name, place, before, after)
		}
	}
}

func TestSince(t *testing.T) {
	for name, want := range map[string]string{
		"runs-once": "v0.23.0", "finds-kept": "v0.23.6 v0.24.0", "deletes-queued": "v0.24.13 v0.25.9 v0.26.4 v0.27.0",
		"resync-as-cached": "v0.31.0", "in-order": "v0.33.0", "stops-at-once": "v0.34.0", "unlocks": "v0.36.0", "repeated-keys": "v0.38.0-beta.0", "sharded": "v0.38.0-beta.0",
	} {
		if got := strings.Join(Named(name).Since(), " "); got != want {
			t.Errorf("%s came with %s, not %s", name, got, want)
		}
	}
	names := func(from, to string) (names []string) {
		for _, c := range Between(from, to) {
			names = append(names, c.Name)
		}
		return names
	}
	for _, c := range []struct {
		from, to string
		want     []string
	}{
		{"v0.32.13", "v0.34.13", []string{"in-order", "stops-at-once", "stop-ends-requests", "stream-transforms", "release-reads"}},
		{"v0.35.10", "v0.33.0", []string{"stops-at-once", "stream-transforms", "release-reads", "batches", "streaming-list"}},
		{"v0.36.0", "v0.37.2", []string{"releases-again"}},
		{"v0.37.0", "v0.37.2", nil},
		{"v0.37.2", "v0.38.0-beta.0", []string{"repeated-keys", "sharded", "pausable", "keeps-same-index", "late-version-metric", "adds-missing", "release-looks"}},
		{"v0.23.0", "v0.23.17", []string{"finds-kept"}},
		{"v0.24.17", "v0.25.0", []string{"deletes-queued", "transforms-early", "wraps-errors"}},
		{"v0.22.17", "v0.23.17", []string{"runs-once", "keeps-index", "gone-by-code"}},
	} {
		if got := names(c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("between %s and %s: %v, not %v", c.from, c.to, got, c.want)
		}
	}
}

func TestUnmatched(t *testing.T) {
	lines := func(text string) (all []line) {
		for i, c := range strings.Split(text, "") {
			all = append(all, line{goroutine: "h", text: c, step: int64(i)})
		}
		return all
	}
	a, b := lines("abcabba"), lines("cbabac")
	if got := strings.ReplaceAll(strings.Join(texts(unmatched(a, b)), ""), "h: ", ""); got != "abb" && got != "abc" && len(got) != 3 {
		t.Errorf("%s", got)
	}
	if got := unmatched(lines("bb"), lines("bb")); got != nil {
		t.Errorf("%v", got)
	}
}

// A gate turned over is as on the other side of the release that brought it, and turned over again as it was. Where
// what it needs is off, it stays.
func TestFlip(t *testing.T) {
	for i := range Gates {
		g := &Gates[i]
		before, after := g.neighbours()
		old, now := profileOf(before), profileOf(after)
		for side, p := range map[string]world.Profile{before: old, after: now} {
			flipped := p
			if ok := g.Flip(&flipped); ok != g.differs(&p, &flipped) || !ok && (side == after || g.requires == "") {
				t.Errorf("%s of %s flips: %t", g.Name, side, ok)
			} else if ok && (g.differs(&flipped, &old) == g.differs(&p, &old) || !g.Flip(&flipped) || !reflect.DeepEqual(flipped, p)) {
				t.Errorf("%s of %s is not the same when it was flipped twice", g.Name, side)
			}
		}
	}
}
