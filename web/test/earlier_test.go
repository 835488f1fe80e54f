package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// testdata/earlier holds what the page of commit 5be6a76 gave its viewers: links with what
// they showed, the settings in a browser's storage, and a recording that was saved with what
// the viewer had done to it. Every later page must take them.

// seen is what the stage shows, without its words.
const seen = `(() => {
	const d = document.documentElement.dataset, value = (s) => document.querySelector(s)?.value ?? '';
	return {step: d.step ?? '', beside: d.beside ?? '', lesson: d.lesson ?? '', stop: d.stop ?? '',
		source: document.querySelector('.source-name')?.textContent ?? '',
		profile: value('.top [data-act=profile]'), informer: value('.top [data-act=informer]'),
		futures: String(document.querySelectorAll('.future').length),
		tiles: [...document.querySelectorAll('main .tile')].map(e => e.dataset.place).sort().join(' ')};
})()`

func earlier(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile("testdata/earlier/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

// Links that an earlier page made open the same moment: every second one as an address, the others by following them from
// the one before.
func TestEarlierLinksOpenTheSame(t *testing.T) {
	t.Parallel()
	var links []struct {
		Does, Link string
		Sees       map[string]string
	}
	earlier(t, "links.json", &links)
	if len(links) != 20 {
		t.Fatalf("there are %d links", len(links))
	}
	b := open(t)
	for i, l := range links {
		if i%2 == 0 {
			b.goTo("about:blank")
			b.goTo(env.site + l.Link)
			b.ready()
			b.loaded()
		} else {
			b.run(`location.hash = ` + quote(l.Link))
		}
		for what, want := range l.Sees {
			if i%2 == 1 && what == "futures" {
				continue // those of the link before stay, where that is about the same run
			}
			b.wait(seen + `.` + what + ` === ` + quote(want))
		}
	}
}

// Settings, changed keys, the course's progress and the score of an earlier page are taken over.
func TestEarlierSettingsAreTaken(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	var kept map[string]string
	earlier(t, "storage.json", &kept)
	for name, value := range kept {
		b.run(`localStorage.setItem(` + quote(name) + `, ` + quote(value) + `)`)
	}
	b.within(b.reload)
	b.ready()
	b.loaded()
	b.wait(`document.documentElement.lang.startsWith('zh')`)
	if !b.dark() {
		t.Error("the page isn't dark")
	}
	b.wait(`document.querySelector('[data-act=speed]').value === ` + quote(kept["speed"]))
	at := b.step()
	b.key("z") // the viewer's own key
	b.stepMoves(at)
	b.key("h")
	b.wait(`document.querySelector('[data-act=lesson][data-arg=known-objects]').dataset.read === 'all'`)
}

// A recording that an earlier page saved shows the future that was saved with it.
func TestAnEarlierRunOpens(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	file, err := filepath.Abs("testdata/earlier/run.trace.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	b.upload(onFile, file)
	b.wait(`document.querySelector('.source-name').textContent === 'run.trace.jsonl.gz'`)
	b.loaded()
	b.wait(`document.querySelectorAll('.future').length === 2`)
	b.stepIs(561)
}
