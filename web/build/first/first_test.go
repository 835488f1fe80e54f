package first

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/session"
)

// served are the files that the page needs for its first step.
func served(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range []string{"index.html", "locales/en.json"} {
		b, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	golden, err := os.ReadFile("../../../engine/script/testdata/loop.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(golden)) { // as the build serves it
		if said, ok := strings.CutPrefix(line, "> "); ok {
			files["scripts/loop.txt"] = append(files["scripts/loop.txt"], said...)
		}
	}
	return files
}

// Each build gives the same page, or equal sources would make two versions. The page's policy lets a document have no
// styles and no scripts of its own.
func TestPage(t *testing.T) {
	files := served(t)
	page, root, err := Page(files)
	if err != nil {
		t.Fatal(err)
	}
	if again, _, err := Page(files); again != page || err != nil {
		t.Errorf("a second page is another one, %v", err)
	}
	if root["data-ready"] != "true" || root["data-view"] != "loop" || root["data-beat"] != "1" {
		t.Errorf("the root element has %v", root)
	}
	for _, has := range []string{`<main class="loop"`, `data-act="loopPlay"`, `>RealFIFO<`} {
		if strings.Count(page, has) != 1 {
			t.Errorf("the page has %d × %s", strings.Count(page, has), has)
		}
	}
	if bad := regexp.MustCompile(`<script|<style| style=| on\w+=`).FindString(page); bad != "" {
		t.Errorf("the page has %s", bad)
	}
	document, err := Insert(files["index.html"], page, root)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(document), `<html data-first="zh" data-beat="1"`) || !strings.Contains(string(document), page) || strings.Contains(string(document), "data-ready") {
		t.Errorf("the document begins\n%.300s", document)
	}
	if _, err := Insert(document, page, root); err == nil {
		t.Error("a document that has a page takes another one")
	}
}

func TestPageNeedsItsFiles(t *testing.T) {
	for _, name := range []string{"locales/en.json", "scripts/loop.txt"} {
		files := served(t)
		files[name] = []byte("{")
		if page, _, err := Page(files); err == nil {
			t.Errorf("without %s, the page is %.100s", name, page)
		}
	}
}

// Whatever a visit keeps for the next one makes another first view, except the theme, which styles show.
func TestSettingsThatFirstKnows(t *testing.T) {
	script, err := os.ReadFile("../../page/first.js")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`const settings = \[(.*)\]`).FindSubmatch(script)
	if list == nil {
		t.Fatal("first.js has no list of settings")
	}
	var known, kept []string
	for _, m := range regexp.MustCompile(`'(\w+)'`).FindAllSubmatch(list[1], -1) {
		known = append(known, string(m[1]))
	}
	keeps := regexp.MustCompile(`(?:desk\.StoreSetting\{Name: |\bsaved\()"(\w+)"`) // what earlier pages have kept is only read
	err = fs.WalkDir(os.DirFS("../../../wasm/session"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile("../../../wasm/session/" + name)
		for _, m := range keeps.FindAllSubmatch(text, -1) {
			kept = append(kept, string(m[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(kept)
	want := slices.DeleteFunc(slices.Compact(kept), func(name string) bool { return name == "theme" })
	if !slices.Equal(known, want) {
		t.Errorf("first.js knows the settings %q, and the session keeps %q", known, want)
	}
	if session.Languages[0].Code != "en" {
		t.Error("the page isn't in the language of those who speak none of the others")
	}
}
