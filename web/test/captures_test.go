package test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

func testdata(t testing.TB, name string) string {
	t.Helper()
	abs, err := filepath.Abs("../../replay/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// opened waits until a file of that name is open and read to its end.
func (b *tab) opened(name string) {
	b.t.Helper()
	b.wait(`document.querySelector('.source').textContent.includes(` + quote(name) + `)`)
	b.loaded()
}

// The first remark about a capture is shown at once, and a dialog has all of
// them.
func TestRemarksAboutACapture(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"chosen", "dropped"} {
		t.Run(way, func(t *testing.T) {
			b := open(t)
			b.loaded()
			file := testdata(t, "format/testdata/kubectl-get-pods-w-noevents.json.gz")
			if way == "chosen" {
				b.upload(onFile, file)
			} else {
				b.drop("main", file)
			}
			b.opened("kubectl-get-pods-w-noevents")
			b.wait(`/without watch events/.test(document.querySelector('.notice')?.textContent) && /1 more/.test(document.querySelector('.notice').textContent)`)
			b.wait(`/times made up/.test(document.querySelector('.transport').textContent)`)
			b.shot("notice")
			b.click(`.notice [data-act=about]`)
			b.wait(`document.documentElement.dataset.dialog === 'about'`)
			text := eval[string](b, `document.querySelector('dialog[open]').innerText`)
			for _, want := range []string{"deletions can't be seen", "evenly spaced", "worked out from its uid", "pods"} {
				if !strings.Contains(text, want) {
					t.Errorf("the dialog doesn't say %q:\n%s", want, text)
				}
			}
			b.shot("about")
			b.key("Escape")
			b.wait(`!document.querySelector('dialog[open]')`)
			b.click(`.notice [data-act=notice]`)
			b.wait(`!document.querySelector('.notice')`)
			b.key("End")
			b.stepMoves(0)
		})
	}
}

func TestOpensAnAuditLog(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.upload(onFile, testdata(t, "convert/testdata/audit.jsonl.gz"))
	b.opened("audit.jsonl.gz")
	b.wait(`document.querySelector('.notice [data-act=about]')`)
	b.key("a")
	b.wait(`/an audit log of the API server/.test(document.querySelector('dialog[open] .about-facts')?.textContent)`)
	b.wait(`/audit log has no watch events/.test(document.querySelector('dialog[open] .remarks').textContent)`)
	b.shot("about")
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	b.key("End")
	b.stepMoves(0)
}

func TestSeveralFilesAreOneTrace(t *testing.T) {
	t.Parallel()
	pods := testdata(t, "format/testdata/pods.watch.ndjson.gz")
	maps := testdata(t, "format/testdata/kubectl-get-configmaps-w-events.json")
	for _, way := range []string{"chosen", "dropped"} {
		t.Run(way, func(t *testing.T) {
			b := open(t)
			b.loaded()
			if way == "chosen" {
				b.upload(onFile, pods, maps)
			} else {
				b.drop("main", pods, maps)
			}
			b.wait(`/configmaps/.test(document.querySelector('.informer select')?.textContent) && /pods/.test(document.querySelector('.informer select').textContent)`)
			b.loaded()
			b.key("a")
			b.wait(`document.documentElement.dataset.dialog === 'about'`)
			if text := b.text(`dialog[open] .about-facts`); !strings.Contains(text, "a watch stream") || !strings.Contains(text, " + ") || !strings.Contains(text, "kubectl get -w") {
				t.Errorf("the dialog says of the formats: %s", text)
			}
			b.key("Escape")
			b.wait(`!document.querySelector('dialog[open]')`)
			b.key("End")
			end := b.stepMoves(0)
			b.key("i") // and the other informer
			b.wait(`document.documentElement.dataset.step !== '` + num(end) + `'`)
			b.loaded()
			b.key("End")
			b.stepMoves(0)
		})
	}
}

// A file of unknown format is refused. The page says which formats it looked
// for and what it found, and keeps what was open.
func TestAnUnknownFileTakesNothingAway(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.upload(onFile, writeFile(t, "good.ndjson", func(w io.Writer) { w.Write(watchStream(5)) }))
	b.opened("good.ndjson")
	b.upload(onFile, writeFile(t, "letter.bin", func(w io.Writer) { io.WriteString(w, "\x7fELF\x02\x01 <b>no trace</b>") }))
	b.wait(`/letter\.bin could not be opened/.test(document.querySelector('.notice')?.textContent)`)
	text := b.text(".notice")
	for _, want := range []string{"looked for", "a trace of informerscope", "an audit log", "a watch stream", `the input begins "\x7fELF`, "<b>no trace</b>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page doesn't say %q: %s", want, text)
		}
	}
	b.shot("refused")
	b.opened("good.ndjson")
	b.key("End")
	b.wait(`document.querySelector('[data-place="store/load-1/web-1"]')`)
}

// Whatever a converted trace says about itself is shown as text.
func TestMarkupInRemarksIsText(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "remarks.trace.jsonl", func(w io.Writer) {
		img, script, svg, link := quote(markup[0]), quote(markup[1]), quote(markup[2]), quote(markup[3])
		fmt.Fprintf(w, `{"informerscope":"trace","version":1,"start":%s,"server":%s,"note":%s,"redacted":[%s],"from":%s,"truncated":true}`+"\n", img, script, svg, link, img)
		fmt.Fprintf(w, `{"t":0,"remark":{"id":"pagesMissing","detail":%s}}`+"\n", img)
		fmt.Fprintf(w, `{"t":0,"remark":{"id":%s,"detail":%s,"count":3}}`+"\n", script, svg)
		fmt.Fprintln(w, `{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}`)
		fmt.Fprintln(w, `{"t":2,"id":1,"resp":{"status":200,"contentType":"application/json"}}`)
		fmt.Fprintf(w, `{"t":3,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[%s]}}`+"\n", pod(1, 5, ""))
		fmt.Fprintln(w, `{"t":4,"id":1,"end":{"how":"eof"}}`)
	})
	b := open(t)
	b.loaded()
	b.upload(onFile, file)
	b.opened("remarks.trace.jsonl")
	b.wait(`document.querySelector('.notice')?.textContent.includes(` + quote(markup[0]) + `)`)
	b.key("a")
	b.wait(`document.documentElement.dataset.dialog === 'about'`)
	text := b.text(`dialog[open]`)
	for _, m := range markup {
		if !strings.Contains(text, m) {
			t.Errorf("the page doesn't show as text: %s\n%s", m, text)
		}
	}
	b.shot("hostile")
	if eval[bool](b, `'__owned' in window || !!document.querySelector('img[src=x], svg[onload], [onerror]')`) {
		t.Error("elements were made of what the trace says")
	}
}
