package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// addressIs waits until the page's address has a fragment.
func (b *tab) addressIs(fragment string) {
	b.t.Helper()
	b.wait(`location.hash === ` + quote(fragment) + ` && document.documentElement.dataset.playing !== 'true'`)
}

// lessonIs waits until a lesson is read at a stop.
func (b *tab) lessonIs(name string, stop int64) {
	b.t.Helper()
	b.wait(`document.documentElement.dataset.lesson === ` + quote(name) + ` && document.documentElement.dataset.loading !== 'true'`)
	b.stopIs(stop)
}

// A link opens a lesson at a moment. The address goes along with the reader, and Reload, Back
// and Forward keep it, in both browsers.
func TestALinkOpensALessonAtAMoment(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, "#lesson=known-objects&at=replaced")
			b.wait(`document.documentElement.dataset.lesson === 'known-objects' && location.hash === '#lesson=known-objects&at=replaced' && Number(document.documentElement.dataset.stop) > 0 && document.documentElement.dataset.playing !== 'true'`)
			linked := b.state("stop")
			stage := b.stage()
			b.key("k")
			b.wait(`document.documentElement.dataset.stop !== ` + quote(linked) + ` && document.documentElement.dataset.covered`)
			b.click(`[data-act=answer][data-arg="-1"]`) // Show me
			b.wait(`!document.documentElement.dataset.covered`)
			b.key("j")
			b.wait(`document.documentElement.dataset.stop === ` + quote(linked) + ` && document.documentElement.dataset.playing !== 'true'`)
			b.addressIs("#lesson=known-objects&at=replaced")
			if again := b.stage(); again != stage {
				t.Errorf("the stage that the link opens differs from the one that is read on to:\n%s", differences(again, stage))
			}
			b.within(b.reload)
			b.ready()
			b.wait(`document.documentElement.dataset.lesson === 'known-objects' && document.documentElement.dataset.stop === ` + quote(linked))
			b.addressIs("#lesson=known-objects&at=replaced")

			b.run(`location.hash = '#lesson=whole-loop'`)
			b.lessonIs("whole-loop", 0)
			b.key("j")
			b.stopIs(1)
			b.wait(`location.hash.startsWith('#lesson=whole-loop&at=')`)
			b.run(`history.back()`)
			b.wait(`document.documentElement.dataset.lesson === 'known-objects' && document.documentElement.dataset.stop === ` + quote(linked))
			b.addressIs("#lesson=known-objects&at=replaced")
			b.run(`history.forward()`)
			b.lessonIs("whole-loop", 1)

			b.run(`location.hash = '#lesson=listener&at=full&choose=handler+h+takes%3D1ms'`)
			b.wait(`document.documentElement.dataset.lesson === 'listener' && document.querySelector('.lesson-control [data-arg$=".1"]')?.getAttribute('aria-pressed') === 'true'`)
			b.addressIs("#lesson=listener&at=full&choose=handler+h+takes=1ms")
			b.run(`history.back()`)
			b.lessonIs("whole-loop", 1)

			b.run(`location.hash = '#lesson=../../secret'`)
			b.wait(`document.querySelector('dialog .course-list button') && location.hash.startsWith('#lesson=whole-loop&at=')`)
			b.key("Escape")
			b.wait(`document.querySelector('.notice').textContent.includes('../../secret') && document.documentElement.dataset.lesson === 'whole-loop'`)
		})
	}
}

// Back leaves a lesson for the file that was open before, at the step where the viewer was,
// even when the page was loaded again meanwhile. Forward enters the lesson again.
func TestBackLeavesALesson(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	b := open(t)
	b.loaded()
	b.wait(`navigator.serviceWorker.controller`) // it holds the file over the reload
	b.upload(onFile, bundledAs(t, "mine.trace.jsonl.gz"))
	b.wait(`document.querySelector('.source').textContent.includes('mine.trace')`)
	b.loaded()
	b.key("ArrowRight")
	b.stepIs(1)
	b.key("ArrowRight")
	b.stepIs(2)
	b.key("h")
	b.wait(`document.querySelector('.course-list [data-arg=whole-loop]')`)
	b.click(`.course-list [data-arg=whole-loop]`)
	b.lessonIs("whole-loop", 0)
	b.addressIs("#lesson=whole-loop")
	b.key("j")
	b.stopIs(1)
	b.wait(`location.hash.includes('&at=')`)
	b.within(b.reload)
	b.ready()
	b.lessonIs("whole-loop", 1)
	b.run(`history.back()`)
	b.wait(`document.querySelector('.source').textContent.includes('mine.trace') && !document.documentElement.dataset.lesson`)
	b.stepIs(2)
	b.addressIs("")
	b.loaded()
	b.run(`history.forward()`)
	b.lessonIs("whole-loop", 1)
}

// A name that the course doesn't have is said in words, and the course is shown beside the
// bundled recording.
func TestALinkToNoLesson(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.allow("404")
	for _, name := range []string{"nosuch", "../x"} {
		b.goTo("about:blank")
		b.goTo(env.site + "#lesson=" + name)
		b.ready()
		b.wait(`document.querySelector('dialog .course-list button') && document.querySelector('.source').textContent.includes('shop')`)
		b.loaded()
		b.key("Escape")
		b.wait(`document.querySelector('.notice .failure')`)
		if says := b.text(".notice .failure"); !strings.Contains(says, name) {
			t.Errorf("the page says %q", says)
		}
		b.addressIs("")
	}
}

// A link to a text that is no script is refused in words. It is the first
// request of the page, and is answered while the worker still starts.
func TestALinkToNoScript(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site + "#script=nonsense")
	b.wait(`document.body.textContent.includes('the text in the link is not a script')`)
}

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

// A reload keeps the file, the version, the informer, the unit, the axis and the
// step, in both browsers.
func TestAReloadKeepsWhereTheViewerIs(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.loaded()
			b.wait(`navigator.serviceWorker.controller`) // it holds the file meanwhile
			b.upload(onFile, bundledAs(t, "mine.trace.jsonl.gz"))
			b.wait(`document.querySelector('.source').textContent.includes('mine.trace')`)
			b.loaded()
			b.reopens("profile", "classic")
			b.reopens("informer", "2")
			b.click(`[data-act=unit][data-arg=event]`)
			b.click(`[data-act=axis][data-arg=time]`)
			at := b.step()
			b.key("End")
			at = b.stepMoves(at)
			for range 3 {
				b.key("ArrowLeft")
				at = b.stepMoves(at)
			}
			stage := b.stage()
			b.within(b.reload)
			b.ready()
			b.stepIs(at)
			b.loaded()
			state := eval[[]string](b, `[document.querySelector('.source-name').textContent, document.querySelector('.top [data-act=profile]').value, document.querySelector('.top [data-act=informer]').value,
				document.querySelector('[data-act=unit][aria-pressed=true]').dataset.arg, document.querySelector('[data-act=axis][aria-pressed=true]').dataset.arg]`)
			for i, want := range []string{"mine.trace.jsonl.gz", "classic", "2", "event", "time"} {
				if state[i] != want {
					t.Errorf("after the reload the page has %q and not %q", state[i], want)
				}
			}
			if again := b.stage(); again != stage {
				t.Errorf("the stage differs after the reload:\n%s", differences(stage, again))
			}
		})
	}
}

// bundledAs returns the bundled recording as a file of a name.
func bundledAs(t testing.TB, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	content, err := os.ReadFile(bundled(t))
	if err == nil {
		err = os.WriteFile(file, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Reloads that don't wait for the page, each at another time of its loading, leave a page that works.
// Firefox tells of each request that it cancels while a service worker answers it, whatever that does:
// a service worker that only fetches what is asked for brings the same line.
func TestQuickReloads(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.allow("A ServiceWorker intercepted the request and encountered an unexpected error.")
			b.loaded()
			b.isStored()
			b.wait(`navigator.serviceWorker.controller`)
			for _, files := range []int{1, 3, 6, 9, 10, 12} {
				b.wait(`window.__again !== ` + num(int64(files)) + ` && performance.getEntriesByType('resource').length >= ` + num(int64(files)) + ` && (window.__again = ` + num(int64(files)) + `, location.reload(), true)`)
			}
			b.wait(`!window.__again`)
			b.ready()
			b.loaded()
			at := b.step()
			b.key("ArrowRight")
			b.stepMoves(at)
		})
	}
}

// testdata/earlier holds what the page of commit 5be6a76 gave its viewers: links with what
// they showed, the settings in a browser's storage, and a recording that was saved with what
// the viewer had done to it. Every later page must take them.

// seen is what the stage shows, without its words.
const seen = `(() => {
	const d = document.documentElement.dataset, value = (s) => document.querySelector(s)?.value ?? '';
	return {step: d.step ?? '', beside: d.beside ?? '', lesson: d.lesson ?? '', stop: d.stop ?? '',
		source: document.querySelector('.source-name')?.textContent ?? '',
		profile: value('.top [data-act=profile]'), informer: value('.top [data-act=informer]'),
		futures: String(document.querySelectorAll('.future').length),
		tiles: [...document.querySelectorAll('main .tile')].map(e => e.dataset.place).sort().join(' ')};
})()`

func earlier(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile("testdata/earlier/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

// Links that an earlier page made open the same moment: every second one as an address, the others by following them from
// the one before.
func TestEarlierLinksOpenTheSame(t *testing.T) {
	t.Parallel()
	var links []struct {
		Does, Link string
		Sees       map[string]string
	}
	earlier(t, "links.json", &links)
	if len(links) != 20 {
		t.Fatalf("there are %d links", len(links))
	}
	b := open(t)
	for i, l := range links {
		if i%2 == 0 {
			b.goTo("about:blank")
			b.goTo(env.site + l.Link)
			b.ready()
			b.loaded()
		} else {
			b.run(`location.hash = ` + quote(l.Link))
		}
		for what, want := range l.Sees {
			if i%2 == 1 && what == "futures" {
				continue // what the link before asked for stays, where it is about the same run
			}
			b.wait(seen + `.` + what + ` === ` + quote(want))
		}
	}
}

// Links that the page of 96c93d2 made to captures of the viewer's own: each leads to its step, moment or future, on the
// stage and not on the card, with the three handlers to which the page of that time played every capture.
func TestEarlierLinksToOwnCaptures(t *testing.T) {
	t.Parallel()
	var links []struct {
		File, Link string
		Sees       map[string]string
	}
	earlier(t, "own.json", &links)
	if len(links) != 20 {
		t.Fatalf("there are %d links", len(links))
	}
	const handlers = `[...document.querySelectorAll('main .lane:not(.lane-head) .lane-title')].map((e) => e.textContent.trim()).join(' ')`
	b := newTab(t)
	for _, l := range links {
		b.goTo("about:blank")
		b.goTo(env.site + l.Link)
		b.wait(`document.documentElement.dataset.dialog === 'expected'`)
		b.upload(onFile, testdata(t, l.File))
		b.wait(`document.querySelector('.stage')`)
		for what, want := range l.Sees {
			of := seen + `.` + what
			if what == "handlers" {
				of = handlers
			}
			b.wait(of + ` === ` + quote(want))
		}
	}
}

// Settings, changed keys, the course's progress and the score of an earlier page are taken over.
func TestEarlierSettingsAreTaken(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	var kept map[string]string
	earlier(t, "storage.json", &kept)
	for name, value := range kept {
		b.run(`localStorage.setItem(` + quote(name) + `, ` + quote(value) + `)`)
	}
	b.within(b.reload)
	b.ready()
	b.loaded()
	b.wait(`document.documentElement.lang.startsWith('zh')`)
	if !b.dark() {
		t.Error("the page isn't dark")
	}
	b.wait(`document.querySelector('[data-act=speed]').value === ` + quote(kept["speed"]))
	at := b.step()
	b.key("z") // the viewer's own key
	b.stepMoves(at)
	b.key("h")
	b.wait(`document.querySelector('[data-act=lesson][data-arg=known-objects]').dataset.read === 'all'`)
}

// A recording that an earlier page saved shows the future that was saved with it.
func TestAnEarlierRunOpens(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	file, err := filepath.Abs("testdata/earlier/run.trace.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	b.upload(onFile, file)
	b.wait(`document.querySelector('.source-name').textContent === 'run.trace.jsonl.gz'`)
	b.loaded()
	b.wait(`document.querySelectorAll('.future').length === 2`)
	b.stepIs(561)
}
