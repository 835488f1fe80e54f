package audit

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

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
// in events.k8s.io. none is what the API server sends where a field has no value.
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
