package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/evidence"
)

// run runs the command line as a user types it who has installed no plugin.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return runAs(ctx, ownName, args, stdout, stderr)
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		out    string // a part of the standard output; "" for an empty one
		err    string // a part of the standard error; "" for an empty one
	}{
		{[]string{}, 0, "informerscope FILE…", ""},
		{[]string{"--help"}, 0, "serve the page", ""},
		{[]string{"help"}, 0, "serve the page", ""},
		{[]string{"help", "serve"}, 0, "--port", ""},
		{[]string{"serve", "--help"}, 0, "--port", ""},
		{[]string{"serve", "-h"}, 0, "--port", ""},
		{[]string{"help", "exit-codes"}, 0, "130", ""},
		{[]string{"help", "completion", "fish"}, 0, "fish", ""},
		{[]string{"--version"}, 0, "informerscope ", ""},
		{[]string{"version"}, 0, "classic  client-go v0.22", ""},
		{[]string{"serve", "--dir", filepath.Join(t.TempDir(), "none")}, 1, "", "make dist"},
		{[]string{"serve", "--dir", t.TempDir()}, 1, "", "make dist"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), c.args, &stdout, &stderr)
		if status != c.status || !printed(&stdout, c.out) || !printed(&stderr, c.err) {
			t.Errorf("%q: %d\nstdout: %s\nstderr: %s", c.args, status, &stdout, &stderr)
		}
	}
}

func printed(b *bytes.Buffer, text string) bool {
	return strings.Contains(b.String(), text) && (text != "" || b.Len() == 0)
}

// TestMistakes: a mistake in the command line is one line of complaint, which
// proposes the nearest right word.
func TestMistakes(t *testing.T) {
	for args, want := range map[string]string{
		"fly":                                 `informerscope: unknown command "fly"; informerscope help lists them`,
		"apiserver --speed fast x":            `informerscope apiserver: invalid --speed "fast"; want a number`,
		"recrod --high":                       `informerscope: unknown command "recrod"; did you mean record?`,
		"rep x":                               `informerscope: unknown command "rep"; did you mean report or run?`,
		"help repotr":                         `informerscope help: unknown command "repotr"; did you mean report?`,
		"help formts":                         `informerscope help: unknown command "formts"; did you mean formats?`,
		"open https://":                       `informerscope open: https://: the address has no host`,
		"help report more":                    `informerscope help: unknown command "more"; informerscope help lists them`,
		"man repotr":                          `informerscope man: unknown command "repotr"; did you mean report?`,
		"completion":                          `informerscope completion: a shell is missing: bash, zsh, fish or powershell`,
		"completion tcsh":                     `informerscope completion: unknown shell "tcsh"; want bash, zsh, fish or powershell`,
		"--prot 80":                           `informerscope: unknown flag --prot; want --help, --version`,
		"serve --prot 80":                     `informerscope serve: unknown flag --prot; did you mean --port?`,
		"serve --prot=80":                     `informerscope serve: unknown flag --prot; did you mean --port?`,
		"serve -port 80":                      `informerscope serve: unknown flag -port; did you mean --port?`,
		"serve -d x":                          `informerscope serve: unknown flag -d; did you mean --dir?`,
		"serve -z":                            `informerscope serve: unknown flag -z; want --dir, --port, --open, --context, --kubeconfig, --server, --secrets, --no-cluster, --public, --answers, --help`,
		"serve --port":                        `informerscope serve: --port needs a value`,
		"serve --port high":                   `informerscope serve: invalid --port "high"; want a number from 0 to 65535`,
		"serve --port 99999999999999999":      `informerscope serve: invalid --port "99999999999999999"; want a number from 0 to 65535`,
		"serve --port 99999999999999999999":   `informerscope serve: invalid --port "99999999999999999999"; want a number from 0 to 65535`,
		"serve --open=perhaps":                `informerscope serve: invalid --open "perhaps"; want true or false`,
		"serve extra":                         `informerscope serve: unexpected argument "extra"`,
		"report":                              `informerscope report: a file is missing; - is the standard input`,
		"report -o xml x":                     `informerscope report: --output "xml": unknown format; want text, json, yaml, markdown or github`,
		"report --resync soon x":              `informerscope report: invalid --resync "soon"; want a duration, such as 1.5s or 10m`,
		"report --profile v9 x":               `informerscope report: unknown profile "v9"; want classic, delta, ordered, batched, current, v0.38.0-beta.0, or a release of client-go from v0.22.0 to v0.37.2`,
		"report --handler a,colour=1s x":      `informerscope report: --handler "a,colour=1s": unknown handler option "colour"; want resync, from, until, takes or workqueue`,
		"report --hander a x":                 `informerscope report: unknown flag --hander; did you mean --handler?`,
		"report -q -o yaml --notifications x": `informerscope report: --notifications prints JSON lines, and no yaml`,
		"run a b":                             `informerscope run: unexpected argument "b"`,
		"redact a b c":                        `informerscope redact: unexpected argument "c"`,
		"record -n a -A":                      `informerscope record: either --namespace or --all-namespaces`,
		"report --json -o yaml x":             `informerscope report: --output "yaml": it is json already`,
		"report -o yaml --json x":             `informerscope report: --json "true": it is yaml already`,
		"version 7":                           `informerscope version: unexpected argument "7"`,
		"convert a -o json":                   `informerscope convert: -o names the file to write, which is always a trace; for a file of that name write ./json`,
		"record -o yaml":                      `informerscope record: -o names the file to write, which is always a trace; for a file of that name write ./yaml`,
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), strings.Fields(args), &stdout, &stderr)
		if status != cli.ExitUsage || stderr.String() != want+"\n" || stdout.Len() > 0 {
			t.Errorf("%s: %d, %q\nwant %q", args, status, &stderr, want)
		}
	}
}

// TestVersionDocuments: JSON and YAML say the same, and list all profiles.
func TestVersionDocuments(t *testing.T) {
	var v, again cli.Versions
	for _, c := range []struct {
		format string
		into   *cli.Versions
	}{{"json", &v}, {"yaml", &again}} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), []string{"version", "-o", c.format}, &stdout, &stderr); status != 0 {
			t.Fatalf("%d: %s", status, &stderr)
		}
		text := stdout.Bytes()
		if c.format == "yaml" {
			var any any
			if err := yaml.Unmarshal(text, &any); err != nil {
				t.Fatal(err)
			}
			text, _ = json.Marshal(any)
		}
		if err := json.Unmarshal(text, c.into); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if len(v.Profiles) != len(world.Profiles()) || v.Go == "" || !reflect.DeepEqual(v, again) {
		t.Errorf("JSON %+v\nYAML %+v", v, again)
	}
}

// TestManPages: each command has a page, which is made from the same tree as its
// help.
func TestManPages(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"man", "report"}, &stdout, &stderr); status != 0 {
		t.Fatal(stderr.String())
	}
	page := stdout.String()
	for _, want := range []string{".TH \"INFORMERSCOPE-REPORT\" \"1\"", "\\fB--profile\\fP", "EXAMPLE"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
	stdout.Reset()
	if status := run(t.Context(), []string{"man"}, &stdout, &stderr); status != 0 || !strings.Contains(stdout.String(), "\\fB130\\fP: Ctrl-C ended it") {
		t.Errorf("%d, and the first page has no exit codes:\n%s%s", status, &stdout, &stderr)
	}
	dir := t.TempDir()
	if status := run(t.Context(), []string{"man", "--dir", dir}, &stdout, &stderr); status != 0 {
		t.Fatal(stderr.String())
	}
	for _, c := range newRoot(ownName, io.Discard, io.Discard).Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "informerscope-"+c.Name()+".1")); err != nil {
			t.Error(err)
		}
	}
	if status := run(t.Context(), []string{"man", "--dir", filepath.Join(dir, "none")}, &stdout, &stderr); status != 1 {
		t.Errorf("into a folder that is not there: %d", status)
	}
}

// TestSignals: a signal ends a command, and its number is in the exit code.
func TestSignals(t *testing.T) {
	for s, want := range map[syscall.Signal]int{syscall.SIGINT: cli.ExitInterrupted, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		withStdin(t, r)
		ctx := untilSignal()
		var errs bytes.Buffer
		status := make(chan int, 1)
		go func() { status <- run(ctx, []string{"report", "-"}, io.Discard, &errs) }()
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		if err := self.Signal(s); err != nil {
			t.Fatal(err)
		}
		if got := <-status; got != want || errs.String() != "informerscope report: interrupted\n" {
			t.Errorf("%v: %d, want %d: %s", s, got, want, &errs)
		}
		w.Close()
	}
}

// TestExitCodesAreDocumented: the README of replay has the table that the program prints.
func TestExitCodesAreDocumented(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cli.ExitCodes {
		if line := fmt.Sprintf("| %d | %s |\n", c.Code, c.Meaning); !strings.Contains(string(b), line) {
			t.Errorf("the README lacks the line\n%s", line)
		}
	}
}

// "go install" takes no module whose go.mod replaces or excludes another one, and the README's film comes soon.
func TestWhatVisitorsGet(t *testing.T) {
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mod)) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word == "replace" || word == "exclude" || strings.Contains(line, "=>") {
			t.Errorf("go install refuses the line of go.mod: %s", line)
		}
	}
	film, err := os.Stat("../../../.github/loop.gif")
	if err != nil {
		t.Fatal(err)
	}
	if film.Size() > 1e6 {
		t.Errorf("the README's film has %d bytes, and may have a megabyte", film.Size())
	}
}

// TestReadmeLeadsToTheSite: the README and the links of reports lead to the same page.
func TestReadmeLeadsToTheSite(t *testing.T) {
	b, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if text := string(b); !strings.Contains(text, "]("+evidence.Site+")") || !strings.Contains(text, "]("+cli.Releases+")") || strings.Count(text, "\n") > 150 {
		t.Errorf("the README doesn't lead to %s and to %s, or has more than 150 lines", evidence.Site, cli.Releases)
	}
}

func TestServe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("the page"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"serve", "--dir", dir, "--port", "0"}, in, io.Discard) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	var address string
	for _, f := range strings.Fields(string(line[:n])) {
		if strings.HasPrefix(f, "http://") {
			address = f
		}
	}
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if string(text) != "the page" {
		t.Errorf("got %q", text)
	}

	_, port, _ := net.SplitHostPort(strings.Trim(strings.TrimPrefix(address, "http://"), "/"))
	var stderr bytes.Buffer
	if status := run(t.Context(), []string{"serve", "--dir", dir, "--port", port}, io.Discard, &stderr); status != 1 {
		t.Errorf("a taken port: status %d", status)
	}
	next, _ := strconv.Atoi(port)
	if want := "make run PORT=" + strconv.Itoa(next+1); !strings.Contains(stderr.String(), want) || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("a taken port: %q, want one line with %q", &stderr, want)
	}

	cancel()
	if status := <-ended; status != 0 {
		t.Errorf("stopped with status %d", status)
	}
}
