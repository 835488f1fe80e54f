package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/internal/compresstest"
)

const secretTrace = `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z"}
{"t":1,"id":1,"req":{"method":"GET","url":"/api/v1/secrets?token=t0psecret"}}
{"t":2,"id":1,"body":{"kind":"SecretList","items":[{"metadata":{"name":"web-cert","namespace":"shop"},"data":{"key":"dDBwc2VjcmV0"}}]}}
{"t":2,"id":1,"end":{"how":"eof"}}
{"t":3,"mark":{"text":"before web-7f was there"}}
{"t":4,"id":2,"req":{"method":"GET","url":"/api/v1/namespaces/shop/pods?watch=1"}}
{"t":5,"id":2,"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"web-7f","namespace":"shop"},"spec":{"nodeName":"n1","priority":7}}}}
not JSON: t0psecret
`

// redactFile redacts a trace in a folder of its own, and returns the result.
func redactFile(t *testing.T, trace string, args ...string) (status int, result, stderr string) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.trace.jsonl"), filepath.Join(dir, "out.trace.jsonl")
	if err := os.WriteFile(in, []byte(trace), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	status = run(t.Context(), append([]string{"redact", in, out}, args...), io.Discard, &errs)
	b, err := os.ReadFile(out)
	if (err == nil) != (status == cli.ExitOK || status == cli.ExitDamaged) {
		t.Errorf("status %d, and reading the result: %v", status, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 2 {
		t.Errorf("something is left behind: %v, %v", left, err)
	}
	return status, string(b), errs.String()
}

func TestRedact(t *testing.T) {
	status, got, errs := redactFile(t, secretTrace, "--values")
	want := strings.NewReplacer(
		`42Z"}`, `42Z","redacted":["values kept: redact before you share","secret data","env values","last-applied annotations","tokens"]}`,
		"token=t0psecret", "token=REDACTED",
		"dDBwc2VjcmV0", "UkVEQUNURUQ=",
		"not JSON: t0psecret\n", `{"t":5,"redacted":{"secret data":1,"env values":0,"last-applied annotations":0,"tokens":1,"lines left out":1}}`+"\n",
	).Replace(secretTrace)
	if status != cli.ExitDamaged || got != want {
		t.Errorf("status %d:\n%s\nwant\n%s", status, got, want)
	}
	for _, want := range []string{"taken out: secret data: 1\n", ": 1 line was left out, ", "the first one is line 8\n"} {
		if !strings.Contains(errs, want) {
			t.Errorf("it says nothing of %q:\n%s", want, errs)
		}
	}
	_, shape, _ := redactFile(t, secretTrace)
	for _, want := range []string{`"redacted":["shape"]}`, `"name":"web-7f","namespace":"shop"},"spec":{"nodeName":"n1","priority":7}`, `{"t":5,"redacted":{"texts":5,"managed fields":0,"lines left out":1},"kept":{`, `"metadata.name":2,`} {
		if !strings.Contains(shape, want) {
			t.Errorf("%s is not in the shape:\n%s", want, shape)
		}
	}
	for _, gone := range []string{"t0psecret", "dDBwc2VjcmV0", `"key"`, "before"} {
		if strings.Contains(shape, gone) {
			t.Errorf("%s is in the shape:\n%s", gone, shape)
		}
	}
	if status, _, errs := redactFile(t, strings.TrimSuffix(secretTrace, "not JSON: t0psecret\n")); status != cli.ExitOK {
		t.Errorf("status %d where nothing is left out: %s", status, errs)
	}
}

// A line that is too long to be read is left out, and that is said once.
func TestRedactLeavesOutALongLine(t *testing.T) {
	const header = `{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z"}` + "\n"
	trace := header + `{"t":1,"mark":{"text":"` + strings.Repeat("long ", format.MaxLine/5) + "\"}}\n" + `{"t":2,"mark":{"text":"short"}}` + "\n"
	for _, args := range [][]string{nil, {"--values"}} {
		status, got, errs := redactFile(t, trace, args...)
		if status != cli.ExitDamaged || !strings.Contains(errs, ": 1 line was left out, ") || !strings.Contains(errs, "line 2\n") || !strings.Contains(got, `"lines left out":1`) ||
			!strings.Contains(got, `{"t":2,"mark"`) || strings.Contains(got, "long ") {
			t.Errorf("%v: status %d, %s\n%.300s", args, status, errs, got)
		}
	}
	in := filepath.Join(t.TempDir(), "in.jsonl")
	if err := os.WriteFile(in, []byte(trace), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"redact", "--check", in}, &out, &errs); status != cli.ExitDamaged || !strings.Contains(out.String(), "           1  lines left out\n") {
		t.Errorf("--check: status %d, %s%s", status, &out, &errs)
	}
}

func TestRedactNames(t *testing.T) {
	t.Setenv("INFORMERSCOPE_KEY", "sixteen letters.")
	for _, flag := range []string{"--names", "--pseudonyms"} {
		args := []string{flag, "--path", ".spec.priority"}
		_, got, _ := redactFile(t, secretTrace, args...)
		for _, name := range []string{"shop", "web-7f", "web-cert", `"n1"`, "t0psecret"} {
			if strings.Contains(got, name) {
				t.Errorf("%s: %s is still there:\n%s", flag, name, got)
			}
		}
		if !strings.Contains(got, `"priority":0`) || !strings.Contains(got, `".spec.priority":1`) {
			t.Errorf("the flags were not heeded:\n%s", got)
		}
		if _, again, _ := redactFile(t, secretTrace, args...); again != got {
			t.Error("the same key gives other tokens")
		}
	}
	_, got, _ := redactFile(t, secretTrace, "--names")
	t.Setenv("INFORMERSCOPE_KEY", "sixteen letters!")
	if _, again, _ := redactFile(t, secretTrace, "--names"); again == got {
		t.Error("another key gives the same tokens")
	}
}

// --check lists what stays, by path and with counts, and writes nothing.
func TestRedactCheck(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out.jsonl")
	if err := os.WriteFile(in, []byte(strings.TrimSuffix(secretTrace, "not JSON: t0psecret\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"redact", "--check", in}, &stdout, &stderr); status != cli.ExitOK {
		t.Errorf("status %d: %s", status, &stderr)
	}
	if want := "Of the texts in " + in + `, these stay, by their paths (* is any depth):
           2  kind
           2  metadata.name
           2  metadata.namespace
           2  req.method
           2  req.url
           1  end.how
           1  event.type
           1  informerscope
           1  spec.nodeName
           1  start
Numbers, booleans and names of fields stay, too. This is taken out:
           5  texts
           0  managed fields
`; stdout.String() != want {
		t.Errorf("it lists\n%swant\n%s", &stdout, want)
	}
	stdout.Reset()
	if status := run(t.Context(), []string{"redact", "--check", "--values", in}, &stdout, &stderr); status != cli.ExitOK || !strings.Contains(stdout.String(), "every other value stays:\n           1  secret data\n") {
		t.Errorf("status %d: %s", status, &stdout)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 1 {
		t.Errorf("it writes %v, %v", left, err)
	}
	if status := run(t.Context(), []string{"redact", "--check", in, out}, io.Discard, &stderr); status != 2 {
		t.Errorf("status %d for two files", status)
	}
}

// TestRedactRealTrace redacts a real recording with each compression, and opens
// the result.
func TestRedactRealTrace(t *testing.T) {
	const in = smallPods
	want, err := readTrace(in, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"a.jsonl", "a.jsonl.gz", "a.jsonl.zst"} {
		out := filepath.Join(dir, name)
		var stderr bytes.Buffer
		if status := run(t.Context(), []string{"redact", "--names", in, out}, io.Discard, &stderr); status != 0 {
			t.Fatal(stderr.String())
		}
		got, err := readTrace(out, t.Output())
		if err != nil || got.ProblemCount > 0 || got.Records != want.Records || len(got.Header.Redacted) == 0 {
			t.Errorf("%s: %v, %d problems, %d records of %d", name, err, got.ProblemCount, got.Records, want.Records)
		}
		for i, r := range got.Resources {
			if r.Table.Len() != want.Resources[i].Table.Len() || len(r.Handlers) != len(want.Resources[i].Handlers) {
				t.Errorf("%s: %s has other objects than before", name, r.Name())
			}
		}
	}
}

// TestRedactAnyFormat: redacting a foreign capture gives the same as converting it
// and redacting the trace.
func TestRedactAnyFormat(t *testing.T) {
	t.Setenv("INFORMERSCOPE_KEY", "sixteen letters.")
	secret := `{"apiVersion":"v1","kind":"SecretList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"web-cert","namespace":"shop","uid":"1","resourceVersion":"5"},"data":{"key":"dDBwc2VjcmV0"}}]}`
	watch := `{"type":"ADDED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"name":"web-cert","namespace":"shop","uid":"1","resourceVersion":"5"},"data":{"key":"dDBwc2VjcmV0"}}}` + "\n"
	yaml := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: web-cert\n  namespace: shop\n  uid: \"1\"\n  resourceVersion: \"5\"\ndata:\n  key: dDBwc2VjcmV0\n"
	for name, content := range map[string][]byte{"list.json": []byte(secret), "watch": []byte(watch), "secret.yaml": []byte(yaml), "watch.gz": compresstest.Gzip(t, []byte(watch)), "list.zst": compresstest.Zstd(t, []byte(secret))} {
		for _, flags := range [][]string{nil, {"--names"}} {
			dir := t.TempDir()
			in, converted, out, want := filepath.Join(dir, name), filepath.Join(dir, "converted"), filepath.Join(dir, "out"), filepath.Join(dir, "want")
			if err := os.WriteFile(in, content, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{append([]string{"redact", in, out}, flags...), {"convert", in, "-o", converted}, append([]string{"redact", converted, want}, flags...)} {
				var errs bytes.Buffer
				if status := run(t.Context(), args, io.Discard, &errs); status != 0 {
					t.Fatalf("%v: %d, %s", args, status, &errs)
				}
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(want); err != nil || !bytes.Equal(b, got) || bytes.Contains(got, []byte("dDBwc2VjcmV0")) {
				t.Errorf("%s %v: %v, got\n%s\nwant\n%s", name, flags, err, got, b)
			}
			if bytes.Contains(got, []byte("web-cert")) != (flags == nil) {
				t.Errorf("%s %v: %s", name, flags, got)
			}
		}
		stdinOf(t, content)
		var out, errs bytes.Buffer
		if status := run(t.Context(), []string{"redact", "-"}, &out, &errs); status != 0 || strings.Contains(out.String(), "dDBwc2VjcmV0") {
			t.Errorf("%s, from the standard input: %d, %s%s", name, status, &out, &errs)
		}
	}
}

// TestRedactFolder: a folder becomes one trace beside it.
func TestRedactFolder(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "dump")
	if err := os.Mkdir(in, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"Secret", "Pod"} {
		item := `{"metadata":{"name":"a","namespace":"n","uid":"` + kind + `","resourceVersion":"5"},"data":{"key":"dDBwc2VjcmV0"}}`
		list := `{"apiVersion":"v1","kind":"` + kind + `List","metadata":{"resourceVersion":"7"},"items":[` + item + `]}`
		if err := os.WriteFile(filepath.Join(in, kind+".json"), []byte(list), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{in, in + string(filepath.Separator)} {
		var errs bytes.Buffer
		if status := run(t.Context(), []string{"redact", name}, io.Discard, &errs); status != 0 {
			t.Fatal(errs.String())
		}
		out := filepath.Join(dir, "dump.redacted.trace.jsonl")
		tr, err := readTrace(out, t.Output())
		if err != nil || len(tr.Resources) != 2 || !slices.Equal(tr.Header.Redacted, []string{"shape"}) {
			t.Errorf("%v, %+v", err, tr)
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"redact", "--check", in}, &out, &errs); status != 0 || !strings.Contains(out.String(), "           2  metadata.name\n") {
		t.Errorf("%d, %s%s", status, &out, &errs)
	}
}

// TestRedactIsInterrupted: an interrupted redact leaves no file.
func TestRedactIsInterrupted(t *testing.T) {
	for _, first := range []string{secretTrace, podEvents} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		withStdin(t, r)
		ctx, cancel := context.WithCancel(t.Context())
		dir := t.TempDir()
		var errs bytes.Buffer
		status := make(chan int, 1)
		go func() { status <- run(ctx, []string{"redact", "-", filepath.Join(dir, "out")}, io.Discard, &errs) }()
		if _, err := w.WriteString(first + strings.Repeat(podEvents, 20_000)); err != nil {
			t.Fatal(err)
		}
		cancel()
		if got := <-status; got != cli.ExitInterrupted || errs.String() != "informerscope redact: interrupted\n" {
			t.Errorf("status %d: %s", got, &errs)
		}
		w.Close()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("it leaves %v, %v", left, err)
		}
	}
}

// A key in a file, in the environment and on the standard input is the same one. A key on
// the command line, which others can read there, is refused.
func TestRedactKey(t *testing.T) {
	const key = "sixteen letters."
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, other, _ := redactFile(t, secretTrace, "--names")
	_, inFile, _ := redactFile(t, secretTrace, "--names", "--key-file", file)
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	withStdin(t, in)
	_, piped, _ := redactFile(t, secretTrace, "--names", "--key-file", "-")
	t.Setenv("INFORMERSCOPE_KEY", key)
	_, inEnv, _ := redactFile(t, secretTrace, "--names")
	if inFile != inEnv || piped != inEnv || other == inEnv || inEnv == "" {
		t.Errorf("the keys differ:\n%s\n%s\n%s\n%s", inFile, inEnv, piped, other)
	}
	for _, args := range [][]string{{"--names", "--key", key}, {"--names", "--key="}, {"--key", key}} {
		status, _, errs := redactFile(t, secretTrace, args...)
		if status != cli.ExitUsage || !strings.Contains(errs, "--key-file") || !strings.Contains(errs, "INFORMERSCOPE_KEY") || strings.Contains(errs, key) {
			t.Errorf("%v: status %d, %s", args, status, errs)
		}
	}
}

func TestRedactFailures(t *testing.T) {
	short := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(short, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		trace  string
		args   []string
		status int
		want   string
	}{
		{"What is this?", nil, 1, "in.trace.jsonl: "},
		{"", nil, 1, "empty"},
		{`{"informerscope":"trace","version":9}`, nil, 1, "newer"},
		{secretTrace, []string{"--path", ".a["}, 2, "makes no sense"},
		{secretTrace, []string{"--names", "--key-file", short}, 2, "too short"},
		{secretTrace, []string{"--names", "--key-file", "nowhere"}, 2, "nowhere"},
		{secretTrace, []string{"--values", "--secrets=false", "--env=false", "--last-applied=false", "--tokens=false"}, 2, "nothing to take out"},
		{secretTrace, []string{"--secrets=false"}, 2, "--secrets=false goes with --values"},
		{secretTrace, []string{"--values", "--names"}, 2, "--names goes without --values"},
		{secretTrace, []string{"--values", "--keep", "spec.x"}, 2, "--keep goes without --values"},
		{secretTrace, []string{"--keep", "spec..x"}, 2, "makes no sense"},
		{secretTrace, []string{"third"}, 2, "third"},
	} {
		if status, _, errs := redactFile(t, c.trace, c.args...); status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d, %s", c.args, status, errs)
		}
	}
	var errs bytes.Buffer
	if status := run(t.Context(), []string{"redact"}, io.Discard, &errs); status != 2 {
		t.Error("no file:", status)
	}
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, []byte(secretTrace), 0o600); err != nil {
		t.Fatal(err)
	}
	if status := run(t.Context(), []string{"redact", name, name}, io.Discard, &errs); status != 1 {
		t.Error("a file that is there was overwritten:", status)
	}
}

func TestRedactDamagedFile(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, secretTrace)
	z.Flush() // without the end of the gzip stream
	dir := t.TempDir()
	in := filepath.Join(dir, "cut.trace.jsonl.gz")
	if err := os.WriteFile(in, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	if status := run(t.Context(), []string{"redact", in}, io.Discard, &errs); status != cli.ExitDamaged || !strings.Contains(errs.String(), "damaged after line 8") {
		t.Errorf("status %d: %s", status, &errs)
	}
	f, err := os.Open(filepath.Join(dir, "cut.redacted.trace.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := file.Plain(f)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(plain); err != nil || bytes.Count(b, []byte("\n")) != 8 || bytes.Contains(b, []byte("t0psecret")) {
		t.Errorf("%v:\n%s", err, b)
	}
}

// Tokens of names change no call of a handler. The engine resyncs the objects in the order of their
// keys, where client-go's order is any, so only that order is another one.
func TestTokensChangeNoCalls(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.trace.jsonl")
	if status := run(t.Context(), []string{"redact", "-q", "--names", smallPods, out}, io.Discard, io.Discard); status != cli.ExitOK {
		t.Fatal(status)
	}
	calls := func(name string) (all []string) {
		var calls, errs bytes.Buffer
		if status := run(t.Context(), []string{"report", name, "--notifications"}, &calls, &errs); status != cli.ExitOK {
			t.Fatal(status, errs.String())
		}
		key, at := regexp.MustCompile(`"key":"[^"]*",`), regexp.MustCompile(`,"t":\d+`)
		for line := range strings.Lines(calls.String()) {
			all = append(all, at.ReplaceAllString(key.ReplaceAllString(line, ""), ""))
		}
		slices.Sort(all)
		return all
	}
	if want, got := calls(smallPods), calls(out); len(want) < 100 || !slices.Equal(want, got) {
		t.Errorf("%d calls become %d:\n%s\n\n%s", len(want), len(got), strings.Join(want, ""), strings.Join(got, ""))
	}
}

// TestTheShapeReportsTheSame compares the reports of recordings with the reports of their shapes: findings, handlers' calls, the
// controller's report and why. They differ in texts that are tokens, and in sizes by 5 % at most.
func TestTheShapeReportsTheSame(t *testing.T) {
	names := []string{smallPods, "../../format/testdata/shop.trace.jsonl.gz"}
	for _, pattern := range []string{"../../findings/testdata/*.15.trace.jsonl.gz", "../../findings/testdata/handler-panic.often*", "../../findings/testdata/*.many.*", "../../report/controller/testdata/*late*"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		names = append(names, found...)
	}
	if testing.Short() {
		names = names[:4]
	}
	for _, name := range names {
		out := filepath.Join(t.TempDir(), "shape.trace.jsonl")
		if status := run(t.Context(), []string{"redact", "-q", name, out}, io.Discard, io.Discard); status != cli.ExitOK && status != cli.ExitDamaged {
			t.Fatal(name, status)
		}
		said := func(name string, args ...string) (x any) {
			var b, errs bytes.Buffer
			run(t.Context(), append(args, name), &b, &errs)
			d := json.NewDecoder(&b)
			d.UseNumber()
			if err := d.Decode(&x); err != nil && err != io.EOF {
				t.Fatalf("%v of %s: %v, %s", args, name, err, &errs)
			}
			return x
		}
		for _, args := range [][]string{{"report", "-o", "json"}, {"controller", "-o", "json"}} {
			if where := otherThan(said(name, args...), said(out, args...), ""); where != "" {
				t.Errorf("%v of %s: %s", args, name, where)
			}
		}
	}
	var before, after, errs bytes.Buffer
	out := filepath.Join(t.TempDir(), "shape.trace.jsonl")
	run(t.Context(), []string{"redact", "-q", smallPods, out}, io.Discard, &errs)
	run(t.Context(), []string{"report", smallPods, "--handler", "h,takes=20ms", "--why", "shop/singleton"}, &before, &errs)
	run(t.Context(), []string{"report", out, "--handler", "h,takes=20ms", "--why", "shop/singleton"}, &after, &errs)
	_, want, _ := strings.Cut(before.String(), "\n")
	if _, got, _ := strings.Cut(after.String(), "\n"); got != want || len(want) < 100 {
		t.Errorf("why is\n%s\nand was\n%s\n%s", got, want, &errs)
	}
}

// otherThan returns where two reports differ in more than texts that are tokens, names of files, and sizes by up to a twentieth.
func otherThan(a, b any, path string) string {
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		if x["unit"] == "B" {
			path += ".bytes"
		}
		for name, v := range x {
			if name == "inputs" || name == "offset" || name == "redacted" {
				continue
			}
			if where := otherThan(v, y[name], path+"."+name); where != "" {
				return where
			}
		}
		return ""
	case []any:
		y, _ := b.([]any)
		if len(x) != len(y) {
			return fmt.Sprintf("%s has %d elements, and had %d", path, len(y), len(x))
		}
		for i := range x {
			if where := otherThan(x[i], y[i], fmt.Sprintf("%s[%d]", path, i)); where != "" {
				return where
			}
		}
		return ""
	case json.Number:
		y, _ := b.(json.Number)
		before, _ := x.Float64()
		after, _ := y.Float64()
		if (strings.HasSuffix(strings.ToLower(path), "bytes") || strings.HasSuffix(path, ".bytes.n")) && (before < 200_000 || after > before*0.95 && after < before*1.05) {
			return ""
		}
	case string:
		if y, ok := b.(string); ok && strings.Contains(y, "‹") {
			return ""
		}
	}
	if a != b {
		return fmt.Sprintf("%s is %v, and was %v", path, b, a)
	}
	return ""
}
