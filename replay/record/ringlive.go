package record

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// live is what a Ring knows of the present: who waits for what, and for how long.
type live struct {
	seed     maphash.Seed
	requests map[int64]*liveRequest
	handlers map[string]*liveHandler
	work     map[int64]*liveReconcile
	sent     map[int64]*liveWrite // writes without an answer
	unseen   map[versionOf]*liveWrite
	recent   []arrival // the last events, by the hash of their resourceVersions
}

// liveRequest is a list or a watch that has not ended.
type liveRequest struct {
	id       int64
	url      string
	path     trace.Path
	watch    bool
	initial  bool // the initial events have not ended
	narrow   bool // it has a selector, so that some objects don't come
	began    int64
	events   int64
	last     int64 // when the last event came, 0 for none
	bookmark int64 // the same of a bookmark
}

// liveHandler is a handler of the controller.
type liveHandler struct {
	calls, panics int64
	last          int64
	hash          uint64 // of the resourceVersion of the last call
}

// liveReconcile is a reconcile under way.
type liveReconcile struct {
	began           int64
	controller, key string
	worker          int
}

// liveWrite is a write whose object no watch has sent yet.
type liveWrite struct {
	verb, key string
	time      int64
	path      trace.Path
	version   versionOf
}

// versionOf is a version of an object.
type versionOf struct{ resource, rv string }

// arrival says where an event came.
type arrival struct {
	hash  uint64
	watch int64
	n     int64 // which event of the watch, counted from 1
}

// How much is kept of what can be without end.
const (
	recentEvents = 1 << 13
	mostUnseen   = 1 << 12
)

func newLive() live {
	return live{
		seed: maphash.MakeSeed(), requests: map[int64]*liveRequest{}, handlers: map[string]*liveHandler{}, work: map[int64]*liveReconcile{},
		sent: map[int64]*liveWrite{}, unseen: map[versionOf]*liveWrite{}, recent: make([]arrival, recentEvents),
	}
}

// addLine takes note of a line.
func (v *live) addLine(l *ringLine) {
	switch l.kind {
	case "req":
		v.request(l)
	case "end":
		delete(v.requests, l.id)
	case "body":
		if q := v.requests[l.id]; q != nil && len(v.unseen) > 0 {
			v.listed(q, l.value)
		}
	case "event":
		if q := v.requests[l.id]; q != nil {
			v.event(q, l)
		}
	case "call":
		v.call(l)
	case "reconcile":
		var b trace.ReconcileStart
		if len(v.work) < mostUnderWay && json.Unmarshal(l.value, &b) == nil {
			v.work[l.id] = &liveReconcile{l.t, b.Controller, b.Key, b.Worker}
		}
	case "reconciled":
		delete(v.work, l.id)
	case "write":
		var w trace.Written
		if len(v.sent) < mostUnderWay && json.Unmarshal(l.value, &w) == nil && !strings.Contains(w.URL, "dryRun=") {
			p, _ := trace.ParsePath(w.URL)
			v.sent[l.id] = &liveWrite{verb: w.Verb, key: w.Key, time: l.t, path: p}
		}
	case "wrote":
		v.wrote(l)
	}
}

func (v *live) request(l *ringLine) {
	link := textAt(l.value, "url")
	p, _ := trace.ParsePath(link)
	_, query, _ := strings.Cut(link, "?")
	q := &liveRequest{id: l.id, url: link, path: p, watch: p.Watch, began: l.t}
	for field := range strings.SplitSeq(query, "&") {
		switch name, value, _ := strings.Cut(field, "="); name {
		case "watch":
			q.watch = value == "1" || strings.EqualFold(value, "true")
		case "sendInitialEvents":
			q.initial = value == "true"
		case "labelSelector", "fieldSelector":
			q.narrow = q.narrow || value != ""
		}
	}
	if len(v.requests) < mostUnderWay {
		v.requests[l.id] = q
	}
}

func (v *live) event(q *liveRequest, l *ringLine) {
	typ, object := eventOf(l.value)
	if typ == "BOOKMARK" {
		q.bookmark = l.t
		if q.initial && bytes.Contains(object, []byte(`"k8s.io/initial-events-end":"true"`)) {
			q.initial = false
		}
		return
	}
	q.events++
	q.last = l.t
	rv := firstVersion(object)
	hash := maphash.Bytes(v.seed, rv)
	v.recent[hash%recentEvents] = arrival{hash, q.id, q.events}
	if len(v.unseen) > 0 {
		delete(v.unseen, versionOf{q.path.Group + "/" + q.path.Resource, string(rv)})
	}
}

// firstVersion returns an object's resourceVersion: no other field of that name comes before it.
func firstVersion(object []byte) []byte {
	_, rest, _ := bytes.Cut(object, []byte(`"resourceVersion":"`))
	rv, _, _ := bytes.Cut(rest[:min(len(rest), 64)], []byte{'"'})
	return rv
}

// listed takes note of a list: what is older than it has been seen.
func (v *live) listed(q *liveRequest, body []byte) {
	rv := string(firstVersion(body))
	for object, w := range v.unseen {
		if object.resource == q.path.Group+"/"+q.path.Resource && !newer(w.version.rv, rv) {
			delete(v.unseen, object)
		}
	}
}

// newer compares resourceVersions as k8s.io/apimachinery's util/resourceversion does.
func newer(a, b string) bool { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) > 0 }

func (v *live) call(l *ringLine) {
	var c struct {
		Handler, RV string
		Panicked    bool
	}
	if json.Unmarshal(l.value, &c) != nil {
		return
	}
	h := v.handlers[c.Handler]
	if h == nil {
		if len(v.handlers) >= mostUnderWay {
			return
		}
		h = &liveHandler{}
		v.handlers[c.Handler] = h
	}
	h.calls++
	h.last = l.t
	h.hash = maphash.String(v.seed, c.RV)
	if c.Panicked {
		h.panics++
	}
}

// eventsBehind returns how many events have come since the one of the handler's last call; false where that
// is not known, because it was too long ago, or came with a list.
func (v *live) eventsBehind(h *liveHandler) (n int64, known bool) {
	s := v.recent[h.hash%recentEvents]
	q := v.requests[s.watch]
	if s.hash != h.hash || q == nil {
		return 0, false
	}
	return q.events - s.n, true
}

func (v *live) wrote(l *ringLine) {
	w := v.sent[l.id]
	if delete(v.sent, l.id); w == nil {
		return
	}
	var a trace.WriteResult
	if json.Unmarshal(l.value, &a) != nil || a.Status < 200 || a.Status >= 300 || a.RV == "" {
		return
	}
	w.key = cmp.Or(w.key, a.Key)
	w.version = versionOf{w.path.Group + "/" + w.path.Resource, a.RV}
	h := maphash.String(v.seed, a.RV)
	if s := v.recent[h%recentEvents]; s.hash == h || !v.watched(w) || len(v.unseen) >= mostUnseen {
		return // it came before the answer, or nobody looks for it
	}
	w.time = l.t
	v.unseen[w.version] = w
}

// watched reports whether a watch would send what was written, whatever it is.
func (v *live) watched(w *liveWrite) bool {
	for _, q := range v.requests {
		if q.watch && !q.narrow && q.path.Group == w.path.Group && q.path.Resource == w.path.Resource && (q.path.Namespace == "" || q.path.Namespace == w.path.Namespace) {
			return true
		}
	}
	return false
}

// sorted returns the values of a map, in the order of its keys.
func sorted[K cmp.Ordered, V any](m map[K]V) (all []V) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		all = append(all, m[k])
	}
	return all
}

// ringLine is a line of a recording, as far as a Ring needs it. Its parts are parts of the line.
type ringLine struct {
	raw       []byte
	t, id, in int64
	kind      string
	value     []byte
}

// kinds are those that a Ring looks at.
var kinds = [...]string{"req", "resp", "body", "event", "end", "call", "calling", "reconcile", "reconciled", "write", "wrote", "work", "saw", "fault", "mark", "remark", "leftOut", "informer", "registered", "read", "sizes"}

// split reads a line that the Recorder has written. The kind is "" for a header.
func split(raw []byte) (l ringLine) {
	l.raw = raw
	rest, ok := bytes.CutPrefix(raw, []byte(`{"t":`))
	if !ok {
		return l
	}
	l.t, rest = leading(rest)
	if r, ok := bytes.CutPrefix(rest, []byte(`,"id":`)); ok {
		l.id, rest = leading(r)
	}
	if r, ok := bytes.CutPrefix(rest, []byte(`,"in":`)); ok {
		l.in, rest = leading(r)
	}
	rest, ok = bytes.CutPrefix(rest, []byte(`,"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 || end+2 > len(rest) {
		return l
	}
	for _, k := range kinds {
		if string(rest[:end]) == k {
			l.kind = k
		}
	}
	l.value = bytes.TrimSuffix(bytes.TrimSuffix(rest[end+2:], []byte("\n")), []byte("}"))
	return l
}

// leading reads the number with which b begins.
func leading(b []byte) (n int64, rest []byte) {
	i := 0
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		n = n*10 + int64(b[i]-'0')
		i++
	}
	return n, b[i:]
}

// textAt returns the text of an object's first field of that name; "" for none.
func textAt(b []byte, field string) (s string) {
	jsonscan.Fields(b, func(name []byte, from, to int) bool {
		if string(name[1:len(name)-1]) != field {
			return true
		}
		s = unquoted(b[from:to])
		return false
	})
	return s
}

// eventOf takes a watch event apart: its type, and its object with perhaps something after it. API
// servers write the type first.
func eventOf(value []byte) (typ string, object []byte) {
	if rest, ok := bytes.CutPrefix(value, []byte(`{"type":"`)); ok {
		if end := bytes.IndexByte(rest, '"'); end >= 0 {
			if object, ok := bytes.CutPrefix(rest[end:], []byte(`","object":`)); ok {
				return string(rest[:end]), object
			}
		}
	}
	from, to, _ := jsonscan.Field(value, "object")
	return textAt(value, "type"), value[from:to]
}

// identity is what a Ring keeps of an object whose lines are gone.
type identity struct {
	key, rv string
	meta    string // name, namespace, uid, resourceVersion, labels and ownerReferences, as they came
}

// identified reads an object up to its metadata, and that up to managedFields. Kind and apiVersion
// are "" where they don't stand before the metadata.
func identified(object []byte) (o identity, kind, apiVersion string, initialEnd bool) {
	if m := bytes.Index(object[:min(len(object), 400)], []byte(`,"metadata":{`)); m > 0 && bytes.IndexByte(object[1:m], '{') < 0 {
		// As API servers write it. What stands before the metadata, and the metadata up to
		// managedFields, is all that is looked at.
		kind, apiVersion = textAt(object[:m], "kind"), textAt(object[:m], "apiVersion")
		meta := object[m+len(`,"metadata":`):]
		if end := bytes.Index(meta, []byte(`,"managedFields":[`)); end >= 0 {
			meta = meta[:end]
		}
		initialEnd = o.read(meta)
		return o, kind, apiVersion, initialEnd
	}
	jsonscan.Fields(object, func(name []byte, from, to int) bool {
		value := object[from:to]
		switch string(name) {
		case `"kind"`:
			kind = unquoted(value)
		case `"apiVersion"`:
			apiVersion = unquoted(value)
		case `"metadata"`:
			initialEnd = o.read(value)
			return false
		}
		return true
	})
	return o, kind, apiVersion, initialEnd
}

// read reads an ObjectMeta, and reports whether it ends the initial events of a watch.
func (o *identity) read(meta []byte) (initialEnd bool) {
	var namespace, name []byte
	kept := make([]byte, 0, 256)
	jsonscan.Fields(meta, func(field []byte, from, to int) bool {
		value := meta[from:to]
		switch string(field) {
		case `"managedFields"`:
			return o.rv == "" || name == nil // nothing that is kept comes after it
		case `"annotations"`:
			initialEnd = bytes.Contains(value, []byte(`"k8s.io/initial-events-end":"true"`))
			return true
		case `"name"`:
			name = value
		case `"namespace"`:
			namespace = value
		case `"resourceVersion"`:
			o.rv = unquoted(value)
		case `"uid"`, `"labels"`, `"ownerReferences"`:
		default:
			return true
		}
		if kept = append(kept, ','); len(kept) == 1 {
			kept[0] = '{'
		}
		kept = append(append(append(kept, field...), ':'), value...)
		return true
	})
	if len(kept) > 0 {
		o.meta = string(append(kept, '}'))
	}
	if o.key = unquoted(name); len(namespace) > 2 {
		o.key = unquoted(namespace) + "/" + o.key
	}
	return initialEnd
}

// unquoted returns a JSON text; "" for what is none.
func unquoted(b []byte) string {
	if len(b) < 2 || b[0] != '"' {
		return ""
	}
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b[1 : len(b)-1])
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}
