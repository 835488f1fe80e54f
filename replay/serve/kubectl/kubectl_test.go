package kubectl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain lets this program play kubectl.
func TestMain(m *testing.M) {
	switch os.Getenv("INFORMERSCOPE_TEST_KUBECTL") {
	case "":
		os.Exit(m.Run())
	case "serve":
		socket := ""
		for _, a := range os.Args {
			if s, ok := strings.CutPrefix(a, "--unix-socket="); ok {
				socket = s
			}
		}
		l, err := net.Listen("unix", socket)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, "E1120 10:00:00.000000       1 proxy_server.go:147] Error while proxying request: refused\nTo sign in, open https://login.example")
		fmt.Println("W1120 some warning")
		fmt.Println("Starting to serve on", l.Addr())
		http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/die" {
				fmt.Fprintln(os.Stderr, "error: died as asked")
				os.Exit(3)
			}
			fmt.Fprint(w, strings.Join(append(os.Args[1:], os.Getenv("HTTPS_PROXY")), "\n"))
		}))
	case "context":
		fmt.Println("kind-" + strings.Join(os.Args[1:], "-"))
	case "fail":
		fmt.Fprintln(os.Stderr, `error: context "x" does not exist`)
		os.Exit(1)
	case "refuse":
		fmt.Print("begun")
		fmt.Fprintln(os.Stderr, os.Getenv("INFORMERSCOPE_TEST_SAYS"))
		os.Exit(1)
	case "silent":
		os.Exit(0)
	case "hang":
		if l, err := net.Listen("tcp4", "127.0.0.1:0"); err == nil {
			l.Accept() // for ever
		}
	}
}

// get asks the kubectl that listens on a socket.
func get(t *testing.T, socket, path string) (string, error) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DialContext: Dial(socket), DisableKeepAlives: true}}
	r, err := client.Get(Address + path)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	return string(b), err
}

// kubectl gets the flags, and the environment in which it looks for a proxy's address.
func TestStartAndStop(t *testing.T) {
	const proxy = "http://proxy.example:3128"
	t.Setenv("HTTPS_PROXY", proxy)
	t.Setenv("INFORMERSCOPE_TEST_KUBECTL", "serve")
	var said strings.Builder
	socket, stop, err := Start(t.Context(), Options{Program: os.Args[0], Context: "c 1", Kubeconfig: "/a/b", NoSecrets: true, Messages: &said})
	if err != nil {
		t.Fatal(err)
	}
	args, err := get(t, socket, "/")
	if err != nil {
		t.Fatal(socket, err)
	}
	lines := strings.Split(args, "\n")
	for _, want := range []string{"proxy", "--unix-socket=" + socket, "--context=c 1", "--kubeconfig=/a/b", proxy} {
		if !slices.Contains(lines, want) {
			t.Errorf("started without %s: %q", want, lines)
		}
	}
	if strings.Contains(args, "--port") || strings.Contains(args, "--address") {
		t.Errorf("kubectl may listen on a port: %q", lines)
	}
	if !strings.Contains(args, "secrets(") {
		t.Errorf("kubectl isn't told to refuse Secrets: %q", lines)
	}
	stop()
	stop()
	if _, err := get(t, socket, "/"); err == nil {
		t.Error("kubectl still answers after stop")
	}
	if _, err := os.Stat(filepath.Dir(socket)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder is left behind: %v", err)
	}
	if !strings.Contains(said.String(), "https://login.example") {
		t.Errorf("kubectl's messages are lost: %q", said.String())
	}
	if strings.Contains(said.String(), "proxying") {
		t.Errorf("what an answer has is said twice: %q", said.String())
	}
}

// Nobody else may enter the folder of the socket, wherever the system keeps its temporary files.
func TestNobodyElseReachesTheSocket(t *testing.T) {
	t.Setenv("INFORMERSCOPE_TEST_KUBECTL", "serve")
	for _, temporary := range []string{t.TempDir(), filepath.Join(t.TempDir(), strings.Repeat("long", 20))} {
		if err := os.MkdirAll(temporary, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TMPDIR", temporary)
		socket, stop, err := Start(t.Context(), Options{Program: os.Args[0]})
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Dir(socket))
		if err != nil || info.Mode() != os.ModeDir|0o700 {
			t.Errorf("%s: %v, %v", filepath.Dir(socket), info.Mode(), err)
		}
		if _, err := get(t, socket, "/"); err != nil || len(socket) > longestSocket {
			t.Errorf("%s: the error is %v", socket, err)
		}
		stop()
	}
}

// starts tells when kubectl listens, and says how to log in.
type starts chan struct{}

func (s starts) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "https://login.example") {
		s <- struct{}{}
	}
	return len(b), nil
}

// TestLost lets kubectl die: it comes back in the same place.
func TestLost(t *testing.T) {
	t.Setenv("INFORMERSCOPE_TEST_KUBECTL", "serve")
	lost, started := make(chan error, 1), make(starts, 1)
	socket, stop, err := Start(t.Context(), Options{Program: os.Args[0], Messages: started, Lost: func(err error) { lost <- err }})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	<-started
	get(t, socket, "/die")
	if err := <-lost; !strings.Contains(err.Error(), "died as asked") {
		t.Error(err)
	}
	<-started
	if args, err := get(t, socket, "/"); err != nil || !strings.Contains(args, "--unix-socket="+socket) {
		t.Errorf("started again with %q, %v", args, err)
	}
}

func TestFailures(t *testing.T) {
	for kind, want := range map[string]string{"fail": `context "x" does not exist`, "silent": "without a word"} {
		t.Setenv("INFORMERSCOPE_TEST_KUBECTL", kind)
		if _, _, err := Start(t.Context(), Options{Program: os.Args[0]}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", kind, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, _, err := Start(t.Context(), Options{}); !errors.Is(err, ErrNotInstalled) {
		t.Error(err)
	}
	if _, _, err := Start(t.Context(), Options{Program: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a program that isn't there was started")
	}
}

func TestCurrentContext(t *testing.T) {
	t.Setenv("INFORMERSCOPE_TEST_KUBECTL", "context")
	if name, err := CurrentContext(t.Context(), Options{Program: os.Args[0], Kubeconfig: "/x"}); name != "kind-config-current-context---kubeconfig=/x" || err != nil {
		t.Error(name, err)
	}
	t.Setenv("INFORMERSCOPE_TEST_KUBECTL", "fail")
	if name, err := CurrentContext(t.Context(), Options{Program: os.Args[0]}); name != "" || err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Error(name, err)
	}
}

func TestCancelledWhileItStarts(t *testing.T) {
	t.Setenv("INFORMERSCOPE_TEST_KUBECTL", "hang")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, _, err := Start(ctx, Options{Program: os.Args[0]})
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
