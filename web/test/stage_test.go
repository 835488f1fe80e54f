package test

import (
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// openScript opens a script of its own.
func openScript(t *testing.T, lines ...string) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "script.txt")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	b := open(t)
	b.loaded()
	b.upload("#file", file)
	b.wait(`document.querySelector('.source-name')?.textContent.includes('script.txt')`)
	b.loaded()
	return b
}

// forward presses the key for a step, and waits for the step, until a condition holds or
// the steps are over. All of it happens in the page, since a step by the driver takes
// several messages, but some steps at a time: however busy the machine is, those come to an
// end. At each step it runs the statements, at some of them twice.
func (b *tab) forward(condition, statements string) (held bool) {
	b.t.Helper()
	for {
		switch eval[string](b, `(async () => {
			const last = document.querySelector('.timeline [role=slider]').getAttribute('aria-valuemax'), root = document.documentElement.dataset;
			const holds = () => { try { return !!(`+condition+`) } catch { return false } };
			for (let left = 25; ; left--) {
				`+statements+`;
				if (holds()) return 'held';
				if (root.step === last) return 'over';
				if (!left) return 'on';
				const was = root.step;
				document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
				while (root.step === was) await new Promise(requestAnimationFrame);
			}
		})()`) {
		case "held":
			return true
		case "over":
			return false
		}
	}
}

// goUntil goes forward until a condition holds.
func (b *tab) goUntil(condition string) {
	b.t.Helper()
	if !b.forward(condition, "") {
		b.t.Fatalf("no step came to this: %s", condition)
	}
}

// cut lists the chips that are shown in part.
const cut = `[...document.querySelectorAll('.stage .chip, .stage .mini')].flatMap(chip => {
	const c = chip.getBoundingClientRect(), out = [];
	if (!c.width) return out;
	for (let e = chip.parentElement; !e.matches('.station, .rows, .keys, .tape'); e = e.parentElement) {
		const r = e.getBoundingClientRect();
		if (getComputedStyle(e).overflow === 'visible') continue;
		if (c.bottom <= r.top || c.top >= r.bottom) break; // nothing of the chip is shown
		if (c.left < r.left - 1 || c.right > r.right + 1 || c.top < r.top - 1 || c.bottom > r.bottom + 1) out.push(e.className + ' cuts ' + chip.title);
	}
	return out;
})`

// counted is how many deltas of a row are shown or counted.
const counted = `(row => [...row.querySelectorAll('.chip')].filter(c => c.getClientRects().length).length
	+ [...row.querySelectorAll('.more')].filter(c => c.getClientRects().length).reduce((n, c) => n + +c.textContent, 0))`

// Chips are whole or counted, whatever room there is for them.
func TestChipsAreWholeOrCounted(t *testing.T) {
	t.Parallel()
	name := "shop/a-rather-long-name-for-a-pod-584ccd5465-h92hq"
	lines := []string{"profile classic", "informer pods", "handler h takes=1s", "exists pod " + name, "run"}
	for range 14 {
		lines = append(lines, "update pod "+name)
	}
	b := openScript(t, append(lines, "step 42 reflector", "run")...)
	most := func(list string) string {
		return `Math.max(0, ...[...document.querySelectorAll('` + list + `')].map(` + counted + `))`
	}
	look := func(where string) {
		t.Helper()
		for _, size := range [][2]int64{{1440, 900}, {1920, 1080}, {1180, 820}, {390, 844}} {
			b.size(size[0], size[1])
			b.wait(most(where) + ` === 14`)
			if faults := eval[[]string](b, cut); len(faults) != 0 {
				t.Errorf("at %d×%d, these chips are cut or not counted: %q", size[0], size[1], faults)
			}
		}
		b.size(1440, 900)
		b.shot("whole or counted")
	}
	b.goUntil(most(".rows .row") + ` === 14`)
	look(".rows .row")
	b.goUntil(most(".loop-hand") + ` === 14`)
	look(".loop-hand")
	b.goUntil(`document.querySelectorAll('.mini').length > 5`)
	if faults := eval[[]string](b, cut); len(faults) != 0 {
		t.Error(faults)
	}
}

// cutBadges are the badges in the stations' heads that are not wholly in sight.
const cutBadges = `[...document.querySelectorAll('.station-head .badge')].filter(b =>
	[b, ...b.querySelectorAll('*')].some(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow !== 'visible')
	|| b.getBoundingClientRect().right > b.closest('.station-says').getBoundingClientRect().right + 1).map(b => b.textContent + ' of ' + b.closest('.station').dataset.station)`

// A station's head says whole who holds its lock.
func TestBadgesAreWhole(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.media("prefers-reduced-motion", "reduce")
	b.loaded()
	for n, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		for i, size := range [][2]int64{{1920, 1080}, {1440, 900}, {1366, 768}, {1280, 800}} {
			if !tried("badges", i+n) {
				continue
			}
			b.size(size[0], size[1])
			b.click(`[data-act=start]`)
			b.stepIs(0)
			for step := int64(1); step <= 30; step++ {
				b.key("ArrowRight")
				b.stepIs(step)
				if cut := eval[[]string](b, cutBadges); len(cut) != 0 {
					t.Errorf("%s, %d×%d, step %d: %q are cut", lang, size[0], size[1], step, cut)
				}
			}
		}
	}
}

// watchGhosts notes what travels: its words, and whether it returns or falls.
const watchGhosts = `window.ghosts = []; new MutationObserver(all => { for (const m of all) for (const g of m.addedNodes) {
	const frames = g.getAnimations()[0]?.effect.getKeyframes().map(f => f.transform) ?? [], last = frames.at(-1);
	window.ghosts.push(g.textContent + (frames.length > 2 && frames[0] === last ? ' returns' : '') + (last?.includes('rotate') ? ' falls' : '') + (g.className.includes('tile') ? ' as a tile' : ''));
} }).observe(document.getElementById('flying'), {childList: true})`

// A key that is deduplicated touches the dirty set and returns. An object that
// is deleted is seen to leave the cache.
func TestWhatIsLeftOutAndWhatGoesIsSeen(t *testing.T) {
	t.Parallel()
	b := openScript(t, "profile classic", "informer pods work=1s", "handler h workqueue", "create pod default/web", "run until WorkGot",
		"update pod default/web", "run until WorkDeferred", "update pod default/web", "run until WorkDirty", "delete pod default/web", "run")
	b.run(watchGhosts)
	b.goUntil(`window.ghosts.includes('default/web returns')`)
	b.goUntil(`window.ghosts.includes('web falls as a tile')`)
	b.wait(`document.querySelectorAll('.st-store .tile').length === 0`)
	b.key("ArrowLeft") // the object comes up again
	b.wait(`document.querySelectorAll('.st-store .tile').length === 1`)
	b.wait(`window.ghosts.filter(g => g.includes('tile') || g.startsWith('D')).length > 1`)
}

// Until a chip has arrived, the queue and the sentence are drawn as they were. Then both tell of it.
func TestWordsFollowTheChip(t *testing.T) {
	t.Parallel()
	b := openScript(t, "profile classic", "informer pods", "handler h", "run", "create pod default/web", "run")
	b.goUntil(`document.querySelector('.st-reflector .hand .chip, .st-reflector .slot .chip')?.textContent.startsWith('A')`)
	b.wait(`!document.querySelector('#flying > .ghost')`)
	b.run(`document.activeElement.blur(); new MutationObserver(() => { for (const a of document.getAnimations()) a.pause() }).observe(document.getElementById('flying'), {childList: true})`)
	parts := map[string]image.Image{".st-queue": nil, ".explain > .said": nil}
	for part := range parts {
		parts[part] = b.pictureOf(part)
	}
	b.key("ArrowRight")
	b.wait(`document.querySelector('#flying > .ghost') && document.querySelector('.st-queue .depth b').textContent === '1'`)
	for part, before := range parts {
		if d := difference(before, b.pictureOf(part)); d > 0 {
			t.Errorf("before the chip arrives, %.1f %% of %s differs", 100*d, part)
		}
	}
	b.shot("on its way")
	b.run(`for (const a of document.getAnimations()) a.finish()`)
	b.wait(`!document.querySelector('#flying > .ghost, .late, [data-was]')`)
	for part, before := range parts {
		if d := difference(before, b.pictureOf(part)); d < .01 {
			t.Errorf("when the chip has arrived, %s is as it was", part)
		}
	}
}

// flights is an expression of the page, in JavaScript, that names the stations from which and to which something is under way,
// and leaves it where it starts.
const flights = `(() => {
	const at = (r) => document.elementsFromPoint(r.x + r.width / 2, r.y + r.height / 2).find((e) => e.closest('main .station'))?.closest('.station').dataset.station ?? '';
	return [...document.querySelectorAll('#flying > .ghost')].map((g) => {
		const [a] = g.getAnimations(), {duration, delay} = a.effect.getTiming();
		a.currentTime = 0;
		const from = at(g.getBoundingClientRect());
		a.currentTime = delay + duration - .01;
		const to = at(g.getBoundingClientRect());
		a.currentTime = 0;
		return {from, to};
	});
})()`

// Until something has arrived at a station, the station is drawn as it was, at each step from a list and an event to the
// worker. What was lit before isn't any more, and the first object takes the place of a word.
func TestStationsAreAsTheyWereUntilAChipArrives(t *testing.T) {
	t.Parallel()
	b := openScript(t, "profile classic", "informer pods", "handler h workqueue", "exists pod default/a", "run", "create pod default/web", "run")
	b.wait(`!document.querySelector('#flying > .ghost')`)
	b.run(`document.activeElement.blur(); new MutationObserver(() => { for (const a of document.getAnimations()) a.pause() }).observe(document.getElementById('flying'), {childList: true})`)
	last := eval[string](b, `document.querySelector('.timeline [role=slider]').getAttribute('aria-valuemax')`)
	part := func(whole image.Image, station string) image.Image {
		r := eval[[]int](b, `(() => { const r = document.querySelector('main [data-station=`+station+`]').getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom].map(Math.round) })()`)
		return whole.(interface {
			SubImage(image.Rectangle) image.Image
		}).SubImage(image.Rect(r[0], r[1], r[2], r[3]))
	}
	arrived := map[string]bool{}
	for b.state("step") != last {
		at := b.step()
		b.run(`document.querySelectorAll('.lit').forEach((e) => e.classList.remove('lit'))`)
		before := b.pictureOf("main")
		b.key("ArrowRight")
		b.stepMoves(at)
		all := eval[[]struct{ From, To string }](b, flights)
		if len(all) > 0 {
			after := b.pictureOf("main")
			for _, f := range all {
				if f.To == "" || slices.ContainsFunc(all, func(other struct{ From, To string }) bool { return other.From == f.To }) {
					continue
				}
				arrived[f.To] = true
				if d := difference(part(before, f.To), part(after, f.To)); d > .004 {
					t.Errorf("at step %s, before what comes from %s arrives, %.1f %% of %s differs", b.state("step"), f.From, 100*d, f.To)
					b.shot("under way at " + b.state("step"))
				}
			}
		}
		b.run(`for (const a of document.getAnimations()) a.finish()`)
		b.wait(`!document.querySelector('#flying > .ghost, .late, [data-was]')`)
	}
	if len(arrived) < 5 {
		t.Errorf("things arrived at %v alone", arrived)
	}
}

// What is on its way goes round the texts that are read meanwhile: names of stations and listeners, how full a ring is, and
// the headings of the workqueue. Where it starts and where it lands, it may lie on one.
func TestChipsGoRoundTexts(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	b.run(`window.flights = 0;
		window.overTexts = new Set();
		const animate = Element.prototype.animate;
		Element.prototype.animate = function (...args) {
			const flight = animate.apply(this, args);
			if (!this.matches('#flying > .ghost') || this.matches('.ghost-tile')) return flight;
			window.flights++;
			const {duration, delay} = flight.effect.getTiming();
			const at = (part) => {
				flight.currentTime = delay + duration * part;
				return this.getBoundingClientRect();
			};
			flight.pause();
			for (const e of document.querySelectorAll('main .station :is(h2, .set h3, .ring-n, .lane-title)')) {
				const range = document.createRange();
				range.selectNodeContents(e);
				const text = range.getBoundingClientRect();
				const lies = (part) => {
					const r = at(part);
					return Math.min(r.right, text.right) - Math.max(r.left, text.left) > 1 && Math.min(r.bottom, text.bottom) - Math.max(r.top, text.top) > 4;
				};
				if (!lies(0) && !lies(1) && [.1, .2, .3, .4, .5, .6, .7, .8, .9].some(lies)) {
					window.overTexts.add(e.closest('.station').dataset.station + ': ' + e.textContent + ' at step ' + document.documentElement.dataset.step);
				}
			}
			flight.currentTime = 0;
			flight.play();
			return flight;
		}`)
	for range 60 {
		at := b.step()
		b.key("ArrowRight")
		b.stepMoves(at)
	}
	if n := eval[int](b, `window.flights`); n < 20 {
		t.Errorf("only %d things were on their way", n)
	}
	if over := eval[[]string](b, `[...window.overTexts]`); len(over) > 0 {
		t.Errorf("what was on its way lay on %q", over)
	}
}

// The connection is seen: in words of a size that can be read from afar, and on the
// wire. There is no wire for what can't happen.
func TestTheConnectionIsSeen(t *testing.T) {
	t.Parallel()
	b := openScript(t, "profile classic", "informer pods", "handler h workqueue", "exists pod a/0", "run", "advance 20s", "fail requests refused n=2", "break watch",
		"run until BackoffStarted", "advance 20s", "run", "compact", "create pod a/1", "run", "restart server down=1s", "run")
	b.run(`window.seen = []; window.faults = []`)
	b.forward(`false`, `
		const e = document.querySelector('.wire-state'), state = e.dataset.wire;
		if (window.seen.at(-1) !== state) {
			window.seen.push(state);
			const b = e.querySelector('b'), box = (e) => e.getBoundingClientRect(), at = box(b);
			if (at.height < 15 || !b.textContent) window.faults.push(state + ' is small');
			if (b.scrollWidth > b.clientWidth + 1) window.faults.push(state + ' is cut: ' + b.textContent);
			if (at.top < box(document.querySelector('.st-server')).bottom || at.bottom > box(document.querySelector('.st-reflector')).top) {
				window.faults.push(state + ' is not between server and reflector');
			}
		}`)
	if faults := eval[[]string](b, `window.faults`); len(faults) != 0 {
		t.Error(faults)
	}
	seen := eval[[]string](b, `window.seen`)
	all := " " + strings.Join(seen, " ") + " "
	for _, want := range []string{" listing ", " open ", " quiet ", " broken ", " backoff ", " opening "} {
		if !strings.Contains(all, want) {
			t.Errorf("%q was not seen in %q", want, seen)
		}
	}
	wires := func() string {
		return eval[string](b, `[...document.querySelectorAll('.wire')].filter(w => getComputedStyle(w).display !== 'none').map(w => w.classList[1].slice(5)).join(' ')`)
	}
	if got := wires(); got != "watch enqueue pop store distribute work" {
		t.Errorf("where nobody writes back, there are wires for %s", got)
	}
	b = openScript(t, "profile classic", "informer pods writes=seen=yes", "handler h workqueue", "create pod a/0", "run")
	b.wait(`document.querySelector('.stage').hasAttribute('data-writes')`)
	if got := eval[string](b, `getComputedStyle(document.querySelector('.wire-writeback')).display`); got == "none" {
		t.Error("where workers write back, there is no wire for it")
	}
}

// A large cache can be used: by keyboard and by mouse, from its map to the keys of a
// cell to the object, and by questions.
func TestALargeCacheCanBeUsed(t *testing.T) {
	t.Parallel()
	lines := []string{"profile classic", "informer pods index=app", "handler h"}
	for i := range 400 {
		lines = append(lines, fmt.Sprintf("exists pod ns%d/pod-%03d app=app%d", i%3, i, i%7))
	}
	b := openScript(t, append(lines, "run")...)
	b.key("End")
	at := b.stepMoves(0)
	b.wait(`document.querySelectorAll('.cells .cell').length >= 100`)
	b.wait(`document.querySelector('.map-legend')?.textContent.includes('objects in a cell')`)
	b.run(`document.querySelector('.cells .cell').focus()`)
	focused := `[...document.querySelectorAll('.cells .cell')].indexOf(document.activeElement)`
	b.key("ArrowRight")
	b.wait(focused + ` === 1`)
	b.key("ArrowDown")
	b.wait(focused + ` > 4`)
	b.key("ArrowUp")
	b.wait(focused + ` === 1`)
	b.key("End")
	b.wait(focused + ` >= 99`)
	b.key("Home")
	b.wait(focused + ` === 0`)
	if b.step() != at {
		t.Error("an arrow key among the tiles made a step")
	}
	b.key("Enter")
	b.wait(`document.querySelectorAll('.answer-rows button').length > 0 && document.querySelector('.answer-rows').textContent.includes('ns0/pod-000')`)
	b.click(`.answer-rows button`)
	b.wait(`document.querySelector('.object-head .key')?.textContent === 'ns0/pod-000'`)

	b.click(`.st-store [data-act=query]`)
	b.wait(`document.activeElement.id === 'query-value'`)
	b.run(`const f = document.querySelector('.query select[data-arg=func]'); f.value = 'List'; f.dispatchEvent(new Event('change', {bubbles: true}))`)
	b.wait(`document.getElementById('query-namespace')`)
	b.run(`document.getElementById('query-namespace').focus()`)
	for _, c := range []string{"n", "s", "1"} {
		b.key(c)
	}
	b.key("Enter")
	b.wait(`document.querySelector('.answer .func')?.textContent === 'ByNamespace("ns1").List("")' && document.querySelector('.answer-says').textContent.includes('133')`)
	b.click(`.answer-says [data-act=askPage][data-arg="100"]`)
	b.wait(`document.querySelector('.answer-rows').start === 101 && document.querySelectorAll('.answer-rows li').length === 33`)
	b.click(`.indices .index-name`)
	b.wait(`document.querySelector('.answer .func')?.textContent === 'ListIndexFuncValues("app")'`)
	b.click(`.answer-rows button`)
	b.wait(`document.querySelector('.answer .func')?.textContent === 'ByIndex("app", "app0")'`)
	b.shot("query")

	b.run(`document.activeElement.blur()`)
	b.key("p") // a room sees the map whole, too
	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {1920, 1080}} {
		b.size(size[0], size[1])
		b.wait(`document.documentElement.hasAttribute('data-presenting') && innerWidth === ` + num(size[0]) + ` &&
			Math.max(...[...document.querySelectorAll('.cells .cell')].map(c => c.getBoundingClientRect().bottom)) <= document.querySelector('.map-legend').getBoundingClientRect().top + 1`)
	}
}

// A stage that comes where a card or the loop was has its wires with its first frame.
func TestAStageThatComesHasItsWires(t *testing.T) {
	t.Parallel()
	const drawn = `[...document.querySelectorAll('#wires .wire-line')].filter((e) => e.getAttribute('d')).length >= 6`
	b := open(t)
	b.loaded()
	b.upload(onFile, bundledAs(t, "mine.trace.jsonl.gz"))
	b.wait(`document.querySelector('.page-card') && !document.querySelector('.stage')`)
	b.loaded()
	b.key("c")
	b.wait(`document.querySelector('.stage')`)
	b.run(`await new Promise(requestAnimationFrame)`)
	if !eval[bool](b, drawn) {
		t.Error("behind the card, the stations have no wires")
	}
	b = newTab(t)
	b.asNewcomer("")
	b.ready()
	b.wait(`!document.querySelector('.stage')`)
	b.key("z")
	b.wait(`document.querySelector('.stage')`)
	b.run(`await new Promise(requestAnimationFrame)`)
	if !eval[bool](b, drawn) {
		t.Error("behind the loop, the stations have no wires")
	}
}

// What has no room is counted: keys of a long queue, printed lines and objects. A capture of the viewer's
// own says once which version plays it, and why.
func TestWhatIsLeftOutIsCounted(t *testing.T) {
	t.Parallel()
	b := open(t)
	var script strings.Builder
	script.WriteString("informer pods\nhandler h\n")
	for i := range 40 {
		script.WriteString("exists pod default/p" + num(int64(i)) + "\n")
	}
	b.choose([]byte(script.String()+"run\n"), "many.txt")
	b.wait(`document.querySelector('.source').textContent.includes('many.txt')`)
	b.loaded()
	b.goUntil(`+document.querySelector('.st-queue .depth b').textContent === 40`)
	b.wait(`((rest) => rest.checkVisibility({visibilityProperty: true}) && parseInt(rest.innerText) + document.querySelectorAll('.st-queue .row:not(.tail)').length === 40)(document.querySelector('.st-queue .row.rest .tail-text'))`)
	b.shot("more")
	b.toEnd()
	b.wait(`document.querySelector('.printed h2').innerText.replace(/\s+/g, ' ') === 'printed 40' && document.querySelector('.st-store').innerText.includes('40 in the cache')`)
	b.upload(onFile, writeFile(t, "mine.ndjson", func(w io.Writer) { w.Write(watchStream(4)) }))
	b.wait(`document.querySelector('.source').textContent.includes('mine.ndjson')`)
	b.loaded()
	b.wait(`document.querySelector('.explain').innerText.includes('Yours plays as ' + document.querySelector('.top [data-act=profile]').selectedOptions[0].text.replace('client-go ', '') + ', the newest')`)
	b.reopens("profile", "classic")
	b.key("Home")
	b.wait(`document.documentElement.dataset.step === '0' && !document.querySelector('.explain').innerText.includes('Yours plays as')`)
}

// While a script is played, the sentence and the buttons that go on are in view, and so is the station at
// work, on a laptop and on a phone.
func TestWhatHappensIsInView(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	const hidden = `(() => {
		const inside = (e) => { const r = e.getBoundingClientRect(); return r.width > 0 && r.top >= -1 && r.bottom <= innerHeight + 1 && r.left >= -1 && r.right <= innerWidth + 1 };
		const missing = ['.said', '[data-act=back]', '[data-act=play]', '[data-act=step]'].filter((s) => !inside(document.querySelector(s)));
		const lit = document.querySelector('.worker.lit');
		if (lit) {
			const r = lit.getBoundingClientRect(), list = lit.parentElement.getBoundingClientRect(), s = getComputedStyle(lit), edge = parseFloat(s.outlineOffset) + parseFloat(s.outlineWidth);
			if (r.left - edge < list.left - .5 || r.right + edge > list.right + .5) missing.push('the edge of the worker');
		}
		const now = document.querySelector('.station.now');
		if (now) {
			const r = now.getBoundingClientRect(), x = r.x + r.width / 2;
			const seen = [4, r.height / 2, r.height - 4].some((y) => now.contains(document.elementFromPoint(x, r.y + y)));
			// The resync goroutine belongs to the reflector, and what it does is seen at the queue.
			const key = document.querySelector('.said .key')?.textContent;
			const there = key && [...document.querySelectorAll('main .key')].some((e) => e.title === key && inside(e));
			if (!seen && !there) missing.push(now.dataset.station);
		}
		return missing.join(' ');
	})()`
	for _, name := range []string{"05-one-handler", "07-two-handlers", "11-resync", "18-requeue", "20-workqueue"} {
		b.size(1440, 900)
		b.opensScript(name)
		for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
			b.size(size[0], size[1])
			b.key("Home")
			b.stepIs(0)
			for range 40 {
				at := b.step()
				if eval[bool](b, `document.querySelector('.counter .of').textContent === '/ ' + document.querySelector('.counter b').textContent`) {
					break // a short script
				}
				b.key("ArrowRight")
				b.stepMoves(at)
				b.wait(hidden + ` === ''`)
			}
		}
	}
}

// unread is a function of the page, in JavaScript, that lists what of the stage and the timeline can't be read or pressed:
// counts of the workqueue that stand apart from their words, what a handler does in part, badges of one letter, captions that some stations have and
// others haven't, and marks that are small or lie on one another.
const unread = `() => {
	const faults = [], shown = (e) => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 1;
	const all = (selector) => [...document.querySelectorAll(selector)].filter(shown), box = (e) => e.getBoundingClientRect();
	for (const head of all('main .set > h3:has(.n)')) {
		const [word, n] = head.children, gap = box(n).left - box(word).right;
		if (gap < 0 || gap > 16 || Math.abs(box(n).bottom - box(word).bottom) > 8) faults.push(gap + ' px between ' + word.textContent + ' and ' + n.textContent);
	}
	for (const e of all('main .handler-text')) if (e.scrollWidth > e.clientWidth) faults.push(e.textContent + ' has ' + e.clientWidth + ' of ' + e.scrollWidth + ' px');
	for (const badge of all('main .station .badge, main .lane-title *')) if (/^[A-Z]$/.test(badge.textContent.trim())) faults.push('a badge says ' + badge.textContent);
	const stations = all('main .station:not(.aside)'), captions = all('main .station:not(.aside) .caption-of').length;
	if (captions && captions < stations.length) faults.push(captions + ' of ' + stations.length + ' stations have a caption');
	const marks = all('.mark');
	marks.forEach((m, i) => {
		const a = box(m);
		if (a.width < 20 || a.height < 20) faults.push('a mark is ' + a.width + '×' + a.height + ': ' + m.ariaLabel);
		for (const other of marks.slice(i + 1)) {
			const b = box(other);
			if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > .5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > .5) faults.push(m.ariaLabel + ' lies on ' + other.ariaLabel);
		}
	});
	return faults;
}`

// The stage can be read, and its marks can be pressed, in windows of usual sizes, with the bundled recording, with a large one
// and in a lesson. Its type is measured where the layout is (measure.js).
func TestTheStageCanBeRead(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.media("prefers-reduced-motion", "reduce")
	b.loaded()
	look := func(what string) {
		t.Helper()
		for _, s := range [][2]int64{{1280, 720}, {1440, 900}, {1920, 1080}} {
			b.size(s[0], s[1])
			if faults := append(b.faults(), b.measures(unread)...); len(faults) > 0 {
				t.Errorf("%s, at %d×%d:\n  %s", what, s[0], s[1], strings.Join(faults, "\n  "))
				b.shot(what)
			}
		}
	}
	at := int64(0)
	for _, key := range []string{"3", "7", "9"} {
		b.key(key)
		at = b.stepMoves(at)
		b.wait(`document.querySelectorAll('.mark').length > 5`)
		look("the bundled recording at " + key + " tenths")
	}
	b.upload(onFile, writeFile(t, "large.ndjson", func(w io.Writer) { w.Write(watchStream(60_000)) }))
	b.opened("large.ndjson")
	b.key("7")
	b.stepMoves(0)
	look("a large recording")
	b.run(`location.hash = '#lesson=workqueue'`)
	b.lessonIs("workqueue", 0)
	b.wait(`document.documentElement.dataset.playing === 'false'`)
	look("a lesson")
}
