package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Scenario is what a server's transport does to an informer, as in
// ../testdata/transport. The n-th request of a kind gets the n-th answer, and those
// after the last are answered as by a good server.
type Scenario struct {
	RunMs       int64                      `json:"runMs"`
	MaxRequests int                        `json:"maxRequests"`
	Client      string                     `json:"client"`
	WatchList   bool                       `json:"watchList,omitempty"`
	Answers     map[string][]ScriptedReply `json:"answers"`
	Asked       []Asked                    `json:"asked,omitempty"` // by client-go, if the engine is to have its chances
}

// Asked is what chance decided of a request.
type Asked struct {
	AtNs     int64 `json:"atNs"`               // since the start, after a back-off
	TimeoutS int64 `json:"timeoutS,omitempty"` // of a watch
}

// ScriptedReply is what a request gets.
type ScriptedReply struct {
	Result     string       `json:"do"`
	Error      string       `json:"error,omitempty"`
	Code       int          `json:"code,omitempty"`
	Reason     string       `json:"reason,omitempty"`
	RetryAfter string       `json:"retryAfter,omitempty"`
	Items      []string     `json:"items,omitempty"`
	RV         string       `json:"rv,omitempty"`
	Continue   string       `json:"continue,omitempty"`
	Steps      []StreamStep `json:"steps,omitempty"`
	End        string       `json:"end,omitempty"`
	DelayMs    int64        `json:"delayMs,omitempty"`
}

// StreamStep is one event of a stream.
type StreamStep struct {
	Ev         string `json:"ev"`
	O          string `json:"o,omitempty"`
	RV         string `json:"rv,omitempty"`
	Code       int    `json:"code,omitempty"`
	Reason     string `json:"reason,omitempty"`
	SleepMs    int64  `json:"sleepMs,omitempty"`
	InitialEnd bool   `json:"initialEnd,omitempty"`
	Raw        string `json:"raw,omitempty"` // the line as it stands
}

// transport is the client's http.RoundTripper, and takes down what it is asked.
type transport struct {
	Scenario
	mu            sync.Mutex
	requestCounts map[string]int
	n             int
	start         time.Time
	last          time.Time
	lines         []map[string]any

	calls []timedCall   // that follow the requests of an instant
	full  chan struct{} // closed when one more request comes than is played
	end   chan struct{} // closed to end that
}

// PlayTransport plays a scenario and returns what the informer did, and what chance decided.
func PlayTransport(t *testing.T, v *Version, s Scenario) (lines []map[string]any, asked []Asked) {
	synctest.Test(t, func(t *testing.T) {
		if v.Begin != nil {
			v.Begin()
		}
		if v.Gates != nil {
			v.Gates(map[string]bool{"WatchListClient": s.WatchList})
		}
		rt := &transport{Scenario: s, requestCounts: map[string]int{}, start: time.Now(), last: time.Now(), full: make(chan struct{}), end: make(chan struct{})}
		client, err := rest.RESTClientFor(&rest.Config{Host: "http://server", APIPath: "/api", Transport: rt, QPS: -1,
			ContentConfig: rest.ContentConfig{GroupVersion: &schema.GroupVersion{Version: "v1"}, NegotiatedSerializer: codecs()}})
		if err != nil {
			t.Fatal(err)
		}
		lw := cache.NewListWatchFromClient(client, "configmaps", "ns", fields.Everything())
		inf := cache.NewSharedIndexInformer(lw, &metav1.PartialObjectMetadata{}, 0, cache.Indexers{})
		inf.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
			rt.line(map[string]any{"ev": "watchError", "class": class(err), "silent": silent(err)})
		})
		if _, err := register(inf, v.Handler(&Handler{heard: rt.heard}), 0); err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		go inf.Run(stop)
		<-rt.full
		synctest.Wait()
		rt.mu.Lock()
		rt.flush(time.Now().Add(1))
		if lines = slices.Clone(rt.lines); inf.HasSynced() {
			lines = append(lines, map[string]any{"ev": "synced"})
		}
		asked = rt.Asked
		rt.mu.Unlock()
		close(stop)
		close(rt.end)
		proof.Pass(time.Hour)
	})
	return lines, asked
}

// silent reports whether DefaultWatchErrorHandler would not pass an error to HandleError.
func silent(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || err == io.EOF || err == io.ErrUnexpectedEOF
}

// class returns what a program can tell of an error that is a Status, and "" for any other error.
func class(err error) string {
	var s apierrors.APIStatus
	if !errors.As(err, &s) {
		return ""
	}
	return "Status " + strconv.Itoa(int(s.Status().Code)) + " " + string(s.Status().Reason)
}

// secret is an object of another kind than the one that is asked for.
type secret struct{ metav1.PartialObjectMetadata }

// codecs decodes ConfigMaps and Secrets. It keeps their metadata only.
func codecs() runtime.NegotiatedSerializer {
	scheme, v1 := runtime.NewScheme(), schema.GroupVersion{Version: "v1"}
	scheme.AddKnownTypeWithName(v1.WithKind("Secret"), &secret{})
	scheme.AddKnownTypeWithName(v1.WithKind("ConfigMap"), &metav1.PartialObjectMetadata{})
	scheme.AddKnownTypeWithName(v1.WithKind("ConfigMapList"), &metav1.PartialObjectMetadataList{})
	metav1.AddToGroupVersion(scheme, v1)
	return serializer.NewCodecFactory(scheme).WithoutConversion()
}

// line takes down a request, an end or an error.
func (t *transport) line(out map[string]any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flush(time.Now())
	out["dtMs"] = float64(time.Since(t.last).Microseconds()) / 1000
	t.last = time.Now()
	t.lines = append(t.lines, out)
}

// timedCall is a call of the handler.
type timedCall struct {
	time time.Time
	call string
}

func (t *transport) heard(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, timedCall{time.Now(), what})
}

// flush takes down the calls that came before a time. Those of an instant follow its
// requests, ends and errors.
func (t *transport) flush(before time.Time) {
	for len(t.calls) > 0 && t.calls[0].time.Before(before) {
		what, out := t.calls[0].call, map[string]any{"ev": "handler"}
		t.calls = t.calls[1:]
		if rest, initial := strings.CutPrefix(what, "add(initial) "); initial {
			what, out["initial"] = "add "+rest, true
		}
		if same, resync := strings.CutPrefix(what, "resync "); resync {
			what = "update " + same + " -> " + same
		}
		out["call"] = strings.Replace(what, "delete DFSU(", "delete tombstone(", 1)
		t.lines = append(t.lines, out)
	}
}

// RoundTrip answers a request.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	q, kind := r.URL.Query(), "list"
	if q.Get("watch") != "" {
		if kind = "watch"; q.Get("sendInitialEvents") != "" {
			kind = "stream"
		}
	}
	t.mu.Lock()
	t.n++
	n, i := t.n, t.requestCounts[kind]
	t.requestCounts[kind]++
	timeout, _ := strconv.ParseInt(q.Get("timeoutSeconds"), 10, 64)
	t.Asked = append(t.Asked, Asked{AtNs: int64(time.Since(t.start)), TimeoutS: timeout})
	t.mu.Unlock()
	if n > t.MaxRequests {
		if n == t.MaxRequests+1 {
			close(t.full)
		}
		<-t.end
		return nil, errors.New("the scenario is over")
	}
	t.line(map[string]any{"ev": "request", "n": n, "kind": kind, "query": flat(q)})
	a := ScriptedReply{Result: "good"}
	if answers := t.Answers[kind]; i < len(answers) {
		a = answers[i]
	}
	if a.Result == "good" {
		a = good(kind, a.DelayMs, q)
	}
	if err := wait(r.Context(), a.DelayMs); err != nil {
		return nil, err
	}
	switch a.Result {
	case "error":
		return nil, transportError(a.Error)
	case "status":
		head := http.Header{"Content-Type": {"application/json"}}
		if a.RetryAfter != "" {
			head.Set("Retry-After", a.RetryAfter)
		}
		return reply(r, a.Code, head, status(a.Code, a.Reason)), nil
	case "list":
		var items []any
		for _, o := range a.Items {
			items = append(items, configMap(o))
		}
		return reply(r, 200, nil, map[string]any{"kind": "ConfigMapList", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": a.RV, "continue": a.Continue}, "items": items}), nil
	}
	body, w := io.Pipe()
	s := &streamBody{PipeReader: body, t: t, n: n}
	go s.send(w, a)
	return &http.Response{StatusCode: 200, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}}, Body: s, Request: r}, nil
}

// good returns what a good server answers.
func good(kind string, delay int64, q url.Values) ScriptedReply {
	a := ScriptedReply{Result: "stream", End: "timeout " + q.Get("timeoutSeconds"), DelayMs: delay}
	switch kind {
	case "list":
		a = ScriptedReply{Result: "list", Items: []string{"a@5", "b@7"}, RV: "10", DelayMs: delay}
	case "stream":
		a.Steps = []StreamStep{{Ev: "ADDED", O: "a@5"}, {Ev: "ADDED", O: "b@7"}, {Ev: "BOOKMARK", RV: "10", InitialEnd: true}}
	}
	return a
}

func wait(ctx context.Context, ms int64) error {
	if ms == 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(ms) * time.Millisecond):
		return nil
	}
}

// flat returns a query with a range in the place of a random time-out.
func flat(q url.Values) map[string]any {
	out := map[string]any{}
	for name := range q {
		out[name] = q.Get(name)
	}
	if n, err := strconv.Atoi(q.Get("timeoutSeconds")); err == nil && n >= 300 && n <= 600 {
		out["timeoutSeconds"] = "[300,600]"
	}
	return out
}

func reply(r *http.Request, code int, head http.Header, body any) *http.Response {
	if head == nil {
		head = http.Header{"Content-Type": {"application/json"}}
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // it is made of strings
	}
	return &http.Response{StatusCode: code, Status: strconv.Itoa(code) + " " + http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: head, Body: io.NopCloser(bytes.NewReader(b)), ContentLength: int64(len(b)), Request: r}
}

func status(code int, reason string) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": "Failure", "message": "scripted", "reason": reason, "code": code}
}

// configMap makes "name@rv".
func configMap(o string) map[string]any {
	name, rv, _ := strings.Cut(o, "@")
	return map[string]any{"kind": "ConfigMap", "apiVersion": "v1", "metadata": map[string]any{"name": name, "namespace": "ns", "resourceVersion": rv}}
}
