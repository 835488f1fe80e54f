package audit

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Events are in two groups, "" and events.k8s.io. Both hold the same objects, with
// different names for their fields, and what is written in one is sent to the watchers
// of both. The trace has them as watchers of the group "" get them.

// coreFields are the fields of an Event of the group "" in their order, and their names
// in events.k8s.io. none is what the API server sends where a field has no value.
var coreFields = [...]struct{ core, events, none string }{
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
			value = []byte(f.none)
		}
		if len(value) > 0 {
			out = append(jsonscan.AppendString(out, f.core), ':')
			out = append(append(out, value...), ',')
		}
	}
	return append(bytes.TrimSuffix(out, []byte{','}), '}')
}
