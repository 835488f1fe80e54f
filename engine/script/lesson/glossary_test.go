//go:build !js

package lesson

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inCode is what a line has of the language of scripts, of an address, or of a command's flags.
var inCode = regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)|--[a-z-]+")

// TestOneVocabulary holds that lessons, the page's texts and the README use the words of the table in
// web/lessons/README.md. The words of its last column are in no sentence, except in brackets as a gloss.
func TestOneVocabulary(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| English | Chinese | never |\n|---|---|---|\n")
	if !found {
		t.Fatal("the table of words is gone")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	root := filepath.Join(folder, "..", "..")
	for line := range strings.SplitSeq(table, "\n") {
		column := strings.Split(strings.Trim(line, "| "), " | ")
		if len(column) != 3 {
			t.Fatalf("the table of words has the row %q", line)
		}
		for avoid := range strings.SplitSeq(column[2], ", ") {
			language, use, is := "zh", column[1], regexp.MustCompile("(?i)"+regexp.QuoteMeta(avoid))
			if avoid[0] < 0x80 && avoid != column[0] {
				language, use, is = "en", column[0], regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(avoid))
			}
			files, err := filepath.Glob(filepath.Join(folder, language, "*.md"))
			if err != nil || len(files) == 0 {
				t.Fatal("no lessons in", language, err)
			}
			files = append(files, filepath.Join(root, "web", "locales", language+".json"))
			if language == "en" {
				files = append(files, filepath.Join(root, "README.md"))
			} else {
				files = append(files, filepath.Join(root, "web", "build", "changes", "zh.json"))
			}
			for _, name := range files {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				block := false
				for i, line := range strings.Split(string(text), "\n") {
					if strings.HasPrefix(line, "```") {
						block = !block
						continue
					}
					said := strings.TrimSpace(line)
					if block && !strings.HasPrefix(said, noteMark) && !strings.HasPrefix(said, labelMark) {
						continue
					}
					if _, value, entry := strings.Cut(said, `": "`); entry && strings.HasSuffix(name, ".json") {
						said = value
					}
					said = strings.ReplaceAll(inCode.ReplaceAllString(said, ""), "（"+avoid, "")
					if is.MatchString(said) {
						t.Errorf("%s:%d has %q, and the word is %q", filepath.Base(name), i+1, avoid, use)
					}
				}
			}
		}
	}
}
