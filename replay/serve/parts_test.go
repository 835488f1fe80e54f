package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/informerscope/informerscope/replay/format"
)

// text is a capture in memory. Of some, not all bytes are there: then Await waits.
type text struct {
	*strings.Reader
	whole int64
	fails error // in the place of io.EOF
}

func textOf(s string) *text { return &text{Reader: strings.NewReader(s), whole: int64(len(s))} }

func (t *text) ReadAt(p []byte, offset int64) (int, error) {
	n, err := t.Reader.ReadAt(p, offset)
	if err == io.EOF && t.fails != nil {
		err = t.fails
	}
	return n, err
}

func (t *text) Size() int64 { return t.whole }

func (t *text) Await(ctx context.Context, offset int64) error {
	if offset <= t.Reader.Size() || t.whole == t.Reader.Size() {
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

// inParts serves one capture that has parts, and asks for them with the key.
func inParts(t *testing.T, parts func() (Parts, error)) (get func(path string, header ...string) (*http.Response, partInfo)) {
	t.Helper()
	c := capture("pods.json", "all of it")
	c.Parts = parts
	o := NewOpener(http.NotFoundHandler(), []Opened{c, capture("small.json", "{}")}, "", func() {})
	cookies := cookiesOf(keyed(o, o.KeyPath()))
	return func(path string, header ...string) (*http.Response, partInfo) {
		t.Helper()
		r := httptest.NewRequest("GET", "http://127.0.0.1:8080/opened/"+path, nil)
		r.Header.Set("Cookie", cookies)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		o.ServeHTTP(w, r)
		return w.Result(), saidOf(t, w.Result())
	}
}

func saidOf(t *testing.T, r *http.Response) (s partInfo) {
	t.Helper()
	b, err := url.PathUnescape(r.Header.Get("Part"))
	if err == nil && b != "" {
		err = json.Unmarshal([]byte(b), &s)
	}
	if err != nil {
		t.Fatalf("%q: %v", b, err)
	}
	return s
}

// The answer is the bytes that were asked for, and says where they end and why.
func TestParts(t *testing.T) {
	now := textOf("0123456789")
	get := inParts(t, func() (Parts, error) { return now, nil })
	for _, c := range []struct{ query, want, says string }{
		{"from=0&to=4", "0123", "{1 4 10 false  }"},
		{"from=4&to=10&of=1", "456789", "{1 10 10 false  }"},
		{"from=8&to=20&of=1", "89", "{1 10 10 true  }"},
		{"from=10&to=20&of=1", "", "{1 10 10 true  }"},
	} {
		if r, s := get("bytes/pods.json?" + c.query); r.StatusCode != 200 || body(r) != c.want || fmt.Sprint(s) != strings.ReplaceAll(c.says, "}", "[]}") {
			t.Errorf("%s: %d %v %+v", c.query, r.StatusCode, r.Header, s)
		}
	}
	if r, s := get("digest/pods.json?from=2&to=9"); body(r) != string(new(format.Digester).Append(nil, []byte("2345678"))) || s.To != 9 {
		t.Errorf("the digest: %d %+v", r.StatusCode, s)
	}
	now.fails = errors.New("the disk »broke«\n")
	if r, s := get("bytes/pods.json?from=8&to=12&of=1"); body(r) != "89" || s.To != 10 || s.Ended || s.Reason != now.fails.Error() || s.Fault != nil {
		t.Errorf("before a fault: %d %+v", r.StatusCode, s)
	}
	now = textOf("another")
	if r, _ := get("bytes/pods.json?from=0&to=4&of=1"); body(r) != "0123" {
		t.Errorf("a page reads on what it has begun: %d", r.StatusCode)
	}
	if r, s := get("bytes/pods.json?from=0&to=4"); body(r) != "anot" || s.Parts != 2 {
		t.Errorf("a page that is new: %d %+v", r.StatusCode, s)
	}
	if r, s := get("digest/pods.json?from=4&to=8&of=1"); body(r) != "" || string(s.Fault) != `{"id":"fileChanged"}` || s.To != 4 || s.Ended {
		t.Errorf("a page reads on what isn't there any more: %d %+v", r.StatusCode, s)
	}
}

// Only parts that can be read are read, and only for the page.
func TestPartsAreRefused(t *testing.T) {
	get := inParts(t, func() (Parts, error) { return textOf("0123456789"), nil })
	for path, status := range map[string]int{
		"bytes/pods.json": 400, "bytes/pods.json?from=0": 400, "bytes/pods.json?from=-1&to=3": 400, "bytes/pods.json?from=3&to=3": 400,
		"digest/pods.json?from=5&to=3": 400, "bytes/pods.json?from=0&to=4194305": 400, "digest/pods.json?from=0&to=4194305": 400,
		"bytes/pods.json?from=0&to=99999999999999999999": 400, "bytes/pods.json?from=0x1&to=3": 400, "bytes/pods.json?from=0&to=3&of=x": 400,
		"bytes/other.json?from=0&to=3": 404, "bytes/digest/pods.json?from=0&to=3": 404, "digest/bytes/pods.json?from=0&to=3": 404,
		"bytes/small.json?from=0&to=3": 204, "bytes/pods.json?from=9223372036854775800&to=9223372036854775807": 200,
	} {
		if r, _ := get(path); r.StatusCode != status {
			t.Errorf("%s: %d, want %d: %s", path, r.StatusCode, status, body(r))
		}
	}
	if r, _ := get("bytes/pods.json?from=0&to=3", "Sec-Fetch-Site", "cross-site"); r.StatusCode != 403 {
		t.Errorf("another site gets %d", r.StatusCode)
	}
	if r, _ := get("digest/pods.json?from=0&to=3", "Cookie", "informerscope-8080=guessed"); r.StatusCode != 401 {
		t.Errorf("without the key: %d", r.StatusCode)
	}
	broken := inParts(t, func() (Parts, error) { return nil, errors.New("the file is gone") })
	if r, _ := broken("bytes/pods.json?from=0&to=3"); r.StatusCode != 204 {
		t.Errorf("a capture that can't be opened: %d", r.StatusCode)
	}
}

// A request waits for bytes that are still to come, and as long as its browser does.
func TestPartsToCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		coming := textOf("0123456789")
		coming.whole = 20
		c := capture("pods.json", "")
		c.Parts = func() (Parts, error) { return coming, nil }
		o := NewOpener(http.NotFoundHandler(), []Opened{c}, "", func() {})
		cookies := cookiesOf(keyed(o, o.KeyPath()))
		ctx, leave := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, "GET", "http://127.0.0.1:8080/opened/digest/pods.json?from=8&to=12", nil)
		r.Header.Set("Cookie", cookies)
		w, over := httptest.NewRecorder(), false
		go func() {
			o.ServeHTTP(w, r)
			over = true
		}()
		synctest.Wait()
		if over {
			t.Fatalf("it doesn't wait: %v", w.Header())
		}
		leave()
		synctest.Wait()
		if !over || w.Body.Len() > 0 || len(o.reading) > 0 {
			t.Errorf("after the browser has left, it is over: %v, with %d bytes, and %d parts are read", over, w.Body.Len(), len(o.reading))
		}
	})
}

// BenchmarkDigests measures the digests that a page asks for, all requests and answers included, in MB of JSON.
func BenchmarkDigests(b *testing.B) {
	line := `{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","uid":"u","resourceVersion":"5","labels":{"app":"web"},"managedFields":[` + strings.Repeat(`{"manager":"m"},`, 300) + "{}]},\"spec\":{}}}\n"
	c := capture("pods.json", "")
	all := textOf(strings.Repeat(line, 4*maxPart/len(line)))
	c.Parts = func() (Parts, error) { return all, nil }
	o := NewOpener(http.NotFoundHandler(), []Opened{c}, "", func() {})
	cookies := cookiesOf(keyed(o, o.KeyPath()))
	b.SetBytes(maxPart)
	b.RunParallel(func(p *testing.PB) {
		for n := 0; p.Next(); n++ {
			r := httptest.NewRequest("GET", fmt.Sprintf("http://127.0.0.1:8080/opened/digest/pods.json?from=%d&to=%d", n%3*maxPart, (n%3+1)*maxPart), nil)
			r.Header.Set("Cookie", cookies)
			w := httptest.NewRecorder()
			if o.ServeHTTP(w, r); w.Body.Len() == 0 {
				b.Fatal(w.Code, w.Header())
			}
		}
	})
}
