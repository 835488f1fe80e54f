package project_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// named are the parts of a path in a recipe that stand for any name.
var named = regexp.MustCompile(`NAME|CODE|vNNN|crNNN`)

// TestRecipesNameFiles holds that each file and folder exists that a recipe of
// CONTRIBUTING.md names, so that whoever moves a file also changes the recipe.
func TestRecipesNameFiles(t *testing.T) {
	const guide = "../../.github/CONTRIBUTING.md"
	b, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	_, recipes, ok := strings.Cut(string(b), "## Recipes\n")
	if !ok {
		t.Fatal(guide, "has no recipes")
	}
	paths := regexp.MustCompile(`(?:engine|replay|wasm|web)/[\w./*-]+`).FindAllString(recipes, -1)
	if len(paths) < 50 {
		t.Fatalf("the recipes name only %d files: %q", len(paths), paths)
	}
	for _, path := range paths {
		path = strings.TrimRight(path, ".")
		found, err := filepath.Glob(filepath.Join("../..", named.ReplaceAllString(path, "*")))
		if err != nil || len(found) == 0 {
			t.Errorf("%s names %s, which does not exist", guide, path)
		}
	}
}

// samples are features that were made by a recipe, by the recipe's heading: the words by which product
// files name such a feature.
var samples = map[string]struct{ name, words string }{
	"A capture format":         {"simkube", `(?i)simkube`},
	"An intervention":          {"", `(?i)drop[ .]?bookmarks|bookmarksDropped|bookmarkLost`},
	"A fact with its sentence": {"", `(?i)bookmarkLost`},
	"A gesture":                {"", `"(gesture\.)?dropBookmarks"`},
}

// TestRecipesAreComplete compares the list of a recipe with the product files that name a feature which
// was made by it. A folder that is the feature's own counts as one file.
func TestRecipesAreComplete(t *testing.T) {
	b, err := os.ReadFile("../../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for heading, sample := range samples {
		_, text, ok := strings.Cut(string(b), "\n### "+heading+"\n")
		text, _, _ = strings.Cut(text, "\n### ")
		_, block, fenced := strings.Cut(text, "\n```\n")
		block, _, _ = strings.Cut(block, "```")
		if !ok || !fenced {
			t.Errorf("%s: no such recipe, or it has no list", heading)
			continue
		}
		words, got := regexp.MustCompile(sample.words), map[string]bool{}
		for _, floor := range []string{"engine", "replay", "wasm", "web"} {
			err := filepath.WalkDir(filepath.Join("../..", floor), func(path string, d os.DirEntry, err error) error {
				if err != nil {
					return err
				}
				if name := d.Name(); d.IsDir() {
					if name == "testdata" || name == "node_modules" || name == "lessons" || name == "test" || name == "conformance" {
						return filepath.SkipDir
					}
					return nil
				}
				switch ext := filepath.Ext(path); {
				case strings.HasSuffix(path, "_test.go"), ext != ".go" && ext != ".js" && ext != ".json" && ext != ".txt" && ext != ".css" && ext != ".html":
					return nil
				}
				text, err := os.ReadFile(path)
				if err != nil || !words.Match(text) {
					return err
				}
				path = strings.TrimPrefix(filepath.ToSlash(path), "../../")
				if folder := "/" + sample.name + "/"; sample.name != "" && strings.Contains(path, folder) {
					path = strings.Split(path, folder)[0] + "/NAME/NAME.go"
				}
				got[path] = true
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got, want := slices.Sorted(maps.Keys(got)), strings.Fields(block); !slices.Equal(got, want) {
			t.Errorf("%s: these files name the sample:\n%s\nand the recipe lists:\n%s", heading, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
