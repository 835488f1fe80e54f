// Package viewtest has what the tests of the view share: the catalogues, a model with
// something in every station, and ways to look at what was drawn.
package viewtest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Top returns the path of a file, given from the top of the tree.
func Top(t testing.TB, name string) string {
	t.Helper()
	for dir := "."; ; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, name)
		}
		if len(dir) > 60 {
			t.Fatal("the top of the tree was not found")
		}
	}
}

// Catalogue returns the catalogue of a language.
func Catalogue(t testing.TB, lang string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(Top(t, "web/locales/"+lang+".json"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(b, &texts); err != nil {
		t.Fatalf("the catalogue %s is no JSON: %v", lang, err)
	}
	// Of two entries with one name, the page would have the second alone.
	if entries := bytes.Count(b, []byte("\n \"")); entries != len(texts) {
		t.Errorf("the catalogue %s has %d entries of %d names: a name stands twice", lang, entries, len(texts))
	}
	return texts
}

// Speaking returns the words of a catalogue.
func Speaking(texts map[string]string) *words.Words {
	w := words.New("")
	w.Texts, w.Keys = texts, func(string) []string { return nil }
	return w
}

// Languages returns the Codes of all Languages. Each has a catalogue, and each
// catalogue is a Language's.
func Languages(t testing.TB) (codes []string) {
	t.Helper()
	for _, l := range session.Languages {
		codes = append(codes, l.Code)
	}
	files, err := filepath.Glob(Top(t, "web/locales/*.json"))
	for i, name := range files {
		files[i] = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	if sorted := slices.Sorted(slices.Values(codes)); err != nil || !slices.Equal(sorted, files) {
		t.Fatalf("there are catalogues of %s, and the languages are %s: %v", files, codes, err)
	}
	return codes
}
