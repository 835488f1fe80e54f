package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLessons plays every lesson of the course in every language, and checks all
// that it says.
func TestLessons(t *testing.T) {
	files, err := filepath.Glob("../../../web/lessons/*/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no lessons", err)
	}
	for _, name := range files {
		if filepath.Base(name) == "course.md" {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(name))+"/"+strings.TrimSuffix(filepath.Base(name), ".md"), func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			if status := run(t.Context(), []string{"run", name}, &out, &errs); status != 0 {
				t.Error(errs.String())
			}
		})
	}
}

func TestRunLesson(t *testing.T) {
	const lesson = "---\nminutes: 5\n---\n\n# T\n\nS.\n\n```script\nprofile classic\ninformer pods\nqueue add a/x\nexpect queue QUEUE\n```\n"
	name := filepath.Join(t.TempDir(), "lesson.md")
	for queue, want := range map[string]string{"[a/x]": "", "[a/y]": "lesson.md:13:14: got [a/x], not [a/y]"} {
		if err := os.WriteFile(name, []byte(strings.Replace(lesson, "QUEUE", queue, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		status := run(t.Context(), []string{"run", name}, &out, &errs)
		if (status == 0) != (want == "") || !strings.Contains(errs.String(), want) || !strings.HasPrefix(out.String(), "> profile classic\n> informer pods\n> queue add a/x\n") {
			t.Errorf("status %d:\n%s%s", status, errs.String(), out.String())
		}
	}
	trace := strings.Replace(lesson, "minutes: 5", "minutes: 5\ntrace: ../../secret", 1)
	if err := os.WriteFile(name, []byte(trace), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"run", name}, &out, &errs); status != 1 || !strings.Contains(errs.String(), "the name of a file in ../traces") {
		t.Errorf("status %d: %s", status, errs.String())
	}
}
