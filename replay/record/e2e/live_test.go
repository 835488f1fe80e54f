package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/internal/rounds"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/serve"
)

func fetch(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

// page is a folder with a page and its program in it.
func page(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"index.html": "<!doctype html>the page", "informerscope.wasm": "\x00asm"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// kubectl proxy serves the page and the cluster from one origin, in the two ways
// that the page knows.
func TestKubectlProxyServesThePage(t *testing.T) {
	t.Parallel()
	s := startServer(t, true)
	s.Create("a")
	for _, c := range []struct{ wwwPrefix, apiPrefix string }{{"/static/", "/"}, {"/", "/k8s/"}} {
		proxy := s.startProxy(page(t), c.wwwPrefix, c.apiPrefix)
		if resp, text := fetch(t, proxy.URL+c.wwwPrefix); resp.StatusCode != 200 || !strings.Contains(text, "the page") || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %s %s", c.wwwPrefix, resp.Status, text)
		}
		if resp, _ := fetch(t, proxy.URL+c.wwwPrefix+"informerscope.wasm"); resp.Header.Get("Content-Type") != "application/wasm" {
			t.Errorf("%s: the program is %s", c.wwwPrefix, resp.Header.Get("Content-Type"))
		}
		// No CORS header: only a page of the same origin can read it.
		req, err := http.NewRequest("GET", strings.TrimSuffix(proxy.URL+c.apiPrefix, "/")+widgetsPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Origin", "http://elsewhere.example")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s, %s", c.apiPrefix, resp.Status, resp.Header.Get("Content-Type"))
		}
		for name := range resp.Header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: there is a %s", c.apiPrefix, name)
			}
		}
		follows(t, s, strings.TrimSuffix(proxy.URL+c.apiPrefix, "/"), "")
	}
}

// widgetsPath is where the widgets are.
const widgetsPath = "/apis/test.informerscope.dev/v1/namespaces/shop/widgets"

// follows follows the widgets at base as the page does, with a and what happens
// to it. Without a path they are discovered.
func follows(t *testing.T, s *apiServer, base, path string) {
	t.Helper()
	r := rounds.Record(t, base, follow.Options{Path: path})
	r.Has("watch=true", 1)
	s.Resize("a", 1)
	r.Has("MODIFIED", 1)
	if got, want := rounds.Summary(r.End()), "ListBegin, item shop/a, ListEnd, WatchOpen, MODIFIED shop/a"; got != want {
		t.Errorf("%s: followed %s, want %s", base, got, want)
	}
	s.Resize("a", 0)
}

// Our own proxy does the same, behind kubectl's, and reads only.
func TestOwnProxy(t *testing.T) {
	t.Parallel()
	s := startServer(t, true)
	s.Create("a")
	cluster, err := url.Parse(s.startProxy("", "", "/").URL)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(page(t))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	handler, err := serve.Proxy(serve.Cluster{Server: cluster, Context: "e2e"}, serve.Static(root))
	if err != nil {
		t.Fatal(err)
	}
	own := httptest.NewServer(handler)
	defer own.Close()
	if _, text := fetch(t, own.URL+"/"); !strings.Contains(text, "the page") {
		t.Error(text)
	}
	// It asks for discovery by group. An aggregator would answer, and this API server has
	// none.
	follows(t, s, own.URL+strings.TrimSuffix(serve.ProxyPrefix, "/"), widgetsPath)
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		req, err := http.NewRequest(method, own.URL+strings.TrimSuffix(serve.ProxyPrefix, "/")+widgetsPath+"/a", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %s", method, resp.Status)
		}
	}
}
