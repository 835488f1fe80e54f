package proof

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Transcript is a script of testdata/controller, with what real code printed for it.
type Transcript struct {
	Name    string
	Of      string // the version that printed it; "" where a family has one version
	Script  []Op
	In, Out []string // lines: the operations, and what was printed for each
	begin   string   // the line with which it begins
}

// TranscriptsOf returns the file with a family's transcripts.
func TranscriptsOf(t *testing.T, family string) string {
	return filepath.Join(Top(t), "engine/conformance/testdata/controller", family+".jsonl")
}

// Transcripts reads the transcripts of a family.
func Transcripts(t *testing.T, family string) (all []Transcript) {
	t.Helper()
	text, err := os.ReadFile(TranscriptsOf(t, family))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		op := Op{}
		if err := json.Unmarshal([]byte(line), &op); err != nil {
			t.Fatalf("%s: %v", family, err)
		}
		if name, begins := op["script"].(string); begins {
			of, _ := op["client-go"].(string)
			all = append(all, Transcript{Name: name, Of: of, begin: line})
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

// Text returns what the file of a family has.
func Text(all []Transcript) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.begin + "\n")
		for i := range s.In {
			b.WriteString(s.In[i] + "\n" + s.Out[i] + "\n")
		}
	}
	return b.String()
}
