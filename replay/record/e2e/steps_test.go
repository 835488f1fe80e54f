package e2e

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/informerscope/informerscope/replay/trace"
)

// builtPage is the folder of the page.
func builtPage(t *testing.T) string {
	t.Helper()
	dir, err := dist()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// chooseCluster chooses to watch a cluster, and looks at what the page says of the cluster: its
// version, and who lets the page in.
func (b *tab) chooseCluster(proxy, api string) {
	b.t.Helper()
	b.click(`header [data-act=menu][data-arg=open]`)
	b.wait(`document.querySelector('[role=menuitem][data-act=live]')`)
	b.click(`[role=menuitem][data-act=live]`)
	b.wait(`document.querySelector('dialog[open] [data-act=want]')`)
	_, body := fetch(b.t, api+"/version")
	var v struct{ GitVersion string }
	if err := json.Unmarshal([]byte(body), &v); err != nil || v.GitVersion == "" {
		b.t.Fatal(err, body)
	}
	b.waitForText(`dialog[open] .facts`, v.GitVersion)
	b.waitForText(`dialog[open] .facts`, proxy)
}

// watches chooses the widgets, and nothing else, and watches them.
func (b *tab) watches(streaming bool) {
	b.t.Helper()
	const chosen = `[...document.querySelectorAll('dialog[open] [data-act=want]:checked')].map(e => e.dataset.arg)`
	name := widgets.GroupResource().String()
	on := eval[[]string](b, chosen)
	if !slices.Contains(on, name) {
		on = append(on, name)
	} else {
		on = slices.DeleteFunc(on, func(s string) bool { return s == name })
	}
	for _, other := range on {
		b.click(`dialog[open] [data-act=want][data-arg="` + other + `"]`)
	}
	b.wait(`(` + chosen + `).join() === ` + quote(name))
	if streaming {
		const box = `dialog[open] [data-act=editWant][data-arg=streaming]`
		b.click(box)
		b.wait(`document.querySelector('` + box + `').checked`)
	}
	b.click(`dialog[open] [data-act=follow]`)
	b.wait(`document.documentElement.dataset.live === 'following' && !document.querySelector('dialog[open]')`)
	b.goesOn()
}

// goesOn waits until it watches, and the newest is shown.
func (b *tab) goesOn() {
	b.t.Helper()
	b.wait(`document.querySelector('.strip .is-watching') && document.querySelector('.strip .live-chip.on')`)
}

// pauses steps back, and catches up after two more events have come: the first
// so that all that was under way is over.
func (b *tab) pauses(first, second func(), then ...string) {
	b.t.Helper()
	const behind = `/\d+ steps behind/.test(document.querySelector('.strip .live-chip.paused').textContent)`
	b.key("ArrowLeft")
	b.wait(`document.querySelector('.strip .live-chip.paused')`)
	events := eval[int](b, counted)
	first()
	b.counts(events + 1)
	b.wait(behind)
	paused := b.step()
	second()
	b.counts(events + 2)
	b.wait(behind)
	if b.step() != paused {
		b.t.Errorf("paused at step %d, it shows %d", paused, b.step())
	}
	b.click(`.strip [data-act=end]`)
	b.waitForKeys(then...)
	b.goesOn()
}

// counted is how many events the page says to have seen.
const counted = `+/(\d+) events/.exec(document.querySelector('.streams').textContent)[1]`

// counts waits until so many events have come; the server may add bookmarks.
func (b *tab) counts(events int) {
	b.t.Helper()
	b.wait(counted + ` >= ` + strconv.Itoa(events))
}

// relists is how often the page says that it has listed anew.
func (b *tab) relists() string {
	b.t.Helper()
	b.click(`.strip [data-act=live]`)
	b.wait(`document.querySelector('dialog[open] .followed')`)
	n := b.text(`dialog[open] .followed tbody td:last-child`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	return n
}

// picture is what is to be seen at the last step, and which that is.
type picture struct {
	steps         int
	events, lists string
	visible       string
}

func (b *tab) picture() (p picture) {
	b.t.Helper()
	b.key("Home")
	b.wait(`document.documentElement.dataset.step === '0'`)
	b.key("End")
	b.wait(`+document.documentElement.dataset.step > 0`)
	p.steps = b.step()
	p.visible = eval[string](b, `[...document.querySelectorAll('main [data-place]')].filter(e => !e.closest('[data-transient]')).map(e => e.dataset.place + ' ' + e.textContent).join('\n')`)
	b.key("a")
	b.wait(`document.querySelector('dialog[open] .about-resources tbody tr')`)
	p.events = b.text(`dialog[open] .about-resources tbody td:nth-child(2)`)
	p.lists = b.text(`dialog[open] .about-resources tbody td:nth-child(3)`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	return p
}

// saves stops, saves what was watched, and opens that again, here and natively.
// It must be the same.
func (b *tab) saves() (name string, r *trace.Resource) {
	b.t.Helper()
	b.click(`.strip [data-act=unfollow]`)
	b.wait(`document.documentElement.dataset.live === 'stopped'`)
	watched := b.picture()
	b.key("s")
	b.wait(`document.documentElement.dataset.dialog === 'save'`)
	name = b.download(`dialog[open] [data-act=saveNow]`)
	b.waitForText(`dialog[open] .saved`, filepath.Base(name))
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)

	b.perform(chromedp.SetUploadFiles(chromedp.CSS(`input[type=file]`), []string{name}, chromedp.NodeReady))
	b.waitForText(`.source`, filepath.Base(name))
	b.wait(`!document.documentElement.dataset.live && document.documentElement.dataset.loading !== 'true' && document.documentElement.dataset.step === '0'`)
	if again := b.picture(); again != watched {
		b.t.Errorf("opened again it is\n%+v\nand was when it was watched\n%+v", again, watched)
	}
	tr := read(b.t, name)
	if tr.ProblemCount > 0 || len(tr.Resources) != 1 {
		b.t.Fatal(tr.Problems, len(tr.Resources))
	}
	r = tr.Resources[0]
	if events, lists := strconv.Itoa(r.Events), strconv.Itoa(r.Lists); events != watched.events || lists != watched.lists {
		b.t.Errorf("opened natively it has %s events and %s lists, and had %s and %s when it was watched", events, lists, watched.events, watched.lists)
	}
	return name, r
}
