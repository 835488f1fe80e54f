package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/comparecmd"
)

// TestCompareCaptures: a capture is equal to itself, and one without deletions differs where those are.
// A capture of another cluster is in step by the time.
func TestCompareCaptures(t *testing.T) {
	whole := plainCapture(t, captured036)
	var cut []byte
	for line := range bytes.Lines(whole) {
		if !bytes.Contains(line, []byte(`"type":"DELETED"`)) {
			cut = append(cut, line...)
		}
	}
	file := func(name string, content []byte) string {
		name = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	other := file("other.trace.jsonl", bytes.ReplaceAll(whole, []byte(`"uid":"`), []byte(`"uid":"f`)))
	for _, c := range []struct {
		against string
		status  int
		says    []string
	}{
		{captured036, cli.ExitOK, []string{"; the same\n", "in step    by resourceVersion, "}},
		{file("cut.trace.jsonl", cut), cli.ExitFailed, []string{"different in ", "OnDelete, version 230", "OnUpdate, version 229 → 231", "in step    by resourceVersion, "}},
		{other, cli.ExitOK, []string{"; the same\n", "in step    by the time since each beginning, "}},
		{other + ".missing", cli.ExitFailed, nil},
	} {
		var text, doc, errs bytes.Buffer
		args := []string{"compare", captured036, "--against", c.against, "--profile", "v0.36.3", "--handler", "audit"}
		if status := run(t.Context(), args, &text, &errs); status != c.status {
			t.Errorf("%s: status %d\n%s", c.against, status, &errs)
		}
		for _, says := range c.says {
			if !strings.Contains(text.String(), says) {
				t.Errorf("%s: the text lacks %q:\n%s", c.against, says, &text)
			}
		}
		if c.says == nil {
			continue
		}
		run(t.Context(), append(args, "-o", "json"), &doc, &errs)
		var all []comparecmd.TwoCaptures
		if err := json.Unmarshal(doc.Bytes(), &all); err != nil || len(all) == 0 || all[0].Against == nil || all[0].Pace == "" || all[0].Against.Handlers[0].Equal() != (c.status == cli.ExitOK) {
			t.Errorf("%s, in JSON: %v, %.300s", c.against, err, &doc)
		}
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"compare", "v0.32,v0.37", captured036, "--against", captured036}, &out, &errs); status != cli.ExitFailed || out.Len() > 0 {
		t.Errorf("with versions: status %d", status)
	}
}
