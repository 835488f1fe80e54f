package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/doctor"
)

// doctoredCluster is an API server with a pod, whose watches end when they are to. Unless bookmarks
// pass, it is behind something that drops them.
func doctoredCluster(t *testing.T, bookmarks bool) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Method != http.MethodGet {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		w.Header().Set("Content-Type", "application/json")
		const pod = `{"kind":"Pod","metadata":{"name":"a","uid":"u","resourceVersion":"30"}}`
		q := r.URL.Query()
		as, denied := r.Header.Get("Impersonate-User"), ""
		switch {
		case as == "system:serviceaccount:shop:stranger":
			denied = `users \"stranger\" is forbidden: User \"me\" cannot impersonate resource \"serviceaccounts\" in API group \"\" in the namespace \"shop\"`
		case as != "" && strings.HasSuffix(r.URL.Path, "/configmaps") && q.Get("watch") != "":
			denied = `configmaps is forbidden: User \"` + as + `\" cannot watch resource \"configmaps\" in API group \"\" in the namespace \"shop\"`
		}
		switch {
		case denied != "":
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"kind":"Status","reason":"Forbidden","code":403,"message":"`+denied+`"}`)
			return
		case strings.Contains(r.URL.Path, "/serviceaccounts/"):
			if strings.HasSuffix(r.URL.Path, "/nobody") {
				w.WriteHeader(http.StatusNotFound)
			}
			io.WriteString(w, `{"kind":"Status","reason":"NotFound","code":404}`)
			return
		case r.URL.Path == "/apis/example.com":
			io.WriteString(w, `{"kind":"APIGroup","preferredVersion":{"version":"v2"}}`)
			return
		case r.URL.Path == "/apis/none.example":
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"kind":"Status","reason":"NotFound","message":"no such group"}`)
			return
		case strings.HasSuffix(r.URL.Path, "/secrets"):
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"kind":"Status","reason":"Forbidden","message":"secrets is \u001b[31mforbidden","code":403}`)
			return
		case q.Get("watch") == "":
			io.WriteString(w, `{"metadata":{"resourceVersion":"40"},"items":[`+pod+`]}`)
			return
		case q.Get("resourceVersion") == "1":
			io.WriteString(w, `{"type":"ERROR","object":{"code":410,"reason":"Expired"}}`)
			return
		}
		tell := func(text string) {
			if bookmarks || !strings.Contains(text, "BOOKMARK") {
				io.WriteString(w, text)
			}
			w.(http.Flusher).Flush()
		}
		tell("")
		if q.Get("sendInitialEvents") != "" {
			tell(`{"type":"ADDED","object":` + pod + `}`)
			tell(`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"40","annotations":{"k8s.io/initial-events-end":"true"}}}}`)
		}
		timeout, _ := strconv.Atoi(q.Get("timeoutSeconds"))
		select {
		case <-time.After(time.Duration(timeout)*time.Second - 500*time.Millisecond):
			tell(`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"41"}}}`)
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// TestDoctor compares what the command prints, and how it exits, with testdata/doctor.txt.golden.
func TestDoctor(t *testing.T) {
	good, asked := doctoredCluster(t, true)
	bad, _ := doctoredCluster(t, false)
	withKubectl(t, good)
	const gone = "http://127.0.0.1:1"
	names := strings.NewReplacer(good, "http://good", bad, "http://gateway", gone, "http://gone", strings.TrimPrefix(gone, "http://")+":", "gone:")
	times := regexp.MustCompile(`\b\d+(\.\d+)? (µs|ms|s)\b|\b\d+(\.\d+)?(µs|ms|s)\b`)
	var all bytes.Buffer
	for _, c := range []struct {
		status int
		args   []string
	}{
		{0, []string{}},
		{0, []string{"--dry-run"}},
		{0, []string{"--dry-run", "nodes,deployments", "-n", "shop"}},
		{0, []string{"widgets.example.com", "-n", "shop", "--server", good}},
		{cli.ExitFailed, []string{"--server", bad, "--around", good}},
		{cli.ExitFailed, []string{"secrets", "-n", "shop"}},
		{cli.ExitFailed, []string{"--server", gone}},
		{cli.ExitFailed, []string{"x.none.example", "--server", good}},
		{0, []string{"pods", "-n", "shop", "--as", "shop/web"}},
		{cli.ExitFailed, []string{"pods,configmaps,secrets,widgets.example.com", "-n", "shop", "--as", "system:serviceaccount:shop:web"}},
		{cli.ExitFailed, []string{"secrets", "--as", "shop/web", "--server", good, "-o", "json"}},
		{cli.ExitFailed, []string{"pods", "--as", "shop/stranger"}},
		{cli.ExitFailed, []string{"pods", "--as", "shop/nobody"}},
		{0, []string{"pods,configmaps", "--as", "shop/web", "--dry-run"}},
		{cli.ExitUsage, []string{"--as", "web"}},
		{cli.ExitUsage, []string{"--as", "shop/web", "--server", good, "--around", good}},
		{cli.ExitUsage, []string{"widgets"}},
		{cli.ExitUsage, []string{"pods", "nodes", "leases"}},
		{cli.ExitUsage, []string{"--around", good}},
		{cli.ExitUsage, []string{"--for", "1s"}},
		{cli.ExitUsage, []string{"--server", "gateway"}},
		{cli.ExitUsage, []string{"--server", good, "--context", "x"}},
		{cli.ExitFailed, []string{"--context", "none"}},
	} {
		before := asked.Load()
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"doctor", "--for", "2s"}, c.args...), &out, &errs)
		if status != c.status {
			t.Errorf("%q gives %d:\n%s%s", c.args, status, &out, &errs)
		}
		if len(c.args) > 0 && c.args[0] == "--dry-run" && asked.Load() != before {
			t.Errorf("%q sends requests", c.args)
		}
		fmt.Fprintf(&all, "> %s\n%s%s\n", strings.Join(c.args, " "), &out, &errs)
	}
	golden(t, filepath.Join("testdata", "doctor.txt.golden"), times.ReplaceAll([]byte(names.Replace(all.String())), []byte("TIME")))

	var out, errs bytes.Buffer
	status := run(t.Context(), []string{"doctor", "-o", "json", "--for", "2s", "--server", bad}, &out, &errs)
	var r doctor.Report
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil || status != cli.ExitFailed || len(r.Findings) != 1 || !r.Findings[0].Hangs {
		t.Errorf("status %d, %v: %+v%s", status, err, r, &errs)
	}
}
