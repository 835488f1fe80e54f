package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// With playKubectl set to a cluster's host and port, the tests' program is a
// kubectl, whose proxy leads to that cluster. It appends its arguments to the file of
// tellKubectl, if there is one, and a line more when a signal ends it.
const (
	playKubectl = "INFORMERSCOPE_TEST_CLUSTER"
	tellKubectl = "INFORMERSCOPE_TEST_TOLD"
)

func init() {
	cluster := os.Getenv(playKubectl)
	if cluster == "" {
		return
	}
	args := strings.Join(os.Args[1:], " ")
	switch {
	case strings.HasPrefix(args, "config current-context"):
		fmt.Println("kind-x")
	case strings.Contains(args, "--context=none"):
		fmt.Fprintln(os.Stderr, "error: no such context")
		os.Exit(1)
	case strings.HasPrefix(args, "get --raw ") && !strings.Contains(args, "--as="):
		os.Exit(raw("http://" + cluster + os.Args[3]))
	case strings.HasPrefix(args, "proxy "):
		appendLine(args)
		_, socket, _ := strings.Cut(args, "--unix-socket=")
		socket, _, _ = strings.Cut(socket, " ")
		l, err := net.Listen("unix", socket)
		if err != nil {
			panic(err)
		}
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, syscall.SIGTERM)
		fmt.Println("Starting to serve on", socket)
		to := &url.URL{Scheme: "http", Host: cluster}
		go http.Serve(l, &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			if _, as, ok := strings.Cut(args, "--as="); ok {
				r.Out.Header.Set("Impersonate-User", strings.Fields(as)[0])
			}
		}})
		<-ended
		appendLine("ended")
	}
	os.Exit(0)
}

// appendLine appends a line to the file of tellKubectl.
func appendLine(line string) {
	f, err := os.OpenFile(os.Getenv(tellKubectl), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return // nobody wants to know
	}
	fmt.Fprintln(f, line)
	f.Close()
}

// withKubectl puts such a kubectl in the PATH, and nothing else.
func withKubectl(t *testing.T, url string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(program, filepath.Join(bin, "kubectl")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv(playKubectl, strings.TrimPrefix(url, "http://"))
}

// raw answers as "kubectl get --raw" does, and returns the exit code.
func raw(url string) int {
	r, err := http.Get(url)
	if err != nil {
		fmt.Fprintln(os.Stderr, "The connection to the server was refused - did you specify the right host or port?")
		return 1
	}
	defer r.Body.Close()
	if r.StatusCode == http.StatusOK {
		io.Copy(os.Stdout, r.Body)
		return 0
	}
	var status struct{ Reason, Message string }
	json.NewDecoder(r.Body).Decode(&status)
	fmt.Fprintf(os.Stderr, "Error from server (%s): %s\n", status.Reason, status.Message)
	return 1
}
