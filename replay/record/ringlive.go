package record

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	json "github.com/goccy/go-json"

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
	recent   []seen // the last events, by the hash of their resourceVersions
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
	at        int64
	path      trace.Path
	of        versionOf
}

// versionOf is a version of an object.
type versionOf struct{ resource, rv string }

// seen says where an event came.
type seen struct {
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
		sent: map[int64]*liveWrite{}, unseen: map[versionOf]*liveWrite{}, recent: make([]seen, recentEvents),
	}
}

// take takes note of a line.
func (v *live) take(l *ringLine) {
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
		var b trace.Begun
		if len(v.work) < mostUnderWay && json.Unmarshal(l.value, &b) == nil {
			v.work[l.id] = &liveReconcile{l.t, b.Controller, b.Key, b.Worker}
		}
	case "reconciled":
		delete(v.work, l.id)
	case "write":
		var w trace.Written
		if len(v.sent) < mostUnderWay && json.Unmarshal(l.value, &w) == nil && !strings.Contains(w.URL, "dryRun=") {
			p, _ := trace.ParsePath(w.URL)
			v.sent[l.id] = &liveWrite{verb: w.Verb, key: w.Key, at: l.t, path: p}
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
	v.recent[hash%recentEvents] = seen{hash, q.id, q.events}
	if len(v.unseen) > 0 {
		delete(v.unseen, versionOf{q.path.Group + "/" + q.path.Resource, string(rv)})
	}
}

// firstVersion is an object's resourceVersion: no other field of that name comes before it.
func firstVersion(object []byte) []byte {
	_, rest, _ := bytes.Cut(object, []byte(`"resourceVersion":"`))
	rv, _, _ := bytes.Cut(rest[:min(len(rest), 64)], []byte{'"'})
	return rv
}

// listed takes note of a list: what is older than it has been seen.
func (v *live) listed(q *liveRequest, body []byte) {
	rv := string(firstVersion(body))
	for of, w := range v.unseen {
		if of.resource == q.path.Group+"/"+q.path.Resource && !newer(w.of.rv, rv) {
			delete(v.unseen, of)
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

// behind is how many events have come since the one of the handler's last call; false where that
// is not known, because it was too long ago, or came with a list.
func (v *live) behind(h *liveHandler) (n int64, known bool) {
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
	var a trace.Answered
	if json.Unmarshal(l.value, &a) != nil || a.Status < 200 || a.Status >= 300 || a.RV == "" {
		return
	}
	w.key = cmp.Or(w.key, a.Key)
	w.of = versionOf{w.path.Group + "/" + w.path.Resource, a.RV}
	h := maphash.String(v.seed, a.RV)
	if s := v.recent[h%recentEvents]; s.hash == h || !v.watched(w) || len(v.unseen) >= mostUnseen {
		return // it came before the answer, or nobody looks for it
	}
	w.at = l.t
	v.unseen[w.of] = w
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

// sorted are the values of a map, in the order of its keys.
func sorted[K cmp.Ordered, V any](m map[K]V) (all []V) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		all = append(all, m[k])
	}
	return all
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
