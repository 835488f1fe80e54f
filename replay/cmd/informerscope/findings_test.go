package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/findings"
)

// TestReportAssertsFindings: findings are what --assert, JUnit and annotations can be about.
func TestReportAssertsFindings(t *testing.T) {
	const capture = "../../findings/testdata/hot-key.15.trace.jsonl.gz"
	junit := filepath.Join(t.TempDir(), "junit.xml")
	for assert, wrong := range map[string]string{
		`finding("hot-key") == 0`:    `finding("hot-key") == 0 is false: it is 1; 0:02.006: shop/hot of configmaps in shop changed 180 times within a minute`,
		`finding("hot-key") <= 1`:    "",
		`finding("relists") == 0`:    "",
		`finding() == 0`:             `finding() == 0 is false: it is 1; `,
		`finding("cold-key") == 0`:   `unknown finding "cold-key"; want handler-panic, `,
		`finding("hot-key") == zero`: `a whole number is missing`,
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"report", "-q", "--annotations", "--junit", junit, "--assert", assert, capture}, &out, &errs)
		if (code == 0) != (wrong == "") || !strings.Contains(errs.String(), wrong) {
			t.Errorf("%s exits with %d:\n%s", assert, code, &errs)
		}
		if code != 1 {
			continue
		}
		const card = "https://informerscope.github.io/informerscope/#file=hot-key.15.trace.jsonl.gz&size="
		if said := errs.String(); !strings.Contains(said, "::error title=finding(") || !strings.Contains(said, card) || !strings.Contains(said, "&view=card") || !strings.Contains(said, "&search=time%2528%2529+%253E%253D+2005.5ms") {
			t.Errorf("there is no annotation with a link:\n%s", &errs)
		}
		b, err := os.ReadFile(junit)
		var doc struct {
			Suite struct {
				Failures int `xml:"failures,attr"`
			} `xml:"testsuite"`
		}
		if err != nil || xml.Unmarshal(b, &doc) != nil || doc.Suite.Failures != 1 {
			t.Errorf("%v:\n%s", err, b)
		}
	}
}

// TestMinimiseKeepsAFinding: the smallest part has just so much of the trouble as the rule asks for.
func TestMinimiseKeepsAFinding(t *testing.T) {
	for id, c := range map[string]struct {
		plant string
		left  string // the end of the initial events counts as one
	}{
		"hot-key":       {"hot-key.among-many", "121 events of 1 object,"},
		"short-watches": {"short-watches.proxy", "1 event of 0 objects,"},
		"relist-news":   {"relist-news.deleted", "12 events of 10 objects,"},
		"silent-watch":  {"silent-watch.15", "1 event of 0 objects,"},
		"versions-back": {"versions-back.many", "5 events of 2 objects,"},
	} {
		small := filepath.Join(t.TempDir(), "small.trace.jsonl")
		var out, errs bytes.Buffer
		if code := run(t.Context(), []string{"minimise", "-q", "../../findings/testdata/" + c.plant + ".trace.jsonl.gz", small, "--finding", id}, &out, &errs); code != 0 || !strings.Contains(errs.String(), c.left) {
			t.Errorf("%s exits with %d:\n%s", id, code, &errs)
			continue
		}
		out.Reset()
		if code := run(t.Context(), []string{"report", "-q", "--assert", `finding("` + id + `") == 1`, small}, &out, &errs); code != 0 && code != 3 {
			t.Errorf("%s is not there in what was written:\n%s%s", id, &errs, &out)
		}
	}
}

// TestMinimiseKeepsWhatAProcessDid minimises recordings to findings about handlers and controllers. The part has the calls, Adds, reconciles
// and writes that the rule reads. It has nothing of other keys.
func TestMinimiseKeepsWhatAProcessDid(t *testing.T) {
	plants, err := filepath.Glob("../../findings/testdata/*.trace.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, plant := range plants {
		id, how, _ := strings.Cut(filepath.Base(plant), ".")
		i := slices.IndexFunc(findings.Rules, func(r findings.Rule) bool { return r.ID == id })
		ofProcess := slices.Contains([]string{"handler-panic", "slow-handler", "stuck-handler", "same-name"}, id) || i >= slices.IndexFunc(findings.Rules, func(r findings.Rule) bool { return r.ID == "function-panic" })
		if !ofProcess || tried[id] || strings.HasPrefix(how, "not-") {
			continue
		}
		tried[id] = true
		t.Run(id+"."+how, func(t *testing.T) {
			small := filepath.Join(t.TempDir(), "small.trace.jsonl")
			var out, errs bytes.Buffer
			if code := run(t.Context(), []string{"minimise", "-q", plant, small, "--finding", id}, &out, &errs); code != 0 {
				t.Fatalf("it exits with %d:\n%s", code, &errs)
			}
			if _, said, _ := strings.Cut(errs.String(), "small.trace.jsonl: "); !saysLess(said) {
				t.Errorf("nothing is left out: %s", &errs)
			}
			out.Reset()
			if code := run(t.Context(), []string{"report", "-q", "--assert", `finding("` + id + `") == 1`, small}, &out, &errs); code != 0 && code != 3 && code != 4 {
				t.Errorf("%s is not there in what was written (%d):\n%s%s", id, code, &errs, &out)
			}
		})
	}
	if len(tried) < 16 {
		t.Errorf("there are plants of %v", tried)
	}
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"minimise", "-q", plants[0], filepath.Join(t.TempDir(), "x"), "--finding", "burst"}, &out, &errs); code != 1 || !strings.Contains(errs.String(), "burst isn't there") {
		t.Errorf("without the finding it exits with %d:\n%s", code, &errs)
	}
}

// saysLess reports whether it is said that fewer lines are left than there were.
func saysLess(said string) bool {
	var left, total int
	_, err := fmt.Sscanf(strings.Join(strings.Fields(said), ""), "%dlinesof%d;", &left, &total)
	return err == nil && left < total
}
