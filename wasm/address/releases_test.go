package address

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Links that a release has made are read by every later version, which misses nothing in them.
func TestLinksOfReleases(t *testing.T) {
	files, err := filepath.Glob("../../replay/testdata/releases/*/links.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no release has links", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for fragment := range strings.FieldsSeq(string(b)) {
			if a, err := Read(fragment); err != nil || a.Strange || !a.Opens() {
				t.Errorf("%s: %s is read as %+v, %v", file, fragment, a, err)
			}
		}
	}
}
