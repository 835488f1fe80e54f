package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		{[]string{"convert", name, "-o", out}, exitDamaged, says + "\n", true},
		{[]string{"convert", "--strict", name, "-o", out}, exitDamaged, says + "; --strict refuses that; nothing of it is kept\n", false},
		{[]string{"report", name}, exitDamaged, says + "\n", false},
		{[]string{"redact", name, out}, exitDamaged, says + "\n", true},
		{[]string{"redact", "--check", name}, exitDamaged, says + "\n", false},
		{[]string{"report", "--strict", name}, exitDamaged, says + "; --strict refuses that\n", false},
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
	if run(t.Context(), []string{"report", name}, &stdout, &stderr); !strings.Contains(stdout.String(), "2 places could not be read, with about 2 watch events; the rest was") {
		t.Errorf("%s", stdout.String())
	}
}
