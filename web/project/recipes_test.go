package project_test

import (
	"os"
	"path/filepath"
	"regexp"
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
