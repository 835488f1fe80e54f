package audit

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// How much of an audit log is held back to put it in order: servers log when
// they have answered, and each flushes its log when it likes to.
const (
	heldTime    = 30 * time.Second
	heldChanges = 10_000   // changes
	heldBytes   = 64 << 20 // of their objects
	maxSpare    = 100
)

// auditor works out from answers what watchers were sent.
type auditor struct {
	c         *capture.Conversion
	e         event
	o         answer // the ResponseObject of e
	head      []byte // what it was decoded from
	now       int64  // when e was answered, in nanoseconds since 1970
	newest    int64  // of all now
	resources map[api.Resource]*tracked
	order     []*tracked
	held      int
	bytes     int
	spare     [][]byte // memory of objects that were written, to be used again
	invented  int64    // the last resourceVersion that was made up

	counts counts
	dead   map[string]bool // the UIDs of objects whose deletion was written
}

// maxDead is how many of them are kept in mind.
const maxDead = 1 << 17

// tracked is what is known of one resource. Its changes lie in the order
// of their resourceVersions, which is the true one. None was made later than any
// after it was answered, so their times don't go back.
type tracked struct {
	api.Resource
	pending []*audited
	newest  uint64 // the highest resourceVersion that was written
	begun   bool   // something was written
	listed  bool
	real    bool // its resourceVersions are known
}

// audited is one change.
type audited struct {
	evidence             evidence
	typ                  string
	time                 int64
	rv                   uint64 // 0 if unknown
	after                uint64 // a lower bound of rv, for an unknown rv
	place                uint64 // rv, or the rv of the change before
	namespace, name, uid string
	raw                  []byte
}

// evidence says what is known of a changed object.
type evidence uint8

const (
	completeObject evidence = iota // raw is the object
	listing                        // raw is the whole list
	metadataOnly                   // raw is a PartialObjectMetadata
	scaled                         // raw is a Scale
	lastState                      // it is gone; raw is how it was, if that is known
	worse                          // a lower level: raw is what was asked for, or nothing
	unfound                        // it isn't there any more
)

func (r *tracked) noteKind(kind string) {
	if r.Kind != kind {
		r.Kind = strings.Clone(kind)
	}
}

// insert puts a change in its place, and writes those that nothing can come before
// any more.
func (a *auditor) insert(r *tracked, x *audited) error {
	x.namespace, x.name, x.uid = strings.Clone(x.namespace), strings.Clone(x.name), strings.Clone(x.uid)
	if n := len(a.spare); n > 0 && x.raw != nil {
		x.raw = append(a.spare[n-1][:0], x.raw...)
		a.spare = a.spare[:n-1]
	} else {
		x.raw = bytes.Clone(x.raw)
	}
	x.place = x.rv
	if a.isRepeated(r, x) {
		return nil
	}
	r.real = r.real || x.rv != 0
	a.newest = max(a.newest, x.time)
	if x.evidence == listing {
		r.listed = true
		a.dropBefore(r, x)
	}
	i := len(r.pending)
	if x.rv == 0 {
		for i > 0 && r.pending[i-1].time > x.time {
			i--
		}
		x.place = r.newest
		if i > 0 {
			x.place = r.pending[i-1].place
		}
	} else {
		for i > 0 && r.pending[i-1].place > x.rv {
			i--
		}
	}
	for j := i - 1; j >= 0 && r.pending[j].place == x.place; j-- {
		if y := r.pending[j]; y.typ == x.typ && y.name == x.name && y.namespace == x.namespace && y.rv == x.rv && (x.rv != 0 || y.time == x.time) {
			return nil // it is in two logs
		}
	}
	r.pending = append(r.pending, nil)
	copy(r.pending[i+1:], r.pending[i:])
	r.pending[i] = x
	if i+1 < len(r.pending) {
		x.time = min(x.time, r.pending[i+1].time)
	}
	for j := i - 1; j >= 0 && r.pending[j].time > x.time; j-- {
		r.pending[j].time = x.time
	}
	a.held++
	a.bytes += len(x.raw)
	return a.release(heldChanges, heldBytes, int64(heldTime))
}

// isRepeated reports whether the deletion x is known from another answer. Of two answers
// the one with a resourceVersion is kept.
func (a *auditor) isRepeated(r *tracked, x *audited) bool {
	if x.typ != "DELETED" {
		return false
	}
	if x.uid != "" && a.dead[x.uid] {
		return true
	}
	for i := len(r.pending) - 1; i >= 0; i-- {
		y := r.pending[i]
		if y.name != x.name || y.namespace != x.namespace || x.uid != "" && y.uid != "" && y.uid != x.uid {
			continue
		}
		switch {
		case y.typ != "DELETED":
			if y.rv != 0 && x.rv == 0 && y.time > x.time {
				continue // it was made later
			}
			return false
		case x.evidence == unfound, x.rv == 0 && y.evidence != unfound:
			return true
		case y.rv == 0:
			a.held--
			a.bytes -= len(y.raw)
			r.pending = append(r.pending[:i], r.pending[i+1:]...)
		}
		return false
	}
	return false
}

// dropBefore forgets the changes that the first list has in it already.
func (a *auditor) dropBefore(r *tracked, list *audited) {
	kept := r.pending[:0]
	for _, x := range r.pending {
		if x.place > list.rv || x.rv == 0 && x.time > list.time {
			kept = append(kept, x)
			continue
		}
		a.counts.before++
		a.held--
		a.bytes -= len(x.raw)
	}
	clear(r.pending[len(kept):])
	r.pending = kept
}

// release writes the earliest changes until what is held back is within the limits.
func (a *auditor) release(most, size int, window int64) error {
	for a.held > 0 {
		var first *tracked
		for _, r := range a.order {
			if len(r.pending) > 0 && (first == nil || r.pending[0].time < first.pending[0].time) {
				first = r
			}
		}
		x := first.pending[0]
		if a.held <= most && a.bytes <= size && a.newest-x.time <= window {
			return nil
		}
		first.pending[0] = nil
		first.pending = first.pending[1:]
		a.held--
		a.bytes -= len(x.raw)
		if err := a.write(first, x); err != nil {
			return err
		}
	}
	return nil
}

// write writes a change whose turn it is.
func (a *auditor) write(r *tracked, x *audited) error {
	c := a.c
	if x.evidence == listing {
		return a.writeList(r, x)
	}
	var o trace.Object
	o.Metadata.Namespace, o.Metadata.Name, o.Metadata.UID = x.namespace, x.name, x.uid
	key := c.Live.Key(r.Resource, x.namespace, x.name)
	old := c.Live.Objects[key]
	if x.rv != 0 && x.rv < r.newest && x.typ != "DELETED" {
		if old == nil || api.Number(old.RV) < x.rv {
			a.counts.late++
		}
		return nil // or else nothing was changed: the answer is an old version
	}
	if x.typ == "DELETED" && a.dead[x.uid] || x.evidence == unfound && (old == nil || x.uid != "" && old.UID != "" && x.uid != old.UID) {
		return nil // it was written already, or there was no such object
	}
	raw := a.object(r, x, old)
	if raw == nil {
		a.counts.unseen++
		return nil
	}
	r.newest = max(r.newest, x.rv)
	o.Metadata.ResourceVersion = a.version(r, x)
	if x.evidence != completeObject || o.Metadata.ResourceVersion != api.Itoa(int64(x.rv)) {
		raw = api.SetResourceVersion(raw, o.Metadata.ResourceVersion)
	}
	if x.typ == "DELETED" {
		a.deleted(x, old)
		c.Live.Forget(key)
	} else {
		if o.Metadata.UID == "" && old != nil {
			o.Metadata.UID = old.UID
		}
		k, what, err := c.Live.Record(r.Resource, &o)
		if err != nil {
			return err
		}
		if what == capture.SameVersion && x.rv != 0 {
			return nil // a request that changed nothing
		}
		if old != nil && old.Raw != nil && len(a.spare) < maxSpare {
			a.spare = append(a.spare, old.Raw)
		}
		c.Live.Objects[k].Raw = raw // nothing else holds on to it
	}
	c.Out.SetTime(time.Unix(0, x.time))
	r.begun = true
	return capture.Fatal(c.Out.Event(r.Resource, x.typ, raw))
}

// deleted takes note of a deletion that is written.
func (a *auditor) deleted(x *audited, old *capture.KnownObject) {
	uid := x.uid
	if uid == "" && old != nil {
		uid = old.UID
	}
	if uid != "" {
		if a.dead == nil || len(a.dead) >= maxDead {
			a.dead = map[string]bool{}
		}
		a.dead[uid] = true
	}
	switch {
	case x.evidence == unfound:
		a.counts.vanished++
	case x.rv == 0 && x.evidence != worse:
		a.counts.unversioned++
	}
}

// version returns the resourceVersion that a change is shown with.
func (a *auditor) version(r *tracked, x *audited) string {
	if !r.real {
		a.invented++
		return api.Itoa(a.invented)
	}
	return api.Itoa(int64(max(x.rv, x.after, x.place, r.newest)))
}

// writeList writes the list that a resource begins with.
func (a *auditor) writeList(r *tracked, x *audited) error {
	if r.begun {
		return nil
	}
	c := a.c
	c.Out.SetTime(time.Unix(0, x.time))
	r.begun = true
	r.newest = x.rv
	if err := c.Out.ListBody(r.Resource, "", 200, api.Itoa(int64(x.rv)), x.raw); err != nil {
		return capture.Fatal(err)
	}
	var o trace.Object
	return trace.Items(x.raw, 0, &o, func(src object.Source) error {
		k, _, err := c.Live.Record(r.Resource, &o)
		if err != nil {
			return err
		}
		c.Live.Retain(k, api.AddKind(x.raw[src.Offset:src.Offset+int64(src.Length)], r.Resource), 0)
		return nil
	})
}

// finish writes what is held back, and remarks on what the log lacks.
func (a *auditor) finish() error {
	for a.held > 0 {
		err := a.release(0, 0, -1)
		if err == nil {
			break
		}
		if f := (capture.FatalError{}); errors.As(err, &f) {
			return f.Err
		}
		if err := a.c.Problem(trace.Damaged, 0, 0, err); err != nil {
			return err
		}
	}
	if a.c.Out.Trace == nil {
		return a.counts.emptyError()
	}
	return a.counts.addRemarks(a.c)
}

// counts are of the events of a log, for the remarks.
type counts struct {
	answers       int64 // events that say what was answered
	unchanged     int64 // that are of no change
	unseen        int64 // of changes that no answer shows
	nameless      int64 // that name no object
	metadata      int64 // of the level Metadata
	request       int64 // of the level Request
	before        int64 // older than the list
	late          int64 // that came after a later one was written
	bodiless      int64 // changes whose object is not in the log
	unversioned   int64 // changes whose resourceVersion is made up
	vanished      int64 // deletions that are known only because a request was answered with 404
	inGroup       int64 // Events of events.k8s.io
	aboveMetadata bool  // there was an event of another level than Metadata
}

// emptyError returns an error that says why a log has no change.
func (n *counts) emptyError() error {
	if !n.aboveMetadata && n.answers > 0 {
		return fault.Plain("auditNoObjects")
	}
	return fault.Number("auditNoAnswers n", n.unchanged+n.unseen+n.nameless)
}

// addRemarks remarks on what the log lacks. What is missing altogether comes first.
func (n *counts) addRemarks(c *capture.Conversion) error {
	noObjects, metadata := int64(0), n.metadata
	if !n.aboveMetadata {
		noObjects, metadata = metadata, 0
	}
	lacks := func(id string, n int64) capture.Counted { return capture.Counted{ID: id, N: n} }
	return cmp.Or(
		c.RemarkCounts("", lacks(remarks.AuditNoObjects, noObjects), lacks(remarks.AuditMetadata, metadata), lacks(remarks.AuditRequest, n.request)),
		c.Remark(remarks.AuditAnswers, 0, ""),
		c.RemarkCounts("", lacks(remarks.AuditNameless, n.nameless), lacks(remarks.AuditUnseen, n.unseen), lacks(remarks.AuditNoObject, n.bodiless),
			lacks(remarks.AuditNoVersion, n.unversioned), lacks(remarks.AuditVanished, n.vanished), lacks(remarks.AuditEvents, n.inGroup),
			lacks(remarks.AuditBeforeList, n.before), lacks(remarks.AuditLate, n.late)))
}

// isGone reports whether an object that is marked for deletion has been deleted.
func (a *auditor) isGone(r *tracked, o *answer, raw []byte) bool {
	m := &o.Metadata
	if m.DeletionTimestamp == "" || m.Grace != 0 || len(m.Finalizers) > 0 {
		return false
	}
	if r.Kind == "Namespace" && r.Group == "" {
		return !api.Filled(api.Member(api.Member(raw, "spec"), "finalizers"))
	}
	return true
}

// deletedCollection reads the answer to the deletion of many: they are as they
// were before.
func (a *auditor) deletedCollection() error {
	r, request, list := a.resource(), a.e.RequestObject, a.e.ResponseObject
	if isDryRun(request) {
		a.counts.unchanged++
		return nil
	}
	if !strings.HasSuffix(a.o.Kind, "List") {
		a.counts.nameless++
		return nil
	}
	kind := strings.TrimSuffix(a.o.Kind, "List")
	r.noteKind(kind)
	rv := api.Number(a.o.Metadata.ResourceVersion)
	now := string(api.Member(request, "gracePeriodSeconds")) == "0"
	var o trace.Object
	var failed error
	err := trace.Items(list, 0, &o, func(src object.Source) error {
		raw := list[src.Offset : src.Offset+int64(src.Length)]
		if kind == "Pod" && !now && !endsAtOnce(raw) || api.Filled(api.Member(api.Member(raw, "metadata"), "finalizers")) {
			a.counts.unseen++ // it was only marked, and later requests say what became of it
			return nil
		}
		m := &o.Metadata
		failed = a.insert(r, &audited{
			evidence: lastState, typ: "DELETED", time: a.now, after: rv, namespace: m.Namespace, name: m.Name, uid: m.UID,
			raw: api.AddKind(raw, api.Resource{Group: r.Group, Version: r.Version, Kind: kind}),
		})
		return failed
	})
	if failed != nil {
		return failed
	}
	return err
}

// notFound reads the answer to a request for an object that isn't there. If it was
// there before, then it was deleted in a way that isn't logged.
func (a *auditor) notFound() error {
	ref := &a.e.ObjectRef
	r := a.resource()
	x := &audited{evidence: unfound, typ: "DELETED", time: a.now, namespace: ref.Namespace, name: ref.Name, uid: ref.UID}
	if r.Resource.Resource == "namespaces" && r.Group == "" {
		x.namespace = ""
	}
	a.counts.unchanged++
	return a.insert(r, x)
}

// endsAtOnce reports whether a pod is deleted without a grace period, because it is
// on no node or has ended.
func endsAtOnce(raw []byte) bool {
	phase := api.FirstField(api.Member(raw, "status"), "phase")
	return api.FirstField(api.Member(raw, "spec"), "nodeName") == "" || phase == "Succeeded" || phase == "Failed"
}

func isDryRun(options []byte) bool { return api.Filled(api.Member(options, "dryRun")) }

// object returns what is shown of a changed object, nil where nothing can be.
func (a *auditor) object(r *tracked, x *audited, old *capture.KnownObject) []byte {
	switch x.evidence {
	case completeObject:
		return x.raw
	case metadataOnly, scaled:
		field := "metadata"
		from := x.raw
		if x.evidence == scaled {
			field, from = "replicas", api.Member(x.raw, "spec")
		}
		value := api.Member(from, field)
		if old == nil || old.Raw == nil || value == nil {
			if x.evidence == scaled {
				return nil
			}
			return x.raw
		}
		if x.evidence == metadataOnly {
			return api.SetMember(old.Raw, field, value)
		}
		spec := api.Member(old.Raw, "spec")
		if spec == nil {
			return nil
		}
		return api.SetMember(old.Raw, "spec", api.SetMember(spec, field, value))
	case lastState, unfound:
		if old != nil && old.Raw != nil {
			return old.Raw
		}
		if x.raw != nil {
			return x.raw
		}
		a.counts.bodiless++
	case worse:
		if x.typ == "DELETED" && old != nil && old.Raw != nil {
			return old.Raw
		}
		if x.raw != nil {
			return x.raw
		}
	}
	return api.BareObject(r.Resource, x.namespace, x.name, x.uid)
}

// Events are in two groups, "" and events.k8s.io. Both hold the same objects, with
// different names for their fields, and what is written in one is sent to the watchers
// of both. The trace has them as watchers of the group "" get them.

// coreFields are the fields of an Event of the group "" in their order, and their names
// in events.k8s.io. zero is what the API server sends where a field has no value.
var coreFields = [...]struct{ core, events, zero string }{
	{"metadata", "metadata", ""}, {"involvedObject", "regarding", "{}"}, {"reason", "reason", ""}, {"message", "note", ""},
	{"source", "deprecatedSource", "{}"}, {"firstTimestamp", "deprecatedFirstTimestamp", "null"}, {"lastTimestamp", "deprecatedLastTimestamp", "null"},
	{"count", "deprecatedCount", ""}, {"type", "type", ""}, {"eventTime", "eventTime", "null"}, {"series", "series", ""},
	{"action", "action", ""}, {"related", "related", ""}, {"reportingComponent", "reportingController", `""`}, {"reportingInstance", "reportingInstance", `""`},
}

// ofCore turns an audit event about Events of events.k8s.io into one about Events of
// the group "".
func (a *auditor) ofCore() {
	e := &a.e
	if e.ObjectRef.APIGroup != "events.k8s.io" || e.ObjectRef.Resource != "events" {
		return
	}
	e.ObjectRef.APIGroup, e.ObjectRef.APIVersion = "", "v1"
	e.ResponseObject = coreEvents(e.ResponseObject)
	if api.FirstField(e.RequestObject, "kind") == "Event" && e.Verb != "patch" {
		e.RequestObject = coreEvents(e.RequestObject)
	}
	switch e.Verb {
	case "create", "update", "patch", "delete", "deletecollection":
		a.counts.inGroup++
	}
}

// coreEvents turns an Event or an EventList of events.k8s.io into one of the core
// group. It returns anything else unchanged.
func coreEvents(b []byte) []byte {
	if !strings.HasPrefix(api.FirstField(b, "apiVersion"), "events.k8s.io/") {
		return b
	}
	switch api.FirstField(b, "kind") {
	case "Event":
		return coreEvent(b, true)
	case "EventList":
		items := []byte{'['}
		jsonscan.Elements(api.Member(b, "items"), func(i, from, to int) bool {
			if i > 0 {
				items = append(items, ',')
			}
			items = append(items, coreEvent(api.Member(b, "items")[from:to], false)...)
			return true
		})
		return api.SetMember(api.SetMember(b, "apiVersion", []byte(`"v1"`)), "items", append(items, ']'))
	}
	return b
}

func coreEvent(b []byte, withKind bool) []byte {
	out := []byte{'{'}
	if withKind {
		out = append(out, `"kind":"Event","apiVersion":"v1",`...)
	}
	for _, f := range coreFields {
		value := api.Member(b, f.events)
		if value == nil {
			value = []byte(f.zero)
		}
		if len(value) > 0 {
			out = append(jsonscan.AppendString(out, f.core), ':')
			out = append(append(out, value...), ',')
		}
	}
	return append(bytes.TrimSuffix(out, []byte{','}), '}')
}
