package test

import (
	"strings"
	"testing"
)

// shared returns the link that the page offers.
func (b *tab) shared() string {
	b.t.Helper()
	b.inBar("share", "link")
	b.wait(`document.querySelector('#link')?.value`)
	link := eval[string](b, `document.querySelector('#link').value`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	return link
}

// A link opens the same stage on another page: the same version and informer, what was done to the
// machine, and the step. Reload, Back and Forward keep it, in both browsers.
func TestALinkOpensTheSameStage(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.loaded()
			b.reopens("profile", "current")
			at := b.step()
			b.key("4")
			at = b.stepMoves(at)
			b.opensTab("console")
			b.wait(`document.querySelector('[data-enter=line]')`)
			for _, line := range []string{"break watch", "takes audit 3s"} {
				b.run(`const i = document.querySelector('[data-enter=line]'); i.value = ` + quote(line) + `; i.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))`)
				at = b.stepMoves(at)
			}
			b.click(`[data-act=back]`)
			at = b.stepMoves(at)
			stage, link := b.stage(), b.shared()
			fragment := link[strings.IndexByte(link, '#'):]
			if !strings.HasPrefix(link, env.site) || !strings.Contains(fragment, "do=break+watch&do=takes+audit+3s&when=") {
				t.Fatalf("the link is %s", link)
			}

			b.goTo("about:blank")
			b.goTo(link)
			b.ready()
			there := func(what string) {
				t.Helper()
				b.stepIs(at)
				b.loaded()
				b.addressIs(fragment)
				if again := b.stage(); again != stage {
					t.Errorf("%s shows another stage:\n%s", what, differences(stage, again))
				}
				if n := eval[int](b, `document.querySelectorAll('.future').length`); n != 2 {
					t.Errorf("%s shows %d futures", what, n)
				}
			}
			there("the link")
			b.within(b.reload)
			b.ready()
			there("the reloaded page")
			b.inBar("open", "scripts")
			b.wait(`document.querySelector('[data-act=script][data-arg="11-resync"]')`)
			b.run(`document.querySelector('[data-act=script][data-arg="11-resync"]').click()`)
			b.addressIs("#library=11-resync")
			b.loaded()
			b.run(`history.back()`)
			there("Back")
			b.run(`history.forward()`)
			b.addressIs("#library=11-resync")
			b.wait(`document.querySelector('.source').textContent.includes('11-resync')`)
		})
	}
}

// A long script is packed into the link, and what unpacks to too much is refused. A fragment never
// becomes markup.
func TestAPackedLink(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	script := "informer pods\n" + strings.Repeat("create pod default/a\ndelete pod default/a\n", 60) + "advance 1s\n"
	b.run(`location.hash = '#script=' + encodeURIComponent(` + quote(script) + `)`)
	b.wait(`document.querySelector('.source').textContent.includes('script.txt')`)
	b.loaded()
	b.key("5")
	at := b.step()
	if at == 0 {
		at = b.stepMoves(at)
	}
	link := b.shared()
	fragment := link[strings.IndexByte(link, '#'):]
	if !strings.HasPrefix(fragment, "#s1:") || len(fragment) > 600 {
		t.Fatalf("the link is %s", link)
	}
	b.goTo("about:blank")
	b.goTo(link)
	b.ready()
	b.stepIs(at)
	b.loaded()
	b.addressIs(fragment)

	// The text is 60 MB of the letter a, packed into 80 kB.
	bomb := eval[string](b, `(async () => {
		const z = new Blob([new Uint8Array(6e7).fill(97)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
		let s = '';
		for (const c of new Uint8Array(await new Response(z).arrayBuffer())) s += String.fromCharCode(c);
		return btoa(s).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
	})()`)
	for _, bad := range []string{"#s1:" + bomb, "#s1:AAAA", "#s1:%3Cimg%20src=x%20onerror=alert(1)%3E", "#url=//example.org/x.json", "#url=javascript:alert(1)/x.js", "#library=%3Cb%3E"} {
		b.run(`location.hash = ` + quote(bad))
		b.wait(`document.querySelector('.notice')`)
		b.addressIs(fragment)
		if eval[int](b, `document.querySelectorAll('.page img, .page b b').length`) != 0 {
			t.Errorf("%.40s has become markup", bad)
		}
		b.click(`.notice [data-act=close]`)
		b.wait(`!document.querySelector('.notice')`)
	}
	b.stepIs(at)
}

// The link to a file says which file it needs, and asks for it.
func TestALinkAsksForTheFile(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.upload(onFile, bundledAs(t, "mine.trace.jsonl.gz"))
	b.wait(`document.querySelector('.source').textContent.includes('mine.trace')`)
	b.loaded()
	at := b.step()
	b.key("5")
	at = b.stepMoves(at)
	stage, link := b.stage(), b.shared()
	if !strings.Contains(link, "#file=mine.trace.jsonl.gz&size=") {
		t.Fatalf("the link is %s", link)
	}
	b.goTo("about:blank")
	b.goTo(link)
	b.ready()
	b.wait(`document.querySelector('dialog.is-expected').textContent.includes('mine.trace.jsonl.gz')`)
	b.loaded()
	b.upload(onFile, bundledAs(t, "mine.trace.jsonl.gz"))
	b.stepIs(at)
	b.loaded()
	if again := b.stage(); again != stage {
		t.Errorf("the link shows another stage:\n%s", differences(stage, again))
	}
	if b.state("dialog") != "" || eval[bool](b, `Boolean(document.querySelector('.notice.failure'))`) {
		t.Error("the page still asks for the file")
	}
}
