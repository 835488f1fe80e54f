package test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Workers that a worker asks for start every time, in both browsers, and answer. In Firefox, a
// worker that calls new Worker itself doesn't get as far. An array that is sent to a worker that was
// ended isn't held any longer.
func TestWorkersStartWorkers(t *testing.T) {
	t.Parallel()
	const many = "250"
	site, _ := siteOf(t, map[string]string{
		"page/workers.js": strings.ReplaceAll(script(t, "page/workers.js"), "'./site.js'", "'../names.js'"),
		"worker/start.js": script(t, "worker/start.js"),
		"names.js": `
			const policy = globalThis.trustedTypes?.createPolicy('informerscope', {createScriptURL: (name) => name});
			export const script = (name) => policy ? policy.createScriptURL('worker/' + name + '.js') : 'worker/' + name + '.js';`,
		"index.html": `<!doctype html><html lang="en"><title>workers</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script></html>`,
		"page.js": `
			import {start} from './page/workers.js';
			const {worker} = start('engine');
			worker.addEventListener('message', ({data}) => { if (data.said) document.documentElement.dataset[data.said] = data.n; });`,
		"worker/engine.js": `
			import {letGo, start} from './start.js';
			let n = 0;
			const next = () => {
				const reader = start('reader');
				reader.listen(({twice}) => {
					if (twice !== 2 * n) throw new Error('it got ' + twice + ' for ' + n);
					reader.end();
					const one = new ArrayBuffer(8), two = new ArrayBuffer(8);
					letGo([one]);
					reader.send(two, [two]);
					if (!one.detached || !two.detached) throw new Error('an array is still held');
					postMessage({said: 'started', n: ++n});
					if (n < ` + many + `) setTimeout(next, n % 10); else start('missing').listen(() => {}, () => postMessage({said: 'broken', n}));
				}, (why) => { throw new Error(why); });
				reader.send(n);
			};
			next();`,
		"worker/reader.js": `
			import {starter} from './start.js';
			starter.then((port) => { port.onmessage = ({data}) => port.postMessage({twice: 2 * data}); });`,
	})
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.allow("worker/missing.js")
			b.goTo(site)
			for n := int64(50); n <= 250; n += 50 { // many, so a busy machine gets its time for each fifth
				b.wait(`document.documentElement.dataset.started >= ` + num(n))
			}
			b.wait(`document.documentElement.dataset.broken`)
		})
	}
}

// What web/worker unpacks is what zlib unpacks: whole files, files that are cut, and damaged ones. Any bytes of a
// file can be read again from any of its places. Node, which has zlib, plays the browser.
func TestGzipIsReadAsZlibReadsIt(t *testing.T) {
	t.Parallel()
	run := inNode(t, "gzip.js", "crc32", "gzip", "huffman", "inflate", "kept", "packed")
	for _, seed := range []string{"1", "604"} {
		out, err := run(seed, "150")
		if err != nil || strings.Contains(out, " of seed ") {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
	}
}

// inNode makes a folder of a script of this folder, and of scripts of web/worker. It returns what runs that script in Node.
func inNode(t *testing.T, name string, workers ...string) func(args ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"package.json": `{"type": "module"}`, name: script(t, "test/"+name), "page/site.js": script(t, "page/site.js")}
	for _, worker := range workers {
		files["worker/"+worker+".js"] = script(t, "worker/"+worker+".js")
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return func(args ...string) (string, error) {
		node := exec.CommandContext(t.Context(), "node", append([]string{name}, args...)...)
		node.Dir = dir
		out, err := node.CombinedOutput()
		return string(out), err
	}
}

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

// Parts of a file that several workers read come in order, and none twice or never, whatever the workers do. No worker is
// given more than it should have. When one fails or the reading is stopped, all are ended. Node plays the browser.
func TestPartsComeInOrder(t *testing.T) {
	t.Parallel()
	run := inNode(t, "spread.js", "spread", "start")
	for _, seed := range []string{"1", "604"} {
		out, err := run(seed, "60")
		if err != nil || strings.Contains(out, " 0 failed") || strings.Contains(out, " 0 readings") {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
	}
}

// largeStream writes 69 MB of watch events, 5 MB when they are gzipped. Five are damaged.
func largeStream(w io.Writer) {
	padding, random := strings.Repeat("x", 26_000), rand.New(rand.NewPCG(1, 2))
	for n := range 2_300 {
		kind, end := "MODIFIED", "\n"
		if n < 100 {
			kind = "ADDED"
		}
		switch n % 500 {
		case 99:
			end = "}\n" // damaged
		case 299:
			end = "\r\n"
		}
		noise := make([]byte, 0, 4000)
		for len(noise) < cap(noise) {
			noise = fmt.Appendf(noise, "%016x", random.Uint64())
		}
		fmt.Fprintf(w, `{"type":"%s","object":%s}%s`, kind, pod(n%100, 1000+n, padding+string(noise)), end)
	}
}

// A large file is read by several workers, and is the same as read by one. It is read by one where the others don't start,
// too. A small file has one, and so has any file where there is one core.
func TestALargeFileHasSeveralReaders(t *testing.T) {
	t.Parallel()
	large := writeFile(t, "large.watch.ndjson", largeStream)
	small := writeFile(t, "small.watch.ndjson", func(w io.Writer) { w.Write(watchStream(50)) })
	const counts = `(() => {
		const real = Worker;
		globalThis.digesting = 0;
		globalThis.Worker = class extends real {
			constructor(name, how) {
				super(name, how);
				if (!String(name).endsWith('digest.js')) return;
				globalThis.digesting++;
				if (!globalThis.broken) return;
				this.terminate();
				setTimeout(() => this.onerror?.(new ErrorEvent('error', {message: 'it does not start', cancelable: true})));
			}
		};
	})()`
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.goTo(env.site)
			b.ready()
			several := eval[float64](b, `navigator.hardwareConcurrency`) > 1
			b.loaded()
			b.run(counts)
			said := map[string]string{}
			for _, broken := range []string{"true", "false"} {
				b.run(`globalThis.digesting = 0, globalThis.broken = ` + broken)
				b.upload(onFile, small)
				b.opened("small.watch")
				if n := eval[float64](b, `globalThis.digesting`); n != 0 {
					t.Errorf("a small file has %v more readers", n)
				}
				b.upload(onFile, large)
				b.opened("large.watch")
				if n := eval[float64](b, `globalThis.digesting`); (n > 0) != several {
					t.Errorf("a large file has %v more readers", n)
				}
				if several && broken == "false" {
					b.waitHeard("several workers read on")
				}
				said[broken] = num(b.toEnd()) + " " + b.text(`.notice`)
			}
			if said["true"] != said["false"] || !strings.Contains(said["true"], "could not be read: 5.") {
				t.Errorf("by one reader, the page says %q, and by several %q", said["true"], said["false"])
			}
		})
	}
}
