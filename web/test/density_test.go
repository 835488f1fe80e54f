package test

import (
	"io"
	"strings"
	"testing"
)

// controls are what a viewer can press or change and has in view. What stands for an object, such as a
// chip, a tile, a key or an indexed value, is what the page shows and no control.
const controls = `[...document.querySelectorAll('button, select, input, a[href], summary, [role=slider]')].filter((e) => {
	const r = e.getBoundingClientRect();
	return !e.closest('.visually-hidden') && !e.matches('.chip, .tile, .asks, .cell, .index-value, .index-name, .mark, .trail button') && r.width > 0
		&& r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth && e.checkVisibility({opacityProperty: true, visibilityProperty: true})
		&& (e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)) || e.matches('[role=slider]'));
}).map((e) => e.ariaLabel || e.title || e.textContent.trim())`

// becomes makes the page plain or full.
func (b *tab) becomes(density string) {
	b.t.Helper()
	if (b.state("density") == "plain") != (density == "plain") {
		b.run(`document.querySelector('[data-act=density]').click()`)
	}
	b.wait(`(document.documentElement.dataset.density === 'plain') === ` + map[bool]string{true: "true", false: "false"}[density == "plain"])
}

// A newcomer meets at most 30 controls, and whoever wants everything at most 45. The inspector has four
// tabs in one row.
func TestControlsAreFew(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	for density, most := range map[string]int{"plain": 30, "full": 45} {
		b.becomes(density)
		for _, at := range []string{"0", "3", "7"} {
			b.key(at)
			b.wait(`document.querySelector('.inspector')`)
			if all := eval[[]string](b, controls); len(all) > most || len(all) < 10 {
				t.Errorf("%s, at %s tenths, has %d controls: %s", density, at, len(all), strings.Join(all, ", "))
			}
		}
	}
	for _, lang := range []string{"en", "zh"} {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		for _, s := range sizes {
			b.size(s.w, s.h)
			rows := eval[[]float64](b, `[...document.querySelectorAll('[role=tab]')].map((e) => e.getBoundingClientRect().top)`)
			for _, y := range rows {
				if len(rows) != 4 || y != rows[0] {
					t.Errorf("in %s at %d×%d the tabs stand at %v", lang, s.w, s.h, rows)
					break
				}
			}
		}
	}
}

// The plain page shows the same things at the same places as the full one.
func TestBothDensitiesHaveTheSamePlaces(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	const places = `[...document.querySelectorAll('main [data-place]')].map((e) =>
		e.dataset.place + ' ' + (e.matches('.chip, .tile, .worker, .handler') ? e.textContent : '')).sort().join('\n')`
	for _, at := range []string{"1", "4", "8"} {
		was := b.step()
		b.key(at)
		b.stepMoves(was)
		b.becomes("full")
		full := eval[string](b, places)
		b.becomes("plain")
		if plain := eval[string](b, places); plain != full || !strings.Contains(full, "queue") {
			t.Errorf("at step %d the plain page has\n%s\nand the full one\n%s", b.step(), plain, full)
		}
	}
}

// What was chosen for lessons holds for them alone, also after a reload.
func TestDensityIsKeptForEachUse(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asNewcomer("#lesson=whole-loop")
	b.lessonIs("whole-loop", 0)
	if b.state("density") != "plain" {
		t.Error("a lesson doesn't begin plain")
	}
	b.becomes("full")
	if kept := eval[string](b, `localStorage.getItem('density')`); kept != "lesson=full" {
		t.Errorf("kept is %q", kept)
	}
	b.within(b.reload)
	b.loaded()
	if b.state("density") != "" {
		t.Error("the lesson is plain again after a reload")
	}
}

// What the plain page leaves out is counted: keys of a long queue, printed lines and objects. A capture of the viewer's
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
	b.becomes("plain")
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

// Nothing of the plain page is cut or out of reach, in windows of every size.
func TestPlainFitsEverySize(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.becomes("plain")
	for _, lang := range []string{"en", "zh"} {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		fits := b.pairs(lang)
		for _, at := range []string{"0", "3", "9"} {
			b.key(at)
			fits("plain, at " + at + " tenths")
		}
	}
	b.size(390, 844)
	b.run(`
		const row = Object.assign(document.createElement('div'), {className: 'progress'});
		row.append(document.createElement('progress'), Object.assign(document.createElement('span'), {textContent: '12 %'}), Object.assign(document.createElement('button'), {className: 'button tiny', textContent: 'Cancel'}));
		document.querySelector('.top').append(row)`)
	if faults := b.faults(); len(faults) != 0 {
		t.Errorf("while it loads on a phone: %q", faults)
	}
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
		b.becomes("plain")
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
