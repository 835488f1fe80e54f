package live

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// Lessons returns the lines of the blocks of a kind in the lessons, by the place of
// the block's first line.
func Lessons(t *testing.T, kind string) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(proof.Top(t), "web/lessons/en/*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal("no lessons", err)
	}
	blocks := map[string][]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at := ""
		for i, line := range strings.Split(string(text), "\n") {
			switch {
			case strings.HasPrefix(line, "```"):
				at = ""
				if line == "```"+kind {
					at = filepath.Base(name) + ":" + strconv.Itoa(i+1)
				}
			case at != "":
				blocks[at] = append(blocks[at], line)
			}
		}
	}
	if len(blocks) == 0 {
		t.Fatal("the lessons have no", kind)
	}
	return blocks
}

// LessonSources checks that client-go has the functions to which lessons refer for
// a minor version, such as "v0.22", in the files that they name.
func LessonSources(t *testing.T, minor string) {
	found := 0
	for at, lines := range Lessons(t, "source") {
		found += lookUp(t, at, minor, lines)
	}
	if found == 0 {
		t.Error("no lesson refers to", minor)
	}
}
