package test

import (
	"os"
	"path/filepath"
	"testing"
)

// Unpacked bytes come back the same from memory, from Blobs and from both.
// Bytes beyond the limit of memory are kept as Blobs at once, and all others
// when there is time.
func TestKeptBytes(t *testing.T) {
	t.Parallel()
	site, _ := siteOf(t, map[string]string{
		"worker/keep.js": script(t, "worker/keep.js"),
		"worker/kept.js": script(t, "worker/kept.js"),
		"page/site.js":   script(t, "page/site.js"),
		"index.html":     `<!doctype html><html lang="en"><title>kept</title><link rel="icon" href="data:,"><script src="page.js"></script></html>`,
		"page.js": `
			const worker = new Worker(trustedTypes.createPolicy('informerscope', {createScriptURL: (name) => name}).createScriptURL('worker/check.js'), {type: 'module'});
			worker.onmessage = e => { document.documentElement.dataset[e.data.name] = e.data.text };
			addEventListener('click', () => worker.postMessage('settle'));`,
		"worker/check.js": `
			import {keeper} from './keep.js';
			import {keptBytes} from './kept.js';
			const say = (name, text) => postMessage({name, text: String(text)});
			const left = [];
			const store = keptBytes((bytes) => left.push(bytes.length));
			const all = () => [[0, 12], [4, 8], [6, 7], [0, 0], [10, 99], [40, 50]].map(([from, to]) => store.slice(from, to).join(' ')).join('; ');
			const keep = keeper(7);
			const append = (array) => {
				const bytes = new Uint8Array(array);
				return store.append(bytes, keep(bytes).blob);
			};
			say('held', [[0, 1, 2, 3, 4], [5, 6], [7, 8, 9, 10]].map(append));
			append([11]);
			say('size', store.size());
			say('before', all());
			onmessage = () => {
				store.settle();
				say('between', left + ': ' + all());
				while (store.settle());
				say('settled', left);
				say('end', all());
				store.blob().text().then(text => say('blob', text.length));
				say('late', store.append(new Uint8Array([12]), undefined));
			};`,
	})
	b := newTab(t)
	b.goTo(site)
	const want = "0 1 2 3 4 5 6 7 8 9 10 11; 4 5 6 7; 6; ; 10 11; "
	expect := func(name, want string) {
		t.Helper()
		b.wait(`document.documentElement.dataset.` + name + ` !== undefined`)
		if got := b.state(name); got != want {
			t.Errorf("%s gives the bytes %q, want %q", name, got, want)
		}
	}
	expect("held", "true,true,false")
	expect("size", "12")
	expect("before", want)
	b.run(`document.documentElement.click()`)
	expect("between", "5: "+want)
	expect("settled", "5,2")
	expect("end", want)
	expect("blob", "12")
	expect("late", "false")
}

// script is a file of web/.
func script(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
