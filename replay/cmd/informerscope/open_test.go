package main

import (
	"bytes"
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
	want := url.Values{"url": {"opened/namespaces.watch.ndjson", "opened/against-namespaces.watch.ndjson"}, "step": {"12"}, "profile": {"v0.32"}, "beside": {"capture"}}
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

// The page reads the standard input while it still comes, and from its beginning again.
func TestOpenFollowsTheStandardInput(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	withStdin(t, in)
	first, second, _ := strings.Cut(podEvents, "\n")
	first, second = first+"\n", second+"\n"
	io.WriteString(out, first)
	client, address, fields := opened(t, "open", "-")
	if fields.Get("url") != "opened/standard-input.json" {
		t.Fatalf("the page opens %q", fields.Get("url"))
	}
	r, err := client.Get(address + "/opened/standard-input.json")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b := make([]byte, len(first))
	if _, err := io.ReadFull(r.Body, b); err != nil || string(b) != first {
		t.Fatalf("while it comes: %q %v", b, err)
	}
	io.WriteString(out, second)
	out.Close()
	if rest, err := io.ReadAll(r.Body); err != nil || string(rest) != second {
		t.Errorf("what came after: %q %v", rest, err)
	}
	if _, text := fetch(t, client, address+"/opened/standard-input.json"); text != first+second {
		t.Errorf("read again: %q", text)
	}
}

func TestOpenRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"open":                          "a file is missing; - is the standard input",
		"open none.json":                "none.json: there is no such file or folder",
		"open x --at 3 --find synced()": "--at and --find each say which step is shown; give one of them",
		"open x --find 1+":              "--find",
		"open x --profile v9":           `there is no profile "v9"`,
		"open x --port 99999":           `not a port`,
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
