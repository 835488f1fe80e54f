package test

import (
	"os"
	"path/filepath"
	"testing"
)

// What was unpacked is given back the same, whether it is in memory, in Blobs, or
// partly so, and leaves memory when there is too much of it, and when there is time.
func TestKeptBytes(t *testing.T) {
	site, _ := siteOf(t, map[string]string{
		"kept.js":    script(t, "kept.js"),
		"keeper.js":  script(t, "keeper.js"),
		"index.html": `<!doctype html><html lang="en"><title>kept</title><link rel="icon" href="data:,"><script src="page.js"></script></html>`,
		"page.js": `
			const worker = new Worker('check.js');
			worker.onmessage = e => { document.documentElement.dataset[e.data.name] = e.data.text };
			addEventListener('click', () => worker.postMessage('settle'));`,
		"check.js": `
			importScripts('kept.js');
			const arrays = [[0, 1, 2, 3, 4], [5, 6], [7, 8, 9, 10], [11]].map(a => new Uint8Array(a));
			const store = informerscopeKept(6), say = (name, text) => postMessage({name, text: String(text)});
			const all = () => [[0, 12], [4, 8], [6, 7], [0, 0], [10, 99], [40, 50]].map(([from, to]) => store.slice(from, to).join(' ')).join('; ');
			arrays.forEach(store.append);
			say('size', store.size());
			say('before', all());
			const gone = () => arrays.map(a => a.length ? 'here' : 'gone').join(' ');
			const watch = () => {
				if (gone() === 'gone gone here here') say('part', all());
				if (gone() !== 'gone gone gone gone') { setTimeout(watch, 1); return; }
				say('end', all());
				store.blob().text().then(text => say('blob', text.length));
			};
			watch();
			onmessage = () => store.settle(() => say('settled', gone()));`,
	})
	b := newTab(t)
	b.goTo(site)
	const want = "0 1 2 3 4 5 6 7 8 9 10 11; 4 5 6 7; 6; ; 10 11; "
	expect := func(name, want string) {
		t.Helper()
		b.wait(`document.documentElement.dataset.` + name + ` !== undefined`)
		if got := b.state(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	expect("size", "12")
	expect("before", want)
	expect("part", want)
	b.run(`document.documentElement.click()`)
	expect("settled", "gone gone gone gone")
	expect("end", want)
	expect("blob", "12")
}

// script is a file of web/ as it is, before a version is put in.
func script(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
