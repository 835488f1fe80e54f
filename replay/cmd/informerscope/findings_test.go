package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"minimise", "-q", "../../findings/testdata/slow-handler.15.trace.jsonl.gz", filepath.Join(t.TempDir(), "x"), "--finding", "slow-handler"}, &out, &errs); code != 1 || !strings.Contains(errs.String(), "has no recorded calls") {
		t.Errorf("it exits with %d:\n%s", code, &errs)
	}
}
