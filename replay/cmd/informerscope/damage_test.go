package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// Of a damaged capture convert and report give what they can, say how much is lost, and
// exit with a status of their own. With --strict they refuse it.
func TestDamagedCaptures(t *testing.T) {
	const added = `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"1","resourceVersion":"5"}}}` + "\n"
	name := filepath.Join(t.TempDir(), "cut.json")
	if err := os.WriteFile(name, []byte(added+"#"+added+"#"+added+added), 0o600); err != nil {
		t.Fatal(err)
	}
	const says = "2 places could not be read, and about 2 watch events are lost"
	out := filepath.Join(t.TempDir(), "out.trace.jsonl")
	for _, c := range []struct {
		args   []string
		status int
		says   string
		file   bool
	}{
		{[]string{"convert", name, "-o", out}, cli.ExitDamaged, says + "\n", true},
		{[]string{"convert", "--strict", name, "-o", out}, cli.ExitDamaged, says + "; --strict refuses that; nothing of it is kept\n", false},
		{[]string{"report", name}, cli.ExitDamaged, says + "\n", false},
		{[]string{"redact", name, out}, cli.ExitDamaged, says + "\n", true},
		{[]string{"redact", "--check", name}, cli.ExitDamaged, says + "\n", false},
		{[]string{"report", "--strict", name}, cli.ExitDamaged, says + "; --strict refuses that\n", false},
	} {
		os.Remove(out)
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), c.args, &stdout, &stderr); status != c.status || !strings.HasSuffix(stderr.String(), c.says) {
			t.Errorf("%v: status %d, %s", c.args, status, stderr.String())
		}
		if _, err := os.Stat(out); (err == nil) != c.file {
			t.Errorf("%v: %v", c.args, err)
		}
		if c.args[0] == "report" && (stdout.Len() == 0) != (c.args[1] == "--strict") {
			t.Errorf("%v prints %s", c.args, stdout.String())
		}
	}
	var stdout, stderr bytes.Buffer
	if run(t.Context(), []string{"report", name}, &stdout, &stderr); !strings.Contains(stdout.String(), "2 places could not be read, with about 2 watch events; the rest was read") {
		t.Errorf("%s", stdout.String())
	}
}

// A trace in which nothing is damaged, but an event must be missing, is damaged, too:
// convert passes it on, and says so as report does.
func TestEventsAreMissing(t *testing.T) {
	const object = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"1","resourceVersion":"6"}}`
	dir := t.TempDir()
	name, whole, out := filepath.Join(dir, "gap.trace.jsonl"), filepath.Join(dir, "whole.trace.jsonl"), filepath.Join(dir, "out.trace.jsonl")
	for file, first := range map[string]string{name: "MODIFIED", whole: "ADDED"} {
		trace := `{"informerscope":"trace","version":1}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":1,"id":1,"resp":{"status":200}}
{"t":2,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[]}}
{"t":3,"id":1,"end":{"how":"eof"}}
{"t":4,"id":2,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=5"}}
{"t":5,"id":2,"resp":{"status":200}}
{"t":6,"id":2,"event":{"type":"` + first + `","object":` + object + `}}
`
		if err := os.WriteFile(file, []byte(trace), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const says = "pods: a MODIFIED of an object that isn't there, so events before it are missing\n"
	for _, c := range []struct {
		args   []string
		status int
		times  int // that it is said
		file   bool
	}{
		{[]string{"report", "-q", name}, cli.ExitDamaged, 1, false},
		{[]string{"convert", name, "-o", out}, cli.ExitDamaged, 1, true},
		{[]string{"report", "-q", out}, cli.ExitDamaged, 1, true},
		{[]string{"convert", "--force", "--strict", name, "-o", out}, cli.ExitDamaged, 1, true},
		{[]string{"convert", "--force", name, whole, "-o", out}, cli.ExitDamaged, 1, true},
		{[]string{"convert", "--force", whole, "-o", out}, cli.ExitOK, 0, true},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), c.args, &stdout, &stderr); status != c.status || strings.Count(stderr.String(), says) != c.times {
			t.Errorf("%v: status %d, %s", c.args, status, stderr.String())
		}
		if _, err := os.Stat(out); (err == nil) != c.file {
			t.Errorf("%v: %v", c.args, err)
		}
		const missing = "watch events are missing at 1 place, though nothing is damaged"
		if missed := strings.Contains(stderr.String(), missing+", and about 1 watch event is lost"); missed != (c.status != cli.ExitOK) || strings.Contains(stderr.String(), "could not be read") {
			t.Errorf("%v says %s", c.args, stderr.String())
		}
		if c.args[0] == "report" && !strings.Contains(stdout.String(), missing) {
			t.Errorf("%v reports %s", c.args, stdout.String())
		}
	}
}
