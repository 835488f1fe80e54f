package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompletion: each shell gets its script, and the words that complete a
// command line.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), []string{"completion", shell}, &stdout, &stderr); status != 0 || !strings.Contains(stdout.String(), "__complete") {
			t.Errorf("%s: %d, %s", shell, status, &stderr)
		}
	}
	kubectl := filepath.Join(t.TempDir(), "kubectl")
	if err := os.WriteFile(kubectl, []byte("#!/bin/sh\n[ \"$*\" = \"config get-contexts -o name --kubeconfig=/c\" ] && printf 'prod\\npre\\nstaging\\n'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"record --kubeconfig /c --kubectl " + kubectl + " --context pr": "prod pre",
		"record --kubectl " + kubectl + " --context pr":                 "",
		"re":                 "record report redact",
		"co":                 "compare costs controller convert completion",
		"report --pro":       "--profile",
		"report --profile ":  "classic delta ordered batched current v0.38.0-beta.0",
		"report -o ":         "text json yaml markdown github",
		"record deployments": "deployments.apps",
		"help exit":          "exit-codes",
		"serve --no":         "--no-cluster",
		"man conv":           "convert",
		"completion p":       "powershell",
		"redact --nam":       "--names",
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), append([]string{"__complete"}, strings.Split(args, " ")...), &stdout, &stderr)
		var got []string
		for line := range strings.Lines(stdout.String()) {
			if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); !strings.HasPrefix(word, ":") {
				got = append(got, word)
			}
		}
		if status != 0 || strings.Join(got, " ") != want {
			t.Errorf("%s: %d, %q, want %q\n%s", args, status, got, want, &stderr)
		}
	}
}
