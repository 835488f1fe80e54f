package kcm137

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

var update = flag.Bool("update", false, "write what the real code prints into the transcripts that differ from it")

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
		all, changed := proof.Transcripts(t, f.name), false
		for i := range all {
			s := &all[i]
			t.Run(f.name+"/"+s.Name, func(t *testing.T) {
				printed := f.play(t, s.Script)
				got, want := withoutBackoff(s.In, printed), withoutBackoff(s.In, s.Out)
				switch at := proof.Differs(got, want); {
				case at >= 0 && *update:
					for at := range printed { // line by line: fields may stand in another order
						if proof.Differs(got[at:at+1], want[at:at+1]) >= 0 {
							s.Out[at], changed = printed[at], true
						}
					}
				case at >= 0:
					t.Errorf("operation %d: %s\nreal       %s\ntranscript %s", at, s.In[at], got[at], want[at])
				}
			})
		}
		if changed {
			if err := os.WriteFile(proof.TranscriptsOf(t, f.name), []byte(proof.Text(all)), 0o644); err != nil {
				t.Fatal(err)
			}
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
