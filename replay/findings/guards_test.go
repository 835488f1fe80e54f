package findings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/report/controller"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// TestGuardCases: of real controllers, the stale reads that are told first are those that created something twice, and each has the answer
// that the recording gives for each guard.
func TestGuardCases(t *testing.T) {
	names, err := filepath.Glob("../report/controller/testdata/*.trace.jsonl.gz")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		var log worker.Log
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := file.Read(f, format.Options{OtherLine: log.Line})
		if f.Close(); err != nil {
			t.Fatal(err)
		}
		r := controller.Summarise(tr, &log)
		g, c := r.Guards()[0], &r.Controllers[0]
		cases := findings.NewGuardCases(&g, c)
		twice := 0
		for i, x := range cases {
			text := said.Sentence(&x.Title, said.English)
			if created := strings.Contains(text, "It created"); created && i != twice {
				t.Errorf("%s: case %d is %s", name, i, text)
			} else if created {
				twice++
			}
			if len(x.Answers) != len(g.Guards) || x.Late == 0 || text == "" || strings.Contains(text, "{") {
				t.Errorf("%s: case %d is %s: %+v", name, i, text, x)
			}
			for j, a := range x.Answers {
				if answer := said.Sentence(&a, said.English); answer == "" || g.Guards[j].Name == "read-your-writes" && !strings.HasPrefix(answer, "yes") {
					t.Errorf("%s: %s of %s: %s", name, g.Guards[j].Name, text, answer)
				}
			}
		}
		if want := min(len(c.Stale), 5); len(cases) != want || len(c.Duplicates) > 0 && twice == 0 && !c.Duplicates[0].Lost {
			t.Errorf("%s: %d cases, %d of them created something twice", name, len(cases), twice)
		}
	}
}
