package kcm137

import (
	"flag"
	"os"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

var update = flag.Bool("update", false, "write what the real code prints into the transcripts that differ from it")

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
				switch at := proof.Differs(printed, s.Out); {
				case at >= 0 && *update:
					for at := range printed { // line by line: fields may stand in another order
						if proof.Differs(printed[at:at+1], s.Out[at:at+1]) >= 0 {
							s.Out[at], changed = printed[at], true
						}
					}
				case at >= 0:
					t.Errorf("operation %d: %s\nreal       %s\ntranscript %s", at, s.In[at], printed[at], s.Out[at])
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
