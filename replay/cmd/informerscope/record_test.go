package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/internal/rounds"
)

// recordedCluster is an API server with a pod and a secret, whose watches send one
// event and stay open.
func recordedCluster(t *testing.T) *httptest.Server {
	t.Helper()
	answers := map[string]string{
		"/version": `{"gitVersion":"v1.37.2"}`,
		"/apis":    `{"kind":"APIGroupList","groups":[]}`,
		"/api":     `{"kind":"APIVersions","versions":["v1"]}`,
		"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[
			{"name":"pods","kind":"Pod","namespaced":true,"verbs":["list","watch"],"shortNames":["po"]},
			{"name":"secrets","kind":"Secret","namespaced":true,"verbs":["list","watch"]},
			{"name":"nodes","kind":"Node","namespaced":false,"verbs":["list","watch"]}]}`,
		"pods":    `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}`,
		"secrets": `{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","namespace":"shop","resourceVersion":"5"},"data":{"password":"aHVudGVyMg=="}}]}`,
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		name := req.URL.Path[strings.LastIndexByte(req.URL.Path, '/')+1:]
		switch {
		case req.Method != "GET":
			t.Errorf("%s %s", req.Method, req.URL)
		case answers[req.URL.Path] != "":
			io.WriteString(w, answers[req.URL.Path])
		case name == "nodes":
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"kind":"Status","message":"nodes is \u001b[31mforbidden","reason":"Forbidden","code":403}`)
		case req.URL.Query().Get("watch") != "":
			fmt.Fprintf(w, `{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"b","namespace":"shop","resourceVersion":"8"},"spec":{"containers":[{"env":[{"name":"A","value":"hunter3"}]}]}}}`+"\n")
			w.(http.Flusher).Flush()
			<-req.Context().Done()
		default:
			io.WriteString(w, answers[name])
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// output collects what a command prints, and can be read while the command runs.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *output) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *output) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// recordUntil runs the command until the trace in out has that many events, and
// then stops it as Ctrl-C does.
func recordUntil(t *testing.T, events int, out string, args ...string) (trace, stderr string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	complaints := &output{}
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, append([]string{"record", "-o", out}, args...), io.Discard, complaints) }()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		b, _ := os.ReadFile(out)
		if trace = string(b); strings.Count(trace, `"event"`) >= events {
			break
		}
		select {
		case status := <-ended:
			t.Fatalf("ended with %d: %s", status, complaints)
		case <-tick.C:
		}
	}
	stop()
	if status := <-ended; status != 0 {
		t.Fatalf("ended with %d: %s", status, complaints)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), complaints.String()
}

func TestRecord(t *testing.T) {
	server := recordedCluster(t)
	out := filepath.Join(t.TempDir(), "a.trace.jsonl")
	trace, stderr := recordUntil(t, 2, out, "--server", server.URL, "po", "-n", "shop", "secrets,nodes", "-l", "app=web")
	for _, want := range []string{
		`"recorder":"informerscope `, `"server":"v1.37.2"`, `"redacted":["values kept: redact before you share","secret data","env values","last-applied annotations","tokens"]`,
		`"url":"/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb&limit=500"`, `"url":"/api/v1/nodes?`,
		`"event":{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"b","namespace":"shop","resourceVersion":"8"},"spec":{"containers":[{"env":[{"name":"A","value":"REDACTED"}]}]}}}`,
		`"end":{"how":"recorder-stopped"}`, `"redacted":{"secret data":1,"env values":2,"last-applied annotations":0,"tokens":0}`,
	} {
		if !strings.Contains(trace, want) {
			t.Errorf("the trace has no %s:\n%s", want, trace)
		}
	}
	if strings.Contains(trace, "aHVudGVyMg") || strings.Contains(trace, "hunter3") {
		t.Error("the trace holds a secret")
	}
	if !regexp.MustCompile(`a\.trace\.jsonl: 3 resources, 3 lists \(0 relists\), 2 events in `).MatchString(stderr) ||
		!strings.Contains(stderr, "taken out before anything is written: secret data, env values,") || !strings.Contains(stderr, "taken out: secret data: 1") {
		t.Errorf("it says %s", stderr)
	}
	if !strings.Contains(stderr, "nodes: nodes is \ufffd[31mforbidden") {
		t.Errorf("it does not say what failed, or as it came: %q", stderr)
	}
	// What was recorded can be played.
	var calls, complaints bytes.Buffer
	if status := run(t.Context(), []string{"report", out, "--notifications", "--resource", "pods in shop, app=web"}, &calls, &complaints); status != 0 {
		t.Fatalf("%d: %s", status, &complaints)
	}
	if got := calls.String(); !strings.Contains(got, `"fn":"OnAdd","key":"shop/b","rv":"8"`) {
		t.Errorf("played: %s", got)
	}
	if status := run(t.Context(), []string{"record", "-o", out, "--server", server.URL}, io.Discard, &complaints); status != 1 || !strings.Contains(complaints.String(), "is there already") {
		t.Errorf("a file was overwritten: %s", &complaints)
	}
}

// TestRecordThroughKubectl: record starts a kubectl proxy and ends it. kubectl
// refuses Secrets, and record doesn't ask for them, unless they are wanted.
func TestRecordThroughKubectl(t *testing.T) {
	for _, c := range []struct {
		args    string
		secrets bool // they are recorded
		data    bool // and so is what they hold
	}{
		{"--all", false, false},
		{"--all --secrets", true, false},
		{"pods secrets", true, false},
		{"pods secret", true, false},
		{"--all --secrets --keep all", true, true},
		{"--all --secrets --keep secrets,tokens", true, true},
	} {
		withKubectl(t, recordedCluster(t).URL)
		dir := t.TempDir()
		path := filepath.Join(dir, "told")
		t.Setenv(tellKubectl, path)
		events := 1
		if c.secrets {
			events = 2
		}
		trace, stderr := recordUntil(t, events, filepath.Join(dir, "all.trace.jsonl"), append([]string{"--context", "prod", "--kubeconfig", "/c"}, strings.Fields(c.args)...)...)
		if strings.Contains(trace, "/secrets") != c.secrets || strings.Contains(trace, "aHVudGVyMg") != c.data {
			t.Errorf("%s: %s", c.args, trace)
		}
		if all := strings.HasSuffix(c.args, "keep all"); all == strings.Contains(trace, `"redacted"`) || all != strings.Contains(stderr, "nothing is taken out") || all != strings.Contains(trace, "hunter3") {
			t.Errorf("%s says %s and writes %s", c.args, stderr, trace)
		}
		got, _ := os.ReadFile(path)
		if !regexp.MustCompile(`^proxy --unix-socket=\S+ .*--context=prod --kubeconfig=/c\nended\n$`).Match(got) {
			t.Errorf("%s: kubectl was told %q", c.args, got)
		}
		if strings.Contains(string(got), "secrets(") == c.secrets {
			t.Errorf("%s: what kubectl refuses: %q", c.args, got)
		}
	}
}

func TestRecordStopsByItself(t *testing.T) {
	server := recordedCluster(t)
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"record", "--server", server.URL, "-o", "-", "--duration", "50ms", "pods"}, &stdout, &stderr); status != 0 {
		t.Fatalf("%d: %s", status, &stderr)
	}
	if !strings.HasPrefix(stdout.String(), `{"informerscope":"trace"`) || !strings.HasSuffix(stdout.String(), "}\n") {
		t.Error(stdout.String())
	}
}

// TestRecordGotNothing: a recording that got nothing fails, and says why.
func TestRecordGotNothing(t *testing.T) {
	discovery := recordedCluster(t)
	answers := map[string]http.HandlerFunc{
		"the server redirects (302), which is not followed: it leads to a login, most likely": func(w http.ResponseWriter, req *http.Request) {
			http.Redirect(w, req, "https://login.example/", http.StatusFound)
		},
		"the answer is text/html, and not application/json": func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<html>Log in</html>")
		},
		"the answer is not JSON: <html>": func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, "<html>")
		},
		"pods is forbidden": func(w http.ResponseWriter, req *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"kind":"Status","message":"pods is forbidden","reason":"Forbidden","code":403}`)
		},
	}
	for want, answer := range answers {
		t.Run(want, func(t *testing.T) {
			answered := make(chan struct{}, 100)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				if !strings.HasSuffix(req.URL.Path, "/pods") {
					discovery.Config.Handler.ServeHTTP(w, req)
					return
				}
				answer(w, req)
				answered <- struct{}{}
			}))
			defer server.Close()
			out := filepath.Join(t.TempDir(), "a.trace.jsonl")
			ctx, stop := context.WithCancel(t.Context())
			var stderr bytes.Buffer
			ended := make(chan int, 1)
			go func() {
				ended <- run(ctx, []string{"record", "pods", "--server", server.URL, "-o", out}, io.Discard, &stderr)
			}()
			<-answered
			for tick := time.NewTicker(time.Millisecond); ; <-tick.C { // until the answer's end is in the file
				if b, _ := os.ReadFile(out); bytes.Contains(b, []byte(`"end":`)) {
					tick.Stop()
					break
				}
			}
			stop()
			if status := <-ended; status != cli.ExitFailed || !strings.Contains(stderr.String(), "informerscope record: nothing was recorded: "+want+"; "+out+" holds only the requests") {
				t.Errorf("%d: %s", status, &stderr)
			}
		})
	}
	// If discovery gets such answers, it fails before a file is made.
	for want, answer := range map[string]http.HandlerFunc{
		"302 Found": answers["the server redirects (302), which is not followed: it leads to a login, most likely"],
		"<html>":    answers["the answer is text/html, and not application/json"],
	} {
		server := httptest.NewServer(answer)
		defer server.Close()
		var stderr bytes.Buffer
		out := filepath.Join(t.TempDir(), "a.trace.jsonl")
		if status := run(t.Context(), []string{"record", "pods", "--server", server.URL, "-o", out}, io.Discard, &stderr); status != cli.ExitFailed || !strings.Contains(stderr.String(), want) {
			t.Errorf("%d, and not %q: %s", status, want, &stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("a file was made for nothing")
		}
	}
}

// TestRecordIsInterrupted: Ctrl-C ends a recording that has not begun.
func TestRecordIsInterrupted(t *testing.T) {
	asked := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked <- struct{}{}
		<-req.Context().Done()
	}))
	defer server.Close()
	ctx, stop := context.WithCancel(t.Context())
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"record", "--server", server.URL, "-o", "-"}, io.Discard, &stderr) }()
	<-asked
	stop()
	if status := <-ended; status != cli.ExitInterrupted || stderr.String() != "informerscope record: interrupted\n" {
		t.Errorf("%d: %s", status, &stderr)
	}
}

func TestRecordRefuses(t *testing.T) {
	server := recordedCluster(t)
	for _, c := range []struct {
		args   string
		status int
		err    string
	}{
		{"--nope", 2, "nope"},
		{"--all pods", 2, "either --all or resources"},
		{"--server http://a --context b", 2, "kubectl's"},
		{"--duration -3s", 2, `invalid --duration "-3s"`},
		{"--keep foo", 2, `--keep: unknown name "foo"; want secrets, env, last-applied, tokens, all`},
		{"--server nowhere", 1, "invalid URL of a server"},
		{"--server http://127.0.0.1:1", 1, "informerscope record: the cluster can't be reached"},
		{"--kubectl kubectl-that-is-not-there", 1, "kubectl is not installed"},
		{"--server " + server.URL + " gadgets", 1, `unknown resource "gadgets"; the server can watch nodes, pods`},
		{"--server " + server.URL + " -o /nowhere/at/all", 1, "no such file"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), append([]string{"record"}, strings.Fields(c.args)...), &stdout, &stderr)
		if status != c.status || !strings.Contains(stderr.String(), c.err) || strings.Contains(stderr.String(), "discovery: ") {
			t.Errorf("%s: %d\n%s", c.args, status, &stderr)
		}
	}
}

// TestRecordSimulated records a simulated server with the command. replay/record/e2e does the same with a real one.
func TestRecordSimulated(t *testing.T) {
	t.Parallel()
	rounds.Command(t, rounds.Simulate(t), func(ctx context.Context, stdout io.Writer, args ...string) error {
		var stderr bytes.Buffer
		if status := run(ctx, args, stdout, &stderr); status != 0 {
			return fmt.Errorf("%s ends with %d: %s", args[0], status, &stderr)
		}
		return nil
	})
}
