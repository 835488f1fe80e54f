package test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// notInABrowser are the transitions that this walk can't take, or not in every walk, and why. The walk of wasm/session takes
// them all.
var notInABrowser = map[string]string{
	"Waiting OnElsewhere": "a link is unpacked within milliseconds of the page's beginning",
	"Waiting OnChose":     "the same",
	"Waiting OnDismissed": "the same",
	"Expecting OnRefused": "the bundled trace can be opened",
	"Opening OnRefused":   "most links that are refused are bound to a moment, so a walk often misses it",
	"Settled OnAskedMark": "what is open and its first step are told one right after the other",
	"Astray OnReplaced":   "the file would have to be read while the browser goes back twice",
	"Astray OnUnpacked":   "the link would have to be unpacked while the browser goes back twice",
}

// unreached reports whether a transition is one of these.
func unreached(x navigation.Transition) bool {
	// A trace is offered to a frame of another page, which has no entries of its own.
	return x.Event == navigation.OnOffered || notInABrowser[x.From.String()+" "+x.Event.String()] != ""
}

// hands are functions of the page that act on it within one task, as nobody can who drives it from outside.
const hands = `
	Element.prototype.setPointerCapture = () => {};
	const root = document.documentElement;
	const key = (key, more) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...more}));
	const frame = () => new Promise(requestAnimationFrame);
	const until = async (f) => { for (let n = 0; n < 600 && !f(); n++) await frame(); };
	const settled = async () => { await frame(); await frame(); await until(() => root.dataset.loading !== 'true'); await frame(); };
	const follow = (fragment) => { location.hash = fragment; };
	const next = (f) => {
		const heard = new Promise(done => addEventListener('popstate', () => { f(); done(); }, {once: true}));
		return Promise.race([heard, (async () => { for (let n = 0; n < 60; n++) await frame(); })()]); // the address may be that one already
	};
	const choose = (name, text) => {
		const input = document.querySelector('input[type=file]'), list = new DataTransfer();
		list.items.add(new File([text], name));
		input.files = list.files;
		input.dispatchEvent(new Event('change', {bubbles: true}));
	};
	const capture = (name) => choose(name, [5, 6, 7, 8].map(n => JSON.stringify({type: n === 5 ? 'ADDED' : 'MODIFIED',
		object: {kind: 'Pod', apiVersion: 'v1', metadata: {name: 'web', namespace: 'shop', uid: '1', resourceVersion: String(n)}}}) + '\n').join(''));
	const shut = () => { key('?'); key('Escape'); };
	const search = () => { key('k', {ctrlKey: true}); key('Escape'); };
	const timeline = (type, x) => {
		const e = document.querySelector('[data-scrub]'), r = e?.getBoundingClientRect();
		e?.dispatchEvent(new PointerEvent(type, {bubbles: true, button: 0, pointerId: 1, clientX: r.x + r.width * x}));
	};
	const profile = () => {
		const list = document.querySelector('.top [data-act=profile]');
		if (!list) return;
		list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
		list.dispatchEvent(new Event('change', {bubbles: true}));
	};
	const any = (all) => all[Math.floor((dice = dice * 16807 % 2147483647) / 2147483647 * all.length)];
	const other = () => location.hash.includes('11-resync') ? '#library=17-run-twice' : '#library=11-resync';
	const another = () => location.hash.replace(/&step=\d+|$/, moment());
	const moment = () => '&step=' + any([1, 2, 3, 4, 5, 6, 7, 8, 9]);
`

// packedLink packs a link as the page does.
func packedLink(text string) string {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestCompression)
	io.WriteString(z, text)
	z.Close()
	return address.Pack(base64.RawURLEncoding.EncodeToString(b.Bytes()))
}

// deed is what the walk does at once, and the transition that it is likely to take.
type deed struct {
	does  string
	takes string
}

// deeds are what viewers may do. The walk prefers those that are likely to take what is still missing.
func deeds() (all []deed) {
	const bad, none = "#library=nosuch", "#url=captures/none.json"
	packed, broken := packedLink("library=11-resync&step=4"), "#s1:AAAA"
	// What the viewer does at once after following a link that leaves the page in a state.
	at := map[string]string{
		"Bound":     `follow(other() + moment())`,
		"Expecting": `follow('#file=a.json&size=5' + moment())`,
		"Unpacking": `follow('` + packed + `')`,
	}
	then := map[string]string{
		"OnOpens": `capture('a.json')`, "OnNew": `capture('a.json')`, "OnChose": `capture('b.json')`, "OnDismissed": `key('Escape'); shut()`, "OnElsewhere": `search()`,
		"OnMisled": `follow('` + bad + `')`, "OnLanded": `follow('` + bad + `')`, "OnPacked": `follow('` + packedLink("library=17-run-twice&step=4") + `')`,
		"OnBound": `follow(another())`, "OnPopState": `history.back()`, "OnNoted": `key('5')`, "OnUnpacked": ``,
	}
	do := func(does, takes string) { all = append(all, deed{does, takes}) }
	for state, link := range at {
		for event, what := range then {
			do(`const done = next(() => { `+what+` }); `+link+`; await done`, state+" "+event)
		}
	}
	for event, what := range then {
		do(`capture('c.json'); `+what, "Opening "+event)
	}
	// The same later on the way.
	come := map[string]string{
		"Arrived":    `follow(other()); await settled()`,
		"Travelling": `follow(any(['#trace=shop&workers=', '#trace=shop&informer=nodes&workers=']) + any([3, 4, 5, 6]) + moment()); await until(() => root.dataset.loading === 'true'); await until(() => root.dataset.step !== undefined)`,
		"StandingIn": `follow('#file=a.json&size=5' + moment()); await frame(); await settled()`,
		"Pairing":    `follow(other() + moment() + '&beside=capture&file=b.json&size=5'); await frame(); await settled(); await until(() => document.querySelector('dialog[open]'))`,
	}
	for state, come := range come {
		for event, what := range then {
			do(come+`; `+what, state+" "+event)
		}
		do(come+`; key('ArrowRight')`, state+" OnElsewhere")
	}
	// A file that is chosen here stands beside what is open, and a link opens another thing.
	do(come["Pairing"]+`; follow(other()); await settled()`, "Pairing OnOpens")
	do(`follow('#trace=shop&step=8&beside=capture&trace=shop'); await settled()`, "Arrived OnArrived")
	do(`follow('`+none+`'); await settled()`, "Opening OnRefused")
	do(`follow('`+none+`' + moment()); await settled()`, "Bound OnRefused")
	do(`choose('x.link.txt', '#library=11-resync&step=4'); await settled()`, "Fresh OnReplaced")
	do(`choose('x.link.txt', '`+bad+`'); await settled()`, "CurrentEntry OnReplaced")
	do(`choose('x.link.txt', '`+packed+`'); await settled()`, "Unpacking OnReplaced")
	do(`follow('`+packed+`'); follow(other()); await settled()`, "CurrentEntry OnUnpacked")
	do(`follow('`+broken+`')`, "Unpacking OnUnpacked")
	do(`follow('#lesson=delta-fifo'); await settled(); key('j'); await settled()`, "CurrentEntry OnLanded")
	// A long one takes the browser some time.
	long := packedLink("script=" + strings.Repeat("%23+nothing%0A", 40000) + "informer+pods%0A")
	do(`const done = next(() => { history.back() }); follow('`+long+`'); await done; await settled()`, "Unpacking OnPopState")
	do(`document.querySelector('[data-act=cancel]')?.click()`, "")
	do(`history.back()`, "CurrentEntry OnPopState")
	do(`history.forward()`, "CurrentEntry OnPopState")
	do(`key('Escape'); key('Backspace')`, "CurrentEntry OnPopState")

	// Another version of client-go forgets the places, so the entries before are of nothing that is known.
	astray := `capture('a.json'); await settled(); for (const k of ['2', '7', '4']) { key(k); await settled(); } profile(); await settled(); await next(() => history.back() ?? 0)`
	astray = strings.ReplaceAll(astray, `await next(() => history.back() ?? 0)`, `const gone = next(() => 0); history.back(); await gone`)
	for event, what := range then {
		do(astray+`; `+what, "Astray "+event)
	}
	do(astray+`; history.back()`, "Astray OnAstray")
	do(astray+`; history.forward()`, "Astray OnPopState")

	// Keys and the timeline, within one task or one after the other.
	jumps := map[string]string{
		"OnJump": `key('5')`, "OnMark": `key('m')`, "OnDragStart": `timeline('pointerdown', 0.3)`, "OnDragEnd": `timeline('pointerup', 0.4)`, "OnRequest": `key('ArrowRight')`,
		"OnAskedMark": `key('m')`, "OnForgotten": `capture('a.json')`, "OnVisit": `history.back()`, "OnRequestsDone": `await settled()`,
	}
	at = map[string]string{"Settled": `await settled()`, "Jumping": `key('7')`, "Dragging": `timeline('pointerdown', 0.5); timeline('pointermove', 0.6)`, "Marking": `key('7'); await settled(); key('m')`, "Marked": `key('m'); await settled()`}
	for state, first := range map[string]string{"Jumping": `key('7'); key('2')`, "Marking": `key('7'); key('m')`} { // which takes two answers
		do(`key('Escape'); key('Escape'); await settled(); key('3'); await settled(); `+first+`; history.back()`, state+" OnVisit")
	}
	for state, first := range at {
		for event, second := range jumps {
			if state == "Marked" && event == "OnRequestsDone" {
				second = `key('m'); await settled()` // the answer about the first mark was what led to this state
			}
			do(`key('Escape'); key('Escape'); timeline('pointerup', 0.5); key('3'); await settled(); `+first+`; `+second, state+" "+event)
			// A timeline that was held when something else was opened.
			do(`key('Escape'); key('Escape'); timeline('pointerdown', 0.5); follow(other()); await settled(); `+strings.ReplaceAll(first, `timeline('pointerup', 0.5)`, ``)+`; `+second, state+" "+event)
		}
	}
	return all
}

// transitions are those that the page has taken since the test began, as the console tells them.
func (b *tab) transitions() map[string]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := map[string]bool{}
	for _, l := range b.console {
		if t := transitionTold.FindStringSubmatch(l.text); t != nil {
			taken[t[1]] = true
		}
	}
	return taken
}

var transitionTold = regexp.MustCompile(`^navigation: (\w+ \w+)`)

// A page goes about at random, by links, keys, files, reloads, Back and Forward, until every transition of the
// table was taken, but those that no walk can take. An impossible one would be told in the console as an error.
func TestNavigationTakesEveryTransition(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB, ...string) *tab{"Chromium": open, "Firefox": openFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const seed = 604 // the machine decides the rest
			r := rand.New(rand.NewPCG(seed, 1))
			b := open(t, "?transitions"+packedLink("library=11-resync&step=4"))
			b.allow("404")
			b.allow("Failed to load resource")
			b.allow("Throttling navigation")
			b.allow("Too many calls to Location or History APIs")
			all := deeds()
			missing := func() (left []string) {
				taken := b.transitions()
				for _, x := range navigation.All() {
					if is := x.From.String() + " " + x.Event.String(); !taken[is] && !unreached(x) {
						left = append(left, is)
					}
				}
				return left
			}
			// Firefox stops the program of a page that is left in the middle of its work, and the page says so.
			b.allow("the browser stopped it in the middle of its work")
			settle := func() { b.run("let dice = 1;" + hands + `await settled()`) }
			load := func(fragment string) {
				settle()
				b.goTo("about:blank")
				b.goTo(env.site + "?transitions" + fragment)
				b.ready()
			}
			load("#url=captures/none.json&step=3")
			for _, does := range []string{`shut()`, `search()`, `follow('#library=nosuch')`, `follow('#url=captures/none.json&step=4')`, `capture('a.json')`} {
				b.run("let dice = 1;" + hands + `await settled(); ` + does + `; await settled()`)
			}
			load("#s1:AAAA")
			// Back must not leave the site. The walk goes back less often than it follows a link.
			for range 6 {
				b.run("let dice = 1;" + hands + `follow(other() + moment()); await settled()`)
			}
			n := 0
			for left := missing(); len(left) > 0 && n < 2000; left = missing() {
				n++
				want := left[r.IntN(len(left))]
				could := slices.DeleteFunc(slices.Clone(all), func(d deed) bool { return d.takes != want })
				if len(could) == 0 || r.IntN(8) == 0 {
					could = all
				}
				d := could[r.IntN(len(could))]
				b.run("let dice = " + num(1+r.Int64N(1e9)) + ";" + hands + d.does + []string{``, `; await frame()`, `; await settled()`}[r.IntN(3)])
				if r.IntN(40) == 0 {
					settle()
					b.within(b.reload)
					b.ready()
				}
				if c := b.complaints(); len(c) > 0 {
					t.Fatalf("seed %d, after %d deeds, at last %s: %s", seed, n, d.does, strings.Join(c, "; "))
				}
			}
			if left := missing(); len(left) > 0 {
				t.Errorf("seed %d: after %d deeds, never taken: %s", seed, n, strings.Join(left, ", "))
			}
			t.Logf("%d deeds", n)
		})
	}
}
