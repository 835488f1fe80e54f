package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		out    string
		err    string
	}{
		{nil, 2, "", "Usage:"},
		{[]string{"--help"}, 0, "serve the page", ""},
		{[]string{"--version"}, 0, "informerscope ", ""},
		{[]string{"fly"}, 2, "", `no command "fly"`},
		{[]string{"serve", "--help"}, 0, "", "-port"},
		{[]string{"serve", "--nope"}, 2, "", "nope"},
		{[]string{"serve", "extra"}, 2, "", "extra"},
		{[]string{"serve", "--dir", filepath.Join(t.TempDir(), "none")}, 1, "", "make dist"},
		{[]string{"serve", "--dir", t.TempDir()}, 1, "", "make dist"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), c.args, &stdout, &stderr)
		if status != c.status || !strings.Contains(stdout.String(), c.out) || !strings.Contains(stderr.String(), c.err) {
			t.Errorf("%q: %d\nstdout: %s\nstderr: %s", c.args, status, &stdout, &stderr)
		}
	}
}

func TestServe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("the page"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"serve", "--dir", dir, "--port", "0"}, in, io.Discard) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	var address string
	for _, f := range strings.Fields(string(line[:n])) {
		if strings.HasPrefix(f, "http://") {
			address = f
		}
	}
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if string(text) != "the page" {
		t.Errorf("got %q", text)
	}

	_, port, _ := net.SplitHostPort(strings.Trim(strings.TrimPrefix(address, "http://"), "/"))
	var stderr bytes.Buffer
	if status := run(t.Context(), []string{"serve", "--dir", dir, "--port", port}, io.Discard, &stderr); status != 1 {
		t.Errorf("a taken port: status %d", status)
	}
	next, _ := strconv.Atoi(port)
	if want := "make run PORT=" + strconv.Itoa(next+1); !strings.Contains(stderr.String(), want) || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("a taken port: %q, want one line with %q", &stderr, want)
	}

	cancel()
	if status := <-ended; status != 0 {
		t.Errorf("stopped with status %d", status)
	}
}
