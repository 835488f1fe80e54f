package project_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var (
	sleeps = regexp.MustCompile(`(?m)^[^/\n]*\btime\.Sleep\(`)
	// bubbles are imported by whoever makes a bubble, whose clock goes on as soon as everything in it waits.
	bubbles = regexp.MustCompile(`(?m)^\s+"(testing/synctest|github\.com/informerscope/informerscope/replay/testserver/explore)"$`)
)

// Nobody waits for a time to pass: time.Sleep stands only in packages that make bubbles. The nested modules are
// looked at, too.
func TestNothingSleeps(t *testing.T) {
	asleep, bubble := map[string][]string{}, map[string]bool{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"build", "dist", "node_modules", ".git"}, d.Name()):
			if name == filepath.Join("..", "..", "web", "build") {
				return nil
			}
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		folder := filepath.Dir(name)
		if sleeps.Match(text) {
			asleep[folder] = append(asleep[folder], name)
		}
		bubble[folder] = bubble[folder] || bubbles.Match(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(asleep) == 0 {
		t.Fatal("nothing was found")
	}
	for folder, files := range asleep {
		if !bubble[folder] {
			t.Errorf("%v sleep, and nothing in their package makes a bubble", files)
		}
	}
}
