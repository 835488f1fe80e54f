package managed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// api is an API server that has ConfigMaps. Its watch events come after a lag.
type api struct {
	lag     time.Duration
	answers chan struct{} // nothing is answered until it is closed; nil for a server that answers at once

	mu      sync.Mutex
	rv      int
	objects []map[string]any
	watches []*proof.Stream
}

// object returns a ConfigMap of the resourceVersion rv that was created at a time.
func object(name string, rv int, created time.Time) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{
		"namespace": "shop", "name": name, "uid": name, "resourceVersion": fmt.Sprint(rv), "creationTimestamp": created.UTC().Format(time.RFC3339),
	}}
}

func (a *api) create(name string, created time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rv++
	o := object(name, a.rv, created)
	a.objects = append(a.objects, o)
	for _, w := range a.watches {
		w.Send("ADDED", o)
	}
}

// update stands for a PUT: it changes nothing but the resourceVersion, and the watches get it after the lag.
func (a *api) update(name string) map[string]any {
	a.rv++
	o := object(name, a.rv, time.Now())
	for i := range a.objects {
		if a.objects[i]["metadata"].(map[string]any)["name"] == name {
			a.objects[i] = o
		}
	}
	time.AfterFunc(a.lag, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		for _, w := range a.watches {
			w.Send("MODIFIED", o)
		}
	})
	return o
}

// RoundTrip implements http.RoundTripper. Whatever is asked for is about ConfigMaps.
func (a *api) RoundTrip(r *http.Request) (*http.Response, error) {
	if a.answers != nil {
		<-a.answers
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	query := r.URL.Query()
	meta := map[string]any{"resourceVersion": fmt.Sprint(a.rv)}
	var body any
	switch {
	case query.Get("watch") != "":
		w := proof.NewStream()
		a.watches = append(a.watches, w)
		if query.Get("sendInitialEvents") == "true" {
			for _, o := range a.objects {
				w.Send("ADDED", o)
			}
			meta["annotations"] = map[string]any{"k8s.io/initial-events-end": "true"}
			w.Send("BOOKMARK", map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta})
		}
		return answer(r, w), nil
	case r.Method == http.MethodPut:
		body = a.update(r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:])
	default:
		body = map[string]any{"apiVersion": "v1", "kind": "ConfigMapList", "metadata": meta, "items": a.objects}
	}
	text, err := json.Marshal(body)
	return answer(r, io.NopCloser(bytes.NewReader(text))), err
}

func answer(r *http.Request, body io.ReadCloser) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: body, Request: r}
}

// close ends all watches.
func (a *api) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, w := range a.watches {
		w.Close()
	}
}
