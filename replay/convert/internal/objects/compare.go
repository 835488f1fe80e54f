package objects

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/trace"
)

// list is a whole list.
type list struct {
	pages        []page
	items        [][]byte
	keys         []capture.ObjectKey
	heads        []trace.Metadata
	rv           string
	scope        scope
	shared       int  // items that are known already
	alone        bool // it is one object from a file of its own
	sameRevision bool // it is of the revision of the list before
	older        bool // it is older than that
}

// readList takes the list that d gathered, and finds out how it relates to the state
// that is known. The error is about items that are no objects, and are left out.
func (c *Reader) readList(r api.Resource, d *dumped) (*list, error) {
	l := &list{pages: d.pages, rv: newest(d.items, d.rv), alone: d.alone}
	items := d.items
	d.pages, d.items, d.alone = nil, nil, false
	d.lists++
	c.dumps.number++
	c.orders.listed(c.Findings, r, d.rv)
	var bad error
	for i, raw := range items {
		var o trace.Object
		if err := o.Decode(raw); err != nil {
			if bad == nil {
				bad = trace.ItemError{Item: i, Err: err}
			}
			continue
		}
		k := c.Live.Key(r, o.Metadata.Namespace, o.Metadata.Name)
		if c.Live.Objects[k] != nil {
			l.shared++
		}
		l.scope.add(&o.Metadata, raw)
		c.orders.listed(c.Findings, r, o.Metadata.ResourceVersion)
		l.items, l.keys, l.heads = append(l.items, raw), append(l.keys, k), append(l.heads, o.Metadata)
	}
	rv := api.Number(l.rv)
	if d.versioned && rv != 0 && d.lists > 1 {
		l.sameRevision, l.older = rv == d.newest, rv < d.newest
	}
	if l.older {
		c.dumps.older++
	}
	d.newest = max(d.newest, rv)
	elsewhere := d.from != "" && d.from != c.From.Name && lastElement(d.from) == lastElement(c.From.Name)
	if d.from = c.From.Name; l.shared == 0 && !l.alone && !l.older && !l.sameRevision && !elsewhere {
		c.dumps.uncertain += l.scope.count(&c.Live, r)
	}
	return l, bad
}

// isPartial reports whether the list is a part of the known state. Otherwise it is a later
// dump of that state.
func (l *list) isPartial() bool { return l.shared == 0 || l.alone || l.sameRevision || l.older }

// lastElement returns the last part of a name with slashes.
func lastElement(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// addPart adds a list to the one that is held back.
func (c *Reader) addPart(r api.Resource, d *dumped, l *list) error {
	s := d.first
	for i, raw := range l.items {
		k, what, err := c.Live.Record(r, &trace.Object{Metadata: l.heads[i]})
		if err != nil {
			return err
		}
		if what == capture.OlderVersion {
			continue
		}
		full := api.AddKind(raw, r)
		c.Live.Retain(k, full, c.dumps.number)
		if at, known := s.positions[k]; known {
			s.items[at] = full
		} else {
			s.positions[k] = len(s.items)
			s.items = append(s.items, full)
		}
	}
	if api.Number(l.rv) > api.Number(s.rv) || s.rv == "" {
		s.rv = l.rv
	}
	return nil
}

// newest returns the list's resourceVersion, or its items' newest where it has none,
// as kubectl's lists.
func newest(items [][]byte, rv string) string {
	if rv != "" {
		return rv
	}
	var most uint64
	for _, raw := range items {
		var o trace.Object
		if o.Decode(raw) == nil {
			most = max(most, api.Number(o.Metadata.ResourceVersion))
		}
	}
	if most == 0 {
		return ""
	}
	return api.Itoa(int64(most))
}

// change is what became of an object between two dumps.
type change struct {
	typ string
	rv  uint64
	raw []byte
}

// compare takes note of a list's objects, and returns how it differs from the state
// before, in the order of the resourceVersions, deletions last. Nothing is deleted
// unless the list is a later dump of the same. kept counts the objects that the list
// lacks, but might not hold anyway.
func (c *Reader) compare(r api.Resource, l *list, later bool) (changes []change, kept int64, err error) {
	for i, raw := range l.items {
		o := trace.Object{Metadata: l.heads[i]}
		full := api.AddKind(raw, r)
		k, what, err := c.Live.Record(r, &o)
		if err != nil {
			return nil, 0, err
		}
		rv := api.Number(o.Metadata.ResourceVersion)
		switch what {
		case capture.Recreated:
			changes = append(changes, change{"DELETED", rv, c.Live.Objects[k].Raw}, change{"ADDED", rv, full})
		case capture.Added:
			changes = append(changes, change{"ADDED", rv, full})
		case capture.Modified:
			changes = append(changes, change{"MODIFIED", rv, full})
		case capture.OlderVersion:
			c.Live.Objects[k].Dump = c.dumps.number
			continue
		}
		c.Live.Retain(k, full, c.dumps.number)
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.rv, b.rv) })
	if !later {
		return changes, 0, nil
	}
	var gone []change
	for k, v := range c.Live.Objects {
		if *k.R != r.WithoutKind() || v.Dump == c.dumps.number {
			continue
		}
		if !c.Sure && !l.scope.includes(k.Namespace, v.Raw) {
			if l.scope.names(k.Namespace) {
				kept++
			}
			continue
		}
		raw := v.Raw
		if l.rv != "" {
			raw = api.SetResourceVersion(raw, l.rv)
		}
		gone = append(gone, change{"DELETED", 0, raw})
		c.Live.Forget(k)
	}
	c.dumps.uncertain += kept
	slices.SortFunc(gone, func(a, b change) int { return bytes.Compare(a.raw, b.raw) })
	return append(changes, gone...), kept, nil
}

// watchedObject takes note of a watch event about an object, which may be listed
// later.
func (c *Reader) watchedObject(r api.Resource, e *trace.Event, b []byte) error {
	d := c.dumps.all[r]
	if d == nil || d.lists == 0 {
		c.dumps.dump(r).watched = true
		return nil
	}
	d.watched = true
	if e.Type == "BOOKMARK" {
		return nil
	}
	k, _, err := c.Live.Record(r, &e.Object)
	if err != nil {
		return err
	}
	if e.Type == "DELETED" {
		c.Live.Forget(k)
		return nil
	}
	c.Live.Retain(k, api.Member(b, "object"), c.dumps.number)
	return nil
}

// orders are the orders of the resourceVersions, by resource. Their remarks go into the
// summary and not into the trace, because reading the trace makes the same remarks.
type orders map[api.Resource]*trace.Order

// watched looks at the resourceVersion of a watch event.
func (o *orders) watched(tr *trace.Trace, r api.Resource, added bool, rv string) {
	if rv == "" {
		return
	}
	kindOrders := (*o)[r.WithoutKind()]
	if kindOrders == nil {
		if *o == nil {
			*o = orders{}
		}
		kindOrders = &trace.Order{}
		(*o)[r.WithoutKind()] = kindOrders
	}
	if id := kindOrders.Check(added, api.Number(rv), api.Number(rv) != 0); id != "" {
		tr.AddRemark(trace.Remark{ID: id, Count: 1, Detail: r.Resource})
	}
}

// listed looks at the resourceVersion of a list, or of an item of one.
func (orders) listed(tr *trace.Trace, r api.Resource, rv string) {
	if rv != "" && rv != "0" && api.Number(rv) == 0 {
		tr.AddRemark(trace.Remark{ID: trace.VersionsNotNumbers, Count: 1, Detail: r.Resource})
	}
}

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

// includes reports whether the list would hold the object raw of a namespace, whichever
// request it was the answer to.
func (s *scope) includes(namespace string, raw []byte) bool {
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

// nodeOf returns the node that an object is on. Apart from labels, people select pods by it.
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

// count returns how many objects of r are known that the list might be expected to hold.
func (s *scope) count(known *capture.Tracker, r api.Resource) (n int64) {
	for k := range known.Objects {
		if *k.R == r.WithoutKind() && s.names(k.Namespace) {
			n++
		}
	}
	return n
}
