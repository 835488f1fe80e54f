package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/record"
)

// ring records a list of pods, and is given away as a controller gives it.
func ring(t *testing.T) *httptest.Server {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","namespace":"shop","uid":"1","resourceVersion":"5"}}]}`)
	}))
	t.Cleanup(api.Close)
	r, err := record.NewRing(record.RingOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	answer, err := (&http.Client{Transport: r.Wrap(http.DefaultTransport)}).Get(api.URL + "/api/v1/pods?limit=500&resourceVersion=0")
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	mux := http.NewServeMux()
	mux.Handle("/debug/informerscope/", r)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// forward listens beside a server, and passes bytes on, as a port-forward does: it knows nothing of HTTP, so
// the server sees the forward's address as its Host. It cuts each connection after so many bytes of the
// answer, 0 for never.
func forward(t *testing.T, to *httptest.Server, after int64) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer in.Close()
				out, err := net.Dial("tcp", to.Listener.Addr().String())
				if err != nil {
					return
				}
				defer out.Close()
				go io.Copy(out, in)
				if after > 0 {
					io.CopyN(in, out, after)
					return
				}
				io.Copy(in, out)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// A dump of a controller is opened through a port-forward. Of one whose connection is cut, what came is opened,
// and that is said.
func TestOpenAnAddress(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	controller := ring(t)
	whole := ""
	for _, c := range []struct {
		after int64
		said  string
	}{{0, ""}, {700, "was cut after"}} {
		address := forward(t, controller, c.after) + "/debug/informerscope/trace"
		var errs bytes.Buffer
		full, _, stop, ended := started(t, &errs, "open", "--no-browser", address)
		client, page := browser(t, full)
		_, text := fetch(t, client, full)
		if !strings.Contains(text, "opened/informerscope.trace.jsonl") && !strings.Contains(text, "opened%2Finformerscope.trace.jsonl") {
			t.Fatalf("the page opens something else: %s", text)
		}
		status, text := fetch(t, client, page+"/opened/informerscope.trace.jsonl")
		if whole == "" {
			whole = text
		}
		if status != 200 || !strings.Contains(whole, `"name":"a"`) || c.after == 0 != (len(text) == len(whole)) || !strings.HasPrefix(whole[:60], text[:60]) {
			t.Errorf("cut after %d: %d, %d of %d bytes: %.80s", c.after, status, len(text), len(whole), text)
		}
		stop()
		<-ended
		if said := errs.String(); !strings.Contains(said, c.said) || c.said == "" && said != "" {
			t.Errorf("cut after %d: it says %q", c.after, said)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "informerscope-*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// An address without a dump is refused, and its secrets are not printed.
func TestOpenNoAddress(t *testing.T) {
	controller := ring(t)
	for address, want := range map[string]string{
		controller.URL + "/debug/informerscope/trace?seconds=x":                   "400 Bad Request seconds must be a number",
		strings.Replace(controller.URL, "://", "://me:secret@", 1) + "/elsewhere": "me:xxxxx@",
		forward(t, controller, 1) + "/debug/informerscope/trace":                  "debug/informerscope/trace: ",
		"http://127.0.0.1:1/debug/informerscope/trace":                            "refused",
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), []string{"open", "--no-browser", address}, &out, &errs)
		if status == 0 || !strings.Contains(errs.String(), want) || strings.Contains(errs.String(), "secret") {
			t.Errorf("%s: %d, %s", address, status, &errs)
		}
	}
}
