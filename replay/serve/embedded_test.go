package serve

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"testing"
	"testing/fstest"
)

// A program carries most files gzipped only. A browser that takes gzip gets such a file as it
// is, and any other gets it unpacked. What was gzipped before stays so.
func TestEmbedded(t *testing.T) {
	page := fstest.MapFS{
		"index.html":             {Data: []byte("<!doctype html>front")},
		"a1/page.js.gz":          {Data: zipped(t, "let a;")},
		"a1/shop.trace.jsonl.gz": {Data: []byte("\x1f\x8b")},
	}
	h := Embedded(page, "a1")
	for _, c := range []struct{ path, accept, encoding, kind, body string }{
		{"/", "gzip", "", "text/html; charset=utf-8", "<!doctype html>front"},
		{"/a1/page.js", "gzip", "gzip", "text/javascript; charset=utf-8", string(zipped(t, "let a;"))},
		{"/a1/page.js", "", "", "text/javascript; charset=utf-8", "let a;"},
		{"/a1/shop.trace.jsonl.gz", "gzip", "", "application/gzip", "\x1f\x8b"},
	} {
		r := ask(h, "GET", c.path, "Accept-Encoding", c.accept)
		if b := body(r); r.StatusCode != 200 || b != c.body || r.Header.Get("Content-Encoding") != c.encoding || r.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s with %q: %d %q %q %q", c.path, c.accept, r.StatusCode, r.Header.Get("Content-Encoding"), r.Header.Get("Content-Type"), b)
		}
	}
	if r := ask(h, "GET", "/a1/page.js", "Range", "bytes=4-4", "Accept-Encoding", "gzip"); r.StatusCode != http.StatusPartialContent || body(r) != "a" {
		t.Errorf("a part of a file: %d", r.StatusCode)
	}
	for _, path := range []string{"/a1/none.js", "/a1", "/a1/", "/../a1/page.js/x"} {
		if r := ask(h, "GET", path); r.StatusCode == 200 {
			t.Errorf("%s is there", path)
		}
	}
}

// A file is the same for a browser as long as it is of the same build.
func TestEmbeddedVersion(t *testing.T) {
	page := fstest.MapFS{"index.html": {Data: []byte("front")}}
	tag := ask(Embedded(page, "a1"), "GET", "/").Header.Get("ETag")
	if again := ask(Embedded(page, "a1"), "GET", "/", "If-None-Match", tag); again.StatusCode != http.StatusNotModified {
		t.Errorf("the same build: %d", again.StatusCode)
	}
	if other := ask(Embedded(page, "b2"), "GET", "/", "If-None-Match", tag); other.StatusCode != 200 {
		t.Errorf("another build: %d", other.StatusCode)
	}
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
