package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"
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

// endsAfter is a context that Ctrl-C ends when it was asked so often whether it is done.
type endsAfter struct {
	context.Context
	end   context.CancelFunc
	asked atomic.Int64
	after int64
}

func (c *endsAfter) Err() error {
	if c.asked.Add(1) == c.after {
		c.end()
	}
	return c.Context.Err()
}

// Ctrl-C ends the search. What was found until then is written, and that it is not the end is said.
func TestMinimiseIsInterrupted(t *testing.T) {
	args := []string{"--handler", "audit,takes=500ms", "--resource", "pods", "--until", `behind("audit") >= 6`}
	interrupted := func(after int64) (asked int64, status int, text []byte, errs string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := &endsAfter{Context: ctx, end: cancel, after: after}
		out := filepath.Join(t.TempDir(), "small.trace.jsonl")
		var said bytes.Buffer
		status = run(c, append([]string{"minimise", shopTrace, out}, args...), io.Discard, &said)
		text, _ = os.ReadFile(out)
		return c.asked.Load(), status, text, said.String()
	}
	all, status, smallest, errs := interrupted(-1)
	if status != cli.ExitOK || strings.Contains(errs, "to its end") {
		t.Fatalf("status %d: %s", status, errs)
	}
	// From some moment on there is something to write.
	first := sort.Search(int(all), func(after int) bool {
		_, _, text, _ := interrupted(int64(after))
		return text != nil
	})
	for _, after := range []int{first, first + 2, first + 8, first + 20} {
		_, status, text, errs := interrupted(int64(after))
		if status != cli.ExitInterrupted || !strings.Contains(errs, "the search has not come to its end") {
			t.Fatalf("status %d: %s", status, errs)
		}
		if len(text) < len(smallest) {
			t.Errorf("%d bytes were found until then, and %d in the end", len(text), len(smallest))
		}
		in := filepath.Join(t.TempDir(), "in.trace.jsonl")
		if err := os.WriteFile(in, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, said bytes.Buffer
		if status := run(t.Context(), []string{"report", in, "--handler", "audit,takes=500ms", "--find", `behind("audit") >= 6`}, &out, &said); status != cli.ExitOK || out.Len() == 0 {
			t.Errorf("in what was written it doesn't come about: %d, %s%s", status, &out, &said)
		}
	}
}

func TestMinimiseSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{shopTrace, "--until", `behind("simulated") > 100000`}, cli.ExitFailed, `behind("simulated") > 100000 is never true`},
		{[]string{shopTrace, "--until", `behind("simulated"`}, cli.ExitUsage, "^"},
		{[]string{shopTrace, "--until", `behind("simulated")`}, cli.ExitUsage, "expected a bool"},
		{[]string{shopTrace, "--until", `behind("nobody") > 3`}, cli.ExitUsage, "nobody"},
		{[]string{shopTrace}, cli.ExitUsage, "until"},
		{[]string{"-", "--until", `synced()`}, cli.ExitUsage, "it must be a file"},
		{[]string{shopTrace, "--until", `synced()`, "--resource", "unicorns"}, cli.ExitFailed, `unknown resource "unicorns"; it has configmaps, `},
		{[]string{shopTrace, "--finding", "hot-loop", "--resource", "unicorns"}, cli.ExitFailed, `unknown resource "unicorns"; it has configmaps, `},
	} {
		var errs bytes.Buffer
		status := run(t.Context(), append([]string{"minimise"}, c.args...), io.Discard, &errs)
		if status != c.status || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%q: status %d: %s", c.args, status, &errs)
		}
	}
}
