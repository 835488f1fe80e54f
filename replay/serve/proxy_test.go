package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// proxyOf is a page with a proxy to a made-up API server.
func proxyOf(t testing.TB, c Cluster, upstream http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(upstream)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c.Server = u.JoinPath(c.Server.String())
	h, err := Proxy(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "the page") }))
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewUnstartedServer(nil)
	front.Config.Handler = Guard(front.Listener.Addr(), h)
	front.Start()
	t.Cleanup(front.Close)
	return front
}

func request(t testing.TB, method, url string, header ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer
}

func TestNothingButTheAddressGoesThrough(t *testing.T) {
	var asked *http.Request
	front := proxyOf(t, Cluster{Server: &url.URL{Path: "/base/"}}, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		h := w.Header()
		h.Set("Content-Type", "application/json; charset=x")
		h.Set("Set-Cookie", "session=1")
		h.Set("Authorization", "Bearer x")
		h.Set("WWW-Authenticate", "Basic")
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Retry-After", "3")
		w.WriteHeader(429)
		io.WriteString(w, `{"kind":"Status"}`)
	})
	r := request(t, "GET", front.URL+"/k8s/api/v1/pods?watch=1&resourceVersion=5", "Cookie", "a=b", "Authorization", "Bearer mine",
		"Accept", "application/vnd.kubernetes.protobuf", "Accept-Encoding", "gzip", "Origin", front.URL, "Impersonate-User", "admin",
		"X-Forwarded-For", "1.2.3.4", "Connection", "Upgrade", "Upgrade", "websocket", "Sec-Fetch-Site", "same-origin")
	if text := body(r); r.StatusCode != 429 || text != `{"kind":"Status"}` {
		t.Errorf("the answer is %d %q", r.StatusCode, text)
	}
	if asked.URL.String() != "/base/api/v1/pods?resourceVersion=5&watch=1" || asked.Method != "GET" {
		t.Errorf("the cluster is asked %s %s", asked.Method, asked.URL)
	}
	asked.Header.Del("User-Agent")
	if len(asked.Header) != 1 || asked.Header.Get("Accept") != "application/json" {
		t.Errorf("the cluster gets %v", asked.Header)
	}
	for _, name := range []string{"Set-Cookie", "Authorization", "Www-Authenticate", "Access-Control-Allow-Origin"} {
		if r.Header.Get(name) != "" {
			t.Errorf("the page gets %s", name)
		}
	}
	for name, want := range map[string]string{"Content-Type": "application/json", "Retry-After": "3", "Cache-Control": "no-store",
		"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"} {
		if r.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, r.Header.Get(name), want)
		}
	}
}

func TestRefused(t *testing.T) {
	front := proxyOf(t, Cluster{Server: &url.URL{}}, func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s came through", r.URL) })
	for _, c := range []struct {
		method, path string
		header       []string
		status       int
		message      string
	}{
		{"POST", "/k8s/api/v1/pods", nil, 405, "read-only"},
		{"DELETE", "/k8s/api/v1/pods", nil, 405, "read-only"},
		{"OPTIONS", "/k8s/api/v1/pods", nil, 405, "read-only"},
		{"GET", "/k8s/api/v1/secrets", nil, 403, "--secrets"},
		{"GET", "/k8s/api/v1/%73ecrets", nil, 403, "plain path"},
		{"GET", "/k8s/api/v1/x/..%2fsecrets", nil, 403, "plain path"},
		{"GET", "/k8s/api/v1/x/../secrets", nil, 403, "plain path"},
		{"GET", "/k8s/api/v1/namespaces/x/pods/y/log", nil, 403, "no logs"},
		{"GET", "/k8s/api/v1/pods", []string{"Sec-Fetch-Site", "cross-site"}, 403, "other sites"},
		{"GET", "/k8s/api/v1/pods", []string{"Sec-Fetch-Site", "same-site"}, 403, "other sites"},
		{"GET", "/k8s/informerscope", []string{"Sec-Fetch-Site", "cross-site"}, 403, "other sites"},
	} {
		r := request(t, c.method, front.URL+c.path, c.header...)
		var s struct {
			Kind, Message string
			Code          int
		}
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil || r.StatusCode != c.status || s.Code != c.status || s.Kind != "Status" || !strings.Contains(s.Message, c.message) {
			t.Errorf("%s %s %v: %d, %+v, %v", c.method, c.path, c.header, r.StatusCode, s, err)
		}
	}
	if r := request(t, "GET", front.URL+"/k8s/api/v1/pods", "Origin", "http://attacker.example"); r.StatusCode != 403 {
		t.Errorf("a request from another origin is answered by %d", r.StatusCode)
	}
	if r := request(t, "GET", front.URL+"/%6b8s/api/v1/secrets"); body(r) != "the page" {
		t.Error("another way to write the prefix is not the page's")
	}
}

// The cluster is read by the browser that was given the key, and by nobody else.
func TestKey(t *testing.T) {
	const key = "a key & more"
	c := Cluster{Server: &url.URL{}, Key: key}
	front := proxyOf(t, c, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cookie") != "" {
			t.Error("the cluster is given the key")
		}
		io.WriteString(w, "pods")
	})
	for _, path := range []string{"/k8s/api/v1/pods", "/k8s/informerscope", "/k8s/api/v1/pods?key=" + url.QueryEscape(key)} {
		if r := request(t, "GET", front.URL+path); r.StatusCode != 401 {
			t.Errorf("%s without the key: %d %s", path, r.StatusCode, body(r))
		}
	}
	for _, wrong := range []string{"/?key=", "/?key=a", "/?key=" + url.QueryEscape(key) + "x", "/x?key=" + url.QueryEscape(key)} {
		if r := request(t, "GET", front.URL+wrong); r.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s is given the key", wrong)
		}
	}
	if r := request(t, "GET", front.URL+"/"); body(r) != "the page" {
		t.Error("the page needs a key")
	}
	r := request(t, "GET", front.URL+"/"+c.KeyPath())
	cookie := r.Cookies()[0]
	if r.StatusCode != 200 || !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != ProxyPrefix || r.Header.Get("Cache-Control") != "no-store" || strings.Contains(body(r), "more") {
		t.Errorf("the key is answered by %d, %+v", r.StatusCode, r.Header)
	}
	if _, port, _ := net.SplitHostPort(strings.TrimPrefix(front.URL, "http://")); cookie.Name != "informerscope-"+port {
		t.Errorf("%s may be another page's cookie", cookie.Name)
	}
	// A Cookie header holds what a Set-Cookie header begins with.
	said, _, _ := strings.Cut(r.Header.Get("Set-Cookie"), ";")
	if r := request(t, "GET", front.URL+"/k8s/api/v1/pods", "Cookie", said); body(r) != "pods" {
		t.Errorf("with the key, the answer is %d", r.StatusCode)
	}
	if a, b := NewKey(), NewKey(); a == b || len(a) < 20 {
		t.Errorf("keys that can be guessed: %s, %s", a, b)
	}
}

func TestPrivateLink(t *testing.T) {
	name, remove, err := PrivateLink("http://127.0.0.1:1/?key=a&b")
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(b), `url=http://127.0.0.1:1/?key=a&amp;b"`) {
		t.Errorf("the page is %s, %v", b, err)
	}
	file, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.Stat(filepath.Dir(name))
	if err != nil || file.Mode().Perm() != 0o600 || folder.Mode().Perm() != 0o700 {
		t.Errorf("other users may read the page: %v, %v, %v", file.Mode(), folder.Mode(), err)
	}
	remove()
	if _, err := os.Stat(filepath.Dir(name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the page is left behind: %v", err)
	}
}

func TestAnnounced(t *testing.T) {
	front := proxyOf(t, Cluster{Server: &url.URL{}, Context: `kind "x"`, Secrets: true}, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.URL.Path)
	})
	if r := request(t, "GET", front.URL+"/k8s/informerscope"); body(r) != `{"live":true,"context":"kind \"x\"","secrets":true}`+"\n" || r.Header.Get("Content-Type") != "application/json" {
		t.Error(r)
	}
	if r := request(t, "GET", front.URL+"/k8s/api/v1/secrets"); body(r) != "/api/v1/secrets" || r.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Error("Secrets don't come, although they were asked for", r)
	}
	if r := request(t, "GET", front.URL+"/index.html"); body(r) != "the page" {
		t.Error("there is no page beside the cluster")
	}
}

func TestWrongAddresses(t *testing.T) {
	for _, s := range []string{"", "ftp://x", "http://", "http://user:password@x", "http://x?a=b", "/path"} {
		u, err := url.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Proxy(Cluster{Server: u}, nil); err == nil {
			t.Errorf("%q is taken for the cluster's address", s)
		}
	}
}

// TestEventByEvent sends an event only when the one before has arrived.
func TestEventByEvent(t *testing.T) {
	arrived := make(chan struct{})
	front := proxyOf(t, Cluster{Server: &url.URL{}}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		http.NewResponseController(w).Flush()
		for range 100 {
			<-arrived
			io.WriteString(w, "{\"type\":\"ADDED\"}\n")
			http.NewResponseController(w).Flush()
		}
	})
	r := request(t, "GET", front.URL+"/k8s/api/v1/pods?watch=1") // the head comes before any event
	lines := bufio.NewReader(r.Body)
	for range 100 {
		arrived <- struct{}{}
		if line, err := lines.ReadString('\n'); line != "{\"type\":\"ADDED\"}\n" {
			t.Fatal(line, err)
		}
	}
	if rest, err := io.ReadAll(lines); len(rest) != 0 || err != nil {
		t.Errorf("the stream ends with %q, %v, which is no clean end", rest, err)
	}
}

func TestCutIsNoEnd(t *testing.T) {
	front := proxyOf(t, Cluster{Server: &url.URL{}}, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"type":`)
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	b, err := io.ReadAll(request(t, "GET", front.URL+"/k8s/api/v1/pods?watch=1").Body)
	if string(b) != `{"type":` || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a stream that was cut is read as %q, %v", b, err)
	}
}

func TestUpstreamFailures(t *testing.T) {
	front := proxyOf(t, Cluster{Server: &url.URL{}}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api" {
			http.Redirect(w, r, "https://login.example", http.StatusFound)
			return
		}
		panic(http.ErrAbortHandler)
	})
	for path, want := range map[string]string{"/k8s/api/v1/pods": "cannot be reached", "/k8s/api": "redirect"} {
		r := request(t, "GET", front.URL+path)
		if text := body(r); r.StatusCode != 502 || !strings.Contains(text, want) || !strings.Contains(text, `"kind":"Status"`) || r.Header.Get("Location") != "" {
			t.Errorf("%s is answered by %d %s", path, r.StatusCode, text)
		}
	}
}

func TestGoneBrowserEndsTheWatch(t *testing.T) {
	ended := make(chan struct{})
	front := proxyOf(t, Cluster{Server: &url.URL{}}, func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(ended)
	})
	request(t, "GET", front.URL+"/k8s/api/v1/pods?watch=1").Body.Close()
	<-ended
}

// TestSlowReader has a browser that reads nothing. The buffers of the sockets,
// and not the server's memory, bound what the cluster can send until it is held
// up. All that was taken still arrives.
func TestSlowReader(t *testing.T) {
	const (
		most  = 64 << 20  // far more than the buffers of two connections
		total = 512 << 20 // what would be sent if nothing held it up
	)
	event := append(bytes.Repeat([]byte("x"), 64<<10-1), '\n')
	sent := make(chan int, 1)
	front := proxyOf(t, Cluster{Server: &url.URL{}}, func(w http.ResponseWriter, r *http.Request) {
		n := 0
		for n < total {
			http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Second))
			m, err := w.Write(event)
			if n += m; err != nil {
				break
			}
		}
		sent <- n
		panic(http.ErrAbortHandler)
	})
	address := strings.TrimPrefix(front.URL, "http://")
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "GET /k8s/api/v1/pods?watch=1 HTTP/1.1\r\nHost: "+address+"\r\n\r\n")
	n := <-sent
	if n > most {
		t.Fatalf("%d MB went into a server that nobody reads from", n>>20)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.Copy(io.Discard, r.Body)
	if err == nil || got == 0 || got > int64(n) {
		t.Errorf("%d bytes of %d came, %v", got, n, err)
	}
}
