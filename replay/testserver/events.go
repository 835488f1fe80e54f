package testserver

import (
	"maps"
	"net/http"
)

// Events are stored once and served by two groups, in whose versions some fields have other names.

const newEvents = "events.k8s.io"

// eventFields are the names of fields in v1 and in events.k8s.io.
var eventFields = [][2]string{
	{"involvedObject", "regarding"}, {"message", "note"}, {"source", "deprecatedSource"}, {"firstTimestamp", "deprecatedFirstTimestamp"},
	{"lastTimestamp", "deprecatedLastTimestamp"}, {"count", "deprecatedCount"}, {"reportingComponent", "reportingController"},
}

// renamed returns an event in the names of another group: to 0 is v1, and 1 is events.k8s.io.
func renamed(o tree, to int) tree {
	o = maps.Clone(o)
	for _, names := range eventFields {
		if v, has := o[names[1-to]]; has {
			delete(o, names[1-to])
			o[names[to]] = v
		}
	}
	if o["apiVersion"] != nil {
		o["apiVersion"] = []string{"v1", newEvents + "/v1"}[to]
	}
	return o
}

// stored returns an event that was written in the names of events.k8s.io as it is stored.
func (r *request) stored(o tree) (tree, *failure) {
	if !r.newEvents {
		return o, nil
	}
	if got := text(o, "apiVersion"); got != "" && got != newEvents+"/v1" {
		return nil, badRequest("the API version in the data (%s) does not match the expected API version (%s/v1)", got, newEvents)
	}
	for _, name := range []string{"eventTime", "reportingController", "reportingInstance", "action", "reason"} {
		if r.Method == http.MethodPost && (o[name] == nil || o[name] == "") {
			return nil, r.kind.invalid(text(metaOf(o), "name"), name, "Required value")
		}
	}
	return renamed(o, 0), nil
}

// shown returns a version as the group of the request names its fields.
func (r *request) shown(v *version) *version {
	if !r.newEvents {
		return v
	}
	body := renamed(v.body, 1)
	return &version{body: body, raw: asJSON(body)}
}

// groupVersion returns the group and version that the request asks for.
func (r *request) groupVersion() string {
	if r.newEvents {
		return newEvents + "/v1"
	}
	return r.kind.GroupVersion()
}
