package apiserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/trace"
)

// played shows what a script does to its cluster in a bubble, to a client above the script's faults.
func played(t *testing.T, text string, f func(s *shown, client http.RoundTripper, notPlayed []string)) {
	t.Helper()
	r := script.NewRunner(func(script.Entry) {})
	if err := r.Play(text); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	faults, notPlayed, err := whatif.WriteCluster(t.Context(), &out, r.History(), trace.Header{Start: "2026-11-20T21:06:42Z"})
	if err != nil {
		t.Fatal(err)
	}
	in := format.NewReader(format.Options{})
	in.Write(out.Bytes()) // Close has the error
	if err := in.Close(); err != nil || in.Trace().ProblemCount > 0 {
		t.Fatalf("%v, %v in\n%s", err, in.Trace().Problems, &out)
	}
	synctest.Test(t, func(t *testing.T) {
		s, err := New(in.Trace(), bytes.NewReader(out.Bytes()), Options{Simulated: true})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		client := s.SetFaults(faults)
		go s.Run(t.Context())
		f(&shown{t, s}, client, notPlayed)
	})
}

// follow lists and watches until a time, as an informer does, and returns what came.
func (s *shown) follow(client http.RoundTripper, path string, until time.Duration) (all []string) {
	s.t.Helper()
	end := time.Now().Add(until)
	for rv := ""; time.Now().Before(end); {
		url := "http://server" + path
		if rv != "" {
			url += fmt.Sprint("?watch=true&resourceVersion=", rv, "&timeoutSeconds=", max(1, int(time.Until(end).Seconds())))
		}
		r, _ := http.NewRequest(http.MethodGet, url, nil)
		resp, err := client.RoundTrip(r)
		if err != nil {
			all = append(all, "refused")
			time.Sleep(time.Second)
			continue
		}
		for in := json.NewDecoder(bufio.NewReader(resp.Body)); ; {
			var e answer
			if in.Decode(&e) != nil {
				break
			}
			switch o := e.Object; {
			case e.Items != nil:
				rv = e.Metadata.ResourceVersion
				all = append(all, "list "+rv)
			case e.Type == "ERROR":
				rv = ""
				all = append(all, e.Object.text())
			case o != nil:
				rv = o.Metadata.ResourceVersion
				all = append(all, e.Type+" "+o.text())
			default:
				rv = ""
				all = append(all, fmt.Sprint(resp.StatusCode))
			}
		}
		resp.Body.Close()
	}
	return all
}

// TestScripts holds what is served of scripts: the writes of whoever writes in them, at their times, and what they do to connections
// and to the server.
func TestScripts(t *testing.T) {
	const begin = "profile current\ninformer pods\nhandler h\nexists pods a/x app=x\nrun\nadvance 1s\n"
	for _, c := range []struct {
		name, script    string
		sees, notPlayed []string
		end             string // the list at the end
	}{
		{"writes", begin + "create pods a/y app=y\nadvance 1s\nupdate pods a/x app=z\npatch pods a/y app= tier=gold\ndelete pods a/x\nadvance 1s",
			[]string{"list 1", "ADDED a/y@2", "MODIFIED a/x@3", "MODIFIED a/y@4", "DELETED a/x@5"}, nil, "5: a/y@4"},
		{"a finalizer", begin + "create pods a/y .finalizers=f/g\ndelete pods a/y\nadvance 1s\nupdate pods a/y\nadvance 1s",
			[]string{"list 1", "ADDED a/y@2", "MODIFIED a/y@3", "DELETED a/y@4"}, nil, "4: a/x@1"},
		{"a watch that breaks", begin + "break watch pods\nadvance 1s\nupdate pods a/x\nadvance 1s", []string{"list 1", "MODIFIED a/x@2"}, nil, "2: a/x@2"},
		{"an event that is lost", begin + "drop event pods\nupdate pods a/x\nadvance 1s\nupdate pods a/x n=1\nadvance 1s", []string{"list 1", "MODIFIED a/x@3"}, nil, "3: a/x@3"},
		{"a server that restarts", begin + "restart server\nadvance 1s\nupdate pods a/x\nadvance 1s", []string{"list 1", "MODIFIED a/x@2"}, nil, "2: a/x@2"},
		{"a watch that breaks before a compaction", begin + "fail requests toomany n=1 pods\nbreak watch pods\nupdate pods a/x\ncompact\nadvance 3s", []string{"list 1", "429", "list 2"}, nil, "2: a/x@2"},
		{"a backup", begin + "create pods a/y\nupdate pods a/x\nadvance 1s\nrestore server 2\nadvance 1s\nupdate pods a/x app=b\nadvance 1s",
			[]string{"list 1", "ADDED a/y@2", "MODIFIED a/x@3", "410", "list 2", "MODIFIED a/x@3"}, nil, "3: a/x@3 a/y@2"},
		{"the script's own process", begin + "kill process\nadvance 1s", []string{"list 1"}, []string{"kill process"}, "1: a/x@1"},
		{"nothing", "informer pods\nrun\nadvance 1s", []string{"list 0"}, nil, "0:"},
	} {
		played(t, c.script, func(s *shown, client http.RoundTripper, notPlayed []string) {
			if got := s.follow(client, pods, 10*time.Second); !slices.Equal(got, c.sees) {
				t.Errorf("%s: a client sees %q, want %q", c.name, got, c.sees)
			}
			if got := s.list(pods); got != c.end {
				t.Errorf("%s: at the end there is %s, want %s", c.name, got, c.end)
			}
			if !slices.Equal(notPlayed, c.notPlayed) {
				t.Errorf("%s: %q aren't played, want %q", c.name, notPlayed, c.notPlayed)
			}
			s.SeekTo(0)
			if got := s.follow(client, pods, 10*time.Second); !slices.Equal(got, c.sees) {
				t.Errorf("%s: the second time, a client sees %q, want %q", c.name, got, c.sees)
			}
		})
	}
}

// TestScriptObjects holds how objects of a script look in JSON.
func TestScriptObjects(t *testing.T) {
	const text = `profile current
informer replicasets.apps
informer pods
controller replicasets.apps program=replicaset owns=pods
informer widgets.v1beta1.example.com
handler h
exists widgets.v1beta1.example.com w
run
create replicasets.apps a/r app=x .spec.replicas=1 .spec.selector=app=x
advance 10s
`
	played(t, text, func(s *shown, _ http.RoundTripper, _ []string) {
		time.Sleep(20 * time.Second)
		synctest.Wait()
		for path, parts := range map[string][]string{
			"/apis/apps/v1/namespaces/a/replicasets/r": {`"spec":{"replicas":1,"selector":{"matchLabels":{"app":"x"}}`, `"kind":"ReplicaSet"`, `"generation":1`, `"creationTimestamp":"2026-11-20T21:06:42Z"`},
			pods:                                {`"ownerReferences":[{"apiVersion":"apps/v1","controller":true,"kind":"ReplicaSet","name":"r","uid":"`, `"creationTimestamp":"2026-11-20T21:06:4`},
			"/apis/example.com/v1beta1/widgets": {`"kind":"WidgetList"`, `"name":"w"`},
			"/api/v1/secrets":                   {`secrets isn't in the script; the script has replicasets.apps, pods, widgets.example.com`},
		} {
			_, body := s.send(http.MethodGet, path, "")
			for _, part := range parts {
				if !strings.Contains(body, part) {
					t.Errorf("%s: %s\nlacks %s", path, body, part)
				}
			}
		}
	})
}
