package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// hold presses a key while Ctrl is held.
func (b *tab) hold(key string) {
	b.t.Helper()
	b.perform(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// Any command is found by typing a part of its title in either language, and done by Enter. The
// focus comes back to where it was.
func TestThePalette(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	offers := func() []string {
		return eval[[]string](b, `[...document.querySelectorAll('.offer')].map(e => e.innerText)`)
	}
	b.focus(onTimeline)
	b.hold("k")
	b.wait(`document.activeElement.matches('.is-palette input') && document.querySelectorAll('.offer').length > 30`)
	for _, o := range offers() {
		if strings.Contains(o, "Undo") {
			t.Error("the palette offers to undo although nothing was done")
		}
	}
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the palette:\n  %s", strings.Join(found, "\n  "))
	}
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]') && document.activeElement.matches('[role=slider]')`)

	b.click(`.top [data-act=help]`)
	b.wait(`document.querySelector('.dialog-foot [data-act=palette]')`)
	b.click(`.dialog-foot [data-act=palette]`)
	b.wait(`document.activeElement.matches('.is-palette input')`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]') && document.activeElement.matches('.top [data-act=help]')`)
	b.focus(onTimeline) // the driver's Enter would press a button that gets the focus
	b.hold("k")
	b.wait(`document.activeElement.matches('.is-palette input')`)
	b.run(`const field = document.activeElement; field.value = 'undo'; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.offer').length === 1`)
	if o := offers(); !strings.Contains(o[0], "nothing to undo") || !strings.Contains(o[0], "u") {
		t.Errorf("of undo the palette says %q", o)
	}
	b.run(`const field = document.activeElement; field.value = '设置'; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.offer').length === 1 && document.querySelector('.offer').innerText.includes('Setup')`)
	b.shot("palette")
	b.key("Enter")
	b.wait(`!document.querySelector('dialog[open]') && document.querySelector('.tabpanel[data-view=setup]') && document.activeElement.matches('[role=slider]')`)

	b.hold("k")
	b.wait(`document.querySelectorAll('.offer').length > 30`)
	for range 12 {
		b.key("ArrowDown")
	}
	b.wait(`(() => { const chosen = document.querySelector('.offer[aria-selected=true]'), list = chosen.parentElement.getBoundingClientRect(), r = chosen.getBoundingClientRect();
		return chosen.id === 'offer-12' && document.activeElement.getAttribute('aria-activedescendant') === 'offer-12' && r.top >= list.top - 1 && r.bottom <= list.bottom + 1; })()`)

	// What releases change opens at the versions that are shown.
	b.run(`const field = document.activeElement; field.value = 'what changes between releases'; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.offer').length === 1`)
	b.key("Enter")
	b.wait(`document.querySelector('.changes-shown select')?.value === 'v0.22' && /changes\.html#v0\.22\.0-v0\.37$/.test(document.getElementById('changes-page').href)`)
	b.hold("k")
	b.wait(`document.activeElement.matches('.is-palette input')`)

	// The report of a problem is shown, and saved when the viewer wants that. No secret and no
	// name that the console has told is in it.
	b.allow("GET https://admin")
	b.run(`console.warn('GET https://admin:hunter2@prod.example.com/api?token=abcdef0123456789 failed', {toString: () => 'Authorization: Bearer opensesame12345'})`)
	b.run(`const field = document.activeElement; field.value = 'report a problem'; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.offer').length === 1`)
	b.key("Enter")
	b.wait(`document.querySelector('.is-report pre')`)
	b.shot("report")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the report:\n  %s", strings.Join(found, "\n  "))
	}
	file := b.download(func() { b.click(`[data-act=saveReport]`) })
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	report := string(text)
	for _, has := range []string{`{"informerscope":"report","version":"`, `"redacted":["`, `Chrome/`, `palette`, `Arrived CurrentEntry Settled`, `warn: GET ‹`, `"step":"0"`, `debug: life of 1: opening`, `running onRan resting`} {
		if !strings.Contains(report, has) {
			t.Errorf("the report lacks %s:\n%s", has, report)
		}
	}
	for _, has := range []string{"hunter2", "prod.example.com", "abcdef0123456789", "opensesame"} {
		if strings.Contains(report, has) {
			t.Errorf("the report has %s:\n%s", has, report)
		}
	}
}

// In the list of keys the viewer gives a command another key, which works at once and after a
// reload, and switches single characters off.
func TestKeysAreChanged(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.click(`.top [data-act=help]`)
	b.wait(`document.querySelector('dialog[open] [data-act=editKeys]')`)
	b.click(`[data-act=editKeys]`)
	b.wait(`document.querySelector('[data-act=addKey][data-arg=step]')`)
	b.click(`[data-act=addKey][data-arg=step]`)
	b.wait(`document.querySelector('[data-listens]') === document.activeElement`)
	b.key("s")
	b.wait(`document.querySelector('.key-says')?.innerText.includes('Save')`)
	b.shot("keys")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the list of keys:\n  %s", strings.Join(found, "\n  "))
	}
	b.click(`[data-act=takeKey]`)
	b.wait(`!document.querySelector('[data-act=takeKey]') && document.querySelector('[data-act=resetKeys][data-arg=save]')`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	b.run(`document.activeElement.blur()`)
	b.key("s")
	b.stepIs(1)
	b.within(b.reload)
	b.loaded()
	b.stepIs(1)
	b.key("s")
	b.stepIs(2)

	b.click(`.top [data-act=help]`)
	b.wait(`document.querySelector('[data-act=singleKeys]')`)
	b.click(`[data-act=singleKeys]`)
	b.wait(`localStorage.keys.startsWith('-')`)
	b.key("Escape")
	b.run(`document.activeElement.blur()`)
	b.key("s")
	b.key("ArrowRight")
	b.stepIs(3)
	b.click(`.top [data-act=help]`)
	b.wait(`document.querySelector('.dialog-foot [data-act=resetKeys]:enabled')`)
	b.click(`.dialog-foot [data-act=resetKeys]`)
	b.wait(`localStorage.keys === ''`)
}

// A menu is a menu: its keys follow the ARIA Authoring Practices, it stands in the window
// with as much room as there is, its entries can be hit, and one sees that it goes on.
func TestMenusAreMenus(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	at := b.stepMoves(0)
	focused := func(what, want string) {
		t.Helper()
		b.wait(`document.activeElement?.textContent.startsWith(` + quote(want) + `) || document.activeElement?.ariaLabel === ` + quote(want))
		if n := b.step(); n != at {
			t.Fatalf("after %s the step is %d and not %d", what, n, at)
		}
	}
	label := func(station string) string {
		return eval[string](b, `document.querySelector('[data-station=`+station+`] [data-act=menu]').ariaLabel`)
	}
	const entries = `[...document.querySelectorAll('[role=menu] [role=menuitem]')].map(e => e.querySelector('span').textContent)`
	server := label("server")
	b.focus(`[data-station=server] [data-act=menu]`)
	b.key("ArrowDown")
	b.wait(`document.querySelector('[role=menu]:popover-open')`)
	all := eval[[]string](b, entries)
	focused("opening", all[0])
	for _, k := range []struct {
		key  string
		want string
	}{
		{"ArrowDown", all[1]}, {"End", all[len(all)-1]}, {"ArrowDown", all[0]}, {"ArrowUp", all[len(all)-1]}, {"Home", all[0]},
		{"l", "Let the watch"}, {"l", "Lose the next"}, {"Home", all[0]}, {"d", "Delete an object"},
		{"Home", all[0]}, {"r", "Replace the"}, {"e", "Replace the"}, {"s", "Restart the API"},
	} {
		b.key(k.key)
		focused(k.key, k.want)
	}
	b.key("Escape")
	b.wait(`!document.querySelector('[role=menu]')`)
	focused("Escape", server)
	b.key("Enter")
	b.wait(`document.querySelector('[role=menu]:popover-open')`)
	focused("Enter", all[0])
	b.key("Tab")
	b.wait(`!document.querySelector('[role=menu]')`)
	if eval[bool](b, `document.activeElement === document.body`) {
		t.Error("Tab leads out of the menu to nowhere")
	}

	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {390, 844}} {
		b.size(size[0], size[1])
		for _, station := range []string{"server", "reflector", "queue", "loop", "store", "processor", "work"} {
			b.run(`document.querySelector('[data-station=` + station + `] [data-act=menu]').click()`)
			b.wait(`document.querySelector('[data-station=` + station + `] [role=menu]:popover-open')`)
			if faults := eval[[]string](b, `(() => {
				const menu = document.querySelector('[role=menu]:popover-open'), r = menu.getBoundingClientRect(), out = [];
				if (r.left < 0 || r.top < 0 || r.right > innerWidth + .5 || r.bottom > innerHeight + .5) out.push('it leaves the window: ' + JSON.stringify(r));
				if (menu.scrollHeight > menu.clientHeight + 1 && r.height < .4 * innerHeight) out.push('it has ' + r.height + ' of ' + innerHeight + ' px');
				if (menu.scrollWidth > menu.clientWidth + 1) out.push('it scrolls sideways');
				for (const e of menu.querySelectorAll('[role=menuitem]')) {
					const {width, height} = e.getBoundingClientRect();
					if (width < 24 || height < 24) out.push(e.textContent + ' has ' + width + '×' + height + ' px');
				}
				const middle = menu.querySelector('[role=menuitem]').getBoundingClientRect();
				if (!menu.contains(document.elementFromPoint(middle.x + middle.width / 2, middle.y + middle.height / 2))) out.push('something lies on it');
				return out;
			})()`); len(faults) != 0 {
				t.Errorf("%d×%d, %s: %q", size[0], size[1], station, faults)
			}
			b.key("Escape")
			b.wait(`!document.querySelector('[role=menu]')`)
		}
	}
}

// The key of the search selects what was searched for, so that typing begins anew.
func TestTheSearchBeginsAnew(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.writes("relist()")
	b.run(`document.activeElement.blur()`)
	b.key("/")
	b.wait(`document.activeElement?.id === 'expr'`)
	b.key("b")
	b.wait(`document.getElementById('expr').value === 'b'`)
}

// focus gives the focus to the first element of a selector, as the Tab key would.
func (b *tab) focus(selector string) {
	b.t.Helper()
	b.run(`document.querySelector(` + quote(selector) + `).focus({focusVisible: true})`)
	if !eval[bool](b, `document.activeElement === document.querySelector(`+quote(selector)+`)`) {
		b.t.Fatalf("%s can't have the focus", selector)
	}
}

// The arrow keys go through a focused list of tabs, and don't step the machine.
func TestArrowKeysBelongToFocusedTabs(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.focus(`#tab-explain`)
	for _, c := range []struct{ key, tab string }{
		{"ArrowRight", "look"}, {"ArrowRight", "ask"}, {"End", "change"}, {"ArrowRight", "explain"}, {"ArrowLeft", "change"}, {"Home", "explain"},
	} {
		b.key(c.key)
		b.wait(`document.activeElement.id === 'tab-` + c.tab + `' && document.activeElement.ariaSelected === 'true'`)
	}
	if n := eval[int](b, `[...document.querySelectorAll('[role=tab]')].filter(e => e.tabIndex === 0).length`); n != 1 {
		t.Errorf("the Tab key stops at %d tabs", n)
	}
	if n := b.step(); n != 0 {
		t.Errorf("the arrow keys stepped to %d", n)
	}
}

// When the focused element goes away, the focus stays near it.
func TestTheFocusIsNeverLost(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	damaged := filepath.Join(t.TempDir(), "damaged.ndjson")
	b.check(os.WriteFile(damaged, append(watchStream(4), "{\"type\":\n"...), 0o600))
	stays := func(what string, gone string) {
		t.Helper()
		b.wait(gone)
		b.run(`for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame)`)
		if at := eval[string](b, `document.activeElement.outerHTML.slice(0, 120)`); strings.HasPrefix(at, "<body") {
			t.Errorf("after %s the focus is lost", what)
		}
	}
	b.focus(`.begin`)
	b.key("Enter")
	stays("the first step", `!document.querySelector('.begin')`)

	b.opensTab("setup")
	b.wait(`document.querySelector('[data-act=dropHandler][data-arg="2"]')`)
	b.focus(`[data-act=dropHandler][data-arg="2"]`)
	b.key("Enter")
	stays("a handler was dropped", `!document.querySelector('[data-act=dropHandler][data-arg="2"]')`)
	b.focus(`[data-act=resetSetup]`)
	b.key("Enter")
	stays("the setup was reset", `document.querySelector('[data-act=resetSetup]').disabled`)

	b.focus(`[data-station=server] [data-act=menu]`)
	b.key("Enter")
	b.wait(`document.querySelector('.menu-list button')`)
	b.focus(`.menu-list button`)
	b.key("Escape")
	stays("a menu was closed", `!document.querySelector('.menu-list')`)

	b.focus(`[data-act=help]`)
	b.key("Enter")
	b.wait(`document.querySelector('dialog[open]')`)
	b.key("Escape")
	stays("a dialog was closed", `!document.querySelector('dialog[open]')`)

	b.key("h")
	b.wait(`document.querySelector('.course-list button')`)
	b.focus(`.course-list button`)
	b.key("Enter")
	stays("a lesson was chosen", `document.querySelector('.lesson-stop[data-now]') && !document.querySelector('dialog[open]')`)

	b.upload(onFile, damaged)
	b.opened(filepath.Base(damaged))
	b.wait(`document.querySelector('.notice [data-act=notice]')`)
	b.focus(`.notice [data-act=notice]`)
	b.key("Enter")
	stays("a notice was closed", `!document.querySelector('.notice')`)
}

// A screen reader hears keys, versions, locks and marks whole, and once.
func TestNamesAreWhole(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	key := eval[string](b, `document.querySelector('[data-station=store] .tile').title.split('/')[1].split(' ')[0]`)
	_, err := chromedp.Call(b.ctx, accessibility.Enable, cdp.Empty{})
	b.check(err)
	tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	b.check(err)
	names := map[string]int{}
	for _, n := range tree.Nodes {
		if !n.Ignored && n.Name != nil {
			names[strings.Trim(string(n.Role.Value), `"`)+" "+strings.Trim(string(n.Name.Value), `"`)]++
		}
	}
	whole, parts := 0, 0
	for name := range names {
		if strings.Contains(name, key) {
			whole++
		}
		if strings.HasSuffix(name, " "+key[len(key)-6:]) {
			parts++
		}
	}
	if whole == 0 || parts != 0 {
		t.Errorf("the key %s is read whole in %d names, and in parts in %d", key, whole, parts)
	}
	chip := eval[string](b, `document.querySelector('[data-station=server] button.chip').title`)
	if names["button "+chip] == 0 {
		t.Errorf("no button is named %q", chip)
	}
}

// Where the system forces its colours, things that only a background said can still be seen.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}})
	b.check(err)
	b.goTo(env.site)
	b.ready()
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	ground := eval[string](b, `getComputedStyle(document.body).backgroundColor`)
	if got := eval[string](b, `getComputedStyle(document.querySelector('.playhead')).backgroundColor`); got == ground {
		t.Errorf("the playhead is %s on %s", got, ground)
	}
	for _, edge := range []string{".tab[aria-selected=true]|border-bottom", ".chip|border-left", ".tile|border-left", ".segment[aria-pressed=true]|outline"} {
		selector, side, _ := strings.Cut(edge, "|")
		got := eval[[]string](b, `(() => { const s = getComputedStyle(document.querySelector('`+selector+`')); return [s.getPropertyValue('`+side+`-style'), s.getPropertyValue('`+side+`-width'), s.getPropertyValue('`+side+`-color')] })()`)
		if got[0] == "none" || got[1] == "0px" || got[2] == ground {
			t.Errorf("%s has the %s %v on %s", selector, side, got, ground)
		}
	}
	b.shot("")
}

// A printed page has the stage, the sentence and the timeline, and nothing to press.
func TestPrints(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	b.check(err)
	b.size(1000, 1400)
	shown := eval[map[string]bool](b, `Object.fromEntries(['main', '.said', '.track', '.buttons', '.tabs', '.tools'].map(s => [s, document.querySelector(s).checkVisibility()]))`)
	for _, s := range []string{"main", ".said", ".track"} {
		if !shown[s] {
			t.Errorf("%s is missing on paper", s)
		}
	}
	for _, s := range []string{".buttons", ".tabs", ".tools"} {
		if shown[s] {
			t.Errorf("%s is printed", s)
		}
	}
	for _, fault := range b.faults() {
		if strings.Contains(fault, "lie on each other") || strings.Contains(fault, "runs out") {
			t.Error(fault)
		}
	}
	b.shot("")
}

// The setup says beside the field what it refuses and why, and keeps what was
// typed; Undo brings the old value back.
func TestSetupSaysWhatItRefuses(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.opensTab("setup")
	const workers = `[data-act=setup][data-arg=workers]`
	b.wait(`document.querySelector('` + workers + `')`)
	b.run(`const f = document.querySelector('` + workers + `'); f.value = '99'; f.dispatchEvent(new Event('change', {bubbles: true}))`)
	b.wait(`/from 0 to 8/.test(document.querySelector('.refused[role=alert]')?.textContent)`)
	if !eval[bool](b, `document.querySelector('[data-act=applySetup]').disabled && document.querySelector('`+workers+`').value === '99'`) {
		t.Error("the refused setup can be run, or what was typed is gone")
	}
	b.shot("")
	b.click(`[data-act=resetSetup]`)
	b.wait(`!document.querySelector('.refused') && document.querySelector('` + workers + `').value === '2'`)
}

// A viewer who cancels reads that the opening was cancelled, and sees again what was open
// before.
func TestCancelledIsToldAsCancelled(t *testing.T) {
	t.Parallel()
	file, _ := podsTrace(t, "cancelled.trace.jsonl.gz", 60_000, 3_000, 2_000)
	b := open(t)
	b.loaded()
	b.pressOnSight(onCancel, func() { b.upload(onFile, file) })
	b.wait(`/cancelled/.test(document.querySelector('.notice, .curtain')?.textContent)`)
	b.loaded()
	if text := b.text(`.notice, .curtain`); strings.Contains(text, "could not") || strings.Contains(text, "lost") {
		t.Errorf("it says %q", text)
	}
	b.shot("")
}

func TestInspectsAnObject(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("5")
	b.stepMoves(0)
	b.inspect()
	b.wait(`document.body.innerText.includes('"metadata"') && document.body.innerText.includes('"resourceVersion"')`)
	b.shot("object")
}

func TestHandlersAreSetUpInThePage(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.opensTab("setup")
	b.wait(`document.querySelector('[data-act=addHandler]')`)
	b.shot("setup")
	b.click(`[data-act=addHandler]`)
	b.wait(`[...document.querySelectorAll('input')].some(i => i.value === 'handler-4')`)
	b.click(`[data-act=applySetup]`)
	b.wait(`document.querySelector('main').textContent.includes('handler-4')`)
	b.loaded()
	at := b.step()
	b.key("ArrowRight", shift)
	b.stepMoves(at)

	// Of a capture without a process, the page says that its handler is simulated.
	b.drop("main", testdata(t, "format/testdata/kubectl-get-pods-w-noevents.json.gz"))
	b.opened("kubectl-get-pods-w-noevents")
	b.opensTab("setup")
	b.wait(`document.querySelector('.setup')?.innerText.toLowerCase().includes('simulated')`)
}

func TestAnInformerForEachResource(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	names := eval[[]string](b, `[...document.querySelectorAll('select[data-act=informer] option')].map(o => o.textContent)`)
	if len(names) != 12 {
		t.Errorf("the bundled trace has %d informers: %q", len(names), names)
	}
	before := eval[string](b, `document.querySelector('select[data-act=informer]').value`)
	b.key("i")
	b.wait(`document.querySelector('select[data-act=informer]').value !== ` + quote(before))
	b.loaded()
	at := b.step()
	b.key("End")
	b.stepMoves(at)
}

func TestScrubsOnTheTimeline(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("End")
	end := b.stepMoves(0)
	b.key("Home")
	b.stepIs(0)
	r := eval[[]float64](b, `(() => { const r = document.querySelector('`+onTimeline+`').getBoundingClientRect(); return [r.left, r.top, r.width, r.height] })()`)
	b.drag(r[0]+r[2]*0.2, r[1]+r[3]/2, r[0]+r[2]*0.75, r[1]+r[3]/2)
	b.wait(`Math.abs(+document.documentElement.dataset.step / ` + num(end) + ` - 0.75) < 0.05`)
	at := b.step()
	b.key("ArrowLeft")
	b.stepMoves(at)
}

// controls are what a viewer can press or change and has in view. What stands for an object, such as a
// chip, a tile, a key or an indexed value, is what the page shows and no control.
const controls = `[...document.querySelectorAll('button, select, input, a[href], summary, [role=slider]')].filter((e) => {
	const r = e.getBoundingClientRect();
	return !e.closest('.visually-hidden') && !e.matches('.chip, .tile, .asks, .cell, .index-value, .index-name, .mark, .trail button') && r.width > 0
		&& r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth && e.checkVisibility({opacityProperty: true, visibilityProperty: true})
		&& (e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)) || e.matches('[role=slider]'));
}).map((e) => e.ariaLabel || e.title || e.textContent.trim())`

// The microscope has at most 45 controls, and the stations of a lesson have at most 40, with the lesson's own. The inspector has four
// tabs in one row.
func TestControlsAreFew(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	few := func(most int) {
		t.Helper()
		for _, at := range []string{"0", "3", "7"} {
			b.key(at)
			b.wait(`document.querySelector('.inspector')`)
			if all := eval[[]string](b, controls); len(all) > most || len(all) < 10 {
				t.Errorf("at %s tenths, there are %d controls: %s", at, len(all), strings.Join(all, ", "))
			}
		}
	}
	few(45)
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
	b.size(1440, 900)
	b.run(`location.hash = '#lesson=list-then-watch'`)
	b.lessonIs("list-then-watch", 0)
	b.ofLesson(true)
	few(40)
}
