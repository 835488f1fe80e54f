package test

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
)

// A browser that gives the page too little memory for a capture is told from a fault of the program. The page says so,
// and goes on with another program.
func TestTooLittleMemory(t *testing.T) {
	t.Parallel()
	inChromium.take(t)
	chromium, err := findChromium(false)
	if err != nil {
		t.Fatal(err)
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), chromiumOptions(chromium, "--liftoff-only", "--wasm-max-mem-pages=1024")...)
	t.Cleanup(cancel)
	b := tabOf(t, allocator)
	b.allow("out of memory")
	b.allow("the browser gives no more memory")
	b.goTo(env.site)
	b.ready()
	file, _ := podsTrace(t, "large.trace.jsonl", 200_000, 100_000, 0)
	b.upload(onFile, file)
	b.wait(`/no more than 6\d(\.\d)?.MB of memory, and large\.trace\.jsonl needs more/.test(document.querySelector('.notice')?.textContent)`)
	b.shot("memory")
	b.click(`[data-act=restart]`)
	b.loaded()
	b.key("End")
	b.stepMoves(0)
	b.inspect()
}

// What the browser has lost of what a worker unpacked is no fault of the viewer's file.
func TestLostBytes(t *testing.T) {
	t.Parallel()
	out, err := inNode(t, "kept.js", "kept")()
	if want := "read\nbytesLost\nfileChanged\n"; err != nil || out != want {
		t.Errorf("%v, %s\nwant %s", err, out, want)
	}
}
