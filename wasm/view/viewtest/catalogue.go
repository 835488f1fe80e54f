// Package viewtest has what the tests of the view share: the catalogues, a model with
// something in every station, and ways to look at what was drawn.
package viewtest

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
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

// Find returns the first node that has an attribute with a value.
func Find(root *tree.Node, name, value string) *tree.Node {
	return root.Find(func(n *tree.Node) bool { v, ok := n.Value(name); return ok && v == value })
}

// WithClass returns the nodes that have a class.
func WithClass(root *tree.Node, class string) (all []*tree.Node) {
	root.Find(func(n *tree.Node) bool {
		if n.HasClass(class) {
			all = append(all, n)
		}
		return false
	})
	return all
}

// Served returns the text of all files with an extension that the browser is served.
func Served(t testing.TB, ext string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(Top(t, "web"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "test" || d.Name() == "node_modules" || d.Name() == "lint") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if filepath.Ext(name) == ext {
			text, err := os.ReadFile(name)
			b.Write(text)
			return err
		}
		return nil
	})
	if err != nil || b.Len() == 0 {
		t.Fatalf("no file with the extension %s was read: %v", ext, err)
	}
	return b.String()
}

// Named returns the names that a pattern finds in a text.
func Named(text, pattern string) []string {
	var all []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// Listed returns the words of a list or an object in JavaScript, such as ['a', 'b'].
func Listed(t testing.TB, js, name string) []string {
	t.Helper()
	m := regexp.MustCompile(name + ` = [\[{]([^\]}]*)[\]}]`).FindStringSubmatch(js)
	if m == nil {
		t.Fatalf("JavaScript has no list %s", name)
	}
	return strings.FieldsFunc(strings.ReplaceAll(m[1], "'", ""), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
}
