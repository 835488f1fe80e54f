package live

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// Random compares on fresh random scripts: for whole informers, their parts, and the
// requests below them.
func Random(t *testing.T, v *Version) {
	t.Run("Work", func(t *testing.T) { randomWork(t, v) })
	t.Run("Scripts", func(t *testing.T) { randomScripts(t, v) })
	t.Run("Pipes", func(t *testing.T) { randomPipes(t, v) })
	t.Run("Transport", func(t *testing.T) { randomTransport(t, v) })
	t.Run("Parts", func(t *testing.T) { randomParts(t, v) })
}

// randomScripts compares on fresh random scripts of every kind, and shrinks the
// first of each that differs.
func randomScripts(t *testing.T, v *Version) {
	bin := proof.Build(t)
	for _, k := range kinds {
		if v.StreamsApart && k.gates["WatchListClient"] && k.xform == "fail" || v.Delta && (len(k.gates) > 1 || k.gates["WatchListClient"]) || v.Oldest && k.xform != "" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			for seed := *proof.From; seed < *proof.From+*proof.Seeds; seed++ {
				script := k.script(t, bin, v, seed)
				real, ours, at := compare(t, bin, v, script)
				if !comparable(script, real, v) {
					t.Errorf("seed %d: the script leaves to chance what it comes to", seed)
				} else if at >= 0 {
					t.Logf("seed %d", seed)
					report(t, bin, v, script, real, ours, at)
					return
				}
			}
		})
	}
}

// kind is a kind of script.
type kind struct {
	name  string
	gates map[string]bool
	slow  bool // handlers that block
	twice bool // Run is called more than once
	xform string
}

func gates(off ...string) map[string]bool {
	g := map[string]bool{}
	for _, name := range off {
		g[name] = false
	}
	return g
}

var kinds = []kind{
	{name: "inf", gates: gates("WatchListClient")},
	{name: "inf-slow", gates: gates("WatchListClient"), slow: true},
	{name: "inf-twice", gates: gates("WatchListClient"), twice: true},
	{name: "inf-nonatomic", gates: gates("WatchListClient", "AtomicFIFO")},
	{name: "inf-nonatomic-slow", gates: gates("WatchListClient", "AtomicFIFO"), slow: true},
	{name: "inf-watchlist", gates: map[string]bool{"WatchListClient": true}},
	{name: "inf-watchlist-nonatomic", gates: map[string]bool{"WatchListClient": true, "AtomicFIFO": false}},
	{name: "inf-watchlist-deltaqueue", gates: map[string]bool{"WatchListClient": true, "InOrderInformers": false}},
	{name: "inf-deltaqueue", gates: gates("WatchListClient", "InOrderInformers")},
	{name: "inf-onebyone", gates: gates("WatchListClient", "InOrderInformersBatchProcess")},
	{name: "inf-onebyone-nonatomic", gates: gates("WatchListClient", "InOrderInformersBatchProcess", "AtomicFIFO")},
	{name: "inf-locked", gates: gates("WatchListClient", "UnlockWhileProcessingFIFO")},
	{name: "inf-stamp", gates: gates("WatchListClient"), xform: "stamp"},
	{name: "inf-fail", gates: gates("WatchListClient"), xform: "fail"},
	{name: "inf-fail-nonatomic", gates: gates("WatchListClient", "AtomicFIFO"), xform: "fail"},
	{name: "inf-fail-deltaqueue", gates: gates("WatchListClient", "InOrderInformers"), xform: "fail"},
	{name: "inf-fail-watchlist", gates: map[string]bool{"WatchListClient": true}, xform: "fail"},
	{name: "inf-nometa", gates: gates("WatchListClient"), xform: "nometa"},
	{name: "inf-nometa-nonatomic", gates: gates("WatchListClient", "AtomicFIFO"), xform: "nometa"},
	{name: "inf-nometa-deltaqueue", gates: gates("WatchListClient", "InOrderInformers"), xform: "nometa"},
	{name: "inf-nometa-watchlist-nonatomic", gates: map[string]bool{"WatchListClient": true, "AtomicFIFO": false}, xform: "nometa"},
}
