package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
)

// TestAPIServer holds what the command serves and to whom, and that at the end the recording is whole and the kubeconfig gone.
func TestAPIServer(t *testing.T) {
	recorded := filepath.Join(t.TempDir(), "clients.trace.jsonl.gz")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"apiserver", "-o", recorded, "../../../web/traces/shop.trace.jsonl.gz"}, in, &errs)
		in.Close()
	}()
	b := make([]byte, 1000)
	n, err := io.ReadAtLeast(out, b, 1)
	if err != nil {
		t.Fatalf("it doesn't serve: %s", &errs)
	}
	_, kubeconfig, _ := strings.Cut(strings.TrimSpace(string(b[:n])), "export KUBECONFIG=")
	var config struct {
		Clusters []struct{ Cluster struct{ Server string } }
		Users    []struct{ User struct{ Token string } }
	}
	text, err := os.ReadFile(kubeconfig)
	if err == nil {
		err = json.Unmarshal(text, &config)
	}
	if err != nil {
		t.Fatal(err)
	}
	if is, err := os.Stat(kubeconfig); err != nil || is.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v", kubeconfig, is.Mode(), err)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
	get := func(path string, change func(r *http.Request)) *http.Response {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, config.Clusters[0].Cluster.Server+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+config.Users[0].User.Token)
		change(r)
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	for _, c := range []struct {
		name, path string
		code       int
		change     func(r *http.Request)
	}{
		{"a list", "/api/v1/namespaces/shop/pods", http.StatusOK, func(*http.Request) {}},
		{"a resource that was not recorded", "/apis/example.com/v1/widgets", http.StatusNotFound, func(*http.Request) {}},
		{"no token", "/api/v1/pods", http.StatusUnauthorized, func(r *http.Request) { r.Header.Del("Authorization") }},
		{"another token", "/api/v1/pods", http.StatusUnauthorized, func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }},
		{"another host", "/api/v1/pods", http.StatusMisdirectedRequest, func(r *http.Request) { r.Host = "example.com" }},
		{"another origin", "/api/v1/pods", http.StatusForbidden, func(r *http.Request) { r.Header.Set("Origin", "https://example.com") }},
		{"a page of this machine", "/api/v1/pods", http.StatusForbidden, func(r *http.Request) { r.Header.Set("Origin", config.Clusters[0].Cluster.Server) }},
		{"a write", "/api/v1/namespaces/shop/pods", http.StatusMethodNotAllowed, func(r *http.Request) { r.Method = http.MethodPost }},
	} {
		resp := get(c.path, c.change)
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.code || resp.ProtoMajor != 2 {
			t.Errorf("%s: %s %s, want %d", c.name, resp.Proto, resp.Status, c.code)
		}
	}
	watch := get("/api/v1/pods?watch=true&resourceVersion=0", func(*http.Request) {})
	first := make([]byte, 1)
	if _, err := io.ReadFull(watch.Body, first); err != nil {
		t.Fatal(err)
	}
	stop()
	if status := <-ended; status != cli.ExitOK {
		t.Errorf("it ended with %d: %s", status, &errs)
	}
	watch.Body.Close()
	if !strings.Contains(errs.String(), "informerscope open "+recorded+" --against ") {
		t.Errorf("it says at the end: %s", &errs)
	}
	if _, err := os.Stat(filepath.Dir(kubeconfig)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the kubeconfig stays: %v", err)
	}
	f, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr, err := file.Read(f, format.Options{})
	if err != nil || tr.ProblemCount > 0 {
		t.Fatalf("the recording: %v, %v", err, tr.Problems)
	}
	events := 0
	for _, r := range tr.Resources {
		events += r.Lists + r.Events
	}
	if events < 2 {
		t.Errorf("the recording has %d lists and events", events)
	}
}

// TestAPIServerRefuses holds what the command says of what it can't do.
func TestAPIServerRefuses(t *testing.T) {
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	script := write("script.txt", "profile current\ninformer pods\ncreate pod a/x\nrun\n")
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{nil, cli.ExitUsage, "a capture is missing"},
		{[]string{"--speed", "0", "x"}, cli.ExitUsage, "invalid --speed"},
		{[]string{"--speed", "NaN", "x"}, cli.ExitUsage, "invalid --speed"},
		{[]string{"--from", "-1s", "x"}, cli.ExitUsage, "invalid --from"},
		{[]string{"--port", "70000", "x"}, cli.ExitUsage, "invalid --port"},
		{[]string{filepath.Join(folder, "none")}, cli.ExitUsage, "no such file"},
		{[]string{write("empty", "")}, cli.ExitFailed, "empty"},
		{[]string{write("text", "hello\n")}, cli.ExitFailed, "unknown format"},
		{[]string{script}, cli.ExitFailed, "this is a script, and not a capture"},
		{[]string{"--port", port, "../../../web/traces/shop.trace.jsonl.gz"}, cli.ExitFailed, "port " + port + " is taken"},
	} {
		var errs bytes.Buffer
		if status := run(t.Context(), append([]string{"apiserver"}, c.args...), io.Discard, &errs); status != c.status || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%q: status %d, %s", c.args, status, &errs)
		}
	}
}
