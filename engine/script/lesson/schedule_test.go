package lesson

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script"
)

// TestSchedulesOfWrongOptions searches for each schedule in which a wrong option would be right. The golden file says
// which of them there are.
func TestSchedulesOfWrongOptions(t *testing.T) {
	var out strings.Builder
	options, lessons := 0, map[string]bool{}
	eachLesson(t, func(language, name string, l *Lesson) {
		if language != "en" {
			return // the blocks are the same in each language
		}
		for i := range l.Parts {
			for k, line := range l.Parts[i].Ask.Cans {
				if line.N == 0 {
					continue
				}
				p := &Player{Lesson: l}
				r := p.machine(func(script.Entry) {})
				if err := play(r, WithoutExpectations(p.Lines(i))); err != nil {
					t.Fatal(err)
				}
				r.Limit(math.MaxInt64/2, Bounds)
				q, err := p.Seek(r, i, k)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				q.Advance(math.MaxInt)
				if q.Result().Yes && q.Result().Schedule == nil {
					t.Errorf("%s:%d is so before anything has moved", name, line.N)
				}
				options, lessons[name] = options+1, true
				out.WriteString(name + ": " + l.Parts[i].Ask.Options[k] + "\n  " + line.Text + "\n  " + q.Answer().Text + "\n")
			}
		}
	})
	if options < 20 || len(lessons) < 12 {
		t.Errorf("schedules are sought for %d options of %d lessons", options, len(lessons))
	}
	const golden = "testdata/schedules.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || out.String() != string(want) {
		t.Errorf("%v; the searches find\n%s", err, out.String())
	}
}
