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

const shopTrace = "../../../web/traces/shop.trace.jsonl.gz"

func TestMinimise(t *testing.T) {
	for _, c := range []struct {
		name, handler, until string
		most                 int // bytes of the result
	}{
		{"behind", "audit,takes=500ms", `behind("audit") >= 6`, 3000},
		{"update", "audit", `call("audit", "OnUpdate")`, 2000},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "small.trace.jsonl")
			args := []string{"--handler", c.handler, "--resource", "pods", "--until", c.until}
			var errs bytes.Buffer
			if status := run(t.Context(), append([]string{"minimise", shopTrace, out}, args...), io.Discard, &errs); status != cli.ExitOK {
				t.Fatalf("status %d: %s", status, &errs)
			}
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if len(text) > c.most {
				t.Errorf("%d bytes are left:\n%s", len(text), text)
			}
			for _, not := range []string{"labels", "spec", "managedFields"} { // neither expression needs them
				if bytes.Contains(text, []byte(`"`+not+`"`)) {
					t.Errorf("%s is left in\n%s", not, text)
				}
			}
			// The result is a capture like any other, and nothing in it can be left out.
			again := filepath.Join(t.TempDir(), "again.trace.jsonl")
			if status := run(t.Context(), append([]string{"minimise", out, again}, args...), io.Discard, &errs); status != cli.ExitOK {
				t.Fatalf("status %d: %s", status, &errs)
			}
			if smaller, err := os.ReadFile(again); err != nil || bytes.Count(smaller, []byte("\n")) != bytes.Count(text, []byte("\n")) {
				t.Errorf("once more (%v) it is\n%s\nand not\n%s", err, smaller, text)
			}
		})
	}
}

func TestMinimiseSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{shopTrace, "--until", `behind("handler") > 100000`}, cli.ExitFailed, `behind("handler") > 100000 is never true`},
		{[]string{shopTrace, "--until", `behind("handler"`}, cli.ExitUsage, "^"},
		{[]string{shopTrace, "--until", `behind("handler")`}, cli.ExitUsage, "expected a bool"},
		{[]string{shopTrace, "--until", `behind("nobody") > 3`}, cli.ExitUsage, "nobody"},
		{[]string{shopTrace}, cli.ExitUsage, "until"},
		{[]string{"-", "--until", `synced()`}, cli.ExitUsage, "it must be a file"},
		{[]string{shopTrace, "--until", `synced()`, "--resource", "unicorns"}, cli.ExitFailed, "no resource"},
	} {
		var errs bytes.Buffer
		status := run(t.Context(), append([]string{"minimise"}, c.args...), io.Discard, &errs)
		if status != c.status || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%q: status %d: %s", c.args, status, &errs)
		}
	}
}
