package test

import (
	"os/exec"
	"regexp"
	"testing"
)

// A link of a report holds a capture's shape: the page opens it at the step of the finding, with the objects that the
// capture has, and asks for no file. The link of all of it opens the card, and a reload stays there.
func TestALinkHoldsTheRecording(t *testing.T) {
	t.Parallel()
	out, err := exec.Command(*program, "report", "-q", "--format", "markdown", "../../replay/findings/testdata/hot-key.15.trace.jsonl.gz").Output()
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\([^)#]*(#s1:[\w-]+)\)`).FindAllSubmatch(out, -1)
	if len(links) != 2 {
		t.Fatalf("%d links: %s", len(links), out)
	}
	b := newTab(t)
	b.goTo(env.site + string(links[0][1]))
	b.ready()
	b.wait(`!document.documentElement.dataset.view && Number(document.documentElement.dataset.step) > 0`)
	b.wait(`document.querySelector('[data-place="store/shop/hot"]') !== null`)
	b.shot("step")

	b = newTab(t)
	b.goTo(env.site + string(links[1][1]))
	const card = `document.documentElement.dataset.view === 'card' && document.body.textContent.includes('shop/hot of configmaps in shop changed 180 times')`
	b.wait(card)
	b.shot("card")
	b.within(b.reload)
	b.wait(card)
}
