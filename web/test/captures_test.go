package test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/klauspost/compress/zstd"
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
			if text := eval[string](b, `fetch(document.querySelector('dialog[open] a[href$="NOTICES.txt"]').href).then(r => r.text())`); !strings.Contains(text, "honnef.co/go/js/dom/v2 v") || !strings.Contains(text, "Redistribution and use") {
				t.Errorf("the licences are %.100q", text)
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

// A file of unknown format is refused. The page says how it begins, and keeps what was open.
func TestAnUnknownFileTakesNothingAway(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.upload(onFile, writeFile(t, "good.ndjson", func(w io.Writer) { w.Write(watchStream(5)) }))
	b.opened("good.ndjson")
	b.upload(onFile, writeFile(t, "letter.bin", func(w io.Writer) { io.WriteString(w, "\x7fELF\x02\x01 <b>no trace</b>") }))
	b.wait(`/letter\.bin could not be opened/.test(document.querySelector('.notice')?.textContent)`)
	text := b.text(".notice")
	for _, want := range []string{`unknown format (starts with "\x7fELF`, "<b>no trace</b>", "informerscope help formats"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page doesn't say %q: %s", want, text)
		}
	}
	b.shot("refused")
	b.opened("good.ndjson")
	b.key("End")
	b.wait(`document.querySelector('[data-place="store/load-1/web-1"]')`)
}

// Where nothing tells the kind of objects, the page asks for it, by keyboard and on a phone. It is kept with the file,
// and can be changed.
func TestAsksForTheKindOfObjects(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	file := writeFile(t, "strange.json", func(w io.Writer) {
		io.WriteString(w, `[{"metadata":{"name":"a","namespace":"x","uid":"1","resourceVersion":"5"},"size":3},{"metadata":{"name":"b","namespace":"x","uid":"2","resourceVersion":"6"},"size":4}]`)
	})
	b.upload(onFile, file)
	b.wait(`/don't say their kind/.test(document.querySelector('.notice')?.textContent)`)
	b.shot("asks")
	b.focus(`.notice .kind-asked input`)
	b.perform(chromedp.KeyEvent("x.io/v1/Widget"))
	b.key("Enter")
	b.opened("strange.json")
	if text := b.aboutDialog(); !strings.Contains(text, "widgets.x.io") {
		t.Errorf("About says %s", text)
	}
	b.goTo(env.site)
	b.loaded()
	b.upload(onFile, file)
	b.opened("strange.json")
	if text := b.aboutDialog(); !strings.Contains(text, "widgets.x.io") {
		t.Errorf("the second time, About says %s", text)
	}
	b.size(390, 844)
	b.key("a")
	b.wait(`document.querySelector('dialog[open] .kind-asked')`)
	b.shot("about")
	b.focus(`dialog[open] .kind-asked input`)
	b.run(`document.activeElement.select()`)
	b.perform(chromedp.KeyEvent("Pod"))
	b.wait(`document.querySelector('dialog[open] .kind-asked input').value === 'Pod'`)
	b.click(`dialog[open] [data-act=openKind]`)
	b.wait(`!document.querySelector('dialog[open]')`)
	b.opened("strange.json")
	if text := b.aboutDialog(); !strings.Contains(text, "pods") {
		t.Errorf("as pods, About says %s", text)
	}
	b.size(1440, 900)
	b.opensTab("compare")
	b.click(`.compare-choice > button`)
	b.wait(`document.documentElement.dataset.dialog === 'second'`)
	b.drop("dialog", writeFile(t, "beside.json", func(w io.Writer) {
		io.WriteString(w, `[{"metadata":{"name":"a","namespace":"x","uid":"1","resourceVersion":"5"},"size":3},{"metadata":{"name":"c","namespace":"x","uid":"3","resourceVersion":"7"},"size":4}]`)
	}))
	b.wait(`/don't say their kind/.test(document.querySelector('.notice')?.textContent)`)
	b.shot("asks beside")
	b.focus(`.notice .kind-asked input`)
	b.perform(chromedp.KeyEvent("Pod"))
	b.key("Enter")
	b.wait(`document.querySelector('.pane-1')?.textContent.includes('strange.json') && document.querySelector('.pane-2')?.textContent.includes('beside.json') && !document.querySelector('.kind-asked')`)
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

// samples has a capture of each format, and what the page says about it: the
// name of the format; the informer shown, with its watch events and lists; the
// number of informers; whether the times are true; the numbers of remarks and
// problems; and the number of objects in the indexer in the end.
var samples = []struct{ file, want string }{
	{"format/testdata/pods.watch.ndjson.gz", "a watch stream: pods v1, events 145, lists 0; times made up; remarks 0, problems 0; in the end 0 in the cache"},
	{"format/testdata/watch-pretty.ndjson", "a watch stream: configmaps v1, events 16, lists 0; times made up; remarks 0, problems 0; in the end 16 in the cache"},
	{"convert/testdata/made-410.ndjson", "a watch stream: pods v1, events 2, lists 0; times made up; remarks 0, problems 0; in the end 1 in the cache"},
	{"format/testdata/watch-cut-midjson-fin.ndjson", "a watch stream: nodes v1, events 5, lists 0; times made up; remarks 0, problems 1; in the end 5 in the cache"},
	{"format/testdata/pods-streaminglist.ndjson.gz", "a watch stream: pods v1, events 147, lists 0; times made up; remarks 0, problems 0; in the end 0 in the cache"},
	{"format/testdata/kubectl-get-pods-w-events.json.gz", "kubectl get -w, with watch events: pods v1, events 142, lists 0; times made up; remarks 0, problems 0; in the end 0 in the cache"},
	{"convert/testdata/kubectl-get-pods-w-events.yaml.gz", "kubectl get -w, with watch events: pods v1, events 142, lists 0; times made up; remarks 0, problems 0; in the end 0 in the cache"},
	{"format/testdata/kubectl-get-pods-w-noevents.json.gz", "objects one after the other, without watch events: pods v1, events 142, lists 0; times made up; remarks 2, problems 0; in the end 17 in the cache"},
	{"convert/testdata/made-noevents.yaml", "objects one after the other, without watch events: pods v1, events 3, lists 0; times made up; remarks 2, problems 0; in the end 2 in the cache"},
	{"format/testdata/configmaps.list.p1.json", "lists (kubectl get): configmaps v1, events 0, lists 1; times made up; remarks 0, problems 0; in the end 14 in the cache"},
	{"convert/testdata/made-list.yaml", "lists (kubectl get): pods v1, events 0, lists 1; times made up; remarks 0, problems 0; in the end 2 in the cache"},
	{"convert/testdata/made-dumps.json", "lists (kubectl get): pods v1, events 3, lists 1; times made up; remarks 1, problems 0; in the end 2 in the cache"},
	{"convert/testdata/audit.jsonl.gz", "an audit log of the API server: pods v1, events 104, lists 1, and 8 more; times true; remarks 4, problems 0; in the end 0 in the cache"},
	{"convert/testdata/pods-table.ndjson.gz", "a watch stream: objects v1, events 146, lists 0; times made up; remarks 1, problems 0; in the end 0 in the cache"},
	{"convert/testdata/pods-table-includeobject-none.ndjson", "a watch stream: objects v1, events 142, lists 0; times made up; remarks 1, problems 0; in the end 0 in the cache"},
	{"format/testdata/list-table.json", "lists (kubectl get): objects v1, events 0, lists 1; times made up; remarks 1, problems 0; in the end 5 in the cache"},
	{"convert/testdata/pods-partialobjectmetadata.ndjson.gz", "a watch stream: objects v1, events 146, lists 0; times made up; remarks 1, problems 0; in the end 0 in the cache"},
	{"convert/testdata/kwokctl-snapshot-record.yaml.gz", "a recording of kwokctl: pods v1, events 142, lists 1, and 6 more; times true; remarks 2, problems 0; in the end 0 in the cache"},
	{"convert/testdata/made-v1.kshrk", "a capture of k8shark: pods in x v1, events 7, lists 1, and 1 more; times made up; remarks 1, problems 0; in the end 2 in the cache"},
	{"convert/testdata/made-v2.kshrk", "a capture of k8shark: pods in x v1, events 7, lists 1, and 1 more; times true; remarks 1, problems 0; in the end 2 in the cache"},
	{"convert/testdata/made.sktrace", "a trace of SimKube: pods v1, events 6, lists 1, and 1 more; times true; remarks 3, problems 0; in the end 3 in the cache"},
	{"convert/testdata/made-scheduler.jsonl", "records of kube-scheduler-simulator: pods v1, events 4, lists 0; times true; remarks 1, problems 0; in the end 1 in the cache"},
	{"convert/testdata/made.har", "HAR, from a browser or proxy: pods v1, events 3, lists 1; times true; remarks 1, problems 0; in the end 4 in the cache"},
	{"convert/testdata/kubectl-v9-configmaps.stderr.log", "a log of kubectl -v=9: configmaps v1, events 0, lists 1; times true; remarks 2, problems 0; in the end 10 in the cache"},
	{"convert/testdata/kubectl-v10-pods.stderr.log", "a log of kubectl -v=9: pods v1, events 0, lists 1; times true; remarks 1, problems 0; in the end 0 in the cache"},
	{"format/testdata/shop.trace.jsonl.gz", "a trace of informerscope: pods v1, events 145, lists 1, and 11 more; times true; remarks 0, problems 0; in the end 0 in the cache"},
}

// packings are the ways in which a capture may be compressed.
var packings = []struct {
	suffix string
	pack   func([]byte) []byte
}{
	{"", func(b []byte) []byte { return b }},
	{".gz", gzipped},
	{".zst", zstandard},
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b) // a buffer never fails
	z.Close()
	return out.Bytes()
}

func zstandard(b []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err) // without options, nothing can be wrong
	}
	return z.EncodeAll(b, nil)
}

// unpacked returns a file of testdata, uncompressed.
func unpacked(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(testdata(t, name))
	if err == nil && strings.HasSuffix(name, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			b, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every capture opens, however it is packed. Its content decides how: the names
// say nothing. What unpacks a file doesn't know formats, so the packings take
// turns; -whole tries each file in each of them.
func TestEveryCaptureOpens(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	for i, s := range samples {
		plain := unpacked(t, s.file)
		for k, p := range packings {
			if !*whole && k != i%len(packings) {
				continue
			}
			name := "capture-" + strconv.Itoa(i) + p.suffix
			if got := b.opens(p.pack(plain), name); got != s.want {
				t.Errorf("%s%s:\n got %s\nwant %s", s.file, p.suffix, got, s.want)
			}
		}
	}
}

// opens opens a file under a fresh name, and returns what the page says about
// it or why the page refuses it.
func (b *tab) opens(data []byte, name string) string {
	b.t.Helper()
	if b.choose(data, name); eval[bool](b, `/could not be opened/.test(document.querySelector('.notice')?.textContent)`) {
		return "refused: " + b.text(".notice .detail")
	}
	said := b.aboutDialog()
	b.key("End")
	b.stepMoves(0)
	return said + "; in the end " + b.text(`[data-station=store] .station-says`)
}

// choose opens a file under a fresh name, and waits until it is read or
// refused.
func (b *tab) choose(data []byte, name string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), name)
	b.check(os.WriteFile(file, data, 0o600))
	b.upload(onFile, file)
	b.wait(`document.body.textContent.includes(` + quote(name) + `)`)
	b.loaded()
}

// aboutDialog returns what the page says about the open trace.
func (b *tab) aboutDialog() string {
	b.t.Helper()
	b.key("a")
	b.wait(`document.documentElement.dataset.dialog === 'about' && document.querySelector('dialog[open] .about-facts')`)
	said := eval[string](b, `(() => {
		const d = document.querySelector('dialog[open]');
		const facts = {};
		d.querySelectorAll('.about-facts dt').forEach(e => { facts[e.textContent] = e.nextElementSibling.textContent });
		const rows = [...d.querySelectorAll('.about-resources tbody tr')];
		const [name, events, lists] = (rows.find(r => r.ariaCurrent) ?? rows[0]).children;
		const count = s => d.querySelectorAll(s + ' > li').length;
		return facts['read from'] + ': ' + name.textContent + ', events ' + events.textContent + ', lists ' + lists.textContent +
			(rows.length > 1 ? ', and ' + (rows.length - 1) + ' more' : '') + '; times ' + (/^The times are made up/.test(facts.times) ? 'made up' : 'true') +
			'; remarks ' + count('.remarks') + ', problems ' + count('.problems');
	})()`)
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	return said
}

// A wrong name does no harm, and a right one helps where the content of a file
// is ambiguous.
func TestContentsComeBeforeNames(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	audit := unpacked(t, "convert/testdata/audit.jsonl.gz")
	cut := audit[bytes.IndexByte(audit, '\n')/2:] // it begins inside a line
	watch, yaml := unpacked(t, "format/testdata/pods.watch.ndjson.gz"), unpacked(t, "convert/testdata/made-noevents.yaml")
	hidden := append(bytes.Repeat([]byte("# a comment\n"), 10_000), yaml...)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"watch.kshrk", watch, "a watch stream"},
		{"watch.yaml.gz", watch, "a watch stream"}, // and it isn't gzipped
		{"shark.json", unpacked(t, "convert/testdata/made-v2.kshrk"), "a capture of k8shark"},
		{"simkube.har", unpacked(t, "convert/testdata/made.sktrace"), "a trace of SimKube"},
		{"audit.trace.jsonl", cut, "an audit log of the API server"},
		{"comments.yaml", hidden, "objects one after the other"},
		{"comments.txt", hidden, "refused: comments.txt: unknown format"},
		{"twice.gz", gzipped(gzipped(watch)), "a watch stream"},
		{"zstd-in-gzip", gzipped(zstandard(watch)), "a watch stream"},
		{"gzip-in-zstd", zstandard(gzipped(watch)), "a watch stream"},
		{"gzip-in-parts", append(gzipped(watch[:5000]), gzipped(watch[5000:])...), "a watch stream: pods v1, events 145"},
		{"gzip-cut", gzipped(watch)[:5000], "a watch stream: pods v1"},
		{"zstd-in-parts", append(zstandard(watch[:5000]), zstandard(watch[5000:])...), "a watch stream: pods v1, events 145"},
		{"wrapped-up.gz", gzipped(gzipped(gzipped(gzipped(watch)))), "refused: wrapped-up.gz: the input is compressed more than 3 times"},
		{"protobuf", unpacked(t, "format/testdata/pods-protobuf.ndjson.gz"), "refused: protobuf: the input is protobuf: ask the API server for JSON"},
		{"encrypted.kshrk", []byte("age-encryption.org/v1\n-> scrypt x 18\n"), "refused: encrypted.kshrk: the archive is encrypted with age"},
	} {
		if got := b.opens(c.data, c.name); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// A version that asks for streaming lists gets an ordinary list of the recording as one. The setup
// offers to convert it, and the list then says that it was converted. A link says how lists are played.
func TestOrdinaryListsStayOrdinary(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.reopens("profile", "current")
	list := func(begins, says string) {
		t.Helper()
		b.run(`document.activeElement.blur()`)
		b.key("Home")
		b.stepIs(0)
		for step := int64(1); ; step++ {
			b.key("ArrowRight")
			b.stepIs(step)
			if said := eval[string](b, `[...document.querySelectorAll('.said, .why')].map(e => e.textContent).join(' ')`); strings.Contains(said, begins) {
				if !strings.Contains(said, says) || strings.Contains(said, "converted") != strings.Contains(says, "converted") {
					t.Errorf("of the list the page says %s", said)
				}
				return
			}
			if step > 40 {
				t.Fatal("there is no list")
			}
		}
	}
	list("The list arrives", "The list arrives")
	if link := b.shared(); !strings.Contains(link, "&lists=recorded&") {
		t.Errorf("the link is %s", link)
	}
	b.opensTab("setup")
	b.wait(`document.querySelector('[data-act=setup][data-arg=listed]')?.checked`)
	b.click(`.check:has([data-arg=listed])`)
	b.wait(`!document.querySelector('[data-act=applySetup]').disabled`)
	b.click(`[data-act=applySetup]`)
	b.wait(`document.querySelector('[data-act=applySetup]').disabled`)
	b.loaded()
	b.opensTab("explain")
	list("The watch is open", "converted to initial events")
	if link := b.shared(); strings.Contains(link, "&lists=") {
		t.Errorf("the link is %s", link)
	}
}

// What Prometheus has answered about the time of the recording lies over it when it is dropped on the page: the first
// series is plotted at once, any other when it is chosen. The viewer stays at the step.
func TestSeriesLieOverTheRecording(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("9")
	at := b.stepMoves(0)
	query, err := filepath.Abs("testdata/shop-query.json")
	if err != nil {
		t.Fatal(err)
	}
	b.drop("main", query)
	b.wait(`document.querySelector('.plot-name')`)
	b.loaded()
	b.stepIs(at)
	if got := eval[string](b, `document.querySelector('.plot-name').textContent`); !strings.HasPrefix(got, `workqueue_depth{job="shop<b>controller</b>",name="pods"}`) || !strings.Contains(got, "12") {
		t.Errorf("plotted is %q", got)
	}
	b.click(`.tabpanel[data-view=search] [data-arg^=process_resident]`)
	b.wait(`document.querySelector('.plot-name code').textContent.startsWith('process_resident') && document.querySelector('.plot-name .n')?.textContent.includes('50.33M')`)
	outer := b.t
	defer func() { b.t = outer }()
	for _, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		if faults := b.violations(); len(faults) > 0 {
			t.Errorf("%s: %s", lang, strings.Join(faults, "\n"))
		}
		b.shot("series " + lang)
		b.size(390, 844)
		b.shot("series narrow " + lang)
		b.size(1440, 900)
	}
	b.t = outer
	b.click(`.watched [data-act=dropExpr]`)
	b.wait(`!document.querySelector('.plot-name')`)
}

// The log of a controller that is dropped on the page lies over the recording. Where the viewer is stays, each of
// its entries leads to a step, and what it says is text. A reload keeps both, whether the recording is the page's or
// the viewer's own.
func TestLogLiesOverTheRecording(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	b := open(t)
	b.loaded()
	b.wait(`navigator.serviceWorker.controller`)
	b.key("9")
	at := b.stepMoves(0)
	log, err := filepath.Abs("testdata/shop-controller.log")
	if err != nil {
		t.Fatal(err)
	}
	b.drop("main", log)
	b.wait(`document.querySelector('.tabpanel[data-view=log]')`)
	b.loaded()
	b.stepIs(at)
	if got := eval[int](b, `document.querySelectorAll('.log-entry').length`); got != 6 {
		t.Errorf("%d entries are shown", got)
	}
	if got := eval[string](b, `document.querySelector('.log-error .log-text').textContent`); !strings.HasSuffix(got, "<b>not markup</b>\n\ta second line of it") {
		t.Errorf("an entry is %q", got)
	}
	b.click(".log-warning button")
	b.stepMoves(at) // the entry may be the current one before, at a later step
	b.wait(`document.querySelector('.log-warning [aria-current=step]')`)
	b.key("ArrowLeft")
	b.wait(`document.querySelector('.log-entry.later.log-warning')`)
	outer := b.t
	defer func() { b.t = outer }()
	for _, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		b.pairs(lang)("log")
		for _, theme := range []string{"dark", "light"} {
			b.media("prefers-color-scheme", theme)
			if faults := b.violations(); len(faults) > 0 {
				t.Errorf("%s, %s: %s", lang, theme, strings.Join(faults, "\n"))
			}
			b.shot("log " + lang + " " + theme)
			b.size(390, 844)
			b.shot("log narrow " + lang + " " + theme)
			b.size(1440, 900)
		}
	}
	b.t = outer
	for n := 6; n <= 12; n += 6 {
		at = b.step()
		b.within(b.reload)
		b.ready()
		b.stepIs(at)
		b.loaded()
		b.wait(`document.querySelectorAll('.tabpanel[data-view=log] .log-entry').length === ` + num(int64(n)))
		if n == 6 { // what is open now is the viewer's own
			b.drop("main", log)
			b.wait(`document.querySelectorAll('.tabpanel[data-view=log] .log-entry').length === 12`)
			b.loaded()
		}
	}
}
