package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

const pluginName = "kubectl informerscope"

func TestNameOf(t *testing.T) {
	for program, want := range map[string]string{
		"informerscope": ownName, "/usr/bin/informerscope": ownName, "build/informerscope-v0.1.0": ownName,
		"kubectl-informerscope": pluginName, "/home/a/.krew/bin/kubectl-informerscope": pluginName, "kubectl-informerscope.exe": pluginName,
	} {
		if got := nameOf(filepath.FromSlash(program)); got != want {
			t.Errorf("%s: %q, want %q", program, got, want)
		}
	}
}

// Whoever runs a plugin of kubectl is shown nothing else to type: in help, in man pages, in
// examples, and in the messages about mistakes.
func TestPluginShowsItsName(t *testing.T) {
	asPlugin := func(args ...string) string {
		var out bytes.Buffer
		runAs(t.Context(), pluginName, append([]string{}, args...), &out, &out)
		return out.String()
	}
	texts := map[string]string{
		"":              asPlugin(),
		"help":          asPlugin("help"),
		"report":        asPlugin("report"),
		"open --prot":   asPlugin("open", "--prot"),
		"repotr":        asPlugin("repotr"),
		"report --find": asPlugin("report", "--find", "1+", "x"),
	}
	for _, c := range newRoot(pluginName, io.Discard, io.Discard).Commands() {
		texts["help "+c.Name()] = asPlugin("help", c.Name())
		if c.IsAvailableCommand() {
			texts["man "+c.Name()] = asPlugin("man", c.Name())
		}
	}
	for args, text := range texts {
		shown := 0
		for _, at := range commandLine.FindAllStringSubmatchIndex(text, -1) {
			if !isCommand(t, text[at[2]:at[3]]) {
				continue
			}
			if shown++; !strings.HasSuffix(text[:at[0]], "kubectl ") {
				t.Errorf("%s shows %q", args, text[at[0]:at[1]])
			}
		}
		if shown == 0 && !strings.HasPrefix(args, "help e") && args != "repotr" { // topics
			t.Errorf("%s shows no command:\n%s", args, text)
		}
	}
	if got, want := texts["repotr"], pluginName+`: unknown command "repotr"; did you mean report?`+"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func isCommand(t *testing.T, word string) bool {
	t.Helper()
	root := newRoot(ownName, io.Discard, io.Discard)
	c, _, err := root.Find([]string{word})
	return word == "FILE" || err == nil && c != root
}

// The first eight lines fit any terminal, and whatever they show can be typed.
func TestFirstHelp(t *testing.T) {
	var stdout bytes.Buffer
	if status := run(t.Context(), []string{}, &stdout, io.Discard); status != cli.ExitOK {
		t.Fatal(status)
	}
	lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	if len(lines) != 8 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if len([]rune(line)) > 80 {
			t.Errorf("%q is longer than a line", line)
		}
		if m := commandLine.FindStringSubmatch(line); m != nil && !isCommand(t, m[1]) {
			t.Errorf("%q: there is no command %q", line, m[1])
		}
	}
}

// A file opens without the word "open". A command's name stays a command, also where a file
// has that name.
func TestOpenWithoutTheWord(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"pods.json", "capture", "report", "help", "completion"} {
		if err := os.WriteFile(name, []byte(podEvents), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root := newRoot(ownName, io.Discard, io.Discard)
	for args, opens := range map[string]bool{
		"pods.json": true, "capture --at 3": true, "none.json": true, "./none": true, "-": true, dir: true,
		"report": false, "help": false, "completion": false, "repotr": false, "--version": false, "": false,
	} {
		given := strings.Fields(args)
		if got := withOpen(root, given); (len(got) > len(given)) != opens || opens && got[0] != "open" {
			t.Errorf("%q becomes %q", args, got)
		}
	}
	var stderr bytes.Buffer
	if status := run(t.Context(), []string{"none.json"}, io.Discard, &stderr); status == cli.ExitOK || stderr.String() != "informerscope open: none.json: no such file or folder\n" {
		t.Errorf("%d %q", status, &stderr)
	}
}
