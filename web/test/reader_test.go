package test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
)

// tabStops are the elements to which Tab leads from the document's beginning, by what each does or is.
func (b *tab) tabStops() []string {
	b.t.Helper()
	b.run(`document.activeElement.blur(); window.getSelection().removeAllRanges()`)
	var stops []string
	for {
		b.key("Tab")
		at := eval[[]string](b, `(() => {
			const e = document.activeElement, r = e.getBoundingClientRect(), s = getComputedStyle(e);
			if (e === document.body) return [];
			const seen = r.width > 0 && r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth;
			const says = e.ariaLabel || e.title || e.textContent.trim() || e.id;
			return [e.dataset.act || e.className || e.localName, !seen ? says + ' is out of sight' : !e.matches(':focus-visible') || s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 1.4 ? says + ' does not show the focus' : ''];
		})()`)
		if len(at) == 0 {
			return stops
		}
		if at[1] != "" {
			b.t.Errorf("Tab %d: %s", len(stops)+1, at[1])
		}
		if stops = append(stops, at[0]); len(stops) > 200 {
			b.t.Fatalf("Tab never leaves the page: %q", stops)
		}
	}
}

// By keyboard alone, Tab goes through loop, card and lesson in the order in which they are read and shows where it is, and Enter
// does what a click does. A first Tab leads past the header and past the stage.
func TestTheKeyboardAlone(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	b.asNewcomer("?keys")
	b.loopSays("It looks at a copy")
	b.front()
	if got := strings.Join(b.tabStops(), " "); got != "loopDelete loopBreak loopPlay loopBreak loopBeat loopBeat course open full lang theme" {
		t.Errorf("in the loop Tab leads to %s", got)
	}
	b.key("Tab")
	b.key("Enter")
	b.loopSays("is gone from the cluster.")

	b.asNewcomer("?card")
	b.opensCard(trouble(), "trouble.trace.jsonl")
	if got := strings.Join(b.tabStops(), " "); got != "button skip visually-hidden course menu menu card about lang theme help show show show show card-scroll show show" {
		t.Errorf("on the card Tab leads to %s", got)
	}
	b.key("Tab")
	b.key("Enter")
	b.wait(`document.activeElement.matches('main.card')`)
	b.key("Tab")
	b.wait(`document.activeElement.matches('.card [data-act=show]')`)
	b.key("Enter")
	b.wait(`document.querySelector('.stage') && document.activeElement !== document.body`)

	b.asNewcomer("?lesson#lesson=delta-fifo")
	b.lessonIs("delta-fifo", 0)
	stops := b.tabStops()
	at := func(act string) int { return slices.Index(stops, act) }
	if order := []int{at("button skip visually-hidden"), at("course"), at("inspect"), at("group"), at("answer"), at("play"), at("track")}; order[0] != 0 || slices.Contains(order, -1) || !slices.IsSorted(order) {
		t.Errorf("in the lesson Tab leads to %q", stops)
	}
	b.key("Tab")
	b.key("Enter")
	b.wait(`document.activeElement.closest('.lesson-question') !== null`)
}

// A screen reader is told a name of each control in loop, card and lesson, no group or list without anything in it, and no icon's letter.
func TestWhatAReaderIsTold(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	look := func(where string) {
		t.Helper()
		tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		b.check(err)
		text := func(v *accessibility.Value) (s string) {
			if v != nil && json.Unmarshal(v.Value, &s) != nil {
				t.Errorf("%s: a role or a name is %s", where, v.Value)
			}
			return s
		}
		nodes := map[accessibility.NodeID]*accessibility.Node{}
		for _, n := range tree.Nodes {
			nodes[n.NodeID] = n
		}
		// says reports whether a reader says anything of n or of what is in it.
		var says func(n *accessibility.Node) bool
		says = func(n *accessibility.Node) bool {
			return n != nil && (!n.Ignored && slices.Contains([]string{"StaticText", "button", "slider", "textbox", "combobox", "option"}, text(n.Role)) ||
				slices.ContainsFunc(n.ChildIDs, func(id accessibility.NodeID) bool { return says(nodes[id]) }))
		}
		headings := 0
		for _, n := range tree.Nodes {
			role, name := text(n.Role), text(n.Name)
			switch {
			case n.Ignored:
			case slices.Contains([]string{"button", "link", "combobox", "slider", "textbox", "tab", "checkbox", "menuitem", "region"}, role) && strings.TrimSpace(name) == "":
				t.Errorf("%s: a %s has no name", where, role)
			case slices.Contains([]string{"group", "list", "listitem", "heading"}, role) && !says(n):
				t.Errorf("%s: a %s %q has nothing in it", where, role, name)
			case role == "StaticText" && strings.ContainsFunc(name, func(r rune) bool { return r >= 0xe000 && r < 0xf900 }):
				t.Errorf("%s: it reads %q", where, name)
			case role == "heading":
				headings++
			}
		}
		if headings < 2 {
			t.Errorf("%s has %d headings", where, headings)
		}
	}
	b.asNewcomer("?told")
	b.loopSays("It looks at a copy")
	look("the loop")
	b.key("d")
	b.loopSays("is gone from the cluster.")
	look("the loop with a difference")
	b.key("b")
	b.loopSays("This is what the cut cost.")
	look("the loop at its end")
	b.asNewcomer("?card")
	b.opensCard(trouble(), "trouble.trace.jsonl")
	look("the card")
	b.asNewcomer("?lesson#lesson=delta-fifo")
	b.lessonIs("delta-fifo", 0)
	look("a lesson")
	b.key("2")
	b.wait(`document.querySelector('.lesson-stop[data-now] .verdict-text')`)
	look("an answered question")
}

// What is read aloud is what the page says, whatever somebody does: the sentence about the step, and in a lesson the text of the stop, not before it is shown.
func TestWhatIsReadAloudIsShown(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asNewcomer("?aloud#trace=shop&step=200")
	agrees := func() {
		t.Helper()
		b.wait(`(() => {
			const text = (e) => { const c = e.cloneNode(true); for (const l of c.querySelectorAll('.chip .l')) l.remove(); return c.textContent.replace(/\s/g, '') };
			const said = text(document.querySelector('.explain .said')), why = text(document.querySelector('.explain .why'));
			return said && document.querySelector('.page > p[aria-live]').textContent.replace(/\s/g, '') === said + why;
		})()`)
	}
	b.stepIs(200)
	agrees()
	b.key("ArrowRight")
	b.stepIs(201)
	agrees()
	b.key("End")
	at := b.stepMoves(201)
	agrees()
	b.key("3")
	at = b.stepMoves(at)
	agrees()
	b.key(" ")
	b.stepMoves(at)
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing === 'false'`)
	agrees()
	b.key("c")
	b.wait(`document.activeElement?.id === 'console-line'`)
	b.write("break watch")
	b.wait(futures + `.endsWith(' | [break watch]')`)
	b.opensTab("explain")
	b.wait(`document.querySelector('.explain .said').textContent.includes('is cut')`)
	agrees()
	b.within(b.reload)
	b.ready()
	b.loaded()
	b.wait(`document.querySelector('.explain .said')?.textContent.includes('is cut')`)
	agrees()

	b.asNewcomer("?card")
	b.opensCard(trouble(), "trouble.trace.jsonl")
	if aloud := eval[[]string](b, `[...document.querySelectorAll('[aria-live], [role=status]')].map((e) => e.textContent.trim()).filter(Boolean)`); len(aloud) != 1 || aloud[0] != b.text(".card-says") {
		t.Errorf("on the card %q is read aloud", aloud)
	}

	b.asNewcomer("?lesson#lesson=whole-loop")
	b.lessonIs("whole-loop", 0)
	const aloud = `[...document.querySelectorAll('.page > p[aria-live]')].at(-2).textContent`
	b.run(`window.early = '';
		new MutationObserver(() => { if (!document.querySelector('.lesson-stop[data-now] > p')) window.early ||= [...document.querySelectorAll('.page > p[aria-live]')].map((e) => e.textContent).join('') }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true})`)
	for stop := range int64(4) {
		b.stopIs(stop)
		b.wait(aloud + `.includes(document.querySelector('.lesson-stop[data-now] > p').textContent)`)
		if early := eval[string](b, `window.early`); early != "" {
			t.Fatalf("before stop %d is shown, a reader is told %q", stop, early)
		}
		if eval[bool](b, `!!document.querySelector('.lesson-stop[data-now] .option:enabled')`) {
			b.key("1")
			b.wait(`document.querySelector('.lesson-stop[data-now] .verdict-text')`)
		}
		b.key("j")
	}

	// While the machine plays, nothing is told of a step that isn't shown any more.
	b.asNewcomer("?steps#lesson=whole-loop&at=1")
	b.lessonIs("whole-loop", 0)
	b.opensTab("explain")
	b.run(`window.steps = {};
		const text = (e) => { const c = e.cloneNode(true); for (const l of c.querySelectorAll('.chip .l')) l.remove(); return c.textContent.replace(/\s/g, '') };
		const look = () => {
			const says = document.querySelector('.explain .said'), told = document.querySelector('.page > p[aria-live]').textContent.replace(/\s/g, '');
			if (says) window.steps[document.documentElement.dataset.step] ||= told && told !== text(says) + text(document.querySelector('.explain .why')) ? told : '';
			requestAnimationFrame(look);
		};
		look()`)
	b.key(" ")
	b.wait(`Object.keys(window.steps).length > 9`)
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing === 'false'`)
	agrees()
	for step, told := range eval[map[string]string](b, `window.steps`) {
		if told != "" {
			t.Errorf("at step %s a reader is told %q", step, told)
		}
	}
}

// axe-core finds nothing while a slider is held: the loop's, a lesson's, and the timeline.
func TestAxeFindsNothingWhileASliderIsHeld(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	held := func(slider string, look func()) {
		t.Helper()
		x, y := b.middle(slider)
		b.perform(chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonLeft), chromedp.MouseEvent(chromedp.MouseMoved, x+30, y, chromedp.ButtonLeft))
		look()
		for _, theme := range []string{"light", "dark"} {
			b.media("prefers-color-scheme", theme, "prefers-reduced-motion", "reduce")
			if found := b.violations(); len(found) != 0 {
				t.Errorf("%s, %s:\n  %s", slider, theme, strings.Join(found, "\n  "))
			}
		}
		b.perform(chromedp.MouseEvent(chromedp.MouseReleased, x+30, y, chromedp.ButtonLeft))
	}
	b.asNewcomer("#loop=4")
	b.loopSays("Does it hold up the others?")
	b.click(`.way-on[data-arg="2"]`)
	b.loopSays("You were right.")
	b.wait(`!document.querySelector('.slow input').disabled`)
	held(`.slow input`, func() { b.wait(`document.querySelector('.slow input').value > 400`) })
	b.asNewcomer("?lesson#lesson=cache-lag&at=1")
	b.lessonIs("cache-lag", 0)
	chosen := b.text(`.lesson-knob b`)
	held(`.lesson-knob input`, func() { b.wait(`document.querySelector('.lesson-knob b').textContent !== ` + quote(chosen)) })
	b.asNewcomer("?timeline#trace=shop&step=200")
	b.stepIs(200)
	held(onTimeline, func() { b.stepMoves(200) })
}
