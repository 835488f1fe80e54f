package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// With this set to a cluster's host and port, the tests' program is a kubectl
// whose proxy is that cluster.
const playKubectl = "INFORMERSCOPE_TEST_CLUSTER"

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
	case strings.HasPrefix(args, "proxy "):
		fmt.Println("Starting to serve on", cluster)
		if l, err := net.Listen("tcp4", "127.0.0.1:0"); err == nil {
			l.Accept() // for ever
		}
	}
	os.Exit(0)
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
