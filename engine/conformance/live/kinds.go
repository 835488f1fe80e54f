package live

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// Random compares on fresh random scripts: for whole informers, their parts, and the
// requests below them.
func Random(t *testing.T, v *Version) {
	c := newComparison(t, v)
	t.Run("Work", c.work)
	t.Run("Scripts", c.informers)
	t.Run("Pipes", c.pipes)
	t.Run("Transport", c.transport)
	t.Run("Parts", c.parts)
	c.report(t)
}

// informers compares on fresh random scripts of every kind, and shrinks the
// first of each that differs.
func (c *comparison) informers(t *testing.T) {
	for _, k := range kinds {
		has := func(writer *Version) bool {
			return writer.generates(k) && (writer.oldest() || !k.twice || !c.v.oldest())
		}
		t.Run(k.name, func(t *testing.T) {
			c.run(t, has, func(writer *Version, seed int64) ([]Op, []string) { return k.script(t, c.driver, writer, seed) })
		})
	}
}

// generates reports whether there are scripts of a kind for a version.
func (v *Version) generates(k kind) bool {
	switch {
	case v.delta() && len(k.gates) != 1, k.gates["WatchListClient"] && !v.streams():
		return false
	case k.shard && !v.since38():
		return false
	case v.streamsApart() && k.gates["WatchListClient"] && k.xform == "fail":
		return false
	}
	return k.xform == "" || v.transforms()
}

// kind is a kind of script.
type kind struct {
	name  string
	gates map[string]bool
	slow  bool // handlers that block
	twice bool // Run is called more than once
	xform string
	// resync: all have a resync period, and many updates have the version of the object that they change
	resync bool
	shard  bool // the informer has a shard selector
	atWork bool // stops and events come while the process loop is at work
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
	{name: "inf-default"}, // each gate is as the version has it
	{name: "inf-slow", gates: gates("WatchListClient"), slow: true},
	{name: "inf-at-work", gates: gates("WatchListClient"), atWork: true},
	{name: "inf-at-work-locked", gates: gates("WatchListClient", "UnlockWhileProcessingFIFO"), atWork: true},
	{name: "inf-at-work-deltaqueue", gates: gates("WatchListClient", "InOrderInformers"), atWork: true},
	{name: "inf-resync", gates: gates("WatchListClient"), resync: true},
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
	{name: "inf-shard", gates: gates("WatchListClient"), shard: true},
	{name: "inf-shard-watchlist", gates: map[string]bool{"WatchListClient": true}, shard: true},
	{name: "inf-stamp", gates: gates("WatchListClient"), xform: "stamp"},
	{name: "inf-fail", gates: gates("WatchListClient"), xform: "fail"},
	{name: "inf-fail-nonatomic", gates: gates("WatchListClient", "AtomicFIFO"), xform: "fail"},
	{name: "inf-fail-deltaqueue", gates: gates("WatchListClient", "InOrderInformers"), xform: "fail"},
	{name: "inf-fail-watchlist", gates: map[string]bool{"WatchListClient": true}, xform: "fail"},
	{name: "inf-types", gates: gates("WatchListClient"), xform: "types"},
	{name: "inf-types-deltaqueue", gates: gates("WatchListClient", "InOrderInformers"), xform: "types"},
	{name: "inf-nometa", gates: gates("WatchListClient"), xform: "nometa"},
	{name: "inf-nometa-nonatomic", gates: gates("WatchListClient", "AtomicFIFO"), xform: "nometa"},
	{name: "inf-nometa-deltaqueue", gates: gates("WatchListClient", "InOrderInformers"), xform: "nometa"},
	{name: "inf-nometa-watchlist-nonatomic", gates: map[string]bool{"WatchListClient": true, "AtomicFIFO": false}, xform: "nometa"},
}

// Transcripts plays those scripts of testdata that it can play, and compares the
// results with what the library printed when they were recorded. It is a test of
// the player itself.
func Transcripts(t *testing.T, v *Version, suffix string) {
	names, err := filepath.Glob(filepath.Join(proof.Top(t), "engine/conformance/testdata/*/*"+suffix))
	if err != nil || len(names) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, name := range names {
		script, ok := load(t, strings.TrimSuffix(name, suffix)+".jsonl")
		if !ok {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want, got := strings.Split(strings.TrimSpace(string(text)), "\n"), Play(t, v, script)
			if at := differs(got, want); at >= 0 {
				t.Errorf("operation %d:\nprints    %s\nrecorded  %s", at, got[at], want[at])
			}
		})
	}
}

// played are the families that are not left to the driver's own tests.
var played = regexp.MustCompile(`^(inf|fifo|known|idx|pipe)\.`)

// load reads a script, and reports whether all of it can be played.
func load(t *testing.T, name string) ([]Op, bool) {
	t.Helper()
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return nil, false // only the driver plays operations on the transport
	}
	if err != nil {
		t.Fatal(err)
	}
	var script []Op
	for line := range strings.Lines(string(text)) {
		var op Op
		if json.Unmarshal([]byte(line), &op) != nil || op.Op != "config" && op.Op != "advance" && !played.MatchString(op.Op) {
			return nil, false
		}
		script = append(script, op)
	}
	return script, slices.ContainsFunc(script, func(op Op) bool { return strings.HasSuffix(op.Op, ".new") })
}
