package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/evidence"
)

// The golden files have no annotations, which reports print within GitHub Actions.
func init() { os.Unsetenv("GITHUB_ACTIONS") }

// suites are what is read of JUnit's XML.
type suites struct {
	Suite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Cases    []struct {
			Class   string `xml:"classname,attr"`
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// Each assert of each resource is a test case. A failure says what the standard error says,
// and has a link that plays the same process.
func TestVerdicts(t *testing.T) {
	const shop = "../../../web/traces/shop.trace.jsonl.gz"
	t.Setenv("GITHUB_ACTIONS", "true")
	file := filepath.Join(t.TempDir(), "a.xml")
	reported := func(status int, args ...string) (output string, s suites) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), append(args, "-q", "-o", "json", "--junit", file), &stdout, &stderr); got != status {
			t.Fatalf("%q: %d, want %d: %s", args, got, status, &stderr)
		}
		b, err := os.ReadFile(file)
		if err == nil {
			err = xml.Unmarshal(b, &s)
		}
		if err != nil || !bytes.HasPrefix(b, []byte(xml.Header)) {
			t.Fatalf("%v: %s", err, b)
		}
		return stderr.String(), s
	}
	output, s := reported(1, "report", shop, "--resource", "pods", "--handler", "audit,takes=400ms", "--handler", "b: 100%,workqueue,resync=1m", "--profile", "v0.32",
		"--assert", `behind("audit") <= 5`, "--assert", "!crashed()")
	if s.Suite.Name != shop || s.Suite.Tests != 2 || s.Suite.Failures != 1 || s.Suite.Cases[0].Class != "pods" || s.Suite.Cases[1].Failure != nil {
		t.Errorf("the suite is %+v", s.Suite)
	}
	f := s.Suite.Cases[0].Failure
	if f == nil || !strings.HasPrefix(f.Message, `behind("audit") <= 5 is false of pods at step `) || !strings.Contains(output, f.Message) {
		t.Fatalf("it fails with %+v and %s", f, output)
	}
	_, link, _ := strings.Cut(f.Text, "\n")
	const process = "&informer=pods&profile=v0.32&lists=recorded&workers=1&resync=60000&work=3&handler=takes%3D400%3Aaudit&handler=resync%3D60000%2Cworkqueue%3Ab%3A+100%25&step="
	if !strings.HasPrefix(link, evidence.Site+"#file=shop.trace.jsonl.gz&size=") || !strings.Contains(link, process) {
		t.Errorf("the link is %s", link)
	}
	annotation := `::error title=behind("audit") <= 5::` + f.Message + "%0A" + strings.ReplaceAll(link, "%", "%25") + "\n"
	if !strings.Contains(output, annotation) || strings.Count(output, "::error") != 1 {
		t.Errorf("it says\n%s\nwant\n%s", output, annotation)
	}

	// What a link can't say has none.
	for _, args := range [][]string{
		{"report", shop, "--handler", "audit,takes=400ms,until=20s"},
		{"report", shop, "--handler", "audit,takes=400ms", "--streaming-lists"},
		{"report", shop, shop, "--handler", "audit,takes=400ms"},
	} {
		if output, s := reported(1, append(args, "--resource", "pods", "--assert", `behind("audit") <= 1`, "--annotations=false")...); strings.Contains(output, "http") || strings.Contains(output, "::error") || strings.Contains(s.Suite.Cases[0].Failure.Text, "http") {
			t.Errorf("%q: %s", args, output)
		}
	}
	if _, s := reported(0, "report", shop, "--resource", "pods", "--assert", "!crashed()"); s.Suite.Tests != 1 || s.Suite.Failures != 0 {
		t.Errorf("the suite is %+v", s.Suite)
	}
	if _, s := reported(1, "controller", "../../trace/testdata/worker.trace.jsonl", "--assert", "reconciles() < 0", "--assert", "errors() >= 0"); s.Suite.Tests != 2 || s.Suite.Failures != 1 || s.Suite.Cases[0].Failure == nil {
		t.Errorf("of a controller: %+v", s.Suite)
	}
	// Without an assert, the findings are the cases.
	if _, s := reported(0, "report", "../../findings/testdata/hot-key.15.trace.jsonl.gz"); s.Suite.Failures != 1 || s.Suite.Cases[0].Name != "hot-key" || s.Suite.Cases[0].Failure == nil {
		t.Errorf("the findings are %+v", s.Suite)
	}
}
