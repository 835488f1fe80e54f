package proof

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Transcript is a script of testdata/controller, with what real code printed for it.
type Transcript struct {
	Name    string
	Version string // the version that printed it; "" where a family has one version
	Script  []Op
	In, Out []string // lines: the operations, and what was printed for each
	begin   string   // the line with which it begins
}

// transcriptsOf returns the file with a family's transcripts.
func transcriptsOf(t *testing.T, family string) string {
	return filepath.Join(Top(t), "engine/conformance/testdata/controller", family+".jsonl")
}

// Transcripts reads the transcripts of a family: for each a line with its name, and then, by turns, an operation and what was
// printed for it. A family without a file has none.
func Transcripts(t *testing.T, family string) (all []Transcript) {
	t.Helper()
	text, err := os.ReadFile(transcriptsOf(t, family))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		op := Op{}
		if err := json.Unmarshal([]byte(line), &op); err != nil {
			t.Fatalf("%s: %v", family, err)
		}
		if name, begins := op["script"].(string); begins {
			version, _ := op["client-go"].(string)
			all = append(all, Transcript{Name: name, Version: version, begin: line})
			continue
		}
		s := &all[len(all)-1]
		if _, printed := op["i"]; printed {
			s.Out = append(s.Out, line)
		} else {
			s.Script, s.In = append(s.Script, op), append(s.In, line)
		}
	}
	return all
}

var update = flag.Bool("update", false, "write what real code prints into its own transcripts")

// Replay plays the transcripts of a family to real code, which must print what stands there. So the driver, which must print the
// same, is held against it, and nobody can change a transcript by mistake. Where want is not nil, it returns what must be printed,
// nil for a transcript that this version can't play, and whether that is the version's own, which -update writes.
func Replay(t *testing.T, family string, play Player, want func(s *Transcript) (lines []string, own bool)) {
	all, changed, played := Transcripts(t, family), false, 0
	for i := range all {
		s := &all[i]
		lines, own := s.Out, true
		if want != nil {
			if lines, own = want(s); lines == nil {
				continue
			}
		}
		played++
		t.Run(family+"/"+s.Name, func(t *testing.T) {
			printed := play(t, s.Script)
			switch at := Differs(printed, lines); {
			case at >= 0 && own && *update:
				for at := range printed { // line by line: fields may stand in another order
					if Differs(printed[at:at+1], s.Out[at:at+1]) >= 0 {
						s.Out[at], changed = printed[at], true
					}
				}
			case at >= 0:
				t.Errorf("operation %d: %s\nreal %s\nwant %s", at, s.In[at], printed[at], lines[at])
			}
		})
	}
	t.Logf("%s: %d of %d scripts", family, played, len(all))
	if !changed {
		return
	}
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.begin + "\n")
		for i := range s.In {
			b.WriteString(s.In[i] + "\n" + s.Out[i] + "\n")
		}
	}
	if err := os.WriteFile(transcriptsOf(t, family), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Play plays a script in a bubble of testing/synctest, where time is virtual. Between two operations every
// goroutine is blocked.
func Play(t *testing.T, script []Op, do func(op Op, res map[string]any), end func()) []string {
	var out []string
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		for i, op := range script {
			res := map[string]any{}
			func() {
				defer func() {
					if why := recover(); why != nil {
						res = map[string]any{"panic": fmt.Sprint(why)}
					}
				}()
				do(op, res)
				if _, tells := res["t"]; !tells {
					res["t"] = fmt.Sprint(time.Since(began).Milliseconds())
				}
			}()
			res["op"], res["i"] = op["op"], i
			line, err := json.Marshal(res)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(line))
		}
		end()
	})
	return out
}

// Pass lets a bubble's time pass. Nobody waits for that: the bubble's clock goes on as soon as every goroutine is
// blocked. Nothing else moves it, and nothing outside of a bubble calls Pass.
func Pass(d time.Duration) { time.Sleep(d) }

// Advance calls Pass for so many milliseconds.
func Advance(ms int64) { Pass(time.Duration(ms) * time.Millisecond) }
