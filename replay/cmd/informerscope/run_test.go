package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// play writes content to a file, and runs the program with the file's name as its
// last argument.
func play(t *testing.T, content string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "script.txt")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status = run(t.Context(), append(args, name), &out, &errs)
	return status, out.String(), errs.String()
}

func TestRun(t *testing.T) {
	const script = "informer pods\nhandler h\nlog calls\ncreate pod a/x\nrun\nshow store\nexpect store [a/x@1]\n"
	status, out, errs := play(t, script, "run")
	if status != 0 || !strings.Contains(out, "HandlerCalled h OnAdd a/x@1\n> show store\n= [a/x@1]\n") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
	status, out, _ = play(t, script, "run", "--json")
	var kinds []string
	for line := range strings.Lines(out) {
		var e struct{ Kind string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Kind)
	}
	if want := "statement statement statement statement statement step statement value statement"; status != 0 || strings.Join(kinds, " ") != want {
		t.Errorf("status %d: %v", status, kinds)
	}
	status, out, _ = play(t, script, "run", "-o", "yaml")
	if !strings.HasPrefix(out, "kind: statement\nline: 1\ntext: informer pods\n---\nkind: statement\n") || strings.Count(out, "\n---\n") != len(kinds)-1 || status != 0 {
		t.Errorf("status %d:\n%s", status, out)
	}
	status, out, errs = play(t, script+"expect store []\n", "run")
	if status != 1 || !strings.HasSuffix(out, "> expect store []\n") || !strings.Contains(errs, "script.txt:8:14: got [a/x@1], not []") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
	if status, _, errs = play(t, "run fast", "run"); status != 1 || !strings.Contains(errs, "script.txt:1:5: ") {
		t.Errorf("status %d:\n%s", status, errs)
	}
}

// TestEmptyScript: nothing is no script that went well.
func TestEmptyScript(t *testing.T) {
	for _, text := range []string{"", " \n\n"} {
		name := filepath.Join(t.TempDir(), "a.txt")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		if status := run(t.Context(), []string{"run", name}, io.Discard, &errs); status != 1 || !strings.Contains(errs.String(), "the script is empty") {
			t.Errorf("%q: status %d, %s", text, status, &errs)
		}
	}
}
