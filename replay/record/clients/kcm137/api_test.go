package kcm137

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informerscope/informerscope/replay/record/clients"
	"github.com/informerscope/informerscope/replay/testserver"
)

// api is what stands between the recorder and the API server. It makes the faults, and tells the witness what the server
// has answered and sent. It knows a reconcile by its key, because no two of one key are under way.
type api struct {
	*testserver.Server
	*clients.Witness
	fault clients.Fault

	mu      sync.Mutex
	asked   int              // writes
	updates int              // that were accepted
	sending map[string]int64 // by resource: up to which resourceVersion something has begun to be sent
	created map[string][]int64
	coming  map[string]int   // by key: pods that the controller has created; the watch had not sent them when the reconcile began
	extra   int              // pods that were created while one like it was to come
	own     map[target]int64 // the last resourceVersion that the controller has written
	earlier map[target]int64 // the same, when the reconcile began
	blind   int              // writes of a reconcile while the server had not told of what an earlier one had written
}

// target is what reconciles of a key have written of a resource.
type target struct{ key, resource string }

func newAPI(server *testserver.Server, f clients.Fault) *api {
	return &api{Server: server, Witness: clients.NewWitness(), fault: f, sending: map[string]int64{}, created: map[string][]int64{}, coming: map[string]int{}, own: map[target]int64{}, earlier: map[target]int64{}}
}

// syncs is called when a reconcile of a key begins.
func (a *api) syncs(key string) {
	a.Began(key, func(object string) int64 {
		a.mu.Lock()
		defer a.mu.Unlock()
		resource, _, _ := strings.Cut(object, "/")
		return a.sending[resource]
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, resource := range []string{"pods", "replicasets"} {
		a.earlier[target{key, resource}] = a.own[target{key, resource}]
	}
	a.coming[key] = 0
	for _, rv := range a.created[key] {
		if rv > a.sending["pods"] {
			a.coming[key]++
		}
	}
}

var errLost = errors.New("the answer is lost")

// RoundTrip passes a request on.
func (a *api) RoundTrip(req *http.Request) (*http.Response, error) {
	resource := ""
	for _, part := range strings.Split(req.URL.Path, "/") {
		if part == "pods" || part == "replicasets" {
			resource = part
		}
	}
	switch {
	case resource == "":
		return a.Server.RoundTrip(req)
	case req.Method != http.MethodGet:
		return a.write(req, resource)
	}
	res, err := a.Server.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if req.URL.Query().Get("watch") != "" {
		res.Body = &watch{Closer: res.Body, lines: bufio.NewReader(res.Body), api: a, resource: resource}
		return res, nil
	}
	if strings.HasSuffix(req.URL.Path, "/"+resource) { // a list, which fills the cache
		read, err := decode[metav1.PartialObjectMetadataList](res)
		a.sends(resource, read.ResourceVersion)
		return res, err
	}
	return res, nil
}

// decode reads an answer, whose body can be read once more.
func decode[T any](res *http.Response) (o T, err error) {
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	res.Body = io.NopCloser(bytes.NewReader(body))
	if err == nil {
		err = json.Unmarshal(body, &o)
	}
	return o, err
}

func (a *api) sends(resource, rv string) {
	n, _ := strconv.ParseInt(rv, 10, 64)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sending[resource] = max(a.sending[resource], n)
}

func (a *api) write(req *http.Request, resource string) (*http.Response, error) {
	a.mu.Lock()
	a.asked++
	refused := a.fault.Refuse > 0 && a.asked%a.fault.Refuse == 0
	a.mu.Unlock()
	if refused {
		body := `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError","code":500,"message":"the server says InternalError"}`
		return &http.Response{StatusCode: 500, Status: "500 Internal Server Error", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
			Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
	sent, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return nil, err
	}
	var written metav1.PartialObjectMetadata
	if err := json.Unmarshal(sent, &written); err != nil {
		return nil, err
	}
	req = req.Clone(req.Context())
	req.Body = io.NopCloser(bytes.NewReader(sent))
	res, err := a.Server.RoundTrip(req)
	if err != nil || res.StatusCode >= 300 {
		return res, err
	}
	o, err := decode[metav1.PartialObjectMetadata](res)
	if err != nil || o.ResourceVersion == written.ResourceVersion { // an update that changes nothing doesn't come back
		return res, err
	}
	key := o.Namespace + "/" + o.Name
	if len(o.OwnerReferences) > 0 {
		key = o.Namespace + "/" + o.OwnerReferences[0].Name
	}
	rv, err := strconv.ParseInt(o.ResourceVersion, 10, 64)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	if a.earlier[target{key, "pods"}] > a.sending["pods"] || a.earlier[target{key, "replicasets"}] > a.sending["replicasets"] {
		a.blind++
	}
	if req.Method == http.MethodPost {
		a.created[key] = append(a.created[key], rv)
		if a.coming[key] > 0 {
			a.coming[key]--
			a.extra++
		}
	} else {
		a.updates++
	}
	lost := req.Method == http.MethodPut && a.fault.Lose > 0 && a.updates%a.fault.Lose == 0
	a.mu.Unlock()
	if lost {
		return nil, errLost
	}
	a.mu.Lock()
	a.own[target{key, resource}] = rv
	a.mu.Unlock()
	a.Wrote(key, resource+"/"+o.Namespace+"/"+o.Name, rv)
	return res, nil
}

// watch is the body of a watch's answer. The api hears of an event before whoever reads it.
type watch struct {
	io.Closer
	lines    *bufio.Reader
	rest     []byte
	sent     int
	api      *api
	resource string
}

func (w *watch) Read(p []byte) (int, error) {
	if len(w.rest) == 0 {
		if w.api.fault.Break > 0 && w.sent == w.api.fault.Break {
			return 0, io.ErrUnexpectedEOF
		}
		line, err := w.lines.ReadBytes('\n')
		if err != nil {
			return 0, err
		}
		var event struct{ Object metav1.PartialObjectMetadata }
		if err := json.Unmarshal(line, &event); err != nil {
			return 0, err
		}
		w.api.sends(w.resource, event.Object.ResourceVersion)
		w.rest = line
		w.sent++
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}
