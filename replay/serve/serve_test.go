package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func site(t *testing.T) http.Handler {
	t.Helper()
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret.txt"), "secret")
	dir := filepath.Join(outside, "site")
	write(t, filepath.Join(dir, "index.html"), "<!doctype html>front")
	write(t, filepath.Join(dir, "app.wasm"), "\x00asm")
	write(t, filepath.Join(dir, "sub", "index.html"), "below")
	write(t, filepath.Join(dir, "bare", "x.trace.jsonl.gz"), "\x1f\x8b")
	if err := os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".git", "config"), "secret")
	write(t, filepath.Join(dir, "sub", ".env"), "secret")
	write(t, filepath.Join(dir, ".hidden", "index.html"), "secret")
	for _, fifo := range []string{"pipe", "piped/index.html"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, fifo)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := makeFIFO(filepath.Join(dir, fifo)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return Static(root)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func ask(h http.Handler, method, target string, header ...string) *http.Response {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080/", nil)
	r.URL.Path = target // as it is: NewRequest would clean it
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(r *http.Response) string {
	b, _ := io.ReadAll(r.Body)
	return string(b)
}

// A browser that takes gzip gets the file that lies gzipped beside the original,
// unless that is older or is no file.
func TestGzippedFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"new.js", "old.js", "alone.js", "folder.js"} {
		write(t, filepath.Join(dir, name), "original "+name)
	}
	write(t, filepath.Join(dir, "new.js.gz"), "packed")
	write(t, filepath.Join(dir, "old.js.gz"), "packed")
	write(t, filepath.Join(dir, "folder.js.gz", "x"), "packed")
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "old.js.gz"), past, past); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	h := Static(root)
	for _, c := range []struct {
		path    string
		header  []string
		packed  bool
		content string
	}{
		{"/new.js", []string{"Accept-Encoding", "gzip, deflate, br"}, true, "packed"},
		{"/new.js", []string{"Accept-Encoding", "br;q=1, GZIP ; q=0.5"}, true, "packed"},
		{"/new.js", []string{"Accept-Encoding", "gzip;q=0, br"}, false, "original new.js"},
		{"/new.js", []string{"Accept-Encoding", "identity"}, false, "original new.js"},
		{"/new.js", nil, false, "original new.js"},
		{"/new.js", []string{"Accept-Encoding", "gzip", "Range", "bytes=0-7"}, false, "original"},
		{"/old.js", []string{"Accept-Encoding", "gzip"}, false, "original old.js"},
		{"/alone.js", []string{"Accept-Encoding", "gzip"}, false, "original alone.js"},
		{"/folder.js", []string{"Accept-Encoding", "gzip"}, false, "original folder.js"},
	} {
		r := ask(h, "GET", c.path, c.header...)
		if got := r.Header.Get("Content-Encoding") == "gzip"; got != c.packed {
			t.Errorf("%s with %q: packed is %t", c.path, c.header, got)
		}
		if got := body(r); got != c.content || r.Header.Get("Vary") != "Accept-Encoding" || r.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%s with %q: %q with %v", c.path, c.header, got, r.Header)
		}
	}
	plain, packed := ask(h, "GET", "/new.js"), ask(h, "GET", "/new.js", "Accept-Encoding", "gzip")
	if plain.Header.Get("ETag") == packed.Header.Get("ETag") {
		t.Error("the file and its gzipped form have the same ETag")
	}
	if again := ask(h, "GET", "/new.js", "Accept-Encoding", "gzip", "If-None-Match", packed.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("asked again, the server answers %d", again.StatusCode)
	}
}

func TestStaticFiles(t *testing.T) {
	h := site(t)
	for _, c := range []struct {
		path        string
		status      int
		contentType string
		text        string
	}{
		{"/", 200, "text/html; charset=utf-8", "front"},
		{"/index.html", 200, "text/html; charset=utf-8", "front"},
		{"/app.wasm", 200, "application/wasm", "\x00asm"},
		{"/sub/", 200, "text/html; charset=utf-8", "below"},
		{"/bare/x.trace.jsonl.gz", 200, "application/gzip", "\x1f\x8b"},
		{"/bare/", 404, "", ""},
		{"/none", 404, "", ""},
		{"/../secret.txt", 404, "", ""},
		{"/sub/../../secret.txt", 404, "", ""},
		{"/link.txt", 404, "", ""},
		{"/.git/config", 404, "", ""},
		{"/.git", 404, "", ""},
		{"/sub/.env", 404, "", ""},
		{"/.hidden/", 404, "", ""},
		{"/pipe", 404, "", ""}, // opening it would wait for ever
		{"/piped/", 404, "", ""},
	} {
		r := ask(h, "GET", c.path)
		text := body(r)
		if r.StatusCode != c.status || c.status == 200 && (r.Header.Get("Content-Type") != c.contentType || !strings.Contains(text, c.text)) {
			t.Errorf("%s: %d %q %q, want %d %q %q", c.path, r.StatusCode, r.Header.Get("Content-Type"), text, c.status, c.contentType, c.text)
		}
		if strings.Contains(text, "secret") {
			t.Errorf("%s gives away a file outside of the folder", c.path)
		}
		if !strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "default-src 'none'") || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s comes without the policy: %v", c.path, r.Header)
		}
	}
}

// Other pages can frame embed.html, and nothing else.
func TestWhatCanBeFramed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index.html", "embed.html", "embed.html.txt"} {
		write(t, filepath.Join(dir, name), "<!doctype html>")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for path, framed := range map[string]bool{"/": false, "/index.html": false, "/embed.html": true, "/embed.html.txt": false, "/nothing": false} {
		policy := ask(Static(root), "GET", path).Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'") || strings.Contains(policy, "frame-ancestors 'none'") == framed {
			t.Errorf("%s comes with the policy %q", path, policy)
		}
	}
}

func TestFolderRedirectsRelatively(t *testing.T) {
	r := ask(site(t), "GET", "/sub")
	if r.StatusCode != http.StatusMovedPermanently || r.Header.Get("Location") != "sub/" {
		t.Errorf("%d to %q, want a redirect to sub/", r.StatusCode, r.Header.Get("Location"))
	}
}

func TestNotModifiedUntilTheFileChanges(t *testing.T) {
	h := site(t)
	first := ask(h, "GET", "/app.wasm")
	if first.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("the header Cache-Control is %q", first.Header.Get("Cache-Control"))
	}
	if r := ask(h, "GET", "/app.wasm", "If-None-Match", first.Header.Get("ETag")); r.StatusCode != http.StatusNotModified {
		t.Errorf("the same file again is answered by %d", r.StatusCode)
	}
	if r := ask(h, "GET", "/app.wasm", "If-None-Match", `"other"`); r.StatusCode != http.StatusOK {
		t.Errorf("another ETag is answered by %d", r.StatusCode)
	}
}

func TestReadOnly(t *testing.T) {
	h := site(t)
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		if r := ask(h, method, "/"); r.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s is answered by %d", method, r.StatusCode)
		}
	}
	if r := ask(h, "HEAD", "/"); r.StatusCode != http.StatusOK || body(r) != "" {
		t.Errorf("HEAD is answered by %d with a body", r.StatusCode)
	}
}

func TestGuard(t *testing.T) {
	h := Guard(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}, site(t))
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{"127.0.0.1:8080", "", 200},
		{"localhost:8080", "", 200},
		{"[::1]:8080", "", 200},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", 200},
		{"127.0.0.1:8080", "http://localhost:8080", 200},
		{"127.0.0.1:8080", "https://127.0.0.1:8080", 403},
		{"127.0.0.1:8080", "http://127.0.0.1:9090", 403},
		{"127.0.0.1:8080", "http://attacker.example", 403},
		{"127.0.0.1:8080", "null", 403},
		{"127.0.0.1:9090", "", 421},
		{"127.0.0.1", "", 421},
		{"attacker.example:8080", "", 421},
		{"127.0.0.1.attacker.example:8080", "", 421},
		{"", "", 421},
	} {
		header := []string{"Host", c.host}
		if c.origin != "" {
			header = append(header, "Origin", c.origin)
		}
		if r := ask(h, "GET", "/", header...); r.StatusCode != c.status {
			t.Errorf("Host %q and Origin %q are answered by %d, want %d", c.host, c.origin, r.StatusCode, c.status)
		}
	}
}

func TestTakenPort(t *testing.T) {
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	addr := l.Addr().(*net.TCPAddr)
	if !addr.IP.IsLoopback() {
		t.Errorf("the server listens on %v", addr)
	}
	if _, err := Listen(addr.Port); !errors.Is(err, ErrPortTaken) {
		t.Errorf("for a taken port the error is %v", err)
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, l, site(t)) }()
	r, err := http.Get("http://" + l.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	if text := body(r); !strings.Contains(text, "front") {
		t.Errorf("the server answers %q", text)
	}
	r.Body.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := http.Get("http://" + l.Addr().String() + "/"); err == nil {
		t.Error("the server still answers")
	}
}
