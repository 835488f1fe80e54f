package test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/informerscope/informerscope/replay/serve"
)

// cluster does as much of an API server's work as the page needs. It serves the
// page itself under /static/, as kubectl proxy --www=dist does. It remembers
// all events since the last compaction.
type cluster struct {
	t       testing.TB
	address string
	http    *http.Server

	mu        sync.Mutex
	changed   *sync.Cond // there are new events, or open watches have ended
	rv        int
	log       []event // in the order of rv
	compacted int     // events up to there are gone
	ended     int     // how often all open watches were ended
	asked     []string
}

type event struct {
	resource, kind, name, object string
	rv                           int
}

// site is the page's address.
func (c *cluster) site() string { return "http://" + c.address + "/static/" }

func newCluster(t testing.TB) *cluster {
	c := &cluster{t: t, rv: 100}
	c.changed = sync.NewCond(&c.mu)
	c.arrive()
	t.Cleanup(c.leave)
	return c
}

// arrive starts the server, at the same address as before.
func (c *cluster) arrive() {
	c.t.Helper()
	address := c.address
	if address == "" {
		address = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp4", address)
	if err != nil {
		c.t.Fatal(err)
	}
	c.address = l.Addr().String()
	c.http = &http.Server{Handler: c.handler()}
	go c.http.Serve(l)
}

// leave breaks all connections and stops the server.
func (c *cluster) leave() {
	c.http.Close()
	c.end()
}

// end ends all watches that are open.
func (c *cluster) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended++
	c.changed.Broadcast()
}

// compact forgets all events until now, and tells open watches that their
// version has expired.
func (c *cluster) compact() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rv += 100
	c.compacted = c.rv
	c.changed.Broadcast()
}

// set changes an object. Kind is ADDED, MODIFIED or DELETED; more is the JSON
// that follows the metadata.
func (c *cluster) set(resource, kind, name, more string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rv++
	k := map[string]string{"pods": "Pod", "secrets": "Secret"}[resource]
	c.log = append(c.log, event{resource, kind, name, fmt.Sprintf(
		`{"kind":%q,"apiVersion":"v1","metadata":{"name":%q,"namespace":"shop","uid":"uid-%s-%s","resourceVersion":"%d"}%s}`, k, name, resource, name, c.rv, more), c.rv})
	c.changed.Broadcast()
}

// requests returns the requests that contain what.
func (c *cluster) requests(what string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for _, a := range c.asked {
		if strings.Contains(a, what) {
			out = append(out, a)
		}
	}
	return out
}

func (c *cluster) handler() http.Handler {
	root, err := os.OpenRoot(*dist)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { root.Close() })
	mux := http.NewServeMux()
	mux.Handle("GET /static/", http.StripPrefix("/static", serve.Static(root)))
	say := func(path, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { answer(w, body) })
	}
	resource := func(name, kind string) string {
		return fmt.Sprintf(`{"resource":%q,"responseKind":{"kind":%q},"scope":"Namespaced","singularResource":"","verbs":["get","list","watch"]}`, name, kind)
	}
	say("/version", `{"major":"1","minor":"36","gitVersion":"v1.36.3"}`)
	say("/api", `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":""},"versions":[{"version":"v1","resources":[`+resource("pods", "Pod")+","+resource("secrets", "Secret")+`]}]}]}`)
	say("/apis", `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[]}`)
	objects := func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.asked = append(c.asked, r.URL.String())
		c.mu.Unlock()
		if watch := r.URL.Query().Get("watch"); watch == "true" || watch == "1" {
			c.watch(w, r)
			return
		}
		c.list(w, r.PathValue("resource"))
	}
	mux.HandleFunc("GET /api/v1/{resource}", objects)
	mux.HandleFunc("GET /api/v1/namespaces/shop/{resource}", objects) // all of them are in it
	return mux
}

func answer(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.Write([]byte(body))
}

func (c *cluster) list(w http.ResponseWriter, resource string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	objects := map[string]string{}
	var names []string
	for _, e := range c.log {
		if e.resource == resource {
			names = append(names, e.name)
			objects[e.name] = e.object
			if e.kind == "DELETED" {
				delete(objects, e.name)
			}
		}
	}
	slices.Sort(names)
	var items []string
	for _, name := range slices.Compact(names) {
		if o := objects[name]; o != "" {
			items = append(items, o)
		}
	}
	kind := map[string]string{"pods": "PodList", "secrets": "SecretList"}[resource]
	answer(w, fmt.Sprintf(`{"kind":%q,"apiVersion":"v1","metadata":{"resourceVersion":"%d"},"items":[%s]}`, kind, c.rv, strings.Join(items, ",")))
}

func (c *cluster) watch(w http.ResponseWriter, r *http.Request) {
	from, err := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	if err != nil {
		http.Error(w, "no resourceVersion", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	http.NewResponseController(w).Flush()
	c.mu.Lock()
	defer c.mu.Unlock()
	for began := c.ended; began == c.ended; c.changed.Wait() {
		if from < c.compacted {
			fmt.Fprintln(w, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old resource version","reason":"Expired","code":410}}`)
			return
		}
		for _, e := range c.log {
			if e.rv > from && e.resource == r.PathValue("resource") {
				line, err := json.Marshal(map[string]any{"type": e.kind, "object": json.RawMessage(e.object)})
				if err != nil {
					c.t.Error(err)
					return
				}
				w.Write(append(line, '\n'))
				from = e.rv
			}
		}
		http.NewResponseController(w).Flush()
	}
}
