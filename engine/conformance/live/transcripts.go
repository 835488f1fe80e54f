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
