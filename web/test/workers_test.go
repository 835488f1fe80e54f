package test

import (
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
