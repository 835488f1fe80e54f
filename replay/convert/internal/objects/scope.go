package objects

import (
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/trace"
)

// scope is what a list's items say about the request for it. If all are in one
// namespace, the request may have been for that namespace alone. If all have the same
// value of a label, the request may have selected it.
type scope struct {
	items      int
	namespaces map[string]bool
	node       string            // that all are on, "" for none
	labels     map[string]string // that all have
}

// add takes note of an item.
func (s *scope) add(m *trace.Metadata, raw []byte) {
	s.items++
	if s.namespaces == nil {
		s.namespaces = map[string]bool{}
	}
	s.namespaces[m.Namespace] = true
	node := nodeOf(raw)
	if s.items == 1 {
		s.node, s.labels = node, map[string]string{}
		for name, value := range m.Labels() {
			if !ofOneRevision(name) {
				s.labels[strings.Clone(name)] = strings.Clone(value)
			}
		}
		return
	}
	if s.node != node {
		s.node = ""
	}
	for name, value := range s.labels {
		if v, ok := m.Label(name); !ok || v != value {
			delete(s.labels, name)
		}
	}
}

// names reports whether the list should hold the objects of a namespace. A list with
// objects of several namespaces is a list of all namespaces.
func (s *scope) names(namespace string) bool {
	return len(s.namespaces) != 1 || s.namespaces[namespace]
}

// holds reports whether the list would hold the object raw of a namespace, whichever
// request it was the answer to.
func (s *scope) holds(namespace string, raw []byte) bool {
	if s.items == 0 || !s.names(namespace) {
		return false
	}
	var o trace.Object
	if o.Decode(raw) != nil {
		return false
	}
	for name, value := range s.labels {
		if v, ok := o.Metadata.Label(name); !ok || v != value {
			return false
		}
	}
	// One object alone is always on one node.
	node := nodeOf(raw)
	return s.items == 1 || s.node == "" || node == "" || s.node == node
}

// nodeOf is the node that an object is on. Apart from labels, people select pods by it.
func nodeOf(raw []byte) string { return api.FirstField(api.Member(raw, "spec"), "nodeName") }

// ofOneRevision reports whether a label tells the pods of one controller apart. Nobody
// selects by such a label, though the pods left after a rollout often share it.
func ofOneRevision(label string) bool {
	switch label {
	case "pod-template-hash", "pod-template-generation", "controller-revision-hash",
		"statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "batch.kubernetes.io/job-completion-index":
		return true
	}
	return false
}

// count is how many objects of r are known that the list might be expected to hold.
func (s *scope) count(known *capture.Tracker, r api.Resource) (n int64) {
	for k := range known.Objects {
		if *k.R == r.Asked() && s.names(k.Namespace) {
			n++
		}
	}
	return n
}
