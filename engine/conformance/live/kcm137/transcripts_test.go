package kcm137

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

var update = flag.Bool("update", false, "write what the real code prints into the transcripts of the leader election")

// ages are the times in what rs.* prints.
var ages = regexp.MustCompile(`"t=\d+ |age=\d+ms`)

// TestTranscripts plays the scripts of testdata/controller to the real code, which must print
// what stands there. So the driver, which must print the same, is held against it, and nobody
// can change a transcript by mistake.
func TestTranscripts(t *testing.T) {
	families := map[string]proof.Player{"exp": playExp, "cs": playCS, "le": playLE, "rs": playRS}
	for _, family := range slices.Sorted(maps.Keys(families)) {
		file := "../../testdata/controller/" + family + ".jsonl"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var written strings.Builder
		for _, script := range strings.Split("\n"+string(text), "\n{\"script\":")[1:] {
			name, rest, _ := strings.Cut(script, "\n")
			var ops []proof.Op
			var in, want []string
			for line := range strings.Lines(rest) {
				line = strings.TrimSpace(line)
				op := proof.Op{}
				if err := json.Unmarshal([]byte(line), &op); err != nil {
					t.Fatal(err)
				}
				if _, printed := op["i"]; printed {
					want = append(want, line)
					continue
				}
				ops, in = append(ops, op), append(in, line)
			}
			t.Run(family+"/"+strings.Trim(name, ` "}`), func(t *testing.T) {
				got := families[family](t, ops)
				if *update && family == "le" {
					written.WriteString(`{"script":` + name + "\n")
					for i := range in {
						written.WriteString(in[i] + "\n" + got[i] + "\n")
					}
					return
				}
				got, want := withoutBackoff(in, got), withoutBackoff(in, want)
				if at := proof.Differs(got, want); at >= 0 {
					t.Errorf("operation %d: %s\nreal       %s\ntranscript %s", at, in[at], got[at], want[at])
				}
			})
		}
		if written.Len() > 0 {
			if err := os.WriteFile(file, []byte(written.String()), 0o644); err != nil {
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
