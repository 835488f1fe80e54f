package test

import (
	"os"
	"strings"
	"testing"
)

// writes opens the search by its button, and writes an expression as a viewer types it.
func (b *tab) writes(text string) {
	b.t.Helper()
	b.key("/")
	b.wait(`document.activeElement?.id === 'expr'`)
	b.run(`const field = document.getElementById('expr'); field.value = ` + quote(text) + `; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.getElementById('expr').value === ` + quote(text))
}

// presses presses one of the buttons under the expression, as soon as it can be pressed.
func (b *tab) presses(act string) {
	b.t.Helper()
	b.wait(`document.querySelector('[data-act=` + act + `]')?.disabled === false`)
	b.click(`[data-act=` + act + `]`)
}

// hits waits until a search has ended, and returns what it says.
func (b *tab) hits(expression string) string {
	b.t.Helper()
	b.wait(`document.querySelector('.watched-head code')?.textContent === ` + quote(expression) + ` && !document.querySelector('[data-act=stopExpr]') && document.querySelector('.watched-says')`)
	return b.text(".watched-says")
}

// A viewer is told how an expression goes on and what is wrong with it, runs to its hits
// forwards and back, walks their list, and has them on the timeline.
func TestSearchesByAnExpression(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("/")
	b.wait(`document.querySelectorAll('.expr-example').length > 4`)
	b.writes(`delta("De`)
	b.wait(`[...document.querySelectorAll('#expr-completions li')].map(e => e.textContent)[0] === '"Deleted"'`)
	b.key("ArrowDown")
	b.wait(`document.querySelector('#expr-completions [aria-selected=true]')`)
	b.key("Enter")
	b.wait(`document.getElementById('expr').value === 'delta("Deleted"'`)
	b.writes(`behind("odit") > 1 `)
	b.wait(`document.querySelector('.expr-says .wrong')?.textContent.includes('unknown handler "odit"')`)
	if caret := b.text(".expr-says pre"); !strings.HasSuffix(caret, "\n       ^^^^^^") {
		t.Errorf("the caret stands in %q", caret)
	}

	const text = `delta("Deleted")`
	b.writes(text)
	b.key("Enter")
	first := b.stepMoves(0)
	if says := b.hits(text); !strings.Contains(says, "hits") {
		t.Errorf("the field says %q", says)
	}
	steps := eval[[]string](b, `[...document.querySelectorAll('.hits button')].map(e => e.dataset.arg)`)
	if len(steps) < 5 || steps[0] != num(first) {
		t.Fatalf("the search runs to step %d, and lists %q", first, steps)
	}
	b.shot("hits")
	b.run(`document.activeElement.blur()`)
	b.key("v")
	second := b.stepMoves(first)
	b.key("V", shift)
	b.stepIs(first)
	if num(second) != steps[1] {
		t.Errorf("the next hit is step %d, and not %s", second, steps[1])
	}
	b.run(`document.querySelectorAll('.hits button')[2].focus()`)
	b.key("Enter")
	b.wait(`document.documentElement.dataset.step === ` + quote(steps[2]))
	b.allow("Multiple readback operations")
	ticks := func() int {
		return eval[int](b, `(() => {
			const c = document.querySelector('canvas'), y = Math.round(11 * devicePixelRatio), row = c.getContext('2d').getImageData(0, y, c.width, 1).data;
			let n = 0;
			for (let i = 3; i < row.length; i += 4) if (row[i] === 255) n++;
			return n;
		})()`)
	}
	if n := ticks(); n < len(steps) {
		t.Errorf("the timeline has %d ticks of %d hits", n, len(steps))
	}

	b.writes("crashed()")
	b.key("Enter")
	b.hits("crashed()")
	b.wait(`document.querySelector('.missed')?.textContent.includes('crashed()')`)
	if n := ticks(); n != 0 {
		t.Errorf("without a hit, the timeline has %d ticks", n)
	}
	b.click(`[data-act=dropExpr]`)
	b.wait(`document.querySelector('.expr-empty')`)
}

// A number is drawn as one more row of the timeline, and saved as CSV.
func TestPlotsAnExpression(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	stage := b.stage()
	b.writes("depth()")
	b.presses("watchExpr")
	if says := b.hits("depth()"); says != "0 to 8" {
		t.Errorf("the range is %q", says)
	}
	b.wait(`document.querySelector('.plot-name')?.textContent.includes('0 to 8')`)
	if now := b.stage(); now != stage {
		t.Error("the stage has changed")
	}
	b.shot("plot")
	csv, err := os.ReadFile(b.download(func() { b.click(`[data-act=plotted]`) }))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(string(csv), "\n")
	if rows[0] != `step,seconds,"depth()"` || rows[1] != "1,0.000001,0" || len(rows) < 100 {
		t.Errorf("the file begins with %q", rows[:2])
	}
	b.chooseLanguage("zh")
	b.wait(`document.querySelector('.watched-says')?.textContent === '0 到 8'`)
	b.everySize("a plotted expression")
}

// Playing stops at a breakpoint that is on. Breakpoints are switched off and on and
// removed, and stay when another future is shown.
func TestPlayingStopsAtABreakpoint(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.writes("behind() > 1")
	b.presses("addBreak")
	b.hits("behind() > 1")
	b.chooses(".speed select", "10")
	b.click(onPlay)
	b.wait(`document.documentElement.dataset.playing === 'false' && document.querySelector('.missed')?.textContent.includes('behind() > 1')`)
	stop := b.step()
	if want := eval[string](b, `document.querySelector('.hits button').dataset.arg`); num(stop) != want {
		t.Errorf("it stops at step %d, and not at %s", stop, want)
	}
	b.wait(`document.querySelector('.break-list [data-now]')`)
	b.shot("breakpoint")
	b.run(`document.querySelector('.break-list input').click()`)
	b.wait(`!document.querySelector('.break-list input').checked`)
	b.click(onPlay)
	b.wait(`document.documentElement.dataset.playing === 'false' && +document.documentElement.dataset.step > ` + num(stop+1000))
	b.run(`document.querySelector('.break-list input').click()`)
	b.click(`[data-act=start]`)
	b.stepIs(0)
	b.click(onPlay)
	b.wait(`document.documentElement.dataset.playing === 'false'`)
	b.stepIs(stop)

	before := b.hits("behind() > 1")
	b.opensTab("console")
	b.run(`document.getElementById('console-line').focus()`)
	b.write("takes audit forever")
	b.opensTab("search")
	b.wait(`document.querySelector('.watched-says')?.textContent !== ` + quote(before) + ` && !document.querySelector('[data-act=stopExpr]')`)
	b.click(`[data-act=dropBreak]`)
	b.wait(`!document.querySelector('.break-list')`)
}

// From a station and from a key, two clicks run to what comes about next.
func TestRunsToWhatComesNextInTwoClicks(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.click(`[data-act=menu][data-arg=processor]`)
	const next = `document.querySelectorAll('.menu-list [data-act=runTo]:is([data-arg^="call("], [data-arg^="synced("])')`
	b.wait(next + `.length === 6`)
	b.run(next + `[4].id = 'call'`)
	b.click(`#call`)
	call := b.stepMoves(0)
	b.opensTab("explain")
	if said := b.text(".said"); !strings.Contains(said, "audit") {
		t.Errorf("step %d says %q", call, said)
	}
	b.inspect()
	b.click(`[data-act=menu][data-arg=key]`)
	b.wait(`document.querySelector('.key-menu [data-act=runTo]')`)
	b.click(`.key-menu [data-act=runTo]`)
	b.stepMoves(call)
	b.opensTab("explain")
	if said := b.text(".said"); !strings.Contains(said, "shop/") {
		t.Errorf("the next delta says %q", said)
	}
}

// A search of a large trace shows its first hits at once, and never blocks the page.
func TestASearchNeverBlocks(t *testing.T) {
	keepsFiles(t)
	file, _ := podsTrace(t, "search.trace.jsonl.gz", 30_000, 3_000, 400)
	b := open(t)
	b.loaded()
	b.upload(onFile, file)
	b.opened("search")
	b.loaded()
	n := 0
	b.smooth("searching", func() {
		n++
		text := `pop() && behind() > ` + num(int64(-n)) // another expression each time
		b.writes(text)
		b.presses("watchExpr")
		b.wait(`document.querySelectorAll('.hits button').length > 10`)
		b.hits(text)
	})
}

// badge is where the number of the chain's link is drawn, and where the place's element is.
const badge = `(place => {
	const at = document.querySelector('#chain-line rect')?.getBoundingClientRect(), e = document.querySelector('[data-place="' + place + '"]')?.getBoundingClientRect();
	return !!at && !!e && at.left < e.right + 20 && at.right > e.left - 20 && at.top < e.bottom + 20 && at.bottom > e.top - 20;
})`

// Asking why, by mouse and by keyboard: the chain is listed, its links lead to their
// steps, and numbers over the stage show where its members are.
func TestWhyIsAThingThere(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	at := b.step()

	// By mouse, the viewer asks about an object of the cache that a watch event
	// brought, and by the button beside its JSON.
	place := eval[string](b, `[...document.querySelectorAll('.tile')].at(-1).dataset.place`)
	b.click(`.tile[data-place="` + place + `"]`)
	b.wait(`document.querySelector('.object-head [data-act=whyAt]')`)
	b.click(`.object-head [data-act=whyAt]`)
	b.wait(`document.querySelectorAll('.chain-part').length > 1`)
	if key := eval[string](b, `document.querySelector('.chain-head .key').textContent`); "store/"+key != place {
		t.Errorf("asked at %s, the page answers about %s", place, key)
	}
	first := eval[string](b, `document.querySelector('.chain-say').textContent`)
	if !strings.HasPrefix(first, "The reflector") && !strings.HasPrefix(first, "The resync") {
		t.Errorf("the chain begins with %q", first)
	}
	b.wait(badge + `(` + quote(place) + `)`)
	b.shot("why")

	// A link leads to its step, and the numbers on the stage follow.
	stations := `JSON.stringify([...document.querySelectorAll('[data-station]')].map(s => { const r = s.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] }))`
	before := eval[string](b, stations)
	b.click(`.chain-link:nth-child(2) button`)
	b.stepMoves(at)
	b.wait(`document.querySelector('.chain-link [aria-current]')`)
	b.wait(`document.querySelector('main').dataset.chain.includes('queue/')`)
	b.wait(badge + `(document.querySelector('main').dataset.chain.trim().split(' ')[1])`)
	if after := eval[string](b, stations); after != before {
		t.Errorf("the stations have moved from %s to %s", before, after)
	}
	b.shot("why a link")
	b.click(`.chain-at`)
	b.stepIs(at)

	// By the keyboard alone, the viewer asks about a key in the workqueue and the reconcile that it becomes.
	b.run(`document.activeElement.blur()`)
	b.goUntil(`document.querySelector('.worker .asks')`)
	b.run(`document.querySelector('.worker .asks').focus({preventScroll: true})`)
	b.key("y")
	b.wait(`[...document.querySelectorAll('.chain-say')].some(s => s.textContent.includes('Worker'))`)
	b.wait(`document.querySelector('.chain-things [aria-pressed=true]').textContent === 'Reconcile'`)
	b.chooseLanguage("zh")
	b.wait(`document.querySelector('.chain-part h3').textContent === '由此而来'`)
	b.chooseLanguage("en")
	b.wait(`document.querySelector('.chain-part h3').textContent === 'It came of this'`)

	// Another tab shows no numbers. The chain is closed by its button, and another informer
	// has none.
	b.opensTab("object")
	b.wait(`!document.querySelector('#chain-line rect')`)
	b.opensTab("why")
	b.wait(`document.querySelector('#chain-line rect')`)
	b.click(`[data-act=closeWhy]`)
	b.wait(`!document.querySelector('#chain-line rect') && document.querySelector('.said')`)
	b.key("i")
	b.loaded()
	b.wait(`!document.querySelector('.chain')`)
}

// recorded is a tab with a recording of a real client-go informer that has everything: a
// streaming list, a late handler, resets, a 410, a relist, a tombstone, and notes.
func recorded(t *testing.T) *tab {
	t.Helper()
	b := open(t)
	b.loaded()
	b.upload(onFile, testdata(t, "trace/testdata/cg036-watchlist.trace.jsonl.gz"))
	b.opened("cg036-watchlist")
	b.wait(`document.querySelectorAll('.mark').length > 5`)
	return b
}

// The marks are flags with a label, by mouse and by keys; the dialog leads to each kind.
func TestMarksAreGoneToByMouseAndKeys(t *testing.T) {
	t.Parallel()
	b := recorded(t)
	labels := strings.Join(eval[[]string](b, `[...document.querySelectorAll('.mark')].map(m => m.getAttribute('aria-label'))`), "\n")
	for _, want := range []string{"note in the trace: 2 label change in and out", "410", "relist", "tombstone", "handler joined: h4-late", "first list"} {
		if !strings.Contains(labels, want) {
			t.Errorf("no mark says %q:\n%s", want, labels)
		}
	}
	at := eval[string](b, `document.querySelectorAll('.mark')[3].dataset.arg`)
	b.run(`document.querySelectorAll('.mark')[3].id = 'third'`)
	b.click(`#third`)
	b.wait(`document.documentElement.dataset.step === ` + quote(at))

	b.key("Home")
	b.stepIs(0)
	b.key("T")
	tombstone := b.stepMoves(0)
	if said := b.text(".said"); !strings.Contains(said, "DeletedFinalStateUnknown") {
		t.Errorf("at the tombstone, step %d, the page says %q", tombstone, said)
	}
	b.key("T")
	b.wait(`document.querySelector('.missed')?.textContent.includes('tombstone')`)
	b.key("M")
	before := b.stepMoves(tombstone)
	b.key("m")
	b.stepIs(tombstone)
	if before >= tombstone {
		t.Errorf("the mark before step %d is at %d", tombstone, before)
	}
	b.key("Home")
	b.stepIs(0)
	b.key("g")
	b.wait(`document.documentElement.dataset.dialog === 'goTo'`)
	b.click(`[data-act=markStep][data-arg=note]`)
	b.stepMoves(0)
	b.wait(`document.querySelector('.explain .note')?.textContent.length > 3`)
	b.shot("marks")
}

// A key is found by a part of it, its steps are visited, and following it can be ended
// in plain sight.
func TestAKeyIsFollowed(t *testing.T) {
	t.Parallel()
	b := recorded(t)
	b.click(`[data-act=goTo]`) // the key for it would leave a letter in the field
	b.wait(`document.activeElement?.dataset.act === 'findKey' && document.querySelectorAll('.found-key').length === 10`)
	for _, c := range "hot" {
		b.key(string(c))
	}
	b.wait(`document.querySelectorAll('.found-key').length === 1`)
	b.key("Enter")
	first := b.stepMoves(0)
	b.wait(`document.documentElement.dataset.dialog === undefined`)
	if said := b.text(".said"); !strings.Contains(said, "gt/hot") {
		t.Errorf("step %d says %q", first, said)
	}
	b.key("f")
	b.wait(`document.querySelector('.following')?.textContent.includes('gt/hot')`)
	at := first
	for range 12 {
		b.key("ArrowRight")
		at = b.stepMoves(at)
		if said := b.text(".said"); !strings.Contains(said, "hot") && !strings.Contains(said, "handler returns") { // with the handler's call for the key
			t.Errorf("step %d says %q", at, said)
		}
	}
	b.shot("following")
	b.key("ArrowLeft")
	b.stepMoves(at)
	b.click(`.following [data-act=keyFollow]`)
	b.wait(`document.querySelector('.units [data-act=unit]')`)
}

// The page can play by the recording's clock: a quiet second takes a second. At the end,
// playing begins anew.
func TestPlaysByRecordedTime(t *testing.T) {
	t.Parallel()
	b := recorded(t)
	b.key("w")
	b.wait(`document.querySelector('.speed select').selectedOptions[0].textContent === '1× recorded'`)
	b.key(" ")
	b.wait(`document.querySelector('.clock').textContent >= '00:00:02'`)
	// What is shown may be late when it begins, and catch up then.
	ms := 0.0
	for range 4 {
		ms = max(ms, eval[float64](b, `(async () => {
		const clock = () => Number(document.querySelector('.clock').textContent.replace(/[^0-9]/g, '').slice(4)) / 1e3;
		const from = clock(), began = performance.now();
		await new Promise((done) => { const look = () => clock() - from >= 2000 ? done() : requestAnimationFrame(look); look(); });
		return performance.now() - began;
	})()`))
		if ms >= 1500 {
			break
		}
	}
	if ms < 1500 {
		t.Errorf("two recorded seconds take %.0f ms", ms)
	}
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	end := b.toEnd()
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing === 'true' && +document.documentElement.dataset.step < ` + num(end))
	b.key(" ")
}
