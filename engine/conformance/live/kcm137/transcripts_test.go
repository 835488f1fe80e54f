package kcm137

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// ages are the times in what rs.* prints.
var ages = regexp.MustCompile(`"t=\d+ |age=\d+ms`)

// TestTranscripts plays the scripts of testdata/controller to the real code, which must print
// what stands there. So the driver, which must print the same, is held against it, and nobody
// can change a transcript by mistake.
func TestTranscripts(t *testing.T) {
	for _, f := range []struct {
		name string
		play proof.Player
	}{{"exp", playExp}, {"cs", playCS}, {"rs", playRS}} {
		for _, s := range proof.Transcripts(t, f.name) {
			t.Run(f.name+"/"+s.Name, func(t *testing.T) {
				got, want := withoutBackoff(s.In, f.play(t, s.Script)), withoutBackoff(s.In, s.Out)
				if at := proof.Differs(got, want); at >= 0 {
					t.Errorf("operation %d: %s\nreal       %s\ntranscript %s", at, s.In[at], got[at], want[at])
				}
			})
		}
	}
}

// withoutBackoff takes the times out of what follows on a watch's end. How long the reflector
// waits then is random.
func withoutBackoff(in, out []string) []string {
	ends := slices.IndexFunc(in, func(line string) bool {
		return strings.Contains(line, `"rs.watchExpire"`) || strings.Contains(line, `"rs.watchClose"`)
	})
	out = slices.Clone(out)
	for i := range out {
		if ends >= 0 && i >= ends {
			out[i] = ages.ReplaceAllStringFunc(out[i], func(text string) string { return text[:1] })
		}
	}
	return out
}
