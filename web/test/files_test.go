package test

import (
	"bytes"
	"compress/gzip"
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
	b.upload(onFile, file)
	b.pressOnSight(onCancel)
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
		if got, want := b.about(), "a watch stream: pods v1, events 145, lists 0; times made up; remarks 0, problems 1"; got != want {
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
	b.wait(`document.querySelector('.notice')?.textContent.includes('1 file in the folder')`)
	b.loaded()
	b.key("End")
	b.wait(`['web-1', 'web-2'].every((name) => document.querySelector('main').textContent.includes(name))`)
}
