package test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// copyOf serves a copy of the built page below a path, in a folder that a test
// may change, until stop is called. The test's pages keep their files.
func copyOf(t *testing.T, prefix string, below ...string) (site, dir string, stop context.CancelFunc) {
	t.Helper()
	keepsFiles(t)
	dir = t.TempDir()
	for _, name := range below {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(*dist)); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	site, err := serveFolder(ctx, dir, prefix)
	if err != nil {
		t.Fatal(err)
	}
	return site, dir, stop
}

// version is the name of the folder that holds the files of a built page.
func version(t *testing.T, dir string) string {
	t.Helper()
	var v struct{ Version string }
	text, err := os.ReadFile(filepath.Join(dir, "version.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v.Version
}

// deploy puts another version in the place of a built page. It says so in a
// style and in both languages.
func deploy(t *testing.T, dir string) (version2 string) {
	t.Helper()
	version1, version2 := version(t, dir), "0123456789ab"
	if err := os.Rename(filepath.Join(dir, version1), filepath.Join(dir, version2)); err != nil {
		t.Fatal(err)
	}
	edit := func(name, old, now string) {
		t.Helper()
		name = filepath.Join(dir, name)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(old)) {
			t.Fatalf("%s has no %q", name, old)
		}
		if err := os.WriteFile(name, bytes.ReplaceAll(text, []byte(old), []byte(now)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit(version2+"/style/tokens.css", "color-scheme: light dark;", "color-scheme: light dark; --edition: second;")
	for _, lang := range []string{"en", "zh"} {
		edit(version2+"/locales/"+lang+".json", `"ui.do.about": "`, `"ui.do.about": "Second edition: `)
	}
	edit("index.html", version1, version2)
	edit("version.json", version1, version2)
	edit("sw.js", version1, version2)
	return version2
}

// visit opens a page and waits until the browser has stored it.
func (b *tab) visit(site string) {
	b.t.Helper()
	b.goTo(site)
	b.ready()
	b.loaded()
	b.isStored()
}

func (b *tab) isStored() {
	b.t.Helper()
	b.key("a")
	b.wait(`/Works without a network: the browser has stored all of its files \(\d+(\.\d)?\sMB\)/.test(document.querySelector('dialog[open] .about-facts')?.textContent)`)
	b.shot("stored")
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
}

// edition says from which version style, words and program of the page are:
// "first", "second", or both where they are mixed.
func (b *tab) edition() string {
	b.t.Helper()
	return eval[string](b, `(() => {
		const style = getComputedStyle(document.documentElement).getPropertyValue('--edition') || 'first';
		const words = document.querySelector('[data-act=about]').outerHTML.includes('Second edition') ? 'second' : 'first';
		return style === words ? words : 'a style of the ' + style + ' edition, words of the ' + words;
	})()`)
}

// usesEverything does what needs files that the page didn't need so far.
func (b *tab) usesEverything() {
	b.t.Helper()
	at := b.step()
	b.key("ArrowRight")
	b.stepMoves(at)
	b.key("C")
	b.wait(`document.querySelector('#code[data-state=shown] .code-line')`)
	b.key("C")
	b.chooseLanguage("zh")
	b.wait(`document.documentElement.lang.startsWith('zh')`)
	b.chooseLanguage("en")
	b.wait(`document.documentElement.lang.startsWith('en')`)
	b.drop("main", testdata(b.t, "format/testdata/kubectl-get-pods-w-noevents.json.gz"))
	b.opened("kubectl-get-pods-w-noevents")
	b.key("End")
	b.stepMoves(0)
}

func TestTheWholePageWorksOffline(t *testing.T) {
	t.Parallel()
	site, _, stop := copyOf(t, "/some/where", ".")
	b := newTab(t)
	b.visit(site)
	stop()
	b.allow("Failed to load resource")
	b.allow("ERR_CONNECTION_REFUSED")
	b.goTo(site)
	b.ready()
	b.loaded()
	if eval[bool](b, `fetch('version.json', {cache: 'no-store'}).then(() => true, () => false)`) {
		t.Fatal("the server still answers")
	}
	b.usesEverything()
	b.key("s")
	b.wait(`document.documentElement.dataset.dialog === 'save'`)
	if trace := unzip(t, b.saved()); !bytes.HasPrefix(trace, []byte(`{"informerscope":"trace"`)) {
		t.Errorf("the saved trace is %.100s", trace)
	}
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	b.upload(onFile, writeFile(t, "letter.txt", func(w io.Writer) { io.WriteString(w, "Dear Sir or Madam") }))
	b.wait(`/letter\.txt could not be opened/.test(document.querySelector('.notice')?.textContent)`)
	b.isStored()
}

// While a page is open, its server goes on to another version. The open page
// stays what it is, a page opened after that is all new, and the old files go
// with the last page that needs them.
func TestAnUpdateMixesNothing(t *testing.T) {
	t.Parallel()
	site, dir, stop := copyOf(t, "", ".")
	version1 := version(t, dir)
	old := newTab(t)
	old.visit(site)
	version2 := deploy(t, dir)
	// The program that serves it says that it is of a third version.
	if err := os.WriteFile(filepath.Join(dir, "version.json"), []byte(`{"version":"`+version2+`","program":"v0.0.9"}`), 0o644); err != nil {
		t.Fatal(err)
	}

	now := old.secondTab()
	now.visit(site)
	now.wait(`[...document.querySelectorAll('.notice [data-act=notice]')].every((e) => (e.click(), false)) || /v0\.0\.9/.test(document.querySelector('.notice')?.textContent)`)
	now.shot("program")
	now.click(`.notice [data-act=old]`)
	now.wait(`!document.querySelector('.notice')`)
	if e := now.edition(); e != "second" {
		t.Errorf("after the update the page has %s", e)
	}
	old.usesEverything()
	if e := old.edition(); e != "first" {
		t.Errorf("the page that was open has %s", e)
	}
	// It learns of the other version when somebody looks at it later, and what is open stays.
	at := old.step()
	old.run(`const now = performance.now.bind(performance); performance.now = () => now() + 3_600_000; document.dispatchEvent(new Event('visibilitychange'))`)
	old.wait(`[...document.querySelectorAll('.notice [data-act=notice]')].every((e) => (e.click(), false)) && document.querySelector('.notice [data-act=reload]')`)
	old.shot("newer")
	if old.step() != at || old.edition() != "first" {
		t.Error("the page that was open was reloaded, and nobody asked for it")
	}
	old.click(`.notice [data-act=old]`)
	old.wait(`!document.querySelector('.notice')`)
	old.key("a")
	old.wait(`document.querySelector('dialog[open] .about-facts')?.textContent.includes(` + quote(version1) + `)`)
	old.key("Escape")
	old.wait(`!document.querySelector('dialog[open]')`)
	if got, want := now.caches(), []string{site + version2 + "/", site + version1 + "/"}; !slices.Equal(got, want) {
		t.Errorf("while both are open the caches are %q", got)
	}
	now.usesEverything()
	if e := now.edition(); e != "second" {
		t.Errorf("once it is used the new page has %s", e)
	}

	// A visit deletes what no page needs, and the page that was left may need its files a little longer.
	old.goTo("about:blank")
	now.wait(`(navigator.locks.query().then(({held}) => { window.__held = held.map(({name}) => name) }), window.__held && !window.__held.includes(` + quote(site+version1+"/") + `))`)
	now.goTo(site)
	now.ready()
	now.wait(`(window.__caches = window.__caches ?? 0, caches.keys().then(k => { window.__caches = k.length }), window.__caches === 1)`)
	stop()
	now.allow("Failed to load resource")
	now.goTo(site)
	now.ready()
	now.loaded()
	if e := now.edition(); e != "second" {
		t.Errorf("without the server the page has %s", e)
	}
	now.usesEverything()
}

// A page whose server is in the middle of an update is not kept. Once the
// update is complete, the page is kept.
func TestHalfAnUpdateIsNotKept(t *testing.T) {
	t.Parallel()
	site, dir, _ := copyOf(t, "", ".")
	worker := filepath.Join(dir, "sw.js")
	before, err := os.ReadFile(worker)
	if err != nil {
		t.Fatal(err)
	}
	version1 := version(t, dir)
	version2 := deploy(t, dir)
	if err := os.CopyFS(filepath.Join(dir, version1), os.DirFS(filepath.Join(dir, version2))); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(worker)
	if err == nil {
		err = os.WriteFile(worker, before, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	b.goTo(site)
	b.ready()
	b.loaded()
	b.key("a")
	b.wait(`/Needs its server/.test(document.querySelector('dialog[open] .about-facts')?.textContent)`)
	if got := b.caches(); len(got) != 0 {
		t.Errorf("in the middle of the update the browser keeps %q", got)
	}
	if err := os.WriteFile(worker, after, 0o644); err != nil {
		t.Fatal(err)
	}
	b.visit(site)
	if got, want := b.caches(), []string{site + version2 + "/"}; !slices.Equal(got, want) {
		t.Errorf("the caches are %q, want %q", got, want)
	}
}

// Copies of the page on one origin, one of them above the others, leave each
// other's caches alone.
func TestCopiesOnOneOriginAreStrangers(t *testing.T) {
	t.Parallel()
	site, dir, stop := copyOf(t, "", ".", "one", "two")
	v := version(t, dir)
	b := newTab(t)
	for _, path := range []string{"", "one/", "two/"} {
		b.visit(site + path)
	}
	version2 := deploy(t, filepath.Join(dir, "two"))
	b.visit(site + "two/")
	b.visit(site + "two/") // now nobody needs the version before
	want := []string{site + v + "/", site + "one/" + v + "/", site + "two/" + version2 + "/"}
	if got := b.caches(); !slices.Equal(got, want) {
		t.Errorf("the caches are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	stop()
	b.allow("Failed to load resource")
	for path, edition := range map[string]string{"": "first", "one/": "first", "two/": "second"} {
		b.goTo(site + path)
		b.ready()
		b.loaded()
		if e := b.edition(); e != edition {
			t.Errorf("without the server %q has %s", path, e)
		}
		b.usesEverything()
	}
}

// caches are the names of all caches of the origin, sorted.
func (b *tab) caches() []string {
	b.t.Helper()
	return eval[[]string](b, `caches.keys().then(k => k.sort())`)
}
