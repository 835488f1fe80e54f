package testserver

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Recording is what a Server shows that has no objects of its own: what somebody recorded. Server.Rewind says with which
// objects it begins, and Server.Show what came then.
type Recording struct {
	// Resources are the only kinds that the server has. They are numbered from 0.
	Resources []Resource
	// Body reads the JSON of an object of a kind. It is called by several goroutines at once.
	Body func(kind int, source object.Source) ([]byte, error)
	// Missing says why a list or a watch of a kind can't be answered, "" if it can: nobody recorded what it asks for.
	Missing func(kind int, namespace, labels, fields string) string
	// Version is the version of the server that was recorded, "" where that isn't known.
	Version string
	// Simulated says that the objects come from a script.
	Simulated bool
	// Writable takes writes. What was recorded of an object after a write to it isn't shown.
	Writable bool
	// Sent, if it isn't nil, is called with the resourceVersion of each list and each watch event that is sent.
	Sent func(r *http.Request, rv int64)
	// Refused, if it isn't nil, is called with the status code and the reason of each refusal.
	Refused func(r *http.Request, code int, why string)

	lately lately
}

// Version is a version of an object as it was recorded.
type Version struct {
	Namespace, Name, UID string
	RV                   int64
	Source               object.Source // of its JSON; its Length is more than 0
}

// row returns the row of the engine's table for a version.
func (k *kind) row(v *Version) object.Meta {
	m := object.Meta{Namespace: k.table.Sym(v.Namespace), Name: k.table.Sym(v.Name), UID: k.table.Sym(v.UID), RV: object.NumberRV(uint64(v.RV)), Source: v.Source}
	if k.Cluster {
		m.Namespace = 0
	}
	return m
}

// Rewind has the server of a Recording begin anew. Revision returns the revision of a kind, and held calls hold with each version
// of an object that the kind has then. Lists under way are answered with what there was before, and watches break. A client that
// asks for a watch from a later revision gets 410. What clients have written is forgotten.
func (s *Server) Rewind(revision func(kind int) int64, held func(kind int, hold func(*Version))) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*kind
	s.rv = 0
	for i, r := range s.opts.Recorded.Resources {
		k := s.newKind(r, revision(i))
		k.recorded, k.number = s.opts.Recorded, i
		k.builtIn = !strings.Contains(r.Group, ".") || strings.HasSuffix(r.Group, ".k8s.io")
		held(i, func(v *Version) { k.etcd.Hold(k.row(v)) })
		s.rv = max(s.rv, k.etcd.Storage.Revision())
		all = append(all, k)
	}
	before := s.kinds()
	s.setKinds(all)
	for _, k := range before {
		for c := range k.clients {
			c.etcd.Cut()
			c.poll()
		}
	}
}

// Show makes a recorded change of an object. The change gets the revision of v, or the next one if the kind has reached that
// revision already. Show reports false, and changes nothing, if a client has written the object.
func (s *Server) Show(kind int, v *Version, deleted bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.kinds()[kind]
	row := k.row(v)
	if k.written[k.key(v.Namespace, v.Name)] {
		return false
	}
	typ := event.Added
	if k.etcd.Storage.Get(k.table.MakeKey(row)) != 0 {
		typ = event.Updated
		if deleted {
			typ = event.Deleted
		}
	} else if deleted {
		return true
	}
	rv := max(v.RV, k.etcd.Storage.Revision()+1)
	s.rv = max(s.rv, rv)
	k.etcd.Commit(row, typ, rv, s.now())
	for c := range k.clients {
		c.poll()
	}
	return true
}

// Reach raises the revision of a kind of a Recording, as changes of other kinds do. It does nothing if the revision is that high.
func (s *Server) Reach(kind int, revision int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.kinds()[kind]
	if k.etcd.Storage.Revision() >= revision {
		return
	}
	s.rv = max(s.rv, revision)
	k.etcd.Storage.Advance(revision, s.now())
	for c := range k.clients {
		c.poll()
	}
}

// RevisionOf returns the revision of a kind of a Recording.
func (s *Server) RevisionOf(kind int) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kinds()[kind].etcd.Storage.Revision()
}

// sent calls Recording.Sent with a resourceVersion that was sent in answer to a request.
func (k *kind) sent(r *request, rv object.RV) {
	if n, ok := rv.Number(); ok && k.recorded != nil && k.recorded.Sent != nil {
		k.recorded.Sent(r.Request, int64(n))
	}
}

// whole returns a version with its content, or nil if that can't be read. The content of a Recording's version is read when it is needed.
func (k *kind) whole(v *version) *version {
	if v.body != nil || k.recorded == nil {
		return v
	}
	at := place{k.number, v.source, v.rv}
	if known := k.recorded.lately.get(at); known != nil {
		return known
	}
	raw, err := k.recorded.Body(k.number, v.source)
	body := tree{}
	if err != nil || decode(raw, &body) != nil || metaOf(body) == nil {
		return nil
	}
	rv := strconv.FormatInt(v.rv, 10)
	if text(body, "kind") == "" || text(body, "apiVersion") == "" || text(metaOf(body), "resourceVersion") != rv {
		meta := maps.Clone(metaOf(body))
		meta["resourceVersion"], body["metadata"] = rv, meta
		body["kind"], body["apiVersion"] = k.Kind, k.GroupVersion()
		raw = asJSON(body)
	}
	read := &version{body: body, raw: raw}
	k.recorded.lately.put(at, read)
	return read
}

// all returns the versions with their contents, without those that can't be read.
func (k *kind) all(list []*version) []*version {
	kept := list[:0]
	for _, v := range list {
		if v = k.whole(v); v != nil {
			kept = append(kept, v)
		}
	}
	return kept
}

// item returns the object of a key, nil if there is none.
func (s *Server) item(k *kind, key string) *item {
	if k.recorded == nil || k.items[key] != nil {
		return k.items[key]
	}
	found, known := k.table.LookupKey(key)
	if !known || k.etcd.Storage.Get(found) == 0 {
		return nil
	}
	ref := k.etcd.Storage.Get(found)
	v := k.whole(k.versionOf(ref))
	if v == nil {
		return nil
	}
	m := k.table.Meta(ref)
	rv, _ := m.RV.Number()
	meta := metaOf(v.body)
	generation, _ := strconv.ParseInt(fmt.Sprint(meta["generation"]), 10, 64)
	o := registry.Object{UID: m.UID, RV: int64(rv), Generation: generation, Deleting: meta["deletionTimestamp"] != nil, Content: s.content(k, v.body)}
	return &item{o, v}
}

// keys returns the keys of a kind's objects in their order.
func (k *kind) keys() (all []string) {
	if k.recorded == nil {
		return sortedKeys(k.items)
	}
	for _, ref := range k.etcd.Storage.Objects(nil) {
		all = append(all, k.table.KeyText(k.table.KeyOf(ref)))
	}
	return all
}

// byTable reports whether the engine's table says that an object isn't selected, or that it is if nothing else selects.
func (sel *selection) byTable(t *object.Table, ref object.Ref) (matches, sure bool) {
	m := t.Meta(ref)
	if sel.namespace != "" && !t.Equals(m.Namespace, sel.namespace) {
		return false, true
	}
	sure = len(sel.labels) == 0 && len(sel.shards.ranges) == 0
	for i := range sel.fields {
		value := m.Name
		switch sel.fields[i].key {
		case "metadata.namespace":
			value = m.Namespace
		case "metadata.name":
		default:
			sure = false
			continue
		}
		if !sel.fields[i].matches(t.Text(value)) {
			return false, true
		}
	}
	return true, sure
}

// refuses says why the server of a Recording doesn't answer a request for objects.
func (k *kind) refuses(r *request) *failure {
	switch recording := k.recorded; {
	case recording == nil || r.Method != http.MethodGet && recording.Writable:
	case r.Method != http.MethodGet:
		return fail(http.StatusMethodNotAllowed, "MethodNotAllowed", "the server shows a %s and takes no writes; with --writable it does", recording.noun())
	case recording.Missing != nil && r.name == "":
		if why := recording.Missing(k.number, r.namespace, r.query.Get("labelSelector"), r.query.Get("fieldSelector")); why != "" {
			return fail(http.StatusNotFound, "NotFound", "%s", why)
		}
	}
	return nil
}

func (r *Recording) noun() string {
	if r.Simulated {
		return "script"
	}
	return "recording"
}

// Lacks says that something isn't in the recording, and what is.
func (r *Recording) Lacks(what, has string) string {
	was := "was not recorded"
	if r.Simulated {
		was = "isn't in the script"
	}
	return fmt.Sprintf("%s %s; the %s has %s", what, was, r.noun(), has)
}

// notRecorded says that a resource isn't in the Recording, and which ones are.
func (s *Server) notRecorded(resource string) *failure {
	var names []string
	for _, k := range s.kinds() {
		names = append(names, k.qualified())
	}
	const most = 20
	if len(names) > most {
		names = append(names[:most], "others")
	}
	return fail(http.StatusNotFound, "NotFound", "%s", s.opts.Recorded.Lacks(resource, strings.Join(names, ", ")))
}

// describes answers what kubectl asks beside an object and was not recorded, where a 404 would keep it from telling of the object: the
// namespace of an object that isn't found, a node's pods, and an object's events. A warning says what was not recorded.
func describes(w http.ResponseWriter, r *http.Request, last string, f *failure) bool {
	if f.code != http.StatusNotFound || r.Method != http.MethodGet {
		return false
	}
	fields := r.URL.Query().Get("fieldSelector")
	switch {
	case last == "events" && strings.Contains(fields, "involvedObject."):
		w.Header().Add("Warning", fmt.Sprintf("299 - %q", f.message))
		send(w, http.StatusOK, tree{"kind": "EventList", "apiVersion": "v1", "metadata": tree{}, "items": []any{}})
		return true
	case last == "pods" && strings.Contains(fields, "spec.nodeName="):
		w.Header().Add("Warning", fmt.Sprintf("299 - %q", f.message))
		f.code, f.reason = http.StatusForbidden, "Forbidden"
	case strings.HasPrefix(r.URL.Path, "/api/v1/namespaces/") && strings.Count(r.URL.Path, "/") == 4 && f.details == nil:
		f.code, f.reason = http.StatusForbidden, "Forbidden"
	}
	return false
}

// lately keeps the contents of versions that were read not long ago.
type lately struct {
	mu         sync.Mutex
	young, old map[place]*version
	size       int // of what is young, in bytes of JSON
}

type place struct {
	kind   int
	source object.Source
	rv     int64
}

// keepLately is how much JSON is young at most. Decoded, it takes ten times as much.
const keepLately = 1 << 20

func (l *lately) get(at place) *version {
	l.mu.Lock()
	defer l.mu.Unlock()
	if v := l.young[at]; v != nil {
		return v
	}
	return l.old[at]
}

func (l *lately) put(at place, v *version) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size += len(v.raw); l.young == nil || l.size > keepLately {
		l.old, l.young, l.size = l.young, map[place]*version{}, len(v.raw)
	}
	l.young[at] = v
}
