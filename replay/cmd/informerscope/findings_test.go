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
		`finding("hot-loop") == 0`:   `unknown finding "hot-loop"; want handler-panic, `,
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
		if !strings.Contains(errs.String(), "::error title=finding(") {
			t.Errorf("there is no annotation:\n%s", &errs)
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
