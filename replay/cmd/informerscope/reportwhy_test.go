package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhyRefuses: a key that the capture doesn't have is an error that says what a key is,
// and so is a step at which nothing happened to it.
func TestWhyRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"gt/nothing":           "NAMESPACE/NAME",
		"gt/a@999999":          "at that step",
		"gt/a@0":               "want 1 or more",
		"gt/a --notifications": "prints text",
		"gt/a -o yaml":         "prints text",
	} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), append([]string{"report", captured036, "--why"}, strings.Fields(args)...), &out, &errs); status == 0 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: status %d: %s", args, status, &errs)
		}
	}
}

// TestWhyOfAllKeys: each call that --notifications prints is in the chains of its key.
func TestWhyOfAllKeys(t *testing.T) {
	args := []string{"report", captured036, "--profile", "v0.32", "--handler", "h,resync=20s", "--handler", "late,from=9s,until=70s"}
	calls, chains := 0, 0
	var out, errs bytes.Buffer
	if status := run(t.Context(), append(args, "--notifications"), &out, &errs); status != 0 {
		t.Fatal(&errs)
	}
	keys := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		calls++
		_, rest, _ := strings.Cut(line, `"key":"`)
		key, _, _ := strings.Cut(rest, `"`)
		keys[key] = true
	}
	for key := range keys {
		out.Reset()
		if status := run(t.Context(), append(args, "--why", key), &out, &errs); status != 0 {
			t.Fatal(key, &errs)
		}
		chains += strings.Count(out.String(), " at ") - strings.Count(out.String(), "added only at") - strings.Count(out.String(), "removed at")
	}
	if calls == 0 || calls != chains {
		t.Errorf("%d calls, and %d in the chains of %d keys", calls, chains, len(keys))
	}
}

// TestWhyOfAScript holds that the chains of a script's controller go on from one resource to the next: a reconcile says what it has written, and
// what was written says by which reconcile.
func TestWhyOfAScript(t *testing.T) {
	for key, want := range map[string]string{
		"default/web":   "writes at 0:00.101, step 47: default/web-2 is created",
		"default/web-2": "created by a reconcile of replicasets default/web at the server, resourceVersion 2  (step 47)",
	} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), []string{"run", "../../../engine/script/testdata/29-two-are-created.txt", "--why", key}, &out, &errs); status != 0 || !strings.Contains(out.String(), want) {
			t.Errorf("%d, %s: want %q in\n%s", status, &errs, want, &out)
		}
	}
}

// TestWhyGolden compares chains with testdata/why-*.golden.
func TestWhyGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"why-streaming.txt": {captured036, "--profile", "v0.36.3", "--handler", "h,until=30s", "--handler", "late,from=9s", "--why", "gt/a"},
		"why-classic.txt":   {captured036, "--profile", "v0.32", "--handler", "h,resync=20s,takes=3s", "--why", "gt/b"},
		"why-step.txt":      {"../../format/testdata/shop.trace.jsonl.gz", "--resource", "pods", "--handler", "metrics", "--handler", "audit,takes=400ms,resync=1m", "--why", "shop/singleton@2:00.1"},
		"why-recorded.txt":  {"../../findings/testdata/late-deletes.owner.trace.jsonl.gz", "--why", "shop/a"},
	} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), append([]string{"report"}, args...), &out, &errs); status != 0 {
			t.Fatal(name, &errs)
		}
		golden(t, filepath.Join("testdata", name+".golden"), out.Bytes())
	}
}
