package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var update = flag.Bool("update", false, "write the golden file anew")

// server answers as an API server with three pods does, and badly in one way.
type server struct {
	bad   string
	asked *atomic.Int64
}

// end is the bookmark that ends the initial events.
const end = `{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"40","annotations":{"k8s.io/initial-events-end":"true"}}}}`

func (s server) RoundTrip(r *http.Request) (*http.Response, error) {
	q := r.URL.Query()
	code, body := 200, ""
	pod := func(n int) string {
		return fmt.Sprintf(`{"kind":"Pod","metadata":{"name":"p%d","uid":"u%d","resourceVersion":"%d"}}`, n, n, 30+n)
	}
	status := func(n int, reason string) string {
		return fmt.Sprintf(`{"kind":"Status","code":%d,"reason":%q,"message":"by test"}`, n, reason)
	}
	if q.Get("watch") == "" {
		switch n := 1; {
		case s.bad == "forbidden":
			code, body = 403, status(403, "Forbidden")
		case s.bad == "no such resource":
			code, body = 404, status(404, "NotFound")
		case s.bad == "list put off":
			code, body = 429, status(429, "TooManyRequests")
		case s.bad == "list put off for a while":
			code, body = 503, "<html>try again later</html>"
		case s.bad == "list fails":
			code, body = 500, status(500, "InternalError")
		case s.bad == "list put off until":
			return &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {"1"}}, Body: io.NopCloser(strings.NewReader(status(503, "ServiceUnavailable")))}, nil
		case s.bad == "list put off once" && s.asked.Add(1) == 1:
			return &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"1"}}, Body: io.NopCloser(strings.NewReader(status(429, "TooManyRequests")))}, nil
		case s.bad == "login page":
			return &http.Response{StatusCode: 302, Header: http.Header{"Location": {"https://login"}}, Body: io.NopCloser(strings.NewReader("<html>"))}, nil
		case s.bad == "html":
			body = "<html>welcome</html>"
		case s.bad == "deep":
			body = strings.Repeat("[", 1<<20)
		case s.bad == "down":
			return nil, fmt.Errorf("connection refused")
		default:
			if q.Get("continue") != "" && s.bad != "drops continue" {
				n = 2
			}
			if n == 2 && s.bad == "second page fails" {
				code, body = 500, status(500, "InternalError")
				break
			}
			version := `"resourceVersion":"40",`
			if s.bad == "no version" {
				version = ""
			}
			body = fmt.Sprintf(`{"kind":"PodList","metadata":{%s"continue":"t%d","remainingItemCount":%d},"items":[%s]}`, version, n, 3-n, pod(n))
		}
		return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
	ctx := r.Context()
	wait := func(d time.Duration) bool {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(d):
			return true
		}
	}
	stream, old := q.Get("sendInitialEvents") == "true", q.Get("resourceVersion") == "1"
	switch {
	case s.bad == "watch put off" && !stream && !old:
		return &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"1"}}, Body: io.NopCloser(strings.NewReader(status(429, "TooManyRequests")))}, nil
	case s.bad == "watch put off by 503" && !stream && !old:
		return &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {"1"}}, Body: io.NopCloser(strings.NewReader(status(503, "ServiceUnavailable")))}, nil
	case s.bad == "can't watch", s.bad == "no streaming list" && stream:
		return &http.Response{StatusCode: 403, Body: io.NopCloser(strings.NewReader(status(403, "Forbidden")))}, nil
	case s.bad == "gone by code" && old:
		return &http.Response{StatusCode: 410, Body: io.NopCloser(strings.NewReader(status(410, "Expired")))}, nil
	case s.bad == "buffers":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	pr, pw := io.Pipe()
	context.AfterFunc(ctx, func() { pw.CloseWithError(ctx.Err()) })
	d, _ := time.ParseDuration(q.Get("timeoutSeconds") + "s")
	tell := func(line string) {
		if s.bad == "drops bookmarks" && strings.Contains(line, "BOOKMARK") {
			return
		}
		io.WriteString(pw, line+"\n")
	}
	go func() {
		switch {
		case old && s.bad != "forgets errors":
			st := status(410, "Expired")
			if s.bad == "spoils errors" {
				st = status(500, "InternalError")
			}
			tell(`{"type":"ERROR","object":` + st + `}`)
		case old:
			wait(d)
		default:
			if stream {
				wait(20 * time.Millisecond)
				for n := range 3 {
					tell(`{"type":"ADDED","object":` + pod(n+1) + `}`)
				}
				if s.bad != "no end" {
					tell(end)
				}
			}
			switch s.bad {
			case "cuts watches":
				wait(9 * time.Second)
				pw.CloseWithError(fmt.Errorf("connection reset by peer"))
				return
			case "ends watches":
				wait(9 * time.Second)
				pw.Close()
				return
			case "cuts silent watches":
				if d > time.Minute {
					wait(time.Minute)
					pw.CloseWithError(fmt.Errorf("connection reset by peer"))
					return
				}
			case "half-open":
				<-ctx.Done()
				return
			case "half an event":
				wait(time.Second)
				io.WriteString(pw, `{"type":"MODIF`)
				pw.Close()
				return
			}
			wait(d - 2*time.Second)
			tell(`{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"41"}}}`)
			wait(2 * time.Second)
		}
		pw.Close()
	}()
	var whole io.ReadCloser = pr
	if s.bad == "buffers to the end" {
		b, err := io.ReadAll(pr)
		if err != nil {
			return nil, err
		}
		whole = io.NopCloser(bytes.NewReader(b))
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: whole}, nil
}

// examine asks servers that are each the end of a hop, for pods.
func examine(t *testing.T, bad ...string) *Report {
	t.Helper()
	return examineFor(t, 30*time.Second, bad...)
}

// examineFor does what examine does, and looks at watches for so long.
func examineFor(t *testing.T, d time.Duration, bad ...string) *Report {
	t.Helper()
	o := Options{Resources: []Resource{{"pods", "/api/v1/pods"}}, Duration: d}
	for i, b := range bad {
		o.Hops = append(o.Hops, &HTTP{Called: []string{"the proxy", "the direct way"}[i], Base: "http://x", Client: server{b, new(atomic.Int64)}})
	}
	r, err := Examine(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bads are the ways of a server to be bad, and whether an informer hangs on each.
var bads = []struct {
	bad   string
	finds int // beside a hop that is in order
	alone int
	hangs bool
}{
	{"", 0, 0, false},
	{"no streaming list", 0, 0, false},
	{"gone by code", 0, 0, false},
	{"forbidden", 1, 1, true},
	{"can't watch", 1, 1, true},
	{"list put off", 1, 1, false},
	{"list put off until", 1, 1, false},
	{"list put off for a while", 1, 1, false},
	{"list fails", 1, 1, true},
	{"list put off once", 0, 0, false},
	{"watch put off", 1, 1, false},
	{"watch put off by 503", 1, 1, false},
	{"login page", 1, 1, true},
	{"html", 1, 1, true},
	{"deep", 1, 1, true},
	{"down", 1, 1, true},
	{"no version", 1, 1, false},
	{"drops continue", 1, 1, true},
	{"second page fails", 1, 1, true},
	{"no end", 1, 1, true},
	{"no such resource", 1, 1, true},
	{"drops bookmarks", 2, 1, true},
	{"buffers", 2, 2, true},
	{"buffers to the end", 2, 2, true},
	{"cuts watches", 1, 1, false},
	{"ends watches", 1, 1, false},
	{"half an event", 1, 1, false},
	{"half-open", 1, 1, true},
	{"forgets errors", 1, 1, true},
	{"spoils errors", 1, 1, false},
}

// Each planted fault is named, with its hop where another hop is in order, and no clean server is
// accused. What is said is compared with testdata/doctor.golden.
func TestDoctor(t *testing.T) {
	var all strings.Builder
	for _, c := range bads {
		synctest.Test(t, func(t *testing.T) {
			r := examine(t, c.bad, "")
			fmt.Fprintf(&all, "# %s\n", c.bad)
			for _, f := range r.Findings {
				b, _ := json.MarshalIndent(f, "", "  ")
				fmt.Fprintf(&all, "%s\n", b)
				if len(f.Hops) != 1 || f.Hops[0] != "the proxy" {
					t.Errorf("%q: %s are accused", c.bad, f.Hops)
				}
			}
			if len(r.Findings) != c.finds || r.Hangs() != c.hangs {
				t.Errorf("%q: %d findings, hangs %t: %+v", c.bad, len(r.Findings), r.Hangs(), r.Findings)
			}
			if r.Requests > MaxRequests || r.Bytes > MaxBytes {
				t.Errorf("%q: %d requests, %d bytes", c.bad, r.Requests, r.Bytes)
			}
			// A fault that all hops lead to is told once.
			if both := examine(t, c.bad, c.bad); len(both.Findings) != c.alone || c.alone > 0 && len(both.Findings[0].Hops) != 2 {
				t.Errorf("%q twice: %+v", c.bad, both.Findings)
			}
			// Alone the hop shows the same.
			if alone := examine(t, c.bad); len(alone.Findings) != c.alone || alone.Hangs() != c.hangs {
				t.Errorf("%q alone: %+v", c.bad, alone.Findings)
			}
		})
	}
	const golden = "testdata/doctor.golden"
	if *update {
		os.MkdirAll("testdata", 0o755)
		os.WriteFile(golden, []byte(all.String()), 0o644)
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != all.String() {
		t.Errorf("%v: what is said is not what %s has (-update)", err, golden)
	}
}

// What cuts silent connections after a minute is found by whoever looks for longer, and the report says for how long it was looked.
func TestSilentWatchesAreCut(t *testing.T) {
	for d, want := range map[time.Duration]string{
		30 * time.Second: "",
		65 * time.Second: "A watch lives for 1m0s, though 1m5s were asked for. Each informer watches anew that often, and lists again where its version is too old by then.",
	} {
		synctest.Test(t, func(t *testing.T) {
			r := examineFor(t, d, "cuts silent watches")
			got := ""
			for _, f := range r.Findings {
				got += f.Text
			}
			if got != want || r.Duration != int64(d) || r.Hangs() {
				t.Errorf("%v: %q, looked at for %d", d, got, r.Duration)
			}
		})
	}
}

// More requests than allowed are refused before the first one.
func TestTooManyRequests(t *testing.T) {
	o := Options{Hops: []Hop{&HTTP{Called: "a", Client: server{}}}, Duration: time.Second}
	o.Resources = slices.Repeat([]Resource{{"pods", "/api/v1/pods"}}, 5)
	if _, err := Examine(t.Context(), o); err == nil || !strings.Contains(err.Error(), "25 requests") {
		t.Error(err)
	}
	o.Resources = o.Resources[:4]
	if all, err := Plan(o); err != nil || len(all) != MaxRequests {
		t.Error(len(all), err)
	}
}

// An answer that never ends is read up to its share, and no further.
func TestTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := Examine(t.Context(), Options{Duration: 30 * time.Second, Resources: []Resource{{"pods", "/api/v1/pods"}},
			Hops: []Hop{&HTTP{Called: "a", Base: "http://x", Client: endless{}}}})
		if err != nil || r.Bytes > MaxBytes || r.Bytes < MaxBytes/5 || r.Hangs() {
			t.Errorf("%v: %d bytes: %+v", err, r.Bytes, r.Findings)
		}
	})
}

// endless is a server whose watches tell of the same pod for ever.
type endless struct{}

func (endless) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Query().Get("watch") == "" || r.URL.Query().Get("resourceVersion") == "1" {
		return server{}.RoundTrip(r)
	}
	event := `{"type":"MODIFIED","object":{"kind":"Pod","metadata":{"name":"p1"},"x":"` + strings.Repeat("x", 1<<16) + `"}}`
	return &http.Response{StatusCode: 200, Body: io.NopCloser(repeated(event))}, nil
}

type repeated string

func (s repeated) Read(b []byte) (int, error) {
	if len(b) < len(s) {
		return copy(b, strings.Repeat(" ", len(b))), nil
	}
	return copy(b, s), nil
}

// An examination that is ended says so, and leaves nothing running.
func TestEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
		defer stop()
		_, err := Examine(ctx, Options{Hops: []Hop{&HTTP{Called: "a", Base: "http://x", Client: server{}}}, Resources: []Resource{{"pods", "/api/v1/pods"}}, Duration: 30 * time.Second})
		if err != context.DeadlineExceeded {
			t.Error(err)
		}
	})
}
