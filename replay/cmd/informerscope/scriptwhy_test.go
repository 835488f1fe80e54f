package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// TestRunWhy: of a script, too, it is told what came of each write of a key, and why a handler was called.
func TestRunWhy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "script.txt")
	script := "informer pods\nhandler a\nhandler slow takes=20ms\ncontroller pods program=\"if .labels.app = web update label x=y\"\nexists pod default/old\ncreate pod default/web app=web\nrun\ndelete pod default/web\nrun\n"
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string][]string{
		"default/web": {
			"default/web in pods\n", "created at the server, resourceVersion 2 ", "queue         Added, first in the queue", "cache         2 is added", "OnAdd at 0:00", "worker 1      reconciles it at 0:00", "; the cache has 2\n",
			"updated by a reconcile at the server, resourceVersion 3 ", "cache         2 → 3", "deleted at the server, resourceVersion ", "OnDelete at 0:00", "; took 20",
		},
		"default/old":     {"listed, resourceVersion 1 "},
		"default/web@1us": {"none of the 3 chains of \"default/web\" has anything at that step, or by that time"},
		"default/web@0":   {`--why: invalid step in "default/web@0"; want 1 or more`},
		"default/no":      {"unknown key \"default/no\", of which nothing was listed, watched or queued"},
	} {
		var out bytes.Buffer
		status := run(t.Context(), []string{"run", file, "--why", key}, &out, &out)
		if (status == cli.ExitOK) != (key == "default/web" || key == "default/old") {
			t.Errorf("%s: status %d", key, status)
		}
		for _, s := range want {
			if !strings.Contains(out.String(), s) {
				t.Errorf("%s: %q is missing in\n%s", key, s, &out)
			}
		}
	}
}
