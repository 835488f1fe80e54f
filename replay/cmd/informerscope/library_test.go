package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunPlaysTheLibrary plays files with a transcript, and finds what differs from it.
func TestRunPlaysTheLibrary(t *testing.T) {
	const name = "../../../engine/script/testdata/26-lost-event.txt"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	play := func(name string) (status int, errors string) {
		var stdout, stderr bytes.Buffer
		status = run(t.Context(), []string{"run", name}, &stdout, &stderr)
		return status, stderr.String()
	}
	if status, errors := play(name); status != 0 || errors != "" {
		t.Errorf("%d: %s", status, errors)
	}
	for _, c := range []struct{ old, new, want string }{
		{"WatchOpened", "WatchClosed", `: line 11: got "  5.031ms      reflector  WatchOpened", and the file has "  5.031ms      reflector  WatchClosed"`},
		{"> drop event\n", "> drp event\n", `:20:1: unknown command "drp"; did you mean drop?`},
	} {
		other := filepath.Join(t.TempDir(), "other.txt")
		if err := os.WriteFile(other, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, errors := play(other); status == 0 || !strings.Contains(errors, c.want) {
			t.Errorf("%d: %s, want %s", status, errors, c.want)
		}
	}
}
