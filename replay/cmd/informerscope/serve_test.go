package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// served starts the command and returns the page's address, with the key that it
// may end with, and its first line.
// What it ends with can be read from ended, once stop was called.
func served(t *testing.T, stderr io.Writer, args ...string) (address, line string, stop context.CancelFunc, ended chan int) {
	t.Helper()
	return started(t, stderr, append([]string{"serve"}, args...)...)
}

// started starts a command that serves a page.
func started(t *testing.T, stderr io.Writer, args ...string) (address, line string, stop context.CancelFunc, ended chan int) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("the page"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	out, in := io.Pipe()
	ended = make(chan int, 1)
	go func() {
		ended <- run(ctx, append(args, "--dir", dir, "--port", "0"), in, stderr)
		in.Close()
	}()
	b := make([]byte, 500)
	n, err := out.Read(b)
	if err != nil {
		t.Fatalf("it doesn't serve: %v", err)
	}
	line = string(b[:n])
	for _, f := range strings.Fields(line) {
		if strings.HasPrefix(f, "http://127.0.0.1") {
			address = strings.TrimRight(f, ",")
		}
	}
	return address, line, stop, ended
}

// browser opens the page's address as a browser does, and returns a client that
// has what a browser then has, and the address of the page without the key.
func browser(t *testing.T, address string) (*http.Client, string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	fetch(t, client, address)
	address, _, _ = strings.Cut(address, "?")
	return client, strings.TrimRight(address, "/")
}

func fetch(t *testing.T, client *http.Client, url string) (status int, text string) {
	t.Helper()
	r, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

func TestServeWithACluster(t *testing.T) {
	left := make(chan struct{})
	cluster := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") == "" {
			io.WriteString(w, r.URL.Path)
			return
		}
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(left)
	}))
	defer cluster.Close()
	address, line, stop, ended := served(t, io.Discard, "--server", cluster.URL)
	if !strings.Contains(line, "with the cluster "+strings.TrimPrefix(cluster.URL, "http://")+", read-only (Ctrl-C") {
		t.Errorf("it says %q", line)
	}
	client, address := browser(t, address)
	if status, text := fetch(t, http.DefaultClient, address+"/k8s/api/v1/pods"); status != 401 || strings.Contains(text, "/api/v1/pods") {
		t.Errorf("another user's program reads the cluster: %d, %s", status, text)
	}
	for path, want := range map[string]string{"/": "the page", "/k8s/api/v1/pods": "/api/v1/pods", "/k8s/informerscope": `"live":true`, "/k8s/api/v1/secrets": "--secrets"} {
		if status, text := fetch(t, client, address+path); !strings.Contains(text, want) || (status == 403) != strings.HasSuffix(path, "secrets") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	r, err := client.Get(address + "/k8s/api/v1/pods?watch=1")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	stop() // a watch under way must not hold it up
	<-left
	if status := <-ended; status != 0 {
		t.Errorf("it ends with status %d", status)
	}
}

func TestServeThroughKubectl(t *testing.T) {
	cluster := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.URL.Path) }))
	defer cluster.Close()
	withKubectl(t, cluster.URL)
	var stderr bytes.Buffer
	address, line, stop, ended := served(t, &stderr)
	if !strings.Contains(line, "with the cluster kind-x, read-only") {
		t.Errorf("it says %q", line)
	}
	client, address := browser(t, address)
	if _, text := fetch(t, client, address+"/k8s/informerscope"); text != `{"live":true,"context":"kind-x","secrets":false}`+"\n" {
		t.Error(text)
	}
	if _, text := fetch(t, client, address+"/k8s/version"); text != "/version" {
		t.Error(text)
	}
	stop()
	if status := <-ended; status != 0 || stderr.Len() > 0 {
		t.Errorf("it ends with status %d: %s", status, &stderr)
	}
}

func TestServeWithoutACluster(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // there is no kubectl
	var stderr bytes.Buffer
	address, line, stop, ended := served(t, &stderr)
	client, address := browser(t, address)
	if status, _ := fetch(t, client, address+"/k8s/informerscope"); status != 404 || strings.Contains(line, "cluster") {
		t.Errorf("%d, %q", status, line)
	}
	stop()
	if <-ended; !strings.Contains(stderr.String(), "without a cluster: kubectl is not installed") {
		t.Error(stderr.String())
	}

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--context", "x"}, 1, "kubectl is not installed"},
		{[]string{"--secrets"}, 1, "kubectl is not installed"},
		{[]string{"--server", "https://user:password@x"}, 1, "without user"},
		{[]string{"--server", "x"}, 1, "http://"},
		{[]string{"--server", "http://x", "--context", "y"}, 2, "excludes"},
		{[]string{"--no-cluster", "--secrets"}, 2, "excludes"},
		{[]string{"--context", "none"}, 1, "no such context"},
	} {
		if c.want == "no such context" {
			withKubectl(t, "http://127.0.0.1:1")
		}
		stderr.Reset()
		status := run(t.Context(), append([]string{"serve", "--dir", dir, "--port", "0"}, c.args...), io.Discard, &stderr)
		if status != c.status || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%v: %d, %s", c.args, status, &stderr)
		}
	}
}

// With --public everybody gets the page, whichever name of the machine they know, and nothing but
// the page. The health check finds it, and fails where nothing is served.
func TestServePublic(t *testing.T) {
	_, line, stop, ended := served(t, io.Discard, "--public")
	_, port, _ := strings.Cut(strings.Fields(line)[3], "[::]:")
	port = strings.TrimSuffix(port, "/,")
	r, err := http.NewRequest("GET", "http://127.0.0.1:"+port+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "scope.example"
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("%v, and it says %s", err, line)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); string(text) != "the page" || !strings.Contains(line, "for everybody") {
		t.Errorf("it serves %q and says %s", text, line)
	}
	health := func(port string) int {
		return run(t.Context(), []string{"serve", "--answers", "--port", port}, io.Discard, io.Discard)
	}
	if status := health(port); status != 0 {
		t.Errorf("it is not healthy: %d", status)
	}
	stop()
	if status := <-ended; status != 0 {
		t.Errorf("it ends with %d", status)
	}
	if health("1") == 0 {
		t.Error("it is healthy where nobody listens")
	}
	for _, with := range []string{"--open", "--context=x", "--secrets", "--server=http://x"} {
		var stderr bytes.Buffer
		if status := run(t.Context(), []string{"serve", "--public", with}, io.Discard, &stderr); status != 2 || !strings.Contains(stderr.String(), "--public serves the page alone") {
			t.Errorf("%s: %d %s", with, status, &stderr)
		}
	}
}
