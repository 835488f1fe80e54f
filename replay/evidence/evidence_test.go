package evidence

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

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
		s, err := Summarize(b, name+".trace.jsonl", int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		s.Rows = append([]Row{{Subject: "pods", ID: "!crashed()"}, {Subject: "pods", ID: "behind() <= 5", Text: "behind() <= 5 is false of pods at step 9", Link: ToFile("a", 0).Add("step", "9")}}, s.Rows...)
		for _, format := range []struct {
			name  string
			write func(io.Writer) error
		}{{"text", s.WriteText}, {"Markdown", s.WriteMarkdown}, {"GitHub", s.WriteGitHub}, {"JUnit", s.WriteJUnit}} {
			all.WriteString("--- " + format.name + "\n")
			if err := format.write(&all); err != nil {
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

// TestALongRecording: the link holds a part of it, in which the same is found, and says what is missing.
func TestALongRecording(t *testing.T) {
	defer func(had time.Duration) { shortening = had }(shortening)
	shortening = time.Hour // a busy machine may take long
	var long bytes.Buffer
	long.WriteString(`{"informerscope":"trace","version":1,"start":"2026-11-20T21:06:42Z"}` + "\n")
	random := rand.New(rand.NewPCG(1, 1))
	line := func(ms int, format string, args ...any) {
		fmt.Fprintf(&long, `{"t":%d,%s}`+"\n", int64(ms)*1e6, fmt.Sprintf(format, args...))
	}
	line(0, `"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=1"}`)
	line(0, `"id":1,"resp":{"status":200,"contentType":"application/json"}`)
	line(0, `"id":2,"req":{"method":"GET","url":"/api/v1/secrets"}`)
	line(0, `"id":2,"resp":{"status":200,"contentType":"application/json"}`)
	line(0, `"id":2,"body":{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"namespace":"shop","name":"p1","uid":"%x","resourceVersion":"1"}}]}`, random.Uint64())
	for i := range 2000 {
		line(2*i, `"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"shop","name":"p%d","uid":"%x-%x","resourceVersion":"%d"}}}`, i, random.Uint64(), random.Uint64(), i+2)
	}
	for i := range 20 {
		line(4000+100*i, `"id":%d,"reconcile":{"controller":"web","key":"shop/p7","worker":1}`, 10+i)
		line(4000+100*i, `"id":%d,"reconciled":{"result":"error","error":"NotFound","message":"no zone","took":1000}`, 10+i)
	}
	for i := range 3000 {
		line(10000+i, `"id":%d,"reconcile":{"controller":"web","key":"shop/p%d","worker":1}`, 100+i, 10+random.IntN(1990))
		line(10000+i, `"id":%d,"reconciled":{"result":"done","took":%d}`, 100+i, random.IntN(100000))
	}
	s, err := Summarize(long.Bytes(), "a.trace.jsonl", int64(long.Len()))
	if err != nil {
		t.Fatal(err)
	}
	first := s.Failed()[0]
	first.Link = ToFile("a.trace.jsonl", 1).Add("informer", "pods").Add("search", Since(first.Time)) // a finding of a controller alone has no resource
	s.Rows[slices.IndexFunc(s.Rows, func(r Row) bool { return r.Text != "" })].Link = first.Link
	s.EmbedRecording(long.Bytes(), MaxHeld)
	got := s.Failed()[0]
	if s.Link.Embeds() || !got.Link.Embeds() || len(got.Link.String()) > MaxHeld {
		t.Fatalf("the recording of %d bytes is in the link of %d bytes: %v", long.Len(), len(got.Link.String()), got)
	}
	if !regexp.MustCompile(`^a part: \d+ of 8.\d+ lines, until 0:0\d\.\d+, without secrets, 1.\d+ objects$`).MatchString(got.Part) {
		t.Errorf("it says %q", got.Part)
	}
	held, err := url.QueryUnescape(strings.TrimPrefix(strings.Split(got.Link.Fragment(), "&")[0], "#capture="))
	if err != nil {
		t.Fatal(err)
	}
	part, err := Summarize([]byte(held), "", 0)
	if err != nil || part.Failed()[0].ID != first.ID || part.Failed()[0].Time != first.Time || !strings.Contains(held, `"note":"a part: `) {
		t.Errorf("%v: of the part is said %+v, and of the whole %+v", err, part, first)
	}
	var b strings.Builder
	if err := s.WriteText(&b); err != nil || !strings.Contains(b.String(), "\nThe link holds a part: ") || strings.Count(b.String(), "\n") > Lines {
		t.Errorf("%v:\n%s", err, &b)
	}
}

// TestTextIsNoMarkup: what a recording calls its things is neither Markdown nor HTML, nor a command of GitHub Actions.
func TestTextIsNoMarkup(t *testing.T) {
	evil := "a](http://x) | <script> `b` @somebody #1 **c**\n::error::d\r\u202e ![e](f)"
	s := &Summary{Name: evil, Title: "T", Rows: []Row{{Subject: evil, ID: evil, Harm: said.Texts["harm.wrong"], Title: evil, Text: evil, Instead: evil}}}
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
