//go:build !js

package lesson

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneVocabulary: lessons, the page's texts and the README have one word for one thing, that of
// testdata/glossary.txt.
func TestOneVocabulary(t *testing.T) {
	text, err := os.ReadFile("testdata/glossary.txt")
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(folder, "..", "..")
	for line := range strings.SplitSeq(string(text), "\n") {
		column := strings.Split(line, " | ")
		if strings.HasPrefix(line, "#") || len(column) < 3 {
			continue
		}
		language, avoid, use := column[0], column[1], column[2]
		files, err := filepath.Glob(filepath.Join(folder, language, "*.md"))
		if err != nil || len(files) == 0 {
			t.Fatal("no lessons in", language, err)
		}
		files = append(files, filepath.Join(root, "web", "locales", language+".json"))
		if language == "en" {
			files = append(files, filepath.Join(root, "README.md"))
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				line = strings.ReplaceAll(strings.ToLower(line), "（"+avoid, "") // a gloss
				if strings.Contains(line, avoid) {
					t.Errorf("%s:%d has %q, and the word is %q", filepath.Base(name), i+1, avoid, use)
				}
			}
		}
	}
}
