package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// opensCard opens a capture by its file, and waits for the whole card.
func (b *tab) opensCard(data []byte, name string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), name)
	b.check(os.WriteFile(file, data, 0o600))
	b.upload(onFile, file)
	b.wait(`document.querySelector('.card-facts code')?.textContent === ` + quote(name) + ` && document.documentElement.dataset.loading === 'false' && document.querySelector('.card[data-whole] tbody tr')`)
}

// trouble is a recording with a hot key, a slow handler and a watch that was lost: an answer to each question that
// somebody has who opens a capture.
func trouble() []byte {
	var b strings.Builder
	write := func(line string) { b.WriteString(line + "\n") }
	at := func(ms int) string { return strconv.Itoa(ms * 1_000_000) }
	write(`{"informerscope":"trace","version":1,"start":"2026-11-22T22:04:46Z","recorder":"informerscope record"}`)
	pod := func(name string, rv int) string {
		return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","namespace":"shop","uid":"` + name + `","resourceVersion":"` + strconv.Itoa(rv) + `"}}`
	}
	list := func(ms, id, rv int, names ...string) {
		var all []string
		for _, n := range names {
			all = append(all, pod(n, rv))
		}
		write(`{"t":` + at(ms) + `,"id":` + strconv.Itoa(id) + `,"req":{"method":"GET","url":"/api/v1/pods"}}`)
		write(`{"t":` + at(ms+1) + `,"id":` + strconv.Itoa(id) + `,"resp":{"status":200,"contentType":"application/json"}}`)
		write(`{"t":` + at(ms+2) + `,"id":` + strconv.Itoa(id) + `,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"` + strconv.Itoa(rv) + `"},"items":[` + strings.Join(all, ",") + `]}}`)
		write(`{"t":` + at(ms+2) + `,"id":` + strconv.Itoa(id) + `,"end":{"how":"eof"}}`)
		write(`{"t":` + at(ms+3) + `,"id":` + strconv.Itoa(id+1) + `,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=` + strconv.Itoa(rv) + `"}}`)
		write(`{"t":` + at(ms+4) + `,"id":` + strconv.Itoa(id+1) + `,"resp":{"status":200,"contentType":"application/json"}}`)
	}
	list(0, 1, 10, "web-0", "web-1")
	rv := 10
	for i := range 300 {
		rv++
		write(`{"t":` + at(100+i*100) + `,"id":2,"event":{"type":"MODIFIED","object":` + pod("web-0", rv) + `}}`)
		write(`{"t":` + at(150+i*100) + `,"call":{"handler":"metrics","fn":"OnUpdate","key":"shop/web-0","oldRV":"` + strconv.Itoa(rv-1) + `","rv":"` + strconv.Itoa(rv) + `","took":` + at(40) + `}}`)
	}
	write(`{"t":` + at(31000) + `,"id":2,"event":{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version","reason":"Expired","code":410}}}`)
	write(`{"t":` + at(31001) + `,"id":2,"end":{"how":"eof"}}`)
	list(32000, 3, rv+20, "web-0")
	return []byte(b.String())
}

// The card of a capture says which key is the hottest, which handler is the slowest, and why the client has
// listed again, and each leads in one press to the moment, with the thing in focus. One press leads back.
func TestTheCardAnswers(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site)
	b.ready()
	b.opensCard(trouble(), "trouble.trace.jsonl")
	b.shot("card")
	b.media("prefers-color-scheme", "dark")
	b.shot("card-dark")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
	}
	b.media("prefers-color-scheme", "light")
	b.size(390, 844) // where a table is wider than the window, it alone is moved to the side
	if over := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("on a phone, the card is %d pixels too wide", over)
	}
	b.size(1440, 900)
	said := b.text(".card")
	for _, want := range []string{"shop/web-0", "metrics", "One object changes all the time", "the resourceVersion was too old (410)", "22:04:46", "informerscope"} {
		if !strings.Contains(said, want) {
			t.Errorf("the card doesn't say %q:\n%s", want, said)
		}
	}
	if strings.Contains(said, "aren’t in this capture") {
		t.Error("it says that recorded handlers aren't there")
	}
	show := func(button string) {
		t.Helper()
		b.click(button)
		b.wait(`document.documentElement.dataset.view !== 'card' && +document.documentElement.dataset.step > 0`)
	}
	back := func() {
		t.Helper()
		b.key("O")
		b.wait(`document.documentElement.dataset.view === 'card'`)
	}
	show(".card-holds tbody td:nth-child(4) button")
	b.wait(`document.querySelector('.said')?.textContent.includes('web-0')`)
	back()
	show(".card-handlers button")
	b.wait(`document.querySelector('.lane-name')?.textContent.includes('metrics')`)
	back()
	show(".card-holds tbody td:nth-child(5) button")
	b.wait(`/list/i.test(document.querySelector('.said')?.textContent)`)
	back()
	// The browser's own Back leads to the card, too, and to the button that was pressed.
	b.focus(".card-finding .button")
	b.key("Enter")
	b.wait(`document.documentElement.dataset.view !== 'card' && +document.documentElement.dataset.step > 0`)
	b.shot("card-shown")
	b.run(`history.back()`)
	b.wait(`document.documentElement.dataset.view === 'card' && document.activeElement.matches('.card-finding .button')`)
	b.click(".top [data-act=card]")
	b.wait(`document.documentElement.dataset.view !== 'card' && document.querySelector('.stage')`)
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing === 'true'`)
	b.key("O")
	b.wait(`document.documentElement.dataset.view === 'card'`)
	b.key(" ") // a key of the machine leads to it
	b.wait(`document.documentElement.dataset.view !== 'card'`)
	// Where the header has no room for the button, what is said about the trace leads to the card.
	b.size(360, 225)
	b.click(".top [data-act=about]")
	b.wait(`document.documentElement.dataset.dialog === 'about'`)
	b.click(".dialog-foot [data-act=card]")
	b.wait(`document.documentElement.dataset.view === 'card' && !document.documentElement.dataset.dialog`)
}

// A capture without handlers says so in one line, and leads to where the viewer describes them. The machine shows one
// handler that nobody is behind.
func TestTheCardInventsNoHandlers(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site)
	b.ready()
	b.opensCard(unpacked(t, "format/testdata/kubectl-get-pods-w-events.json.gz"), "pods.json")
	b.shot("card-kubectl")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
	}
	if said := b.text(".card"); !strings.Contains(said, "Your handlers aren’t in this capture") || !strings.Contains(said, "evenly spaced") {
		t.Errorf("the card says:\n%s", said)
	}
	b.click(`[data-act=addHandlers]`)
	b.wait(`document.querySelector('.setup [data-act=addHandler]')`)
	b.key("End")
	b.wait(`+document.documentElement.dataset.step > 100`)
	lanes := eval[[]string](b, `[...document.querySelectorAll('.lane:not(.lane-head) .lane-name')].map(e => e.textContent)`)
	if len(lanes) != 1 || !strings.Contains(lanes[0], "simulated") || !strings.Contains(lanes[0], "not recorded") {
		t.Errorf("the handlers are %q", lanes)
	}
	if n := eval[int](b, `document.querySelectorAll('.lane .behind, .track-names > span').length`); n != 3 {
		t.Errorf("the handler is behind, or has a row of the timeline: %d", n)
	}
	b.shot("card-machine")
}

// The card of a file that is cut, in Chinese and on a phone.
func TestTheCardOfACutFile(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.size(390, 844)
	b.goTo(env.site)
	b.ready()
	b.run(`const e = document.querySelector('.lang select'); e.value = 'zh'; e.dispatchEvent(new Event('change', {bubbles: true}))`)
	b.wait(`document.documentElement.lang.startsWith('zh')`)
	data := trouble()
	b.opensCard(data[:len(data)*2/3], "cut.trace.jsonl")
	b.run(`document.documentElement.dataset.theme = 'dark'`)
	b.shot("card-phone")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
	}
	if wide := eval[bool](b, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the card is wider than the phone")
	}
	if n := eval[int](b, `document.querySelectorAll('.card-finding').length`); n == 0 {
		t.Error("it finds nothing")
	}
}

// Whoever opens a capture sees at once which key is the hottest, which handler is the slowest, and why the client has
// listed again. One more press shows each of them in the machine. The test counts them itself, from the lines of the capture.
func TestTheCardAnswersInTwoClicks(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site)
	b.ready()
	for name, data := range map[string][]byte{
		"trouble.trace.jsonl": trouble(),
		"v032-c.trace.jsonl":  unpacked(t, "report/testdata/recordings/v032-c.trace.jsonl.gz"),
		"v037-a.trace.jsonl":  unpacked(t, "report/testdata/recordings/v037-a.trace.jsonl.gz"),
	} {
		hottest, slowest := askedOf(t, data)
		b.opensCard(data, name)
		if said := b.text(".card-holds tbody td:nth-child(4) code"); said != hottest {
			t.Errorf("%s: the hottest key is %s, and the card says %s", name, hottest, said)
		}
		if said := b.text(".card-handlers code"); said != slowest {
			t.Errorf("%s: the slowest handler is %s, and the card says %s", name, slowest, said)
		}
		if said := b.text(".card-holds tbody td:nth-child(5) p span"); said == "" || strings.Contains(said, "finding.") {
			t.Errorf("%s: the card says why the client has listed again: %q", name, said)
		}
		for button, shown := range map[string]string{
			".card-holds tbody td:nth-child(4) button": `document.querySelector('.said')?.textContent.includes(` + quote(hottest) + `)`,
			".card-handlers button":                    `[...document.querySelectorAll('.lane-name')].some(e => e.textContent.includes(` + quote(slowest) + `))`,
			".card-holds tbody td:nth-child(5) button": `/list/i.test(document.querySelector('.said')?.textContent)`,
		} {
			b.click(button)
			b.wait(`document.documentElement.dataset.view !== 'card' && +document.documentElement.dataset.step > 0 && ` + shown)
			b.click(".top [data-act=card]")
			b.wait(`document.documentElement.dataset.view === 'card'`)
		}
	}
}

// While a large file is read, its card has what was found so far. Cancel keeps that.
func TestTheCardWhileAFileIsRead(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "large.trace.jsonl.gz", func(w io.Writer) {
		for line := range bytes.Lines(trouble()) {
			if !bytes.Contains(line, []byte(`"call"`)) { // how long calls take is known when all are read
				w.Write(line)
			}
		}
		fmt.Fprintln(w, `{"t":32003000000,"id":4,"req":{"method":"GET","url":"/api/v1/pods?watch=1&resourceVersion=330"}}`)
		fmt.Fprintln(w, `{"t":32004000000,"id":4,"resp":{"status":200,"contentType":"application/json"}}`)
		padding := strings.Repeat("x", 3_600)
		for i := range 45_000 {
			fmt.Fprintf(w, `{"t":%d,"id":4,"event":{"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p-%d","namespace":"shop","uid":"p-%[2]d","resourceVersion":"%d","annotations":{"a":"%s"}}}}}`+"\n",
				33_000_000_000+i*10_000_000, i%4_500, 1_000+i, padding)
		}
	})
	b := newTab(t)
	b.goTo(env.site)
	b.ready()
	b.pressOnSight(`.page-card:has(.card-finding) `+onCancel, func() { b.upload(onFile, file) })
	b.wait(`document.documentElement.dataset.loading === 'false' && document.querySelector('.card[data-whole] .card-finding .button')`)
	if said := b.text(".card-says"); said == "" || strings.Contains(said, "Reading") {
		t.Errorf("after Cancel the card says %q", said)
	}
	b.focus(".card-finding .button")
	b.key("Enter")
	b.wait(`document.documentElement.dataset.view !== 'card' && +document.documentElement.dataset.step > 0`)
}

// A screen reader is told of the card in this order, and Tab goes from button to button in it.
func TestTheCardIsRead(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site)
	b.ready()
	b.opensCard(trouble(), "trouble.trace.jsonl")
	_, err := chromedp.Call(b.ctx, accessibility.Enable, cdp.Empty{})
	b.check(err)
	tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	b.check(err)
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range tree.Nodes {
		nodes[n.NodeID] = n
	}
	var read, buttons []string
	var walk func(n *accessibility.Node, in bool)
	walk = func(n *accessibility.Node, in bool) {
		if n == nil {
			return
		}
		if n.Role != nil && n.Name != nil && !n.Ignored {
			var role, name string
			b.check(errors.Join(json.Unmarshal(n.Role.Value, &role), json.Unmarshal(n.Name.Value, &name)))
			in = in || role == "main"
			switch {
			case !in:
			case role == "button":
				buttons = append(buttons, name)
				fallthrough
			case slices.Contains([]string{"main", "heading", "region", "group", "columnheader", "rowheader", "complementary"}, role):
				read = append(read, role+" "+name)
			}
		}
		for _, id := range n.ChildIDs {
			walk(nodes[id], in)
		}
	}
	walk(tree.Nodes[0], false)
	if got := strings.Join(read, "\n"); got != `main One object changes all the time
heading One object changes all the time
region Timeline
group marks
button 1 One object changes all the time, 22:04:46
button pods: listed again, 22:05:18
region What matters, worst first
heading What matters, worst first
heading One object changes all the time
button Show me One object changes all the time
complementary Recorded handlers, slowest first
heading Recorded handlers, slowest first
button Show me metrics
heading What it contains
region What it contains
columnheader resource
columnheader events
columnheader lists
columnheader busiest key
columnheader listed again because
rowheader pods
button Show me shop/web-0
button Show me pods` {
		t.Errorf("a reader is told:\n%s", got)
	}
	b.focus("#card")
	for _, name := range buttons {
		b.key("Tab")
		b.wait(`document.activeElement.matches('#card *')`)
		if eval[bool](b, `document.activeElement.matches('.card-scroll')`) { // a table that is wider than the window is moved by keys
			b.key("Tab")
		}
		if said := eval[string](b, `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`); strings.ReplaceAll(said, " ", "") != strings.ReplaceAll(name, " ", "") {
			t.Errorf("Tab leads to %q, and the next button is %q", said, name)
		}
	}
}

// askedOf returns the key with the most watch events of a capture, the first by its name, and the handler whose calls take
// the longest on average.
func askedOf(t *testing.T, data []byte) (hottest, slowest string) {
	t.Helper()
	changes, took, calls := map[string]int{}, map[string]int64{}, map[string]int64{}
	for line := range bytes.Lines(data) {
		var x struct {
			Event *struct {
				Type   string
				Object struct {
					Metadata struct{ Namespace, Name string }
				}
			}
			Call *struct {
				Handler string
				Took    int64
			}
		}
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		if m := x.Event; m != nil && (m.Type == "ADDED" || m.Type == "MODIFIED" || m.Type == "DELETED") {
			changes[m.Object.Metadata.Namespace+"/"+m.Object.Metadata.Name]++
		}
		if x.Call != nil {
			took[x.Call.Handler] += x.Call.Took
			calls[x.Call.Handler]++
		}
	}
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		if changes[key] > changes[hottest] {
			hottest = key
		}
	}
	for _, h := range slices.Sorted(maps.Keys(took)) {
		if slowest == "" || took[h]/calls[h] > took[slowest]/calls[slowest] {
			slowest = h
		}
	}
	return hottest, slowest
}

// The card of a controller's recording says which guard would have held back its stale reads, as informerscope controller does.
func TestTheCardSaysWhichGuardHelps(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site)
	b.ready()
	b.opensCard(unpacked(t, "report/controller/testdata/client-go-lost.stale14.duplicates2.trace.jsonl.gz"), "web.trace.jsonl")
	b.wait(`document.querySelectorAll('.card-guards tbody tr').length === 6`)
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		b.size(size[0], size[1])
		for _, theme := range []string{"light", "dark"} {
			b.run(`document.documentElement.dataset.theme = ` + quote(theme) + `; document.querySelector('.card-guards').scrollIntoView()`)
			b.shot("guards-" + strconv.FormatInt(size[0], 10) + "-" + theme)
			if found := b.violations(); len(found) != 0 {
				t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
			}
		}
		if wide := eval[bool](b, `document.documentElement.scrollWidth > innerWidth`); wide {
			t.Error("the card is wider than the window")
		}
	}
	if said := b.text(".card-guards"); !strings.Contains(said, "against 14 stale reads and 2 duplicates") || !strings.Contains(said, "14 of 14") {
		t.Errorf("the card says:\n%s", said)
	}
}

// One press leads from a stale read on the card to the lesson about guards, whose scene is as late as the recording was, and which has
// each guard's answer. From the lesson one opens a recording of one's own, and one without reconciles says what it can't tell.
func TestTheCardLeadsToTheLessonAboutGuards(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site)
	b.ready()
	b.opensCard(unpacked(t, "report/controller/testdata/client-go-lost.stale14.duplicates2.trace.jsonl.gz"), "web.trace.jsonl")
	b.wait(`document.querySelector('[data-act=chooseGuard]')`)
	b.click(`[data-act=chooseGuard]`)
	b.wait(`document.documentElement.dataset.loading === 'false' && document.querySelector('.lesson-own .sentences tbody tr')`)
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		b.size(size[0], size[1])
		for _, theme := range []string{"light", "dark"} {
			b.run(`document.documentElement.dataset.theme = ` + quote(theme) + `; document.querySelector('.lesson-own').scrollIntoView()`)
			b.shot("lesson-" + strconv.FormatInt(size[0], 10) + "-" + theme)
			if found := b.violations(); len(found) != 0 {
				t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
			}
		}
	}
	said := b.text(".lesson-own")
	for _, want := range []string{"web.trace.jsonl", "It created shop/", "yes, after a wait of", "read-your-writes"} {
		if !strings.Contains(said, want) {
			t.Errorf("the lesson doesn't say %q:\n%s", want, said)
		}
	}
	b.size(1440, 900)
	if pressed := b.text(`.lesson-control:last-child [aria-pressed=true]`); !strings.HasSuffix(pressed, "ms") || pressed == "20ms" || pressed == "500ms" {
		t.Errorf("the scene is %q late", pressed)
	}
	b.click(`[data-act=openOwn]`)
	b.opensCard(trouble(), "trouble.trace.jsonl")
	if said := b.text(".card-guards"); !strings.Contains(said, "it has no reconciles") {
		t.Errorf("of a recording without reconciles it says:\n%s", said)
	}
	b.shot("no-reconciles")
	b.click(`.card-guards [data-act=lesson]`)
	b.wait(`document.querySelector('.lesson-text h2')?.textContent === 'Choose a guard'`)
}

// The card of a recording from within a process says what its informers hold, as informerscope costs --cache does. That of a capture
// which lacks it doesn't.
func TestTheCardSaysWhatTheCacheHolds(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.goTo(env.site)
	b.ready()
	data, err := os.ReadFile("../../replay/informers/testdata/process.trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	b.opensCard(data, "process.trace.jsonl")
	b.wait(`document.querySelectorAll('.card-informers section').length === 3`)
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		b.size(size[0], size[1])
		for _, theme := range []string{"light", "dark"} {
			b.run(`document.documentElement.dataset.theme = ` + quote(theme) + `; document.querySelector('.card-cache').scrollIntoView()`)
			b.shot("cache-" + strconv.FormatInt(size[0], 10) + "-" + theme)
			if found := b.violations(); len(found) != 0 {
				t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
			}
		}
		if wide := eval[bool](b, `document.documentElement.scrollWidth > innerWidth`); wide {
			t.Error("the card is wider than the window")
		}
	}
	said := b.text(".card-cache")
	for _, want := range []string{"3 informers, 6 objects", "webs.go:88", "at least 64 times", "29 % less with the label tier=front only"} {
		if !strings.Contains(strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(said), want) {
			t.Errorf("the card lacks %q:\n%s", want, said)
		}
	}
	b.opensCard(trouble(), "trouble.trace.jsonl")
	if eval[bool](b, `!!document.querySelector(".card-cache")`) {
		t.Error("of a capture from outside it says what the caches hold")
	}
}
