package evidence

import (
	"bytes"
	"flag"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/format/file"
)

var update = flag.Bool("update", false, "write the golden file")

// TestWrite: what is written of two recordings and an assert, in each form.
func TestWrite(t *testing.T) {
	var all bytes.Buffer
	for _, name := range []string{"hot-key.15", "relist-news.deleted"} {
		f, err := os.Open("../findings/testdata/" + name + ".trace.jsonl.gz")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		plain, err := file.Plain(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(plain)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Of(b, name+".trace.jsonl", int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		s.Rows = append([]Row{{Of: "pods", ID: "!crashed()"}, {Of: "pods", ID: "behind() <= 5", Text: "behind() <= 5 is false of pods at step 9", Link: ToFile("a", 0).Add("step", "9")}}, s.Rows...)
		for _, one := range []struct {
			name  string
			write func(io.Writer) error
		}{{"text", s.WriteText}, {"Markdown", s.WriteMarkdown}, {"GitHub", s.WriteGitHub}, {"JUnit", s.WriteJUnit}} {
			all.WriteString("--- " + one.name + "\n")
			if err := one.write(&all); err != nil {
				t.Fatal(err)
			}
		}
	}
	const golden = "testdata/written.txt"
	if *update {
		if err := os.WriteFile(golden, all.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := all.String(); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTextIsNoMarkup: what a recording calls its things is neither Markdown nor HTML, nor a command of GitHub Actions.
func TestTextIsNoMarkup(t *testing.T) {
	evil := "a](http://x) | <script> `b` @somebody #1 **c**\n::error::d\r\u202e ![e](f)"
	s := &Summary{Name: evil, Title: "T", Rows: []Row{{Of: evil, ID: evil, Harm: said.Texts["harm.wrong"], Title: evil, Text: evil, Instead: evil}}}
	var b strings.Builder
	if err := s.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	if markup := regexp.MustCompile(`[^\\][]![](\(|\[e)|<script|@s| #1| \*\*c|://x|\x{202e}| \| <`).FindString(b.String()); markup != "" {
		t.Errorf("%q is in\n%s", markup, &b)
	}
	if n := strings.Count(b.String(), "\n"); n != 11 {
		t.Errorf("there are %d lines:\n%s", n, &b)
	}
	b.Reset()
	if err := s.WriteGitHub(&b); err != nil || strings.Count(b.String(), "\n") != 1 || strings.Contains(b.String(), "\r") {
		t.Errorf("%v: %q", err, b.String())
	}
}

// TestTenLines: of many findings the text has the worst.
func TestTenLines(t *testing.T) {
	s := &Summary{Name: "a", Title: "T", Link: ToFile("a", 0)}
	for range 30 {
		s.Rows = append(s.Rows, Row{Harm: "wrong", Text: "it is"})
	}
	var b strings.Builder
	if err := s.WriteText(&b); err != nil || strings.Count(b.String(), "\n") != Lines || !strings.Contains(b.String(), "\n  and 23 more\nThe step: "+Site+"#file=a\n") {
		t.Errorf("%v:\n%s", err, &b)
	}
}
