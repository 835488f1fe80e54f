package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// opened starts "informerscope open" or "learn" as a browser meets it. It returns a client
// that has the key, the page's address, and the fields of the fragment that it is led to.
func opened(t *testing.T, args ...string) (client *http.Client, address string, fields url.Values) {
	t.Helper()
	full, _, _, _ := started(t, io.Discard, append(args, "--no-browser")...)
	client, address = browser(t, full)
	_, text := fetch(t, client, full)
	_, fragment, _ := strings.Cut(text, "url=./#")
	fragment, _, _ = strings.Cut(fragment, `"`)
	fields, err := url.ParseQuery(strings.ReplaceAll(fragment, "&amp;", "&"))
	if err != nil {
		t.Fatalf("%s leads to %q: %v", full, fragment, err)
	}
	return client, address, fields
}

// A picture takes a browser, and a step.
func TestOpenPicture(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("CHROMIUM", "")
	script := filepath.Join(dir, "script.txt")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "index.html"), nil, 0o600), os.WriteFile(script, []byte("informer pods\nrun\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"there is none":           {"../../findings/testdata/hot-key.15.trace.jsonl.gz"},
		"of which step":           {script},
		"nothing wrong was found": {"../../findings/testdata/hot-key.not-half.trace.jsonl.gz"},
	} {
		var stderr bytes.Buffer
		if status := run(t.Context(), append(args, "--dir", dir, "--port", "0", "--picture", filepath.Join(dir, "a.svg")), io.Discard, &stderr); status == 0 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%q is missing: %s", want, &stderr)
		}
	}
}

// What the page reads by itself is handed over as it is, and anything else as a trace.
func TestOpenHandsOver(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "a script.txt")
	if err := os.WriteFile(script, []byte("informer pods\nrun\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, path, begins string }{
		{"../../convert/testdata/deployments.watch.ndjson.gz", "opened/deployments.watch.ndjson.gz", "\x1f\x8b"},
		{"../../convert/testdata/namespaces.watch.ndjson", "opened/namespaces.watch.ndjson", `{"type":`},
		{script, "opened/a_script.txt", "informer pods\n"},
		{"../../convert/testdata/audit.jsonl.gz", "opened/audit.jsonl.gz.trace.jsonl", `{"informerscope":"trace"`},
		{"../../convert/testdata/kwokctl-snapshot-record.yaml.gz", "opened/kwokctl-snapshot-record.yaml.gz.trace.jsonl", `{"informerscope":"trace"`},
	} {
		client, address, fields := opened(t, "open", c.file)
		if got := fields.Get("url"); got != c.path {
			t.Errorf("%s: the page opens %q, want %q", c.file, got, c.path)
		}
		for range 2 { // it can be read again
			status, text := fetch(t, client, address+"/"+c.path)
			if status != 200 || !strings.HasPrefix(text, c.begins) {
				t.Errorf("%s: %d, begins with %.60q, want %q", c.file, status, text, c.begins)
			}
		}
		if status, _ := fetch(t, http.DefaultClient, address+"/"+c.path); status != 401 {
			t.Errorf("%s: another user's program gets %d", c.file, status)
		}
	}
}

// The flags of open say where the page goes.
func TestOpenGoesToTheMoment(t *testing.T) {
	pods := "../../convert/testdata/namespaces.watch.ndjson"
	_, _, fields := opened(t, "open", pods, "--at", "12", "--profile", "v0.32", "--against", pods)
	want := url.Values{"url": {"opened/namespaces.watch.ndjson", "opened/against-namespaces.watch.ndjson"}, "step": {"12"}, "profile": {"v0.32"}, "beside": {"capture"}, "handlers": {"recorded"}}
	if fields.Encode() != want.Encode() {
		t.Errorf("%s\nwant %s", fields.Encode(), want.Encode())
	}
	if _, _, fields = opened(t, "open", pods, "--find", `behind("a b") > 1`); fields.Get("search") != `behind("a b") > 1` {
		t.Errorf("it searches for %q", fields.Get("search"))
	}
	if _, _, fields = opened(t, "learn", "resync"); fields.Encode() != "lesson=resync" {
		t.Errorf("learn leads to %s", fields.Encode())
	}
}

// Where no browser can be started, the page is served all the same at the address that is printed.
func TestOpenWithoutABrowser(t *testing.T) {
	file, err := filepath.Abs("../../convert/testdata/namespaces.watch.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	for _, args := range [][]string{{"open", file}, {"learn"}, {"serve", "--open", "--no-cluster"}} {
		var stderr bytes.Buffer
		address, line, stop, ended := started(t, &stderr, args...)
		if status, _ := fetch(t, http.DefaultClient, address); status != 200 {
			t.Errorf("%q: %q serves nothing: %d", args, line, status)
		}
		stop()
		if status := <-ended; status != 0 || !strings.HasPrefix(stderr.String(), "could not open a browser: ") {
			t.Errorf("%q: %d, it says %q", args, status, &stderr)
		}
	}
}

// What comes to the standard input while the page is open is handed over as a trace, in which
// each event has the time at which it came. It can be read from its beginning again.
func TestOpenFollowsTheStandardInput(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	withStdin(t, in)
	first, rest, _ := strings.Cut(podEvents, "\n")
	_, last, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	io.WriteString(out, first+"\n")
	client, address, fields := opened(t, "open", "-")
	const path = "opened/live/standard-input.trace.jsonl"
	if fields.Get("url") != path {
		t.Fatalf("the page opens %q", fields.Get("url"))
	}
	r, err := client.Get(address + "/" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b := bufio.NewReader(r.Body)
	until := func(part string) (line string) {
		for !strings.Contains(line, part) {
			if line, err = b.ReadString('\n'); err != nil {
				t.Fatalf("%v before %s", err, part)
			}
		}
		return line
	}
	until(first)
	io.WriteString(out, rest)
	if line := until(last); strings.HasPrefix(line, `{"t":0,`) {
		t.Errorf("the time at which it came is not in %s", line)
	}
	out.Close()
	until("recorder-stopped")
	if rest, err := io.ReadAll(b); err != nil || len(rest) > 0 {
		t.Errorf("after the end: %q %v", rest, err)
	}
	if _, text := fetch(t, client, address+"/"+path); !strings.Contains(text, first) || !strings.Contains(text, last) {
		t.Errorf("read again: %s", text)
	}
}

// What somebody only copies to the standard input is a capture like any other, and our own format
// is handed over as it is.
func TestOpenReadsTheStandardInput(t *testing.T) {
	header := `{"informerscope":"trace","version":1}` + "\n"
	for _, c := range []struct {
		text  string
		ended bool
		path  string
	}{
		{podEvents, true, "opened/standard-input.json"},
		{"informer pods\nrun\n", true, "opened/standard-input.json"},
		{"informer pods\nrun\n", false, "opened/standard-input.json"},
		{header, true, "opened/standard-input.json"},
		{header, false, "opened/live/standard-input.trace.jsonl"},
	} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		withStdin(t, in)
		io.WriteString(out, c.text)
		if c.ended {
			out.Close()
		}
		client, address, fields := opened(t, "open", "-")
		if fields.Get("url") != c.path {
			t.Errorf("%q: the page opens %q", c.text, fields.Get("url"))
		}
		out.Close()
		if _, text := fetch(t, client, address+"/"+c.path); text != c.text {
			t.Errorf("%q is handed over as %q", c.text, text)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"open":                          "a file is missing; - is the standard input",
		"open none.json":                "none.json: no such file or folder",
		"open x --at 3 --find synced()": "--at and --find each say which step is shown; give one of them",
		"open x --at -3":                `--at "-3": not a step: the first one is 0`,
		"open x --find 1+":              "--find",
		"open x --profile v9":           `unknown profile "v9"`,
		"open x --port 99999":           `want a number from 0 to 65535`,
		"open " + os.DevNull:            "the input is empty",
		"learn a b":                     `unexpected argument "b"`,
	} {
		var stderr bytes.Buffer
		file := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(file, []byte(podEvents), 0o600); err != nil {
			t.Fatal(err)
		}
		fields := strings.Fields(strings.ReplaceAll(args, " x ", " "+file+" "))
		if status := run(t.Context(), fields, io.Discard, &stderr); status == cli.ExitOK || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: %d %s\nwant %s", args, status, &stderr, want)
		}
	}
}

// A program that carries no page says where there is one that does.
func TestWithoutAPage(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range []string{"serve --no-cluster", "learn"} {
		var stderr bytes.Buffer
		if status := run(t.Context(), strings.Fields(args), io.Discard, &stderr); status != cli.ExitFailed || !strings.Contains(stderr.String(), "carries no page: download the one for your system from "+cli.Releases) {
			t.Errorf("%s: %d %s", args, status, &stderr)
		}
	}
}
