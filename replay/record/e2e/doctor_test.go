package e2e

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/informerscope/informerscope/replay/doctor"
)

// hopTo returns a hop to a server on this machine.
func hopTo(name, base string) doctor.Hop {
	return &doctor.HTTP{Called: name, Base: base, Client: http.DefaultTransport}
}

// filtered starts a proxy before base that lets only some lines of watches pass, as a gateway does that
// knows ADDED, MODIFIED and DELETED alone.
func filtered(t *testing.T, base string, pass func(line string) bool) string {
	t.Helper()
	to, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: func(r *http.Response) error {
			if r.Request.URL.Query().Get("watch") == "" {
				return nil
			}
			body := r.Body
			out, in := io.Pipe()
			r.Body = out
			go func() {
				defer body.Close()
				for lines := bufio.NewReader(body); ; {
					line, err := lines.ReadString('\n')
					if pass(line) {
						io.WriteString(in, line)
					}
					if err != nil {
						in.CloseWithError(err)
						return
					}
				}
			}()
			return nil
		},
	})
	t.Cleanup(s.Close)
	return s.URL
}

// A real API server, asked itself and through kubectl's proxy, is accused of nothing. Of a gateway
// before it that drops bookmarks or errors, the doctor says so.
func TestDoctor(t *testing.T) {
	t.Parallel()
	for _, cache := range []bool{true, false} {
		s := startServer(t, cache)
		s.Create("a")
		s.Create("b")
		proxy := s.startProxy("", "/static/", "/")
		itself, err := rest.TransportFor(s.config)
		if err != nil {
			t.Fatal(err)
		}
		direct := &doctor.HTTP{Called: "directly", Base: s.config.Host, Client: itself}
		examine := func(hops ...doctor.Hop) *doctor.Report {
			t.Helper()
			r, err := doctor.Examine(t.Context(), doctor.Options{Hops: hops, Resources: []doctor.Resource{{Name: "widgets", Path: widgetsPath}}, Duration: 10 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if r := examine(hopTo("kubectl proxy", proxy.URL), direct); len(r.Findings) > 0 || len(r.Received) != 2 || r.Received[0].List.Items != 1 || r.Received[1].NextPage == nil {
			t.Errorf("watch cache %t: %+v\n%+v", cache, r.Findings, r.Received)
		}
		if !cache {
			continue // a server without it has no bookmarks and no streaming lists to lose
		}
		gateway := filtered(t, proxy.URL, func(line string) bool { return !strings.Contains(line, `"type":"BOOKMARK"`) })
		r := examine(hopTo("gateway", gateway), direct)
		if len(r.Findings) == 0 || !r.Hangs() || !strings.Contains(r.Findings[0].Text, "streaming list") {
			t.Errorf("%+v", r)
		}
		for _, f := range r.Findings {
			if len(f.Hops) != 1 || f.Hops[0] != "gateway" || !strings.Contains(strings.Join(f.Evidence, " "), "so gateway loses") {
				t.Errorf("%+v", f)
			}
		}
		// With the direct way out of reach, the gateway is still seen to be at fault.
		if r := examine(hopTo("gateway", gateway)); !r.Hangs() {
			t.Errorf("%+v", r)
		}
	}
}
