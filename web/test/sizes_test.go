package test

import (
	_ "embed"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"testing"
)

// measure is a function of the page, in JavaScript, that says what is wrong with
// the layout.
//
//go:embed measure.js
var measure string

// sizes are windows in CSS pixels. 720×450 and 360×225 are 1440×900 at 200 % and
// at 400 %.
var sizes = []struct{ w, h int64 }{
	{1920, 1080}, {1440, 900}, {1280, 800}, {1180, 820}, {1024, 768}, {844, 390}, {768, 1024}, {720, 450}, {390, 844}, {360, 225},
}

var languages = []string{"en", "zh"}

// faults returns what is wrong with the layout, once the page has been painted
// and nothing travels.
func (b *tab) faults() []string {
	b.t.Helper()
	return b.measures(measure)
}

// rests waits until the page has been painted and nothing travels.
func (b *tab) rests() {
	b.t.Helper()
	b.run(`
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
		await Promise.all(document.getAnimations().filter(a => a.effect.getTiming().iterations < 1e6 && a.effect.getComputedTiming().endTime < 2000).map(a => a.finished.catch(() => {})));
	`)
}

// measures calls a function of the page, in JavaScript, once the page rests.
func (b *tab) measures(function string) []string {
	b.t.Helper()
	b.rests()
	var body []string
	for line := range strings.Lines(function) {
		if !strings.HasPrefix(line, "//") {
			body = append(body, line)
		}
	}
	return eval[[]string](b, "("+strings.Join(body, "")+")()")
}

// whole is set by make browser-all.
var whole = flag.Bool("whole", false, "try every combination of sizes, themes and languages, and not only every pair")

// tried reports whether combination n of a state is tried. Of two combinations that differ in one thing,
// one is tried, so each pair of a state, a size, a theme and a language is.
func tried(state string, n int) bool {
	h := fnv.New32()
	io.WriteString(h, state) // a hash takes everything
	return *whole || (int(h.Sum32()%2)+n)%2 == 0
}

// everySize measures the page in windows of all sizes.
func (b *tab) everySize(what string) {
	b.t.Helper()
	b.inSizes(what, func(int) bool { return true })
}

// pairs returns a function that measures the page in the sizes that are tried of a state in a language.
func (b *tab) pairs(lang string) func(what string) {
	n := slices.Index(languages, lang)
	return func(what string) {
		b.t.Helper()
		b.inSizes(what, func(size int) bool { return tried(what, size+n) })
	}
}

func (b *tab) inSizes(what string, try func(i int) bool) {
	b.t.Helper()
	for i, s := range sizes {
		if !try(i) {
			continue
		}
		b.size(s.w, s.h)
		if faults := b.faults(); len(faults) != 0 {
			b.t.Errorf("at %d×%d, %s has these faults:\n  %s", s.w, s.h, what, strings.Join(faults, "\n  "))
			b.shot(fmt.Sprintf("%dx%d %s", s.w, s.h, what))
		}
	}
	b.size(1440, 900)
}

// Nothing is cut, runs out of its place or is out of reach, however large the
// window is and however long the names are, in both languages.
func TestFitsEverySize(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.media("prefers-reduced-motion", "reduce")
	b.loaded()
	outer := b.t
	defer func() { b.t = outer }()
	for _, lang := range languages {
		t.Run(lang, func(t *testing.T) {
			b.t = t
			fits := b.pairs(lang)
			b.chooseLanguage(lang)
			b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
			b.click(`[data-act=start]`)
			b.stepIs(0)
			fits("first step")
			b.key("3")
			b.stepMoves(0)
			fits("bundled recording")
		})
	}
	b.t = outer
	b.upload(onFile, longNames(t))
	b.wait(`/long names/.test(document.querySelector('.source').textContent)`)
	b.loaded()
	for _, lang := range []string{"zh", "en"} {
		t.Run(lang+", long names", func(t *testing.T) {
			b.t = t
			fits := b.pairs(lang)
			b.chooseLanguage(lang)
			b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
			for _, key := range []string{"5", "9"} {
				at := b.step()
				b.key(key)
				b.stepMoves(at)
				fits(key + " tenths of long names")
			}
			for _, tab := range []string{"object", "cache", "actors", "gestures", "console", "setup", "compare", "search", "why", "explain"} {
				b.opensTab(tab)
				fits("tab " + tab)
			}
			for _, dialog := range []string{"help", "about", "scripts", "live", "save", "link"} {
				b.opensDialog(dialog)
				b.wait(`document.querySelector('dialog[open]')`)
				fits("dialog " + dialog)
				if dialog == "save" {
					b.chooses(`[data-act=saveAs]`, "gif")
					fits("dialog save, a film")
				}
				b.key("Escape")
				b.wait(`!document.querySelector('dialog[open]')`)
			}
		})
	}
}

// The panels beside the stage, over it and above the timeline fit every size, too.
func TestEachStateFitsEverySize(t *testing.T) {
	t.Parallel()
	for _, lang := range languages {
		t.Run(lang, func(t *testing.T) {
			b := open(t)
			b.media("prefers-reduced-motion", "reduce")
			b.loaded()
			fits := b.pairs(lang)
			b.chooseLanguage(lang)
			b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
			b.key("3")
			b.stepMoves(0)
			b.opensAll(fits)
		})
	}
}

// longNames is a recording whose names are as long as Kubernetes allows, or as
// long as anyone uses.
func longNames(t testing.TB) string {
	t.Helper()
	namespace := "a-namespace-with-a-rather-long-name-of-sixty-three-characters-x"
	name := func(i int) string {
		return fmt.Sprintf("a-deployment-with-a-long-name-in-production-7d9c5b8f6d-%d%s", 1000+i, strings.Repeat("x", 60))
	}
	object := func(i, rv int) string {
		return fmt.Sprintf(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s","uid":"00000000-0000-4000-8000-%012d","resourceVersion":"%d",`+
			`"labels":{"app":"a-label-value-with-sixty-three-characters-which-is-the-limit-xyz"}}}`, name(i), namespace, i, rv)
	}
	const first = 123456789000
	return writeFile(t, "long names.trace.jsonl", func(w io.Writer) {
		fmt.Fprintln(w, `{"informerscope":"trace","version":1,"start":"2026-01-01T00:00:00Z","recorder":"browser tests","server":"v1.36.3"}`)
		fmt.Fprintln(w, `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?limit=500&resourceVersion=0"}}`)
		fmt.Fprintln(w, `{"t":1000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}`)
		var items []string
		for i := range 14 {
			items = append(items, object(i, first+i))
		}
		fmt.Fprintf(w, `{"t":2000000,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"%d"},"items":[%s]}}`+"\n", first+14, strings.Join(items, ","))
		fmt.Fprintln(w, `{"t":2000001,"id":1,"end":{"how":"eof"}}`)
		fmt.Fprintf(w, `{"t":3000000,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=%d"}}`+"\n", first+14)
		fmt.Fprintln(w, `{"t":4000000,"id":2,"resp":{"status":200,"contentType":"application/json"}}`)
		for i := range 60 {
			fmt.Fprintf(w, `{"t":%d,"id":2,"event":{"type":"MODIFIED","object":%s}}`+"\n", 5_000_000+i*4_000_000, object(i%14, first+100+i))
			for _, h := range "abcd" {
				fmt.Fprintf(w, `{"t":%d,"call":{"handler":"%c-handler-whose-name-has-40-characters-x","fn":"OnUpdate","key":"%s/%s","rv":"%d","took":12345678}}`+"\n",
					8_000_000+i*4_000_000, h, namespace, name(i%14), first+100+i)
			}
		}
		fmt.Fprintln(w, `{"t":300000000,"id":2,"end":{"how":"eof"}}`)
	})
}

// On a larger screen nothing that matters is smaller.
func TestALargerScreenShowsNothingSmaller(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	look := func() map[string][]float64 {
		b.faults() // waits until the page is painted
		return eval[map[string][]float64](b, `Object.fromEntries(['.station-head h2', '.chip', '.tile', '.lane-title', '.ring', '.handler', '.handler-text', '.rv-value', '.fact-value', '.keys', '.worker', '.said', '.step-n',
			'.button', '.track', '.counter b', '.badge', '.tape', '.rows', '.tiles', '.lanes', '.index-value', '.depth b'].map(s => {
				const e = document.querySelector(s), r = e.getBoundingClientRect();
				return [s, [parseFloat(getComputedStyle(e).fontSize), r.height]];
			}))`)
	}
	small := look()
	b.size(1920, 1080)
	for what, large := range look() {
		if large[0] < small[what][0] || large[1] < small[what][1]-.5 {
			t.Errorf("%s has type of %.1f px and is %.0f px high on 1440×900, and %.1f and %.0f on 1920×1080", what, small[what][0], small[what][1], large[0], large[1])
		}
	}
}

// On a phone the button that begins is in sight, and the stage shows the station
// at which something happens.
func TestAPhoneFollowsTheAction(t *testing.T) {
	t.Parallel()
	for _, s := range []struct{ w, h int64 }{{390, 844}, {844, 390}} {
		t.Run(fmt.Sprintf("%d×%d", s.w, s.h), func(t *testing.T) {
			b := newTab(t)
			b.size(s.w, s.h)
			b.goTo(env.site)
			b.ready()
			b.loaded()
			if !eval[bool](b, `(() => { const r = document.querySelector('.begin').getBoundingClientRect();
				return r.top >= 0 && r.bottom <= innerHeight && document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.closest('.begin') !== null })()`) {
				t.Error("the button that begins is out of sight")
			}
			// At least one of the things that travel in a step arrives in sight.
			b.run(`window.__steps = {};
				const animate = Element.prototype.animate;
				Element.prototype.animate = function (frames, options) {
					if (this.matches('#flying > .ghost')) {
						const [x, y] = frames.at(-1).transform.match(/-?[\d.]+/g).map(Number), stage = document.querySelector('main').getBoundingClientRect();
						const step = document.documentElement.dataset.step;
						window.__steps[step] ||= x >= stage.left - 2 && x <= stage.right && y >= stage.top - 2 && y <= stage.bottom;
					}
					return animate.call(this, frames, options);
				}`)
			b.click(`.begin`)
			at := b.stepMoves(0)
			for range 25 {
				b.key("ArrowRight")
				at = b.stepMoves(at)
			}
			steps := eval[map[string]bool](b, `window.__steps`)
			if len(steps) < 10 {
				t.Errorf("things travelled in %d steps only", len(steps))
			}
			for step, inSight := range steps {
				if !inSight {
					t.Errorf("all that travelled in step %s went out of sight", step)
				}
			}

			// Where nothing travels, the station of the step is in sight.
			b.media("prefers-reduced-motion", "reduce")
			seen := map[string]bool{}
			for range 25 {
				b.key("ArrowLeft")
				at = b.stepMoves(at)
				b.run(`for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)`)
				now := eval[[]string](b, `(() => {
					const stage = document.querySelector('main').getBoundingClientRect();
					return [document.querySelector('main').dataset.now, ...[...document.querySelectorAll('[data-station]')].filter(e => {
						const r = e.getBoundingClientRect();
						return Math.min(r.bottom, stage.bottom) - Math.max(r.top, stage.top) >= Math.min(r.height, stage.height) * .6;
					}).map(e => e.dataset.station)];
				})()`)
				if now[0] == "" {
					continue
				}
				seen[now[0]] = true
				if !slices.Contains(now[1:], now[0]) {
					t.Errorf("step %d was made at %s, and the stage shows %v", at, now[0], now[1:])
				}
			}
			if len(seen) < 3 {
				t.Errorf("only the stations %v did something", seen)
			}
		})
	}
}

// On a phone, a lesson leaves enough of the stage in sight to show what
// happens, and begins at the first station that it needs.
func TestALessonOnAPhoneShowsTheStage(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.size(390, 844)
	b.goTo(env.site)
	b.ready()
	b.loaded()
	b.click(`[data-act=course]`)
	b.wait(`document.querySelector('.course-list button')`)
	b.click(`.course-list [data-arg="delta-fifo"]`)
	b.stopIs(0)
	const sight = `(() => {
		const stage = document.querySelector('main').getBoundingClientRect(), bottom = Math.min(stage.bottom, document.querySelector('aside').getBoundingClientRect().top);
		const r = document.querySelector('.st-queue .row, .st-queue').getBoundingClientRect();
		return Math.min(r.bottom, bottom) - Math.max(r.top, stage.top);
	})()`
	b.wait(sight + ` > 100`)
	b.wait(`document.querySelector('.st-queue .row .chip')`)
	b.wait(`document.querySelector('.option') && ` + sight + ` > 20`)
	b.shot("")

	// What is read now stays in sight when the phone is turned, and in another language.
	const reads = `((stop, text) => stop.top >= text.top - 1 && stop.top < text.bottom - 20)(document.querySelector('.lesson-stop[data-now] > p').getBoundingClientRect(), document.querySelector('.lesson-text').getBoundingClientRect())`
	b.wait(reads)
	b.size(844, 390)
	b.wait(`innerHeight === 390 && ` + reads)
	b.size(390, 844)
	b.wait(`innerHeight === 844 && ` + reads)
	b.chooseLanguage("zh")
	b.wait(`/[一-龥]/.test(document.querySelector('.lesson-stop[data-now] > p').textContent) && ` + reads)
}

// The arrows between stations that stand below one another lead where the data
// goes: the process loop writes the store, and tells the processor itself.
func TestArrowsSayTheTrueOrderOnAPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.size(390, 844)
	b.goTo(env.site)
	b.ready()
	b.loaded()
	for wire, want := range map[string]string{
		"watch": "server reflector", "enqueue": "reflector queue", "pop": "queue loop", "store": "loop store", "distribute": "loop processor", "work": "processor work",
	} {
		got := eval[string](b, `(() => {
			const path = document.querySelector('.wire-`+wire+` .wire-line'), svg = document.getElementById('wires').getBoundingClientRect();
			if (!path.checkVisibility()) return 'nothing is drawn';
			const near = (p) => {
				let best = '', least = 1e9;
				for (const e of document.querySelectorAll('[data-station]')) {
					const r = e.getBoundingClientRect(), x = p.x + svg.x, y = p.y + svg.y;
					const far = Math.hypot(Math.max(r.left - x, x - r.right, 0), Math.max(r.top - y, y - r.bottom, 0)) + (x > r.left + 3 && x < r.right - 3 && y > r.top + 3 && y < r.bottom - 3 ? 1e3 : 0);
					if (far < least) { least = far; best = e.dataset.station }
				}
				return best;
			};
			return near(path.getPointAtLength(0)) + ' ' + near(path.getPointAtLength(path.getTotalLength()));
		})()`)
		if got != want {
			t.Errorf("the wire %q leads from and to %s, and not %s", wire, got, want)
		}
	}
}

// unmoved returns what an expression is once eight paintings have left it the same.
func (b *tab) unmoved(expression string) string {
	b.t.Helper()
	return eval[string](b, `(async () => {
		let is = '';
		for (let same = 0; same < 8; same++) {
			await new Promise(requestAnimationFrame);
			const was = is;
			is = `+expression+`;
			if (is !== was) same = 0;
		}
		return is;
	})()`)
}

// A language that is written from right to left turns the words around the stage, and leaves the
// stage as it is.
func TestRightToLeftLeavesTheStage(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	places := `[...document.querySelectorAll('.stage .station, .stage .chip, .transport button, .track')].map(e => { const r = e.getBoundingClientRect(), s = e.closest('.stage, .transport').getBoundingClientRect(); return [r.left - s.left, r.top - s.top, r.width, r.height].map(Math.round).join(' '); }).join('\n')`
	for _, s := range []struct{ w, h int64 }{{1440, 900}, {1024, 768}, {390, 844}} {
		b.size(s.w, s.h)
		before := b.unmoved(places)
		b.run(`document.documentElement.dir = 'rtl'`)
		if faults := b.faults(); len(faults) != 0 {
			t.Errorf("%d×%d:\n  %s", s.w, s.h, strings.Join(faults, "\n  "))
		}
		if after := b.unmoved(places); after != before {
			t.Errorf("%d×%d: the stage differs:\n%s", s.w, s.h, differences(before, after))
		}
		b.shot("right to left")
		b.run(`document.documentElement.dir = 'ltr'`)
	}
}

// findCut is a function of the page, in JavaScript, that lists the texts of the stage that aren't
// whole.
//
//go:embed whole.js
var findCut string

// cutTexts are the texts of the stage that aren't whole, once nothing travels.
func (b *tab) cutTexts() []string {
	b.t.Helper()
	return b.measures(findCut)
}

// Every text of the stage is whole in a window of a usual size, alone, presented, and with two
// machines: nothing is cut, nothing lies on a border, and the workqueue is in sight. Before a room all of it can be read.
func TestTextsAreWhole(t *testing.T) {
	t.Parallel()
	for _, state := range []struct {
		at   string
		keys []string // of the moments that are looked at
	}{
		{"#trace=shop", []string{"Home", "3", "7"}}, {"#library=11-resync", []string{"Home", "5"}}, {"#library=12-expired", []string{"5"}}, {"#library=29-two-are-created", []string{"5"}},
		{"#library=17-run-twice-classic", []string{"End"}}, {"#lesson=known-objects", []string{"Home"}},
	} {
		t.Run(state.at, func(t *testing.T) {
			b := open(t, state.at)
			b.media("prefers-reduced-motion", "reduce")
			b.loaded()
			lang := ""
			look := func(what string, w, h int64) {
				t.Helper()
				b.size(w, h)
				if cut := b.cutTexts(); len(cut) != 0 {
					t.Errorf("%s, %s at %d×%d:\n  %s", lang, what, w, h, strings.Join(cut, "\n  "))
					b.shot(fmt.Sprintf("%s %s %s %d", state.at[1:], lang, what, w))
				}
			}
			for _, lang = range languages {
				b.chooseLanguage(lang)
				b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
				for _, key := range state.keys {
					b.key(key)
					look(key, 1440, 900)
					if printed := eval[bool](b, `document.querySelector('.printed').checkVisibility()`); printed == (state.at == "#library=29-two-are-created") {
						t.Errorf("%s, %s at 1440×900: what handlers print is shown: %t", lang, key, printed) // a controller below several informers has its room
					}
					look(key, 1920, 1080)
					b.key("p")
					b.wait(`document.documentElement.dataset.presenting === 'true'`)
					look(key+", presented", 1440, 900)
					for _, s := range projectors {
						look(key+", presented", s.w, s.h)
						if small := eval[[]string](b, under24); len(small) != 0 {
							t.Errorf("%s, %s presented at %d×%d: %q", lang, key, s.w, s.h, small)
						}
					}
					b.key("Escape")
					b.wait(`!document.documentElement.dataset.presenting`)
				}
				if state.at != "#trace=shop" {
					continue
				}
				b.key("=")
				b.wait(`+document.documentElement.dataset.beside >= 0 && document.querySelector('.beside .station')`)
				for _, key := range state.keys {
					b.key(key)
					look(key+", two machines", 1440, 900)
					look(key+", two machines", 1920, 1080)
				}
				b.key("=")
				b.wait(`!document.documentElement.dataset.beside`)
			}
		})
	}
}

// A large capture without times has the longest row of controls: all of it is in the window, and so
// is how far a slow handler is behind.
func TestMadeUpTimesAreSaidInFull(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.upload(onFile, writeFile(t, "watch.ndjson", func(w io.Writer) { w.Write(watchStream(60_000)) }))
	b.opened("watch.ndjson")
	b.wait(`document.querySelector('.made-up')`)
	b.key("7")
	b.stepMoves(0)
	for _, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		for _, size := range [][2]int64{{390, 844}, {1366, 768}, {1440, 900}, {1600, 900}, {1920, 1080}} {
			b.size(size[0], size[1])
			faults := b.faults()
			const over = `((mark, track) => mark.right > track.left && mark.bottom > track.top)(document.querySelector('.made-up').getBoundingClientRect(), document.querySelector('.track').getBoundingClientRect())`
			if size[0] == 390 && eval[bool](b, over) {
				faults = append(faults, "the mark covers the timeline")
			}
			if right := eval[float64](b, `innerWidth - document.querySelector('.made-up').getBoundingClientRect().right`); right < 0 {
				faults = append(faults, fmt.Sprintf("the mark is %.0f px out of the window", -right))
			}
			if len(faults) != 0 {
				t.Errorf("%s at %d×%d: %q", lang, size[0], size[1], faults)
				b.shot("made up")
			}
		}
	}
}

// In the console, what a step did has the panel's width, whoever made the step.
func TestTheConsoleHasRoomForFacts(t *testing.T) {
	t.Parallel()
	b := open(t, "#library=17-run-twice-classic")
	b.loaded()
	b.opensTab("console")
	b.wait(`document.querySelectorAll('.transcript .facts').length > 10`)
	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {390, 844}} {
		b.size(size[0], size[1])
		if narrow := eval[[]string](b, `[...document.querySelectorAll('.transcript .facts')].filter(f => f.clientWidth < .85 * f.closest('li').clientWidth && f.getClientRects().length)
			.map(f => f.parentElement.textContent + ' has ' + f.getBoundingClientRect().width + ' px')`); len(narrow) != 0 {
			t.Errorf("at %d×%d: %q", size[0], size[1], narrow)
		}
	}
}

// In a window of 1280×720, as of a projector, the stage is whole: it doesn't scroll. A listener that is
// as far behind as on a large trace says so in whole.
func TestNothingScrollsOnAProjector(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.size(1280, 720)
	for _, what := range []string{"", "#library=11-resync", "#library=20-rate-limited"} {
		b.goTo(env.site + what)
		b.ready()
		b.loaded()
		b.key("5")
		for _, lang := range languages {
			b.chooseLanguage(lang)
			b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
			b.wait(`innerHeight === 720 && document.querySelector('main').clientHeight > 500`)
			if over := eval[float64](b, `(m => m.scrollHeight - m.clientHeight)(document.querySelector('main'))`); over > 0 {
				t.Errorf("%s in %s: %.0f px of the stage are out of sight", what, lang, over)
			}
			cut := eval[float64](b, `(says => {
				const catalogue = {en: '22 343 behind', zh: '落后 22 343'}[document.documentElement.lang.slice(0, 2)];
				says.firstChild.className = 'behind';
				says.firstChild.textContent = catalogue;
				return says.firstChild.getBoundingClientRect().width - says.clientWidth;
			})(document.querySelector('.lane-says'))`)
			if cut > 0 {
				t.Errorf("%s in %s: %.1f px of how far a listener is behind are cut", what, lang, cut)
			}
		}
	}
}

// On a phone, small or not, in each language, the microscope, the card and a lesson have one bar of controls of at most 120 px, what a
// finger presses in bars, tabs, answers, the card and the heads of stations has 44 px, the language is in sight, and nothing is wider
// than the screen. A lesson's own bar takes the place of the other one, and the loop in small stands above its stations.
func TestOneBarOnAPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	look := func(where, bar string) {
		t.Helper()
		for _, s := range [][2]int64{{390, 844}, {360, 640}} {
			b.size(s[0], s[1])
			b.wait(`innerWidth === ` + num(s[0]) + ` && innerHeight === ` + num(s[1]))
			b.faults() // waits until the page is painted
			where := fmt.Sprintf("%s at %d×%d", where, s[0], s[1])
			if high := eval[float64](b, `[...document.querySelectorAll('.transport, .lesson-foot')].reduce((sum, e) => sum + e.getBoundingClientRect().height, 0)`); high > 120 || bar != "" && high < 44 {
				t.Errorf("%s: the controls take %.0f px", where, high)
			}
			if high := eval[float64](b, `document.querySelector('.top').getBoundingClientRect().height`); high > 60 && !strings.Contains(where, "the microscope") { // that one chooses a resource, too
				t.Errorf("%s: the header takes %.0f px", where, high)
			}
			if bar != "" && !eval[bool](b, `((r) => r.height > 0 && r.bottom <= innerHeight + 1)(document.querySelector('`+bar+`').getBoundingClientRect())`) {
				t.Errorf("%s: the bar is out of sight", where)
			}
			if small := eval[[]string](b, `[...document.querySelectorAll(':is(.top, .tabs, .transport, .lesson-foot, .lesson-question, .card, .station:not(.aside) .station-head, .tiles, .indices) :is(button:not(.mark, .inline-link, .word), select, summary)')].filter((e) => {
				const r = e.getBoundingClientRect();
				return e.checkVisibility({visibilityProperty: true}) && r.width > 0 && !e.closest('.visually-hidden, .card-marks') && (r.width < 43.9 || r.height < 43.9);
			}).map((e) => (e.title || e.ariaLabel || e.textContent) + ' ' + Math.round(e.getBoundingClientRect().width) + '×' + Math.round(e.getBoundingClientRect().height))`); len(small) != 0 {
				t.Errorf("%s: these are small: %q", where, small)
			}
			if found := b.measures(small); bar == "" && len(found) != 0 {
				t.Errorf("%s: these are small: %q", where, found)
			}
			if !eval[bool](b, `((r) => r.width > 0 && r.right <= innerWidth && r.top >= 0 && r.bottom < 130)(document.querySelector('.top .lang select').getBoundingClientRect())`) {
				t.Errorf("%s: the choice of a language is out of sight", where)
			}
			if wide := eval[int64](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("%s: %d px are beyond the right edge", where, wide)
			}
			b.shot(where)
		}
		b.size(390, 844)
	}
	for _, lang := range languages {
		at := lang + ", "
		b.size(390, 844)
		b.asNewcomer("?phone-" + lang + "#trace=shop&step=200&lang=" + lang)
		b.stepIs(200)
		look(at+"the microscope", ".transport")
		b.asNewcomer("?lesson-" + lang + "#lesson=gone&at=1&lang=" + lang)
		b.lessonIs("gone", 0)
		b.wait(`document.documentElement.dataset.playing === 'false' && document.querySelector('.lesson-foot').checkVisibility() && document.querySelector('.loop-map > .subject').checkVisibility()`)
		look(at+"a lesson", ".lesson-foot")
		b.opensTab("explain")
		b.wait(`document.querySelector('.transport').checkVisibility()`)
		look(at+"a lesson's other tab", ".transport")
		b.asNewcomer("?exercise-" + lang + "#lesson=build-lose-delete&lang=" + lang)
		b.lessonIs("build-lose-delete", 0)
		b.wait(`((p, text) => p.top >= text.top && p.bottom <= text.bottom)(document.querySelector('.lesson-stop[data-now] > p').getBoundingClientRect(), document.querySelector('.lesson-text').getBoundingClientRect())`)
		look(at+"an exercise", ".lesson-foot")
		b.asNewcomer("?card-" + lang + "#lang=" + lang)
		b.opensCard(trouble(), "trouble.trace.jsonl")
		look(at+"the card", "")
		if found := b.violations(); len(found) != 0 {
			t.Errorf("on %sthe card, axe finds:\n  %s", at, strings.Join(found, "\n  "))
		}
	}
}

// small is a function of the page, in JavaScript, that lists what can be pressed and is too small for a finger. What stands
// in a sentence, and a mark among others on the timeline, is pressed by its height.
const small = `() => [...document.querySelectorAll('#app :is(button, a[href], select, input, summary, [data-act]), dialog :is(button, a[href], select, input, summary)')].filter((e) =>
	e.checkVisibility({visibilityProperty: true}) && !e.closest('p, .spoken, .visually-hidden') && e.getBoundingClientRect().width > 1).map((e) => {
		const r = (e.closest('label') ?? e).getBoundingClientRect();
		const size = (what) => Math.round(Math.max(r[what], ...['::before', '::after'].map((at) => {
			const s = getComputedStyle(e, at);
			return s.content !== 'none' && s.position === 'absolute' ? parseFloat(s[what]) || 0 : 0;
		})));
		return {w: e.closest('.marks') ? 44 : size('width'), h: size('height'), what: e.className + ' ' + (e.title || e.textContent).slice(0, 40)};
	}).filter(({w, h}) => Math.min(w, h) < 44).map(({w, h, what}) => w + '×' + h + ' ' + what)`

// On a phone whatever can be pressed has 44 px: chips, keys, marks and handlers of the stage, what the panels have, dialogs,
// two machines side by side, and a lesson.
func TestFingersHaveRoom(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.size(390, 844)
	b.media("prefers-reduced-motion", "reduce")
	look := func(where string) {
		t.Helper()
		if found := b.measures(small); len(found) > 0 {
			t.Errorf("%s these are small:\n  %s", where, strings.Join(found, "\n  "))
			b.shot(where)
		}
	}
	b.goTo(env.site)
	b.ready()
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	look("at a step of a recording")
	for _, tab := range []string{"explain", "object", "cache", "compare"} {
		b.opensTab(tab)
		look("in the tab " + tab)
	}
	b.opensDialog("help")
	look("in the help")
	b.key("Escape")
	b.choose(unpacked(t, "format/testdata/shop.trace.jsonl.gz"), "minutes.trace.jsonl")
	b.key("3")
	b.wait(`document.querySelector('.lane.made .syncing')`)
	if dots := eval[int](b, `[...document.querySelectorAll('.syncing')].filter((e) => e.offsetLeft === e.parentElement.firstElementChild.offsetLeft && getComputedStyle(e, '::before').content !== 'none').length`); dots > 0 {
		t.Error("a line of a listener begins with a dot")
	}
	b.key("=")
	b.wait(`document.documentElement.dataset.beside && document.querySelectorAll('.pane-tab').length === 2`)
	look("with two machines")
	b.size(844, 390)
	if high := eval[[]float64](b, `[...document.querySelectorAll('.pane-tab')].map((e) => e.getBoundingClientRect().height)`); slices.Min(high) < 44 {
		t.Errorf("on its side, the names of two machines are %v px high", high)
	}
	b.size(390, 844)
	b.allow("404")
	b.goTo("about:blank")
	b.goTo(env.site + "#trace=nosuch")
	b.wait(`document.querySelector('.curtain [data-act=bundled]')`)
	look("where a recording isn't found")
	if cut := eval[[]string](b, `[...document.querySelectorAll('.curtain .button')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)`); len(cut) > 0 {
		t.Errorf("where a recording isn't found, these run out of their buttons: %q", cut)
	}
	for _, at := range []string{"workqueue", "keys&at=4", "priorities&at=overtakes", "owner-again&at=again", "delete-overtakes&at=2", "back-in-time&at=synced"} {
		b.asNewcomer("?" + at + "#lesson=" + at)
		b.wait(`document.querySelector('.lesson-stop[data-now] > p') && document.documentElement.dataset.playing === 'false'`)
		look("in the lesson " + at)
	}
}

// The indexer has the room that the listeners leave: ten objects are whole beside three listeners, and one listener leaves
// more, in a low window and before a room, too. The reflector keeps all of its facts.
func TestTheIndexerGrows(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	const high = `document.querySelector('.st-store').getBoundingClientRect().height`
	heights := func(at string) (all [3]float64) {
		t.Helper()
		b.size(1440, 900)
		b.goTo("about:blank")
		b.goTo(env.site + at)
		b.ready()
		b.loaded()
		b.wait(`document.querySelector(".tile")`)
		for i, h := range []int64{900, 720} {
			b.size(1280+160*int64(1-i), h)
			if faults := b.faults(); len(faults) != 0 {
				t.Errorf("%s has these faults in a window %d px high:\n  %s", at, h, strings.Join(faults, "\n  "))
			}
			if hidden := eval[int](b, `((all) => [...all.querySelectorAll('.tile')].filter((e) => e.getBoundingClientRect().bottom > all.getBoundingClientRect().bottom + 1).length)(document.querySelector('.tiles'))`); hidden > 0 {
				t.Errorf("%s: %d objects are cut in a window %d px high", at, hidden, h)
			}
			all[i] = eval[float64](b, high)
		}
		b.size(1280, 720)
		b.key("p")
		b.wait(`document.documentElement.dataset.presenting === 'true'`)
		b.cutTexts() // waits until it is painted
		all[2] = eval[float64](b, high)
		return all
	}
	three, one := heights("?three#trace=shop&step=900"), heights("?one#library=loop&step=50")
	for i := range three {
		if one[i] <= three[i] {
			t.Errorf("the indexer is %v px high beside one listener, and %v beside three", one[i], three[i])
		}
	}
}
