package minimise

import (
	"encoding/json"

	"github.com/informerscope/informerscope/engine/event"
)

// Content says what is left of each object.
type Content uint8

// From the least to the most.
const (
	Identity Content = iota // its name, namespace, uid and resourceVersion
	Labels                  // its labels, too
	Whole                   // all of it
)

// annotation is the one that the machine reads.
const annotation = "k8s.io/initial-events-end"

// retyped returns a watch event with another type, if its delta needs one, and with less
// of its object.
func retyped(raw json.RawMessage, d event.Delta, content Content) (json.RawMessage, error) {
	var e struct {
		Type   string          `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, err
	}
	if d == event.Added && e.Type == "MODIFIED" {
		e.Type = "ADDED"
	}
	if e.Type != "ERROR" {
		var err error
		if e.Object, err = reduced(e.Object, content); err != nil {
			return nil, err
		}
	}
	return json.Marshal(e)
}

// reduced returns an object with as much of its content.
func reduced(raw json.RawMessage, content Content) (json.RawMessage, error) {
	if content == Whole {
		return raw, nil
	}
	var object struct {
		Kind       string `json:"kind,omitempty"`
		APIVersion string `json:"apiVersion,omitempty"`
		Metadata   struct {
			Name            string            `json:"name,omitempty"`
			Namespace       string            `json:"namespace,omitempty"`
			UID             string            `json:"uid,omitempty"`
			ResourceVersion string            `json:"resourceVersion,omitempty"`
			Labels          map[string]string `json:"labels,omitempty"`
			Annotations     map[string]string `json:"annotations,omitempty"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	m := &object.Metadata
	if content < Labels {
		m.Labels = nil
	}
	for name := range m.Annotations {
		if name != annotation {
			delete(m.Annotations, name)
		}
	}
	return json.Marshal(object)
}
