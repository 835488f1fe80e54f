package testserver

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// The objects are here, as JSON. Which version follows from a write, engine/apiserver/registry
// says. Who gets to know of it, and when, engine/apiserver says.

// serverOwn are the fields of the metadata that only the server writes.
var serverOwn = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields", "namespace", "name", "finalizers"}

// key returns what an object is filed by.
func (r *Resource) key(namespace, name string) string {
	if r.Cluster {
		return name
	}
	return namespace + "/" + name
}

func metaOf(o tree) tree {
	m, _ := o["metadata"].(tree)
	return m
}

func text(o tree, name string) string {
	s, _ := o[name].(string)
	return s
}

// partNumber returns the number of a part of an object: the same for equal parts, 0 for none.
func (s *Server) partNumber(v any) int32 {
	b := asJSON(v)
	switch string(b) {
	case "null", "{}", "[]":
		return 0
	}
	n, known := s.parts[string(b)]
	if !known {
		n = int32(len(s.parts) + 1)
		s.parts[string(b)] = n
	}
	return n
}

// content returns an object as the registry's rules see it.
func (s *Server) content(k *kind, o tree) registry.Content {
	meta, spec := maps.Clone(metaOf(o)), maps.Clone(o)
	finalizers := meta["finalizers"]
	if k.qualified() == "namespaces" {
		list, _ := finalizers.([]any)
		inSpec, _ := treeAt(o, "spec")["finalizers"].([]any)
		finalizers = slices.Concat(list, inSpec)
	}
	for _, name := range serverOwn {
		delete(meta, name)
	}
	for _, name := range []string{"kind", "apiVersion", "metadata"} {
		delete(spec, name)
	}
	if s.opts.ManagedFields {
		meta["managedFields"] = timeless(metaOf(o)["managedFields"])
	}
	c := registry.Content{Meta: s.partNumber(meta), Finalizers: s.partNumber(finalizers)}
	if k.Status {
		c.Status = s.partNumber(spec["status"])
		delete(spec, "status")
	}
	c.Spec = s.partNumber(spec)
	return c
}

// newVersion returns a version of an object. It has no resourceVersion before it is written.
func (k *kind) newVersion(o registry.Object, body tree) *version {
	meta := maps.Clone(metaOf(body))
	body = maps.Clone(body)
	body["metadata"] = meta
	body["kind"], body["apiVersion"] = k.Kind, k.GroupVersion()
	if o.RV != 0 {
		meta["resourceVersion"] = strconv.FormatInt(o.RV, 10)
	}
	if k.Generation {
		meta["generation"] = o.Generation
	}
	return &version{body: body, raw: asJSON(body)}
}

// commit makes a version of an object the newest one, and tells all clients. A dry run only
// makes it.
func (s *Server) commit(k *kind, o registry.Object, body tree, typ event.Delta, dry bool) *version {
	if dry {
		return k.newVersion(o, body)
	}
	s.rv++
	o.RV = s.rv
	v := k.newVersion(o, body)
	meta := metaOf(v.body)
	key := k.key(text(meta, "namespace"), text(meta, "name"))
	if k.items[key] = (&item{o, v}); typ == event.Deleted {
		delete(k.items, key)
	}
	if k.recorded != nil {
		k.written[key] = true
	}
	k.log = append(k.log, commit{key, &item{o, v}, typ})
	k.versions = append(k.versions, v)
	row := object.Meta{Namespace: k.table.Sym(text(meta, "namespace")), Name: k.table.Sym(text(meta, "name")), UID: o.UID,
		Source: object.Source{Offset: int64(len(k.versions) - 1), Item: -2}}
	if k.Cluster {
		row.Namespace = 0
	}
	now, rv := s.now(), s.rv
	for _, other := range s.kinds() {
		write := func(e *apiserver.Simulated) { e.Storage.Advance(rv, now) }
		switch {
		case other == k:
			write = func(e *apiserver.Simulated) { e.Commit(row, typ, rv, now) }
		case other.recorded != nil: // it has the recording's revisions
			continue
		}
		write(other.etcd)
		for c := range other.clients {
			c.notify(other == k, write)
		}
	}
	select {
	case s.written <- struct{}{}:
	default:
	}
	if typ == event.Deleted {
		s.emptied(k)
	}
	return v
}

// versionOf returns the version that a row of the engine's table stands for.
func (k *kind) versionOf(r object.Ref) *version {
	m := k.table.Meta(r)
	if m.Source.Length > 0 {
		n, _ := m.RV.Number()
		return &version{source: m.Source, rv: int64(n)}
	}
	v := k.versions[m.Source.Offset]
	rv := k.table.RVText(m.RV)
	if text(metaOf(v.body), "resourceVersion") == rv {
		return v
	}
	body, meta := maps.Clone(v.body), maps.Clone(metaOf(v.body)) // it has left a selection at this revision
	meta["resourceVersion"] = rv
	body["metadata"] = meta
	return &version{body: body, raw: asJSON(body)}
}

// stamp returns a time as objects have it.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (s *Server) newUID() string {
	s.created++
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(s.opts.Seed), s.created)
}

// suffix returns the random part of a name. It has the letters that a real server's has.
func (s *Server) suffix() string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	x := s.opts.Seed*0x9e3779b97f4a7c15 + uint64(s.created+1)*0xbf58476d1ce4e5b9
	x ^= x >> 29
	b := make([]byte, 5)
	for i := range b {
		b[i] = letters[x%uint64(len(letters))]
		x /= uint64(len(letters))
	}
	return string(b)
}
