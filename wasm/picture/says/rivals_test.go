//go:build !js

package says

import (
	"maps"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/replay/feed/runtest"
)

// A rival of a sentence is another one that tells the same fact or, without a fact, what
// the same program counter does. Rivals are the same everywhere, so they are not looked for
// in WebAssembly, which takes ten times as long.

// TestRivals evaluates each law wherever a rival of its sentence is said. A law that holds
// there can't tell whether the right one of the two is said.
func TestRivals(t *testing.T) {
	all := rivals()
	both := map[string]bool{}
	eachStep(t, func(run string, m *moment, s *step, y *saying) {
		for _, z := range all[y.fact] {
			if z.byHand && !m.after.ByHand() || y.fact == 0 && z.pc != y.pc {
				continue
			}
			m.hold(t, run, s, z, "step.", z.id, y.id, both)
			if y.reason != "" {
				m.hold(t, run, s, z, "why.", z.reason, y.reason, both)
			}
		}
	})
	for id, why := range lesser {
		if !runtest.Fresh() && !slices.ContainsFunc(slices.Collect(maps.Keys(both)), func(pair string) bool { return pair[:len(id)] == id }) {
			t.Errorf("%s holds nowhere else, though %s", id, why)
		}
	}
}

// hold fails the test if the law of a rival holds, whose row is z. Each pair is told once.
func (m *moment) hold(t *testing.T, run string, s *step, z *saying, prefix, rival, said string, both map[string]bool) {
	pair := prefix + rival + " where " + prefix + said + " is said"
	if rival == "" || rival == said || both[pair] || !m.holdsAs(s, z, prefix+rival) {
		return
	}
	both[pair] = true
	if lesser[prefix+rival] == "" {
		t.Errorf("%s, step %d: the law holds of %s\n%s", run, m.after.Steps(), pair, factsText(m))
	}
}
