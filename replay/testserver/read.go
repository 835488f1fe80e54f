package testserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// selection returns which objects a request is for.
func (s *Server) selection(r *request) (sel selection, f *failure) {
	sel.namespace = r.namespace
	if sel.labels, f = labelSelector(r.query.Get("labelSelector")); f != nil {
		return sel, f
	}
	fields := r.query.Get("fieldSelector")
	if r.newEvents {
		fields = strings.NewReplacer("regarding.", "involvedObject.", "reportingController", "reportingComponent").Replace(fields)
	}
	if sel.fields, f = r.kind.fieldSelector(fields); f != nil || !s.opts.Shards {
		return sel, f
	}
	sel.shards, f = shardSelector(r.query.Get("shardSelector"))
	return sel, f
}

// options returns what the engine's server is asked for.
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
	sel, f := s.selection(r)
	if f != nil {
		return 0, nil, f
	}
	s.mu.Lock()
	if r.kind.recorded != nil {
		r.kind = s.kinds()[r.kind.number] // as it is after Rewind
	}
	o, watch, f := r.options()
	if rv, _ := o.RV.Number(); f == nil && watch && r.kind.recorded != nil && int64(rv) > r.kind.etcd.Storage.Revision() {
		f = fail(http.StatusGone, "Expired", "the recording was rewound to resourceVersion %d, which is before %d", r.kind.etcd.Storage.Revision(), rv)
	}
	if f != nil {
		s.mu.Unlock()
		return 0, nil, f
	}
	var selects func(*object.Table, object.Ref) bool
	if !sel.matchesAll() {
		selects = func(t *object.Table, ref object.Ref) bool {
			if matches, sure := sel.byTable(t, ref); sure || !matches {
				return matches
			}
			v := r.kind.whole(r.kind.versionOf(ref))
			return v != nil && sel.matches(v.body)
		}
	}
	lags := s.opts.Lags
	c := &client{request: r.Request, lags: lags != nil, news: make(chan struct{}, 1)}
	if r.kind.clients[c] = struct{}{}; c.lags {
		c.etcd = r.kind.etcd.DialSelecting(selects)
	} else {
		c.etcd = r.kind.etcd.DialSharing(selects)
	}
	if watch {
		if c.lags {
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
	return s.list(r, c, &sel.shards)
}

// next waits for what the engine's server answers next. It reports false if the client or
// the server has gone before.
func (s *Server) next(r *request, c *client) (apiserver.Answer, bool) {
	for {
		s.mu.Lock()
		c.share(r.kind)
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

// list answers with a list of what is in some shards.
func (s *Server) list(r *request, c *client, part *shards) (int, any, *failure) {
	a, ok := s.next(r, c)
	if !ok {
		return 0, nil, &failure{}
	}
	meta, list, f := s.listed(r, c, &a)
	if f != nil {
		return 0, nil, f
	}
	part.annotate(meta)
	r.kind.sent(r, a.RV)
	return http.StatusOK, r.shownList(meta, r.kind.all(list)), nil
}

// listed returns the metadata and the versions of a list.
func (s *Server) listed(r *request, c *client, a *apiserver.Answer) (tree, []*version, *failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.Answer == apiserver.ListFailed {
		f := refused(&a.Record, c.etcd.Message())
		f.token = r.kind.table.Text(a.Continue)
		return nil, nil, f
	}
	meta := tree{"resourceVersion": r.kind.table.RVText(a.RV)}
	if token := r.kind.table.Text(a.Continue); token != "" || r.kind.custom() && !r.meta && !r.table {
		meta["continue"] = token
	}
	list := make([]*version, 0, len(a.List))
	for _, ref := range a.List {
		list = append(list, r.kind.versionOf(ref))
	}
	return meta, list, nil
}

// shownList returns a list as the request wants it.
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
	return tree{"kind": r.kind.Kind + "List", "apiVersion": r.groupVersion(), "metadata": meta, "items": items}
}

// listed returns an item of a list. Of a kind that is built in, it doesn't say again what it is.
func (r *request) listed(v *version) any {
	if r.meta || r.kind.custom() {
		return r.representation(v)
	}
	o := maps.Clone(r.shown(v).body)
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
		line, rv := s.event(r, &a, c)
		if line == nil { // it can't be read
			continue
		}
		if _, err := w.Write(line); err != nil || out.Flush() != nil || a.Delta == event.Error {
			return nil
		}
		r.kind.sent(r, rv)
	}
}

// event returns a watch event as a line, nil if its object can't be read, and the resourceVersion that the client knows by it.
func (s *Server) event(r *request, a *apiserver.Answer, c *client) ([]byte, object.RV) {
	s.mu.Lock()
	message, v, rv := c.etcd.Message(), (*version)(nil), a.RV
	if a.Kind == apiserver.WatchEvent && a.Delta != event.Error {
		v, rv = r.kind.versionOf(a.Obj), r.kind.table.RVOf(a.Obj)
	}
	s.mu.Unlock()
	typ, body := "BOOKMARK", any(nil)
	switch {
	case a.Delta == event.Error:
		typ, body = "ERROR", refused(&a.Record, message).status()
	case v != nil:
		typ = map[event.Delta]string{event.Added: "ADDED", event.Updated: "MODIFIED", event.Deleted: "DELETED"}[a.Delta]
		if v = r.kind.whole(v); v == nil {
			return nil, rv
		}
		if body = r.representation(v); r.table {
			body = r.tableOf(tree{"resourceVersion": metaOf(v.body)["resourceVersion"]}, !c.head, v.body)
			c.head = true
		}
	default:
		n, _ := rv.Number()
		meta := tree{"resourceVersion": strconv.FormatUint(n, 10)}
		if !r.kind.custom() {
			meta["creationTimestamp"] = nil
		}
		if a.Kind == apiserver.InitialEnd {
			meta["annotations"] = tree{"k8s.io/initial-events-end": "true"}
		}
		mark := tree{"kind": r.kind.Kind, "apiVersion": r.groupVersion(), "metadata": meta}
		if r.meta {
			maps.Copy(mark, tree{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1"})
		}
		body = mark
	}
	line := asJSON(tree{"type": typ, "object": body})
	return append(line, '\n'), rv
}

// tableOf returns a Table of objects, as of a custom resource that asks for no columns. Of a watch,
// only the first event has the head.
func (r *request) tableOf(meta tree, head bool, objects ...tree) tree {
	rows := make([]any, 0, len(objects))
	for _, o := range objects {
		row := tree{"cells": []any{metaOf(o)["name"], age(text(metaOf(o), "creationTimestamp"))}}
		switch r.query.Get("includeObject") {
		case "None":
			row["object"] = nil
		case "Object":
			row["object"] = o
		default:
			row["object"] = partial(o)
		}
		rows = append(rows, row)
	}
	t := tree{"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": meta, "columnDefinitions": nil, "rows": rows}
	if head {
		t["columnDefinitions"] = []any{
			tree{"name": "Name", "type": "string", "format": "name", "description": nameColumn, "priority": 0},
			tree{"name": "Age", "type": "date", "format": "", "description": ageColumn, "priority": 0},
		}
	}
	return t
}

// The descriptions of the columns are the API's.
const (
	nameColumn = "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names"
	ageColumn  = "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"
)

// age returns how long ago an object was made, as tables have it: two units at most, and the
// smaller one only where the larger is a small number.
func age(created string) string {
	at, err := time.Parse(time.RFC3339, created)
	if err != nil {
		return "<unknown>"
	}
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	d := max(time.Since(at), 0)
	for _, u := range []struct {
		limit       time.Duration
		unit, small time.Duration
		name, and   string
	}{
		{2 * time.Minute, time.Second, 0, "s", ""},
		{10 * time.Minute, time.Minute, time.Second, "m", "s"},
		{3 * time.Hour, time.Minute, 0, "m", ""},
		{8 * time.Hour, time.Hour, time.Minute, "h", "m"},
		{2 * day, time.Hour, 0, "h", ""},
		{8 * day, day, time.Hour, "d", "h"},
		{2 * year, day, 0, "d", ""},
		{8 * year, year, day, "y", "d"},
	} {
		if d >= u.limit {
			continue
		}
		out := fmt.Sprint(int64(d/u.unit), u.name)
		if u.small != 0 && d%u.unit/u.small != 0 {
			out += fmt.Sprint(int64(d%u.unit/u.small), u.and)
		}
		return out
	}
	return fmt.Sprint(int64(d/year), "y")
}

// representation returns an object as the request wants it.
func (r *request) representation(v *version) any {
	v = r.shown(v)
	switch {
	case r.meta:
		return partial(v.body)
	case r.table:
		return r.tableOf(tree{"resourceVersion": metaOf(v.body)["resourceVersion"]}, true, v.body)
	}
	return json.RawMessage(v.raw)
}

// partial returns the PartialObjectMetadata of an object.
func partial(o tree) tree {
	return tree{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": o["metadata"]}
}
