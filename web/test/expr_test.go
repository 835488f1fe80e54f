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
	b.wait(`document.querySelector('.expr-says .wrong')?.textContent.includes('there is no handler "odit"')`)
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
	csv, err := os.ReadFile(b.given(func() { b.click(`[data-act=plotted]`) }))
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
	b.wait(`document.querySelectorAll('.menu-list [data-act=runTo]').length === 6`)
	b.run(`document.querySelectorAll('.menu-list [data-act=runTo]')[4].id = 'call'`)
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
