package testserver

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// client is a list or a watch that is under way. The engine has a server of its own for each.
type client struct {
	etcd *apiserver.Simulated
	news chan struct{} // something has changed
	head bool          // the head of the Table has been sent
}

// poll has the client look again for what comes next.
func (c *client) poll() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}

func (r *request) selection() (sel selection, f *failure) {
	sel.namespace = r.namespace
	if sel.labels, f = labelSelector(r.query.Get("labelSelector")); f != nil {
		return sel, f
	}
	sel.fields, f = r.kind.fieldSelector(r.query.Get("fieldSelector"))
	return sel, f
}

// options are what the engine's server is asked for.
func (r *request) options() (o object.ListOptions, watch bool, f *failure) {
	number := func(name string) (n int64) {
		if v := r.query.Get(name); v != "" && f == nil {
			var err error
			if n, err = strconv.ParseInt(v, 10, 64); err != nil {
				f = badRequest("%s: %v", name, err)
			}
		}
		return n
	}
	yes := func(name string) (b bool) {
		if v := r.query.Get(name); v != "" && f == nil {
			var err error
			if b, err = strconv.ParseBool(v); err != nil {
				f = badRequest("%s: %v", name, err)
			}
		}
		return b
	}
	watch = yes("watch")
	t := r.kind.table
	o.Bookmarks, o.SendInitialEvents = yes("allowWatchBookmarks"), yes("sendInitialEvents")
	o.Limit = max(number("limit"), 0)
	o.Timeout = min(max(number("timeoutSeconds"), 0), 1e6) * int64(time.Second)
	switch m := r.query.Get("resourceVersionMatch"); m {
	case "":
	case "NotOlderThan":
		o.Match = object.NotOlderThan
	case "Exact":
		o.Match = object.Exact
	default:
		return o, watch, fail(http.StatusUnprocessableEntity, "Invalid", "resourceVersionMatch: Unsupported value: %q", m)
	}
	if rv := r.query.Get("resourceVersion"); rv != "" {
		if _, err := strconv.ParseUint(rv, 10, 64); err != nil && watch {
			return o, watch, fail(http.StatusInternalServerError, "", "resourceVersion: %v", err)
		} else if err != nil {
			return o, watch, badRequest("invalid resource version: %v", err)
		}
	}
	o.RV, o.Continue = t.RV(r.query.Get("resourceVersion")), t.Sym(r.query.Get("continue"))
	return o, watch, f
}

// read answers a list or a watch by the engine's server.
func (s *Server) read(w http.ResponseWriter, r *request) (int, any, *failure) {
	sel, f := r.selection()
	if f != nil {
		return 0, nil, f
	}
	s.mu.Lock()
	o, watch, f := r.options()
	if f != nil {
		s.mu.Unlock()
		return 0, nil, f
	}
	var selects func(*object.Table, object.Ref) bool
	if !sel.all() {
		selects = func(t *object.Table, ref object.Ref) bool {
			return sel.holds(r.kind.versions[t.Meta(ref).Source.Offset].body)
		}
	}
	c := &client{etcd: r.kind.etcd.DialSelecting(selects), news: make(chan struct{}, 1)}
	r.kind.clients[c] = struct{}{}
	if watch {
		if lags := s.opts.Lags; lags != nil {
			c.etcd.Storage.Lag(int64(lags(r.URL.Path)), s.now())
		}
		c.etcd.Watch(o, s.now())
	} else {
		c.etcd.List(o, s.now())
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(r.kind.clients, c)
		s.mu.Unlock()
	}()
	if watch {
		return 0, nil, s.watch(w, r, c)
	}
	return s.list(r, c)
}

// next waits for what the engine's server answers next. It reports false if the client or
// the server has gone before.
func (s *Server) next(r *request, c *client) (apiserver.Answer, bool) {
	for {
		s.mu.Lock()
		at, _ := c.etcd.Due()
		wait := at - s.now()
		if wait <= 0 {
			a := c.etcd.Take()
			s.mu.Unlock()
			return a, true
		}
		s.mu.Unlock()
		var due <-chan time.Time
		t := (*time.Timer)(nil)
		if at < actor.Never {
			t = time.NewTimer(time.Duration(wait))
			due = t.C
		}
		gone := false
		select {
		case <-due:
		case <-c.news:
		case <-r.Context().Done():
			gone = true
		case <-s.done:
			gone = true
		}
		if t != nil {
			t.Stop()
		}
		if gone {
			return apiserver.Answer{}, false
		}
	}
}

func (s *Server) list(r *request, c *client) (int, any, *failure) {
	a, ok := s.next(r, c)
	if !ok {
		return 0, nil, &failure{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.Answer == apiserver.ListFailed {
		f := refused(&a.Record, c.etcd.Message())
		f.token = r.kind.table.Text(a.Continue)
		return 0, nil, f
	}
	meta := tree{"resourceVersion": r.kind.table.RVText(a.RV)}
	if token := r.kind.table.Text(a.Continue); token != "" || r.kind.custom() && !r.meta && !r.table {
		meta["continue"] = token
	}
	list := make([]*version, 0, len(a.List))
	for _, ref := range a.List {
		list = append(list, r.kind.at(ref))
	}
	return http.StatusOK, r.shownList(meta, list), nil
}

// shownList is a list as the request wants it.
func (r *request) shownList(meta tree, list []*version) tree {
	if r.table {
		bodies := make([]tree, 0, len(list))
		for _, v := range list {
			bodies = append(bodies, v.body)
		}
		return r.tableOf(meta, true, bodies...)
	}
	items := make([]any, 0, len(list))
	for _, v := range list {
		items = append(items, r.listed(v))
	}
	if r.meta {
		return tree{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": meta, "items": items}
	}
	return tree{"kind": r.kind.Kind + "List", "apiVersion": r.kind.groupVersion(), "metadata": meta, "items": items}
}

// listed is an item of a list. Of a kind that is built in, it doesn't say again what it is.
func (r *request) listed(v *version) any {
	if r.meta || r.kind.custom() {
		return r.shown(v)
	}
	o := maps.Clone(v.body)
	delete(o, "kind")
	delete(o, "apiVersion")
	return o
}

// watch sends events until the watch ends.
func (s *Server) watch(w http.ResponseWriter, r *request, c *client) *failure {
	a, ok := s.next(r, c)
	switch {
	case !ok:
		return &failure{}
	case a.Answer != apiserver.Opened:
		s.mu.Lock()
		defer s.mu.Unlock()
		return refused(&a.Record, c.etcd.Message())
	}
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	if out.Flush() != nil {
		return nil
	}
	for {
		a, ok := s.next(r, c)
		if !ok || a.Answer == apiserver.Closed && a.Failure != apiserver.NoFailure {
			panic(http.ErrAbortHandler)
		}
		if a.Answer == apiserver.Closed {
			return nil
		}
		s.mu.Lock()
		line := r.event(&a, c)
		s.mu.Unlock()
		if _, err := w.Write(line); err != nil || out.Flush() != nil || a.Delta == event.Error {
			return nil
		}
	}
}

// event is a watch event as a line.
func (r *request) event(a *apiserver.Answer, c *client) []byte {
	typ, body := "BOOKMARK", any(nil)
	switch {
	case a.Delta == event.Error:
		typ, body = "ERROR", refused(&a.Record, c.etcd.Message()).status()
	case a.Kind == apiserver.WatchEvent:
		typ = map[event.Delta]string{event.Added: "ADDED", event.Updated: "MODIFIED", event.Deleted: "DELETED"}[a.Delta]
		v := r.kind.at(a.Obj)
		if body = r.shown(v); r.table {
			body = r.tableOf(tree{"resourceVersion": metaOf(v.body)["resourceVersion"]}, !c.head, v.body)
			c.head = true
		}
	default:
		meta := tree{"resourceVersion": r.kind.table.RVText(a.RV)}
		if !r.kind.custom() {
			meta["creationTimestamp"] = nil
		}
		if a.Kind == apiserver.InitialEnd {
			meta["annotations"] = tree{"k8s.io/initial-events-end": "true"}
		}
		mark := tree{"kind": r.kind.Kind, "apiVersion": r.kind.groupVersion(), "metadata": meta}
		if r.meta {
			maps.Copy(mark, tree{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1"})
		}
		body = mark
	}
	line, err := json.Marshal(tree{"type": typ, "object": body})
	if err != nil {
		panic(err) // it is made of JSON
	}
	return append(line, '\n')
}
