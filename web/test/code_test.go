package test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// litLine is the text of the line that made the fact told by the sentence, "" for none.
const litLine = `(document.querySelector('#code[data-state=shown] .code-line[aria-current]')?.textContent.trim() ?? '')`

// inSight tells whether the lit line is in sight in its pane, and the page has not moved.
const inSight = `(() => {
	const source = document.querySelector('.code-source').getBoundingClientRect(), line = document.querySelector('.code-line[aria-current]').getBoundingClientRect();
	return line.top >= source.top && line.bottom <= source.bottom && scrollX === 0 && scrollY === 0;
})()`

// asked is how often the page has asked for the source.
const asked = `performance.getEntriesByType('resource').filter(e => e.name.endsWith('/code.json')).length`

// peers are the links to client-go.
const peers = `[...document.querySelectorAll('.code-peers a')].map(a => a.textContent + ' ' + a.href).join('\\n')`

// litAt waits until the page has drawn the source of a step, and returns its lit line.
func (b *tab) litAt(step int64) string {
	b.t.Helper()
	b.stepIs(step)
	b.run(`for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame)`)
	return eval[string](b, litLine)
}

// The source is fetched when it is first shown, and follows each step forwards and back.
func TestTheSourceFollowsTheSteps(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	if n := eval[int](b, asked); n != 0 {
		t.Errorf("the page has asked %d times for the source before it is shown", n)
	}
	b.key("C")
	b.wait(`document.querySelector('#code[data-state=start]')`)
	if says := b.text("#code"); !strings.Contains(says, "Nothing has run yet") {
		t.Errorf("at step 0 the pane says %q", says)
	}
	lines := map[int64]string{}
	lit := 0
	for step := int64(1); step <= 30; step++ {
		b.key("ArrowRight")
		lines[step] = b.litAt(step)
		if lines[step] == "" {
			continue
		}
		lit++
		if !eval[bool](b, inSight) {
			t.Errorf("step %d: %q is out of sight", step, lines[step])
		}
	}
	if lit < 20 || !strings.Contains(lines[9], "event.Enqueued") {
		t.Errorf("%d of 30 steps have a lit line: %v", lit, lines)
	}
	for step := int64(29); step >= 1; step-- {
		b.key("ArrowLeft")
		if got := b.litAt(step); got != lines[step] {
			t.Errorf("step %d lights %q on the way back, and lit %q before", step, got, lines[step])
		}
	}
	b.key("ArrowLeft")
	b.wait(`document.querySelector('#code[data-state=start]')`)

	b.click(`.code-head [data-act=code]`)
	b.wait(`!document.getElementById('code')`)
	b.key("End")
	b.stepMoves(30)
	b.opensTab("object")
	b.click(`.views [data-act=code]`)
	b.wait(`document.querySelector('#code[data-state=shown] .code-line.ran')`)
	if n := eval[int](b, asked); n != 1 {
		t.Errorf("the page has asked %d times for the source", n)
	}
	b.click(`.views [data-act=code]`)
	b.wait(`!document.getElementById('code')`)
}

// The counterpart is a function of client-go in the version that is shown.
func TestTheSourceNamesItsCounterpart(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("C")
	for _, c := range []struct{ profile, name, link string }{
		{"classic", "DeltaFIFO.Pop", "https://github.com/kubernetes/client-go/blob/v0.22.17/tools/cache/delta_fifo.go"},
		{"current", "RealFIFO.PopBatch", "https://github.com/kubernetes/client-go/blob/v0.37.2/tools/cache/the_real_fifo.go"},
	} {
		if c.profile != "classic" {
			b.chooses(`[data-act=profile]`, c.profile)
			b.wait(`document.querySelector('[data-station=queue] h2').textContent === 'RealFIFO'`)
			b.loaded()
		}
		b.key("Home")
		b.stepIs(0)
		for step := int64(1); !strings.Contains(b.litAt(step-1), "event.Popped"); step++ {
			if step > 60 {
				t.Fatal(c.profile, "nothing is popped")
			}
			b.key("ArrowRight")
			b.stepIs(step)
		}
		if got := eval[string](b, peers); !strings.Contains(got, c.name+" "+c.link) {
			t.Errorf("in %s, the pane links to\n%s", c.profile, got)
		}
		if rel := eval[string](b, `[...document.querySelectorAll('.code-peers a')].map(a => a.target + ' ' + a.rel).join()`); strings.Count(rel, "_blank noopener noreferrer") != strings.Count(rel, ",")+1 {
			t.Errorf("the links open as %q", rel)
		}
	}
}

// If the source can't be fetched, the pane says so and what to do, and the rest goes on.
func TestTheSourceCannotBeFetched(t *testing.T) {
	t.Parallel()
	site, dir, _ := copyOf(t, "", ".")
	file := filepath.Join(dir, version(t, dir), "code.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, file + ".gz"} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	b := newTab(t)
	b.allow("404")
	b.goTo(site)
	b.ready()
	b.loaded()
	b.key("ArrowRight")
	b.stepIs(1)
	b.key("C")
	b.wait(`document.querySelector('#code[data-state=failed]')`)
	if says := b.text("#code"); !strings.Contains(says, "could not be fetched") || !strings.Contains(says, "404") {
		t.Errorf("the pane says %q", says)
	}
	b.key("ArrowRight")
	b.stepIs(2)
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	b.click(`.code-again`)
	b.wait(`document.querySelector('#code[data-state=shown] .code-line.ran')`)
}

// The source can be read by keyboard, and is not announced at every step.
func TestTheSourceByKeyboard(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("C")
	b.key("6")
	b.stepMoves(0)
	b.wait(`document.querySelector('#code[data-state=shown] .code-line')`)
	b.litAt(b.step())
	b.focus(`.code-source`)
	if got := eval[string](b, `document.activeElement.getAttribute('aria-label') + ' ' + document.activeElement.tabIndex + ' ' + (document.activeElement.closest('[aria-live]') !== null)`); got != "Source 0 false" {
		t.Errorf("the source is %q", got)
	}
	b.run(`document.querySelector('.code-source').scrollTop = 0`)
	b.wait(`document.querySelector('.code-source').scrollTop === 0`)
	b.key("ArrowDown")
	b.wait(`document.querySelector('.code-source').scrollTop > 0`)
	at := b.step()
	b.key("ArrowRight")
	b.stepMoves(at)
	b.wait(`document.activeElement.matches('.code-source')`)
}

// A room sees the lines around the one that runs below the stations that the step is about, and all of it can be read: no text has
// less than 24 px, and no line and nothing that a station says is cut. Where a room's window is small, the source has a part of it.
func TestTheSourceInARoom(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	looks := func(what string, w, h int64) {
		t.Helper()
		b.size(w, h)
		b.wait(`innerWidth === ` + num(w) + ` && innerHeight === ` + num(h))
		b.litAt(b.step())
		faults := []string{}
		if w >= 1024 { // a phone's stage scrolls
			faults = b.cutTexts()
		}
		faults = append(faults, eval[[]string](b, `((room) => {
			const [stage, code, caption] = ['main', '.code', '.caption'].map(s => document.querySelector(s).getBoundingClientRect());
			const faults = [];
			if (stage.width < 300 || stage.height < 200) faults.push('the stage is ' + stage.width + '×' + stage.height);
			if (code.width < 300 || code.height < (document.querySelector('.caption .lesson-question') ? 120 : 200)) faults.push('the source is ' + code.width + '×' + code.height);
			if (stage.bottom > code.top + 1 || code.bottom > caption.top + 1) faults.push('the source lies on the stage, or the caption on the source');
			if (code.right > innerWidth + 1 || caption.bottom > innerHeight + 1) faults.push('it is out of the window');
			if (room && document.querySelector('main').scrollHeight > document.querySelector('main').clientHeight + 1) faults.push('the stage scrolls');
			const source = document.querySelector('.code-source').getBoundingClientRect(), head = document.querySelector('.code-function > header').offsetHeight;
			for (const line of room ? document.querySelectorAll('.code-line') : []) {
				const r = line.getBoundingClientRect();
				if (r.bottom > source.top + head + 2 && r.top < source.top + head - 2 || r.top < source.bottom - 2 && r.bottom > source.bottom + 2 && r.height < 40) faults.push('cut: ' + line.textContent);
			}
			return faults;
		})(`+strconv.FormatBool(w >= 1280)+`)`)...)
		if eval[bool](b, `document.querySelector('.code-line[aria-current]') !== null`) && !eval[bool](b, inSight) {
			faults = append(faults, "the line that runs is out of sight")
		}
		if w >= 1280 {
			faults = append(faults, eval[[]string](b, under24)...)
		}
		if len(faults) > 0 {
			t.Errorf("%s at %d×%d:\n  %s", what, w, h, strings.Join(faults, "\n  "))
			b.shot(what)
		}
	}
	for _, at := range []struct {
		address string
		steps   int
	}{{"#trace=shop&step=896", 25}, {"#lesson=gone", 1}, {"#lesson=expectations", 3}, {"#library=29-two-are-created&step=30", 3}} {
		b.goTo("about:blank")
		b.goTo(env.site + at.address)
		b.ready()
		b.loaded()
		b.wait(`document.documentElement.dataset.playing === 'false'`)
		if !eval[bool](b, `document.querySelector('.code')`) { // it stays open from page to page
			b.key("C")
		}
		b.key("p")
		b.wait(`document.documentElement.dataset.presenting && document.querySelector('.caption') && document.querySelector('#code[data-state=shown]')`)
		for range at.steps {
			for _, s := range projectors {
				looks(at.address, s.w, s.h)
			}
			now := b.step()
			b.key("ArrowRight")
			b.stepMoves(now)
		}
	}
	for _, s := range [][2]int64{{1024, 768}, {390, 844}} {
		b.size(s[0], s[1])
		at := b.step()
		b.key("ArrowRight")
		b.stepMoves(at)
		looks("the last", s[0], s[1])
	}
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
	}
	b.key("C")
	b.wait(`!document.getElementById('code')`)
}
