package viewtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/dom/tree"
)

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
