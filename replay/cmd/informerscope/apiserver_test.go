package main

import (
	"bufio"
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

// apiServer is a command that serves, and a client that has its kubeconfig.
type apiServer struct {
	t                                   *testing.T
	kubeconfig, recorded, server, token string
	client                              *http.Client
	stop                                func() (says string)
}

// serves starts "informerscope apiserver". Stop ends it, which must go well, and returns its standard error.
func serves(t *testing.T, args ...string) *apiServer {
	t.Helper()
	s := &apiServer{t: t, recorded: filepath.Join(t.TempDir(), "clients.trace.jsonl.gz")}
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	out, in := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"apiserver", "-o", s.recorded}, args...), in, &errs)
		in.Close()
	}()
	s.stop = func() string {
		stop()
		if status := <-ended; status != cli.ExitOK {
			t.Errorf("it ended with %d: %s", status, &errs)
		}
		return errs.String()
	}
	lines := bufio.NewScanner(out)
	for is := false; !is && lines.Scan(); {
		_, s.kubeconfig, is = strings.Cut(lines.Text(), "export KUBECONFIG=")
	}
	go io.Copy(io.Discard, out)
	var config struct {
		Clusters []struct{ Cluster struct{ Server string } }
		Users    []struct{ User struct{ Token string } }
	}
	text, err := os.ReadFile(s.kubeconfig)
	if err == nil {
		err = json.Unmarshal(text, &config)
	}
	if err != nil {
		t.Fatalf("it doesn't serve: %v: %s", err, s.stop())
	}
	s.server, s.token = config.Clusters[0].Cluster.Server, config.Users[0].User.Token
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
	return s
}

// ask sends a GET, which change may change.
func (s *apiServer) ask(path string, change func(r *http.Request)) *http.Response {
	s.t.Helper()
	r, err := http.NewRequest(http.MethodGet, s.server+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	change(r)
	resp, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp
}

func (s *apiServer) get(path string) string {
	s.t.Helper()
	resp := s.ask(path, func(*http.Request) {})
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Error(err)
	}
	return string(b)
}

// TestAPIServer holds what the command serves and to whom, and that at the end the recording is whole and the kubeconfig gone.
func TestAPIServer(t *testing.T) {
	s := serves(t, "../../../web/traces/shop.trace.jsonl.gz")
	if is, err := os.Stat(s.kubeconfig); err != nil || is.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v", s.kubeconfig, is.Mode(), err)
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
		{"a page of this machine", "/api/v1/pods", http.StatusForbidden, func(r *http.Request) { r.Header.Set("Origin", s.server) }},
		{"a write", "/api/v1/namespaces/shop/pods", http.StatusMethodNotAllowed, func(r *http.Request) { r.Method = http.MethodPost }},
	} {
		resp := s.ask(c.path, c.change)
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.code || resp.ProtoMajor != 2 {
			t.Errorf("%s: %s %s, want %d", c.name, resp.Proto, resp.Status, c.code)
		}
	}
	watch := s.ask("/api/v1/pods?watch=true&resourceVersion=0", func(*http.Request) {})
	first := make([]byte, 1)
	if _, err := io.ReadFull(watch.Body, first); err != nil {
		t.Fatal(err)
	}
	says := s.stop()
	watch.Body.Close()
	if !strings.Contains(says, "informerscope open "+s.recorded+" --against ") {
		t.Errorf("it says at the end: %s", says)
	}
	if _, err := os.Stat(filepath.Dir(s.kubeconfig)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the kubeconfig stays: %v", err)
	}
	f, err := os.Open(s.recorded)
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

// TestAPIServerOfAScript holds that a script is served, and what is said of it.
func TestAPIServerOfAScript(t *testing.T) {
	name := filepath.Join(t.TempDir(), "script.txt")
	if err := os.WriteFile(name, []byte("profile current\ninformer pods\nhandler h\nexists pods a/x\nrun\nkill process\nadvance 1s\nupdate pods a/x\nexpect store []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serves(t, "--paused", name)
	if got := s.get("/api/v1/pods"); !strings.Contains(got, `"resourceVersion":"1"`) || !strings.Contains(got, `"name":"x"`) {
		t.Errorf("it serves %s", got)
	}
	if says := s.stop(); !strings.Contains(says, "the API server is simulated, as the script says") || !strings.Contains(says, "isn't played: kill process\n") || strings.Contains(says, "--against") {
		t.Errorf("it says %s", says)
	}
}

// TestAPIServerOfK8shark serves captures of k8shark: what was recorded is watched from its start to its end, and listed then. What was
// refused when it was recorded isn't there.
func TestAPIServerOfK8shark(t *testing.T) {
	for _, name := range []string{"made-v1.kshrk", "made-v2.kshrk"} {
		s := serves(t, "--speed", "1000", "../../convert/testdata/"+name)
		watch := s.ask("/api/v1/namespaces/x/pods?watch=true&resourceVersion=10", func(*http.Request) {})
		type object struct {
			Metadata struct{ Name, ResourceVersion string }
		}
		in := json.NewDecoder(watch.Body)
		for _, want := range []string{"MODIFIED a@11", "ADDED c@13", "MODIFIED a@14", "DELETED b@15", "DELETED a@16", "ADDED d@19"} {
			var e struct {
				Type   string
				Object object
			}
			if err := in.Decode(&e); err != nil || e.Type+" "+e.Object.Metadata.Name+"@"+e.Object.Metadata.ResourceVersion != want {
				t.Errorf("%s: %+v, %v; want %s", name, e, err, want)
			}
		}
		watch.Body.Close()
		var list struct{ Items []object }
		if err := json.Unmarshal([]byte(s.get("/api/v1/namespaces/x/pods")), &list); err != nil || len(list.Items) != 2 || list.Items[0].Metadata.Name != "c" || list.Items[1].Metadata.Name != "d" {
			t.Errorf("%s: at the end there are %+v, %v", name, list, err)
		}
		if got := s.get("/apis/apps/v1/deployments"); !strings.Contains(got, "deployments.apps was not recorded; the recording has pods") {
			t.Errorf("%s: deployments are %s", name, got)
		}
		if b, err := os.ReadFile(s.kubeconfig); err != nil || !strings.Contains(string(b), `"namespace": "x"`) {
			t.Errorf("%s: the kubeconfig has not the namespace that was recorded: %v", name, err)
		}
		s.stop()
	}
}

// TestAPIServerOfSeveral serves several captures, and says how what clients did opens beside them all.
func TestAPIServerOfSeveral(t *testing.T) {
	const shop, small = "../../../web/traces/shop.trace.jsonl.gz", "../../trace/testdata/small-pods.trace.jsonl.gz"
	s := serves(t, "--paused", small, shop)
	for _, path := range []string{"/api/v1/pods", "/apis/apps/v1/deployments"} {
		if got := s.get(path); !strings.Contains(got, "List") {
			t.Errorf("%s: %s", path, got)
		}
	}
	says := s.stop()
	if !strings.Contains(says, " --against "+small+" --against "+shop+"\n") {
		t.Errorf("it says %s", says)
	}
	client, address, fields := opened(t, "open", s.recorded, "--against", small, "--against", shop)
	beside := fields["url"][1]
	if _, text := fetch(t, client, address+"/"+beside); !strings.Contains(text, `"resp":`) || !strings.Contains(text, "/apis/apps/v1/deployments") {
		t.Errorf("beside it opens %s: %.300s", beside, text)
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
	cluster := func(pod string) string {
		return `{"informerscope":"trace","version":1}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods"}}
{"t":1,"id":1,"resp":{"status":200}}
{"t":1,"id":1,"body":{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"` + pod + `","namespace":"n","uid":"` + pod + `","resourceVersion":"7"}}]}}
{"t":1,"id":1,"end":{"how":"eof"}}
`
	}
	one, other := write("one.jsonl", cluster("a")), write("other.jsonl", cluster("b"))
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{one, other}, cli.ExitFailed, one + ", " + other + " are of different clusters, or a backup was restored between them: resourceVersion 7 of pods is n/a in one and n/b in another; serve each"},
		{nil, cli.ExitUsage, "a capture or a script is missing"},
		{[]string{"--speed", "0", "x"}, cli.ExitUsage, "invalid --speed"},
		{[]string{"--speed", "NaN", "x"}, cli.ExitUsage, "invalid --speed"},
		{[]string{"--from", "-1s", "x"}, cli.ExitUsage, "invalid --from"},
		{[]string{"--port", "70000", "x"}, cli.ExitUsage, "invalid --port"},
		{[]string{"-o", "-", "x"}, cli.ExitUsage, "-o needs a file"},
		{[]string{"-o", script, "../../../web/traces/shop.trace.jsonl.gz"}, cli.ExitFailed, "is there already"},
		{[]string{"-o", filepath.Join(folder, "none", "x"), "../../../web/traces/shop.trace.jsonl.gz"}, cli.ExitFailed, "no such file"},
		{[]string{filepath.Join(folder, "none")}, cli.ExitFailed, "no such file"},
		{[]string{write("empty", "")}, cli.ExitFailed, "empty: the input is empty"},
		{[]string{write("text", "hello\n")}, cli.ExitFailed, "unknown format"},
		{[]string{script, script}, cli.ExitFailed, "unknown format"},
		{[]string{write("wrong.txt", "profile current\ninformer pods\nupdate pod a/x\n")}, cli.ExitFailed, "wrong.txt:3:12: "},
		{[]string{write("none.txt", "profile current\nseed 1\n")}, cli.ExitFailed, "none.txt:"},
		{[]string{"../../../web/lessons/en/ghost.md"}, cli.ExitFailed, "this is a lesson"},
		{[]string{"--port", port, "../../../web/traces/shop.trace.jsonl.gz"}, cli.ExitFailed, "port " + port + " is taken"},
	} {
		var errs bytes.Buffer
		if status := run(t.Context(), append([]string{"apiserver"}, c.args...), io.Discard, &errs); status != c.status || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%q: status %d, %s", c.args, status, &errs)
		}
	}
}
