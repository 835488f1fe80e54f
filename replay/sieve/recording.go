package sieve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
)

// maxEvents is how many changes of a recording become lines of a script.
const maxEvents = 20_000

var errEvents = fmt.Errorf("the recording has more than %d changes, which is more than a script may have", maxEvents)

// op is what happened to an object.
type op uint8

const (
	existed op = iota // it was there before the watch
	created
	updated
	deleted
)

// event is a change in a recording.
type event struct {
	at             int64 // ns
	op             op
	resource, kind string
	key            string // namespace/name
	before, object map[string]any
}

// named reports whether a plan means the event's object: KIND/NAMESPACE/NAME, all in small letters.
func (e *event) named(resourceKey string) bool {
	kind, key, _ := strings.Cut(resourceKey, "/")
	return key == e.key && (strings.EqualFold(kind, e.kind) || strings.EqualFold(kind, strings.TrimSuffix(strings.Split(e.resource, ".")[0], "s")))
}

// line is what is read of a trace's line.
type line struct {
	T   int64
	ID  int
	Req *struct{ URL string }
	// Body is a list, or a page of one.
	Body *struct {
		Kind     string
		Metadata struct{ Continue string }
		Items    []map[string]any
	}
	Event *struct {
		Type   string
		Object map[string]any
	}
}

// recording collects the changes of a trace.
type recording struct {
	events    []event
	resources []string
	of        map[int]string // requests
	objects   map[string]map[string]map[string]any
	watched   map[string]bool
}

// changes reads a trace in informerscope's own format.
func changes(in io.Reader) (*recording, error) {
	r := &recording{of: map[int]string{}, objects: map[string]map[string]map[string]any{}, watched: map[string]bool{}}
	lines := json.NewDecoder(bufio.NewReader(in))
	for {
		var l line
		err := lines.Decode(&l)
		var odd *json.UnmarshalTypeError
		switch {
		case errors.Is(err, io.EOF):
			return r, nil
		case errors.As(err, &odd):
			continue // such as an answer that is no list
		case err != nil:
			return nil, err
		}
		r.line(&l)
		if len(r.events) > maxEvents {
			return nil, errEvents
		}
	}
}

func (r *recording) line(l *line) {
	switch {
	case l.Req != nil:
		r.of[l.ID] = resourceOf(l.Req.URL)
		if u, err := url.Parse(l.Req.URL); err == nil && u.Query().Get("watch") != "" {
			r.watched[r.of[l.ID]] = true
		}
	case l.Event != nil:
		resource := r.of[l.ID]
		switch l.Event.Type {
		case "ADDED", "MODIFIED":
			r.has(l.T, resource, "", l.Event.Object)
		case "DELETED":
			r.gone(l.T, resource, keyOf(l.Event.Object))
		}
	case l.Body != nil && l.Body.Items != nil:
		resource, listed := r.of[l.ID], map[string]bool{}
		for _, o := range l.Body.Items {
			listed[keyOf(o)] = true
			r.has(l.T, resource, strings.TrimSuffix(l.Body.Kind, "List"), o)
		}
		if l.Body.Metadata.Continue != "" {
			return
		}
		for key := range r.objects[resource] {
			if r.watched[resource] && !listed[key] {
				r.gone(l.T, resource, key)
			}
		}
	}
}

// has notes a version of an object.
func (r *recording) has(at int64, resource, kind string, o map[string]any) {
	key := keyOf(o)
	if resource == "" || key == "" {
		return
	}
	all := r.objects[resource]
	if all == nil {
		all = map[string]map[string]any{}
		r.objects[resource] = all
		r.resources = append(r.resources, resource)
	}
	if k, _ := o["kind"].(string); k != "" {
		kind = k
	}
	e := event{at: at, op: updated, resource: resource, kind: kind, key: key, before: all[key], object: o}
	switch {
	case e.before == nil && r.watched[resource]:
		e.op = created
	case e.before == nil:
		e.op = existed
	case versionOf(e.before) == versionOf(o):
		return
	}
	all[key] = o
	r.events = append(r.events, e)
}

// gone notes that an object was deleted.
func (r *recording) gone(at int64, resource, key string) {
	o := r.objects[resource][key]
	if o == nil {
		return
	}
	kind, _ := o["kind"].(string)
	delete(r.objects[resource], key)
	r.events = append(r.events, event{at: at, op: deleted, resource: resource, kind: kind, key: key, before: o})
}

func metadata(o map[string]any) map[string]any {
	m, _ := o["metadata"].(map[string]any)
	return m
}

func keyOf(o map[string]any) string {
	name, _ := metadata(o)["name"].(string)
	if namespace, _ := metadata(o)["namespace"].(string); namespace != "" && name != "" {
		return namespace + "/" + name
	}
	return name
}

func versionOf(o map[string]any) any { return metadata(o)["resourceVersion"] }

// resourceOf is the resource that a request is about, with its group behind a dot.
func resourceOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	group := ""
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		group, parts = parts[1], parts[3:]
	default:
		return ""
	}
	if i := slices.Index(parts, "namespaces"); i == 0 && len(parts) > 2 {
		parts = parts[2:]
	}
	if group != "" {
		return parts[0] + "." + group
	}
	return parts[0]
}
