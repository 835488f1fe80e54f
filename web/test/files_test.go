package test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestOpensFilesOfEveryKind(t *testing.T) {
	t.Parallel()
	stream := watchStream(20)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(stream)
	z.Close()
	b := open(t)
	b.loaded()
	for _, c := range []struct {
		name string // says nothing, or something wrong
		data []byte
	}{
		{"one-a-line", stream},
		{"zipped.json", zipped.Bytes()},
		{"in-one-line.ndjson", bytes.ReplaceAll(stream, []byte("\n"), nil)},
		{"list.trace.jsonl", []byte(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[` + pod(1, 5, "") + `]}`)},
	} {
		file := writeFile(t, c.name, func(w io.Writer) { w.Write(c.data) })
		b.upload(onFile, file)
		b.wait(`document.body.textContent.includes(` + quote(filepath.Base(file)) + `)`)
		b.loaded()
		b.stepIs(0)
		b.key("ArrowRight", shift)
		b.stepMoves(0)
		b.key("End")
		b.wait(`document.querySelector('main').textContent.includes('web-1')`)
	}
}

func TestDropsAndPastes(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	file := writeFile(t, "dropped.ndjson", func(w io.Writer) { w.Write(watchStream(5)) })
	b.drop("main", file)
	b.wait(`document.body.textContent.includes('dropped.ndjson')`)
	b.loaded()

	b.key("ArrowRight", shift)
	b.stepMoves(0)
	b.run(`const d = new DataTransfer(); d.setData('text/plain', ` + quote(string(watchStream(7))) + `);
		document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true, cancelable: true}))`)
	b.wait(`!document.body.textContent.includes('dropped.ndjson')`)
	b.loaded()
	b.stepIs(0)
}

func TestACutFileIsShownUpToTheCut(t *testing.T) {
	t.Parallel()
	stream := watchStream(10)
	file := writeFile(t, "cut.ndjson", func(w io.Writer) { w.Write(stream[:len(stream)-30]) })
	lastLine := bytes.LastIndexByte(stream[:len(stream)-30], '\n') + 1
	b := open(t)
	b.loaded()
	b.upload(onFile, file)
	b.wait(`document.body.textContent.includes('cut.ndjson')`)
	b.loaded()
	b.wait(`/line 10\D+byte [\d\s\u00a0\u202f,.]+/.test(document.body.innerText)`)
	digits := regexp.MustCompile(`\D`).ReplaceAllString(eval[string](b, `document.body.innerText.match(/line 10\D+byte ([\d\s\u00a0\u202f,.]+)/)[1]`), "")
	if at, _ := strconv.Atoi(digits); at < lastLine || at > len(stream)-30 {
		t.Errorf("byte %s is named, and the cut line is from %d to %d", digits, lastLine, len(stream)-30)
	}
	b.shot("cut")
	b.key("End")
	if n := b.stepMoves(0); n < 9 {
		t.Errorf("only %d steps were made of what was read", n)
	}
}

func TestAFileThatIsNoTrace(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	file := writeFile(t, "letter.txt", func(w io.Writer) { io.WriteString(w, "Dear Sir or Madam,\nthis is no trace.\n") })
	b.upload(onFile, file)
	b.wait(`/kubectl get/.test(document.body.innerText)`)
	b.shot("no-trace")
	// The next file is a trace.
	b.upload(onFile, writeFile(t, "good.ndjson", func(w io.Writer) { w.Write(watchStream(5)) }))
	b.wait(`document.body.textContent.includes('good.ndjson')`)
	b.loaded()
	b.key("End")
	b.stepMoves(0)
}

func TestDeepNestingDoesNotEndTheProgram(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	deep := strings.Repeat("[", 200_000)
	b.upload(onFile, writeFile(t, "deep.ndjson", func(w io.Writer) {
		w.Write(watchStream(5))
		io.WriteString(w, `{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"deep","x":`+deep+"\n")
	}))
	b.wait(`document.body.textContent.includes('deep.ndjson')`)
	b.loaded()
	b.key("End")
	b.stepMoves(0)
}

func TestCancelWhileLoading(t *testing.T) {
	t.Parallel()
	file, _ := podsTrace(t, "large.trace.jsonl.gz", 60_000, 2_000, 2_000)
	b := open(t)
	b.loaded()
	b.pressOnSight(onCancel, func() { b.upload(onFile, file) })
	b.loaded()
	// What was read stays, and the page can be used.
	b.key("ArrowRight", shift)
	b.stepMoves(0)
}

func TestMarkupInATraceIsText(t *testing.T) {
	t.Parallel()
	file := hostileTrace(t)
	b := open(t)
	b.loaded()
	b.upload(onFile, file)
	b.wait(`document.body.textContent.includes('hostile<b>')`)
	b.loaded()
	found := map[string]bool{}
	look := func() {
		text := eval[string](b, `document.body.textContent + [...document.querySelectorAll('[title],[aria-label],[value]')].map(e => (e.title ?? '') + (e.ariaLabel ?? '') + (e.value ?? '')).join(' ')`)
		for _, m := range markup {
			found[m] = found[m] || strings.Contains(text, m)
		}
	}
	look()
	b.key("End")
	end := b.stepMoves(0)
	look()
	for n := end; n > max(0, end-400); {
		b.key("ArrowLeft", shift)
		before := n
		n = b.stepMoves(before)
		look()
		if n == 0 {
			break
		}
	}
	at := b.step()
	b.key("5")
	b.stepMoves(at)
	b.inspect()
	b.wait(`document.body.textContent.includes('annotations')`)
	look()
	b.shot("hostile")
	for _, m := range markup {
		if !found[m] {
			t.Errorf("this markup is nowhere shown as text: %s", m)
		}
	}
	if eval[bool](b, `'__owned' in window`) {
		t.Error("markup of the trace was run")
	}
	if n := eval[int](b, `document.querySelectorAll('img[src=x], svg[onload], [onerror]').length`); n != 0 {
		t.Errorf("%d elements were made of markup of the trace", n)
	}
	if refused := eval[[]string](b, `window.__refused`); len(refused) != 0 {
		t.Errorf("the policy had to step in: %q", refused)
	}
}

// The bundled trace is dropped as a file.
func bundled(t testing.TB) string {
	t.Helper()
	const name = "../traces/shop.trace.jsonl.gz"
	if _, err := os.Stat(name); err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// The page looks for damage in the parts of objects that it doesn't read when
// it has time, and reports it. This holds for files that are read in place and
// for unpacked ones.
func TestDamageInWhatIsNotRead(t *testing.T) {
	t.Parallel()
	watch := unpacked(t, "format/testdata/pods.watch.ndjson.gz")
	lines := bytes.SplitAfter(watch, []byte{'\n'})
	lines[6] = bytes.Replace(lines[6], []byte(`"restartPolicy":`), []byte(`"restartPolicy";`), 1)
	watch = bytes.Join(lines, nil)
	b := open(t)
	b.loaded()
	for name, data := range map[string][]byte{"plain.ndjson": watch, "zipped.ndjson": gzipped(watch)} {
		b.choose(data, name)
		b.wait(`/line 7.*invalid character ';'/s.test(document.querySelector('.notice')?.textContent)`)
		if got, want := b.aboutDialog(), "a watch stream: pods v1, events 145, lists 0; times made up; remarks 0, problems 1"; got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}

// A file that changes while it is open says so when somebody looks at an object. The run stays, and the file opens anew.
func TestAFileThatChanges(t *testing.T) {
	t.Parallel()
	watch := unpacked(t, "format/testdata/pods.watch.ndjson.gz")
	b := open(t)
	b.loaded()
	for name, data := range map[string][]byte{"plain.ndjson": watch, "zipped.ndjson": gzipped(watch)} {
		file := filepath.Join(t.TempDir(), name)
		write := func(data []byte) {
			t.Helper()
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write(data)
		b.upload(onFile, file)
		b.opened(name)
		write(append(data, data...))
		b.toEnd()
		b.click(`main [data-act=inspect]`)
		b.wait(`document.body.innerText.includes('the file has changed since it was opened, or is gone: open it again')`)
		b.upload(onFile, file)
		b.opened(name)
		b.size(1440, 1100) // beside a notice, a lower API server hides what it sends
		b.inspect()
	}
}

// A capture whose JSON differs from what an API server writes is read once
// more. The viewer's step stays.
func TestAMisreadCaptureIsReadAgain(t *testing.T) {
	t.Parallel()
	watch := unpacked(t, "format/testdata/pods.watch.ndjson.gz")
	watch = bytes.ReplaceAll(watch, []byte(`,"spec":{"volumes"`), []byte(`,"metadata":{"name":"second-reading"},"spec":{"volumes"`))
	b := open(t)
	b.loaded()
	for name, data := range map[string][]byte{"plain.ndjson": watch, "zipped.ndjson": gzipped(watch)} {
		b.choose(data, name)
		b.opened(name)
		b.key("End")
		b.wait(`document.body.textContent.includes('second-reading')`)
		b.stepMoves(0)
		b.size(1440, 1100) // beside a notice, a lower API server hides what it sends
		b.inspect()
		b.wait(`/"name": "second-reading"/.test(document.body.innerText)`)
	}
}

// A folder is dropped with all its files: its lists are one state, and files
// that are no captures are counted.
func TestDropsAFolder(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	dir := filepath.Join(t.TempDir(), "dump")
	for name, text := range map[string]string{
		"shop/pods.json": `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[` + pod(1, 5, "") + `]}`,
		"ops/pods.json":  `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"},"items":[` + pod(2, 6, "") + `]}`,
		"ops/logs.txt":   "hello\n", ".hidden/x.json": "{",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.drop("main", dir)
	b.opened("dump")
	b.wait(`document.querySelector('.notice')?.textContent.includes('1 file in the folder')`)
	b.key("End")
	b.wait(`['web-1', 'web-2'].every((name) => document.querySelector('main').textContent.includes(name))`)
}

// sharkOf returns a capture of k8shark with one record: the answer to a list of
// pods.
func sharkOf(t testing.TB, record []byte) []byte {
	t.Helper()
	const path = "/api/v1/pods"
	sum := sha256.Sum256([]byte(path))
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range []struct {
		name string
		b    []byte
	}{
		{"c/metadata.json", []byte(`{"format_version":2}`)},
		{"c/index.json.zst", zstandard(fmt.Appendf(nil, `{"entries":{%q:{"api_path":%q,"seqs":[0],"times":["2026-04-10T10:00:00Z"]}}}`, path, path))},
		{"c/records/" + hex.EncodeToString(sum[:8]) + "/0.json.zst", zstandard(record)},
	} {
		w, err := z.Create(e.name)
		if err == nil {
			_, err = w.Write(e.b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// billion is YAML whose aliases stand for a billion texts.
func billion() []byte {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return []byte(b.String())
}

// No content of a file ends the program or takes away what was open. This is
// tested in a browser because a worker's stack is small, and its overflow can't
// be caught.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	const levels = 100_000
	opening, closing := strings.Repeat("[", levels), strings.Repeat("]", levels)
	nested := `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"deep","namespace":"x","uid":"1","resourceVersion":"1","x":` + opening + closing + `}}`
	quoted := strings.NewReplacer(`"`, `\"`).Replace(nested)
	const long, deep = 300_000_000, "the value nests deeper than 1000"
	endless := append(append([]byte(`{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"`), bytes.Repeat([]byte{'0'}, long)...), `"}}}`...)
	b := open(t)
	b.loaded()
	isOpen := "good.ndjson"
	b.choose(watchStream(5), isOpen)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"deep-watch", []byte(`{"type":"ADDED","object":` + nested + "}\n"), deep},
		{"deep-watch.zst", zstandard([]byte(`{"type":"ADDED","object":` + nested + "}\n")), deep},
		{"deep-object", []byte(nested), deep},
		{"deep-list", []byte(`{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[` + nested + "]}"), deep},
		{"deep-table", []byte(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"columnDefinitions":[],"rows":[{"cells":` + opening + closing + `,"object":{}}]}`), deep},
		{"deep-audit", []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","responseObject":` + nested + "}\n"), deep},
		{"deep-har", []byte(`{"log":{"version":"1.2","creator":{"name":"x"},"entries":[` + nested + `]}}`), "none of the 0 requests"},
		{"deep-body-har", []byte(`{"log":{"version":"1.2","creator":{"name":"x"},"entries":[{"startedDateTime":"2026-11-20T20:00:00Z","time":1,"request":{"method":"GET","url":"https://x/api/v1/pods"},"response":{"status":200,"content":{"text":"` + quoted + `"}}}]}}`), "none of the 1 requests"},
		{"deep-klog", []byte(`I1120 20:56:35.744729   22201 round_trippers.go:632] "Response" verb="GET" url="https://x/api/v1/pods?limit=500" status="200 OK"` + "\n" +
			`I1120 20:56:35.744730   22201 helper.go:113] "Response Body" body="` + quoted + `"` + "\n"), "no list is in the log"},
		{"deep-scheduler", []byte(`{"time":"2026-11-20T20:00:00Z","event":"Add","resource":` + nested + "}\n"), deep},
		{"deep-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x: " + opening + closing + "\n"), deep},
		{"less-deep-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x: " + opening[:9000] + closing[:9000] + "\n"), deep},
		{"deep-as-can-be-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x: " + opening[:1990] + closing[:1990] + "\n"), deep},
		{"deep-as-can-be-block-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x:\n    " + strings.Repeat("- ", 990) + "x\n"), ""},
		{"less-deep-block-yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: deep\n  x:\n    " + strings.Repeat("- ", 9000) + "x\n"), deep},
		{"deep-kwok", []byte("apiVersion: config.kwok.x-k8s.io/v1alpha1\nkind: ResourcePatch\nresource: {group: \"\", version: v1, resource: pods}\ntarget: {name: deep}\ndurationNanosecond: 1\nmethod: create\ntemplate: " + nested + "\n"), deep},
		{"deep-simkube", []byte("\x82\xa7version\x02\xa6events\x91\x82\xa2ts\x01\xacapplied_objs\x91" + strings.Repeat("\x91", levels)), deep},
		{"deep-shark", sharkOf(t, []byte(`{"captured_at":"2026-04-10T10:00:00Z","response_code":200,"response_body":`+nested+`}`)), deep},
		{"deep-own.zst", zstandard([]byte(`{"informerscope":"trace","version":1}` + "\n" + `{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}` + "\n" + `{"t":0,"id":1,"body":` + nested + "}\n")), deep},
		{"aliases", billion(), "the document's aliases stand for more than 100000 nodes, which is the limit"},
		{"huge-shark", sharkOf(t, bytes.Repeat([]byte{' '}, long)), "longer than 67108864 bytes"},
		{"long.gz", gzipped(endless), "longer than 67108864 bytes"},
		{"long.zst", zstandard(endless), "longer than 67108864 bytes"},
	} {
		b.choose(c.data, c.name)
		said := b.text(`.notice`)
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: the page says %q, want %q", c.name, said, c.want)
		}
		if died := eval[bool](b, `!!document.querySelector('[data-act=restart]')`); died {
			t.Fatalf("%s has ended the program", c.name)
		}
		if !strings.Contains(said, "could not be opened") {
			isOpen = c.name // the name without what was passed over
		}
		if source := b.text(`.source-name`); source != isOpen {
			t.Errorf("%s: %s is open, want %s", c.name, source, isOpen)
		}
		b.key("Home")
		b.stepIs(0)
		b.key("End")
		b.stepMoves(0)
	}
}

// inTheMiddle has the page do something while it loads a file of this name.
func (b *tab) inTheMiddle(name, does string) {
	b.t.Helper()
	b.run(`const look = () => {
		const d = document.documentElement.dataset;
		if (d.loading === 'true' && d.step !== undefined && document.querySelector('.source').textContent.includes(` + quote(name) + `)) { ` + does + ` }
		else requestAnimationFrame(look);
	};
	requestAnimationFrame(look)`)
}

// allOf is what About says of a recording that is large enough for something to happen while it loads.
const allOf = "a trace of informerscope: pods v1, events 40\u202f000, lists 1; times true; remarks 0, problems 0"

func (b *tab) hasAllOf(name string) {
	b.t.Helper()
	b.opened(name)
	if said := b.aboutDialog(); said != allOf {
		b.t.Errorf("About says %s", said)
	}
}

// A page that is reloaded while it reads a file reads all of it then.
func TestAReloadInTheMiddle(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	file, _ := podsTrace(t, "reloaded.trace.jsonl", 40_000, 2_000, 700)
	b := open(t)
	b.loaded()
	b.wait(`navigator.serviceWorker.controller`) // it holds the file meanwhile
	b.inTheMiddle("reloaded", `window.__before = true; location.reload()`)
	b.upload(onFile, file)
	b.wait(`!window.__before && document.documentElement.dataset.ready === 'true'`)
	b.hasAllOf("reloaded")
}

// Two tabs that read a file at the same time take nothing from each other.
func TestTwoTabsReadAtOnce(t *testing.T) {
	t.Parallel()
	file, _ := podsTrace(t, "shared.trace.jsonl", 40_000, 2_000, 700)
	a := open(t)
	a.loaded()
	b := a.secondTab()
	b.goTo(env.site)
	b.ready()
	b.loaded()
	a.upload(onFile, file)
	b.upload(onFile, file)
	a.hasAllOf("shared")
	b.hasAllOf("shared")
}
