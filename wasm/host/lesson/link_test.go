package lesson

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// A function leads to its file at the newest release of the minor that a lesson names, and nowhere if there is no such minor.
func TestASourceLeadsToItsCode(t *testing.T) {
	l, err := Read("---\nminutes: 5\n---\n\n# Title\n\nSummary.\n\n```script\nprofile classic\ninformer pods\n```\n\n" +
		"```source\nv0.22 tools/cache/delta_fifo.go DeltaFIFO.Replace\nv0.36 util/workqueue/queue.go New\nv0.99 tools/cache/reflector.go New\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range l.Link("a").Parts {
		if p.Kind != link.PartSource {
			continue
		}
		want := []string{"https://github.com/kubernetes/client-go/blob/v0.22.17/tools/cache/delta_fifo.go", "https://github.com/kubernetes/client-go/blob/v0.36.6/util/workqueue/queue.go", ""}
		for k := range want {
			if p.Links[k] != want[k] {
				t.Errorf("%s leads to %q, not %q", p.Lines[k], p.Links[k], want[k])
			}
		}
	}
}

// Each kind of part crosses by the name that it has in a lesson.
func TestPartsCrossByTheirKind(t *testing.T) {
	for i, want := range link.PartKinds {
		if got := lesson.Kind(i) + lesson.Heading; got.String() != string(want) {
			t.Errorf("%s crosses as %s", got, want)
		}
	}
	if len(link.PartKinds) != int(lesson.Code) {
		t.Errorf("%d of %d kinds cross", len(link.PartKinds), lesson.Code)
	}
}

// What a control of a lesson is about is said in words.
func TestControlsAreSaidInWords(t *testing.T) {
	files, err := filepath.Glob("../../../web/lessons/en/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no lessons", err)
	}
	texts, used := viewtest.Catalogue(t, "en"), map[string]bool{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		l, err := lesson.Parse(string(text))
		if err != nil {
			continue // it is no lesson
		}
		for _, p := range l.Parts {
			for j := range p.Controls {
				if p.Kind != lesson.Control {
					continue
				}
				said := controlName(&p.Controls[j])
				if used[said.ID] = true; texts[said.ID] == "" {
					t.Errorf("%s: %q has no %s", filepath.Base(f), p.Controls[j].Line(0), said.ID)
				}
			}
		}
	}
	for id := range texts {
		if len(id) > 7 && id[:7] == "ui.try." && !used[id] {
			t.Errorf("no lesson has a control for %s", id)
		}
	}
}
