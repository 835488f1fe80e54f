package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/report"
)

// plainCapture returns what a compressed capture holds.
func plainCapture(t *testing.T, name string) []byte {
	t.Helper()
	packed, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	plain, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	capture, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	return capture
}

// TestReportCompares: report says whether the recorded calls are those that the
// engine makes, in text and in JSON, and exits accordingly.
func TestReportCompares(t *testing.T) {
	const recorded, changed = `"handler":"h1-noresync","fn":"OnUpdate","key":"gt/a","oldRV":"221","rv":"227"`, `"handler":"h1-noresync","fn":"OnUpdate","key":"gt/a","oldRV":"221","rv":"226"`
	capture := plainCapture(t, captured036)
	if !bytes.Contains(capture, []byte(recorded)) {
		t.Fatal("the recording lacks the call to change")
	}
	file := filepath.Join(t.TempDir(), "changed.trace.jsonl")
	if err := os.WriteFile(file, bytes.Replace(capture, []byte(recorded), []byte(changed), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{captured036: cli.ExitOK, file: cli.ExitDiffers} {
		var text, doc, errs bytes.Buffer
		args := []string{"report", name, "--profile", "v0.36.3"}
		if status := run(t.Context(), args, &text, &errs); status != want {
			t.Errorf("%s: status %d\n%s", name, status, &errs)
		}
		if status := run(t.Context(), append(args, "-o", "json"), &doc, &errs); status != want {
			t.Errorf("%s, in JSON: status %d\n%s", name, status, &errs)
		}
		differs := want == cli.ExitDiffers
		if strings.Count(text.String(), "equal to the recorded calls") != 4-want/cli.ExitDiffers || strings.Contains(errs.String(), "h1-noresync") != differs {
			t.Errorf("%s:\n%s%s", name, &text, &errs)
		}
		if differs && !strings.Contains(text.String(), "gt/a: recorded OnUpdate, version 221 → 226, at ") {
			t.Errorf("the text lacks the call:\n%s", &text)
		}
		var got report.Report
		if err := json.Unmarshal(doc.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		for _, h := range got.Resources[0].Handlers {
			c := h.Compared
			if c == nil || c.Equal == (differs && h.Name == "h1-noresync") {
				t.Errorf("%s, in JSON: %s: %+v", name, h.Name, c)
			} else if !c.Equal && (c.Differences[0].Key != "gt/a" || c.Differences[0].Recorded.RV != "226" || c.Differences[0].Played.RV != "227") {
				t.Errorf("in JSON: %+v", c.Differences)
			}
		}
	}
}

// TestDamageHidesNoDifference: a capture that is damaged, and whose recorded calls are not
// the engine's, exits with the status of the calls, and says both.
func TestDamageHidesNoDifference(t *testing.T) {
	const recorded, changed = `"handler":"h1-noresync","fn":"OnUpdate","key":"gt/a","oldRV":"221","rv":"227"`, `"handler":"h1-noresync","fn":"OnUpdate","key":"gt/a","oldRV":"221","rv":"226"`
	capture := bytes.Replace(plainCapture(t, captured036), []byte(recorded), []byte(changed), 1)
	file := filepath.Join(t.TempDir(), "damaged.trace.jsonl")
	if err := os.WriteFile(file, append(capture, "{#}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"report", file, "--profile", "v0.36.3"}, &out, &errs); status != cli.ExitDiffers {
		t.Errorf("status %d", status)
	}
	if !strings.Contains(errs.String(), "could not be read") || !strings.Contains(errs.String(), "h1-noresync") {
		t.Errorf("standard error lacks one of the two:\n%s", &errs)
	}
}

// TestAssertKnowsRecordedHandlers: an expression of report is about the recorded handlers,
// which take as long as they took.
func TestAssertKnowsRecordedHandlers(t *testing.T) {
	const name = "../../report/testdata/recordings/v037-e.trace.jsonl.gz"
	for assert, want := range map[string]int{`behind("slow") <= 5`: cli.ExitFailed, `behind("slow") <= 50`: cli.ExitOK} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), []string{"report", name, "--profile", "v0.37", "--assert", assert}, &out, &errs); status != want {
			t.Errorf("%s: status %d\n%s", assert, status, &errs)
		}
	}
}

// TestWatchErrors: the ERROR events of a capture are found, and those alone.
func TestWatchErrors(t *testing.T) {
	const name = "../../report/testdata/cg037-listwatch-selector.trace.jsonl.gz"
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"report", name, "--profile", "v0.34", "--find", `watchEvent("ERROR")`}, &out, &errs); status != cli.ExitOK || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("status %d\n%s%s", status, &out, &errs)
	}
	if status := run(t.Context(), []string{"report", name, "--assert", `!watchEvent("ERROR")`}, &out, &errs); status != cli.ExitFailed {
		t.Errorf("an assert that there is none: status %d", status)
	}
}

// TestListsAreListed: a capture that has ordinary lists is played with lists, whatever the
// version would have asked for, so that no event is told that nobody sent. With
// --streaming-lists they are converted, and so are streaming lists for a version that asks for
// none; then the report says so.
func TestListsAreListed(t *testing.T) {
	const listed = "../../report/testdata/cg037-listwatch-selector.trace.jsonl.gz"
	for _, c := range []struct {
		args []string
		hits int
		says string
	}{
		{[]string{listed, "--profile", "current", "--find", `watchEvent("ADDED")`}, 6, ""},
		{[]string{listed, "--profile", "current", "--find", `watchEvent("BOOKMARK")`}, 1, ""},
		{[]string{listed, "--profile", "current", "--streaming-lists", "--find", `watchEvent("ADDED")`}, 18, ""},
		{[]string{listed, "--profile", "current"}, -1, ""},
		{[]string{listed, "--profile", "current", "--streaming-lists"}, -1, "converted  2 ordinary lists are played as streaming, as this version asks for them"},
		{[]string{captured036, "--profile", "v0.32"}, -1, "streaming lists are played as ordinary, because this version asks for no streaming list"},
		{[]string{captured036, "--profile", "v0.36"}, -1, ""},
		{[]string{"compare", "v0.34,v0.37", listed}, -1, ""},
	} {
		var out, errs bytes.Buffer
		args := append(c.args, "-q")
		if args[0] != "compare" {
			args = append([]string{"report"}, args...)
		}
		run(t.Context(), args, &out, &errs)
		text := strings.Join(strings.Fields(out.String()), " ")
		if says := strings.Join(strings.Fields(c.says), " "); !strings.Contains(text, says) || says == "" && strings.Contains(text, "converted") {
			t.Errorf("%q:\n%s%s", c.args, &out, &errs)
		}
		if hits := strings.Count(out.String(), "\n"); c.hits >= 0 && hits != c.hits {
			t.Errorf("%q: %d hits\n%s%s", c.args, hits, &out, &errs)
		}
	}
}

// TestNewerVersions: a newer release of a known minor is played as the newest known one, and
// that is said. Versions may be named as Kubernetes counts them.
func TestNewerVersions(t *testing.T) {
	for version, says := range map[string]string{"v0.37.99": "client-go v0.37.99 is newer than what is known; it is played as v0.37.2\n", "v1.32": "", "v0.37.2": ""} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), []string{"report", captured036, "-q", "--find", "relist()", "--profile", version}, &out, &errs); status != cli.ExitOK && status != cli.ExitDiffers || !strings.HasPrefix(errs.String(), says) || says == "" && strings.Contains(errs.String(), "newer") {
			t.Errorf("%s: status %d, %s", version, status, &errs)
		}
	}
}

// TestReportComparesWhatIsNamed: with --handler, only the handlers of that name are
// compared; without calls in the capture, none.
func TestReportComparesWhatIsNamed(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int // lines
	}{
		{[]string{captured036, "--handler", "h1-noresync", "--handler", "what-if,takes=1s,resync=3s"}, 1},
		{[]string{captured036, "--handler", "what-if"}, 0},
		{[]string{cutWatch}, 0},
	} {
		var out, errs bytes.Buffer
		run(t.Context(), append([]string{"report"}, c.args...), &out, &errs)
		if got := strings.Count(out.String(), "recorded calls"); got != c.want {
			t.Errorf("%v: %d handlers are compared\n%s%s", c.args, got, &out, &errs)
		}
	}
}
