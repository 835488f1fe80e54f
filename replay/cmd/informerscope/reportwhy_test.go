package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/report"
)

func TestParseWhy(t *testing.T) {
	for text, want := range map[string]why{
		"shop/web":          {"shop/web", 0, -1},
		"shop/web@17":       {"shop/web", 17, -1},
		"shop/web@1.5s":     {"shop/web", 0, 1_500_000_000},
		"shop/web@1:23.456": {"shop/web", 0, 83_456_000_000},
		"web@1:02:03":       {"web", 0, 3723_000_000_000},
		"a@example.com":     {"a@example.com", 0, -1},
		"a@b@9":             {"a@b", 9, -1},
		"a@1:2:3:4":         {"a@1:2:3:4", 0, -1},
		"a@1.5:30":          {"a@1.5:30", 0, -1},
	} {
		if got, err := parseWhy(text); err != nil || got != want {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	if _, err := parseWhy("a@0"); err == nil {
		t.Error("step 0 is taken")
	}
	for _, ns := range []int64{0, 83_456_000_000, 3723_000_000_000} {
		if got, ok := parseMoment(report.Moment(ns)); !ok || got != ns {
			t.Errorf("%d is read as %d", ns, got)
		}
	}
}

// TestWhyRefuses: a key that the capture doesn't have is an error that says what a key is,
// and so is a step at which nothing happened to it.
func TestWhyRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"gt/nothing":           "NAMESPACE/NAME",
		"gt/a@999999":          "at that step",
		"gt/a@0":               "counted from 1",
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

// TestWhyGolden compares chains with testdata/why-*.golden.
func TestWhyGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"why-streaming.txt": {captured036, "--profile", "v0.36.3", "--handler", "h,until=30s", "--handler", "late,from=9s", "--why", "gt/a"},
		"why-classic.txt":   {captured036, "--profile", "v0.32", "--handler", "h,resync=20s,takes=3s", "--why", "gt/b"},
		"why-step.txt":      {"../../format/testdata/shop.trace.jsonl.gz", "--resource", "pods", "--handler", "metrics", "--handler", "audit,takes=400ms,resync=1m", "--why", "shop/singleton@2:00.1"},
	} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), append([]string{"report"}, args...), &out, &errs); status != 0 {
			t.Fatal(name, &errs)
		}
		golden(t, filepath.Join("testdata", name+".golden"), out.Bytes())
	}
}
