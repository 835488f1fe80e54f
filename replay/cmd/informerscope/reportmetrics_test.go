package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// report --metrics writes the file beside the report: of each resource what its version exports, at the
// times that --scrape asks for.
func TestReportWritesMetrics(t *testing.T) {
	dir := t.TempDir()
	metrics := func(name string, more ...string) (text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		var out, errs bytes.Buffer
		args := append([]string{"report", "../../../web/traces/shop.trace.jsonl.gz", "--handler", "audit,takes=20ms,workqueue", "--metrics", name}, more...)
		if status := run(t.Context(), args, &out, &errs); status != 0 {
			t.Fatalf("%d: %s", status, errs.String())
		}
		if !strings.Contains(out.String(), "audit") {
			t.Errorf("there is no report: %s", out.String())
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	lines := func(text, series string) int { return strings.Count(text, "\n"+series+" ") }
	const pods, depth = `informer_queued_items{name="pods",group="",version="v1",resource="pods"}`, `workqueue_depth{name="pods"}`
	now := metrics("now.txt", "--scrape", "10s")
	if !strings.HasSuffix(now, "# EOF\n") || lines(now, pods) < 3 || lines(now, pods) != lines(now, depth) {
		t.Errorf("%d and %d samples", lines(now, pods), lines(now, depth))
	}
	if often := metrics("often.txt", "--scrape", "1s"); lines(often, pods) < 5*lines(now, pods) {
		t.Errorf("each second there are %d samples, and each ten seconds %d", lines(often, pods), lines(now, pods))
	}
	if old := metrics("old.txt", "--profile", "v0.35"); lines(old, pods) != 0 || lines(old, depth) == 0 {
		t.Errorf("v0.35 exports %d samples of the informer and %d of the workqueue", lines(old, pods), lines(old, depth))
	}
	for _, wrong := range [][]string{{"--metrics", "-"}, {"--metrics", filepath.Join(dir, "x.txt"), "--scrape", "1us"}, {"--metrics", filepath.Join(dir, "x.txt"), "--costs"}} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), append([]string{"report", smallPods}, wrong...), &out, &errs); status != 2 {
			t.Errorf("%v gives %d: %s", wrong, status, errs.String())
		}
	}
}
