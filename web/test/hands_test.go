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
	b.must(os.WriteFile(damaged, append(watchStream(4), "{\"type\":\n"...), 0o600))
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
	b.wait(`document.querySelector('.notice [data-act=notice]')`)
	b.loaded()
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
	b.must(err)
	tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	b.must(err)
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
	b.must(err)
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
	b.must(err)
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
	b.upload(onFile, file)
	b.pressOnSight(onCancel)
	b.wait(`/cancelled/.test(document.querySelector('.notice, .curtain')?.textContent)`)
	b.loaded()
	if text := b.text(`.notice, .curtain`); strings.Contains(text, "could not") || strings.Contains(text, "lost") {
		t.Errorf("it says %q", text)
	}
	b.shot("")
}
