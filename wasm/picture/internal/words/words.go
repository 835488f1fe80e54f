// Package words has the texts of the catalogues for the tests of a picture's parts.
package words

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Catalogues returns the texts of all languages by their ids. The caller's tests run in the
// folder of a package below wasm/picture, or in wasm/picture itself.
func Catalogues(t *testing.T) map[string]map[string]string {
	t.Helper()
	files, _ := filepath.Glob("../../../web/locales/*.json")
	if len(files) == 0 {
		files, _ = filepath.Glob("../../web/locales/*.json")
	}
	if len(files) < 2 {
		t.Fatal("no catalogues")
	}
	out := map[string]map[string]string{}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var words map[string]string
		if err := json.Unmarshal(b, &words); err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = words
	}
	return out
}

var placeholder = regexp.MustCompile(`\{(\w+)`)

// Arguments returns the names of the arguments of each text, in any language.
func Arguments(catalogues map[string]map[string]string) map[string][]string {
	out := map[string][]string{}
	for _, words := range catalogues {
		for id, text := range words {
			for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
				out[id] = append(out[id], m[1])
			}
		}
	}
	return out
}
