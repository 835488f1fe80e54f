package excerpt

import "encoding/json"

// Content says what is left of each object.
type Content uint8

// From the least to the most.
const (
	Identity   Content = iota // its name, namespace, uid and resourceVersion
	Labels                    // its labels, too
	FullObject                // all of it
)

// annotation is the one that the machine reads.
const annotation = "k8s.io/initial-events-end"

// added returns a watch event as ADDED, if it is MODIFIED.
func added(raw json.RawMessage) (json.RawMessage, error) {
	var e struct {
		Type   string          `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := json.Unmarshal(raw, &e); err != nil || e.Type != "MODIFIED" {
		return raw, err
	}
	e.Type = "ADDED"
	return json.Marshal(e)
}

// Reduced returns the lines of a trace with as much of their objects.
func Reduced(lines [][]byte, content Content) ([][]byte, error) {
	var out [][]byte
	for _, line := range lines {
		line, err := reducedLine(line, content)
		if err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, nil
}

func reducedLine(line []byte, content Content) ([]byte, error) {
	var e entry
	if err := json.Unmarshal(line, &e); err != nil || content == FullObject {
		return line, err
	}
	switch {
	case e.Event != nil:
		var in struct {
			Type   string          `json:"type"`
			Object json.RawMessage `json:"object"`
		}
		if err := json.Unmarshal(e.Event, &in); err != nil || in.Type == "ERROR" {
			return line, err
		}
		var err error
		if in.Object, err = reduced(in.Object, content); err != nil {
			return nil, err
		}
		if e.Event, err = json.Marshal(in); err != nil {
			return nil, err
		}
	case e.Body != nil:
		list, items, ok := itemsOf(e.Body)
		if !ok {
			return line, nil
		}
		var err error
		for i := range items {
			if items[i], err = reduced(items[i], content); err != nil {
				return nil, err
			}
		}
		if list["items"], err = json.Marshal(items); err != nil {
			return nil, err
		}
		if e.Body, err = json.Marshal(list); err != nil {
			return nil, err
		}
	default:
		return line, nil
	}
	return json.Marshal(e)
}

// reduced returns an object with as much of its content.
func reduced(raw json.RawMessage, content Content) (json.RawMessage, error) {
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
