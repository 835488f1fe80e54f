package serve

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func capture(name, text string) Opened {
	return Opened{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

// Only a browser that has opened the address with the key reads a capture, and that address
// leads it to the page at what was opened.
func TestOpenerNeedsTheKey(t *testing.T) {
	o := NewOpener(site(t), []Opened{capture("pods.json", "{}")}, `#url=opened%2Fpods.json&search="`, func() { t.Error("it is gone") })
	if r := ask(o, "GET", "/opened/pods.json"); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a key: %d %q", r.StatusCode, body(r))
	}
	if r := keyed(o, "?key=wrong"); r.StatusCode != http.StatusForbidden {
		t.Errorf("with a wrong key: %d", r.StatusCode)
	}
	r := keyed(o, o.KeyPath())
	if b := body(r); r.StatusCode != 200 || !strings.Contains(b, `url=./#url=opened%2Fpods.json&amp;search=&#34;"`) {
		t.Fatalf("with the key: %d %s", r.StatusCode, b)
	}
	cookies := cookiesOf(r)
	r = ask(o, "GET", "/opened/pods.json", "Cookie", cookies)
	if body(r) != "{}" || r.Header.Get("Content-Type") != "application/octet-stream" || r.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the capture: %d %v", r.StatusCode, r.Header)
	}
	for _, c := range []struct {
		method, path, site string
		status             int
	}{
		{"GET", "/opened/other.json", "same-origin", http.StatusNotFound},
		{"GET", "/opened/../opened/pods.json", "same-origin", http.StatusNotFound},
		{"POST", "/opened/pods.json", "same-origin", http.StatusMethodNotAllowed},
		{"GET", "/opened/pods.json", "cross-site", http.StatusForbidden},
		{"GET", "/", "none", http.StatusOK},
	} {
		if r := ask(o, c.method, c.path, "Cookie", cookies, "Sec-Fetch-Site", c.site); r.StatusCode != c.status {
			t.Errorf("%s %s from %s: %d, want %d", c.method, c.path, c.site, r.StatusCode, c.status)
		}
	}
}

// The program ends after the page was closed in all tabs. It stays while the page is reloaded.
func TestOpenerEndsWithThePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := false
		o := NewOpener(http.NotFoundHandler(), nil, "", func() { gone = true })
		cookies := cookiesOf(keyed(o, o.KeyPath()))
		tab := func() (closed context.CancelFunc) {
			ctx, closed := context.WithCancel(t.Context())
			r := httptest.NewRequestWithContext(ctx, "GET", "http://127.0.0.1:8080/opened/held", nil)
			r.Header.Set("Cookie", cookies)
			go o.ServeHTTP(httptest.NewRecorder(), r)
			synctest.Wait()
			return closed
		}
		first, second := tab(), tab()
		first()
		time.Sleep(time.Minute)
		if gone {
			t.Fatal("it ends while a tab is open")
		}
		second()
		time.Sleep(leave - time.Second)
		reloaded := tab()
		time.Sleep(time.Minute)
		if gone {
			t.Fatal("it ends while the page is reloaded")
		}
		reloaded()
		time.Sleep(leave + time.Second)
		if !gone {
			t.Error("it goes on without a page")
		}
	})
}

func TestOpenedName(t *testing.T) {
	for file, want := range map[string]string{
		"pods.json": "pods.json", "a/b/Pods-1.JSON": "Pods-1.JSON", `C:\pods.json`: "pods.json", "trace": "trace.json", ".hidden": "hidden.json",
		"my pods (1).json": "my_pods__1_.json", "日志": "__.json", "..": "capture.json", "": "capture.json",
		strings.Repeat("x", 200) + ".json": strings.Repeat("x", 95) + ".json",
	} {
		if got := OpenedName(file); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
}

// keyed opens an address with a key.
func keyed(h http.Handler, path string) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1:8080/"+path, nil))
	return w.Result()
}

func cookiesOf(r *http.Response) string {
	var b bytes.Buffer
	for _, c := range r.Cookies() {
		b.WriteString(c.Name + "=" + c.Value + "; ")
	}
	return b.String()
}
