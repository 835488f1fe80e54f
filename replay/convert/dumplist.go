package convert

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// list is a whole list.
type list struct {
	pages  []page
	items  [][]byte
	keys   []objectKey
	heads  []trace.Metadata
	rv     string
	scope  scope
	shared int  // items that are known already
	alone  bool // it is one object from a file of its own
	same   bool // it is of the revision of the list before
	older  bool // it is older than that
}

// readList takes the list that d gathered, and finds out how it relates to the state
// that is known. The error is about items that are no objects, and are left out.
func (c *conversion) readList(r resource, d *dumped) (*list, error) {
	l := &list{pages: d.pages, rv: newest(d.items, d.rv), alone: d.alone}
	items := d.items
	d.pages, d.items, d.alone = nil, nil, false
	d.lists++
	c.dumps.number++
	var bad error
	for i, raw := range items {
		var o trace.Object
		if err := trace.Decode(raw, &o); err != nil {
			if bad == nil {
				bad = trace.ItemError{Item: i, Err: err}
			}
			continue
		}
		k := c.live.key(r, o.Metadata.Namespace, o.Metadata.Name)
		if c.live.live[k] != nil {
			l.shared++
		}
		l.scope.add(&o.Metadata, raw)
		l.items, l.keys, l.heads = append(l.items, raw), append(l.keys, k), append(l.heads, o.Metadata)
	}
	rv := number(l.rv)
	if d.own && rv != 0 && d.lists > 1 {
		l.same, l.older = rv == d.newest, rv < d.newest
	}
	if l.older {
		c.dumps.older++
	}
	d.newest = max(d.newest, rv)
	elsewhere := d.from != "" && d.from != c.Name && base(d.from) == base(c.Name)
	if d.from = c.Name; l.shared == 0 && !l.alone && !l.older && !l.same && !elsewhere {
		c.dumps.kept += c.count(r, &l.scope)
	}
	return l, bad
}

// part tells whether the list is a part of the known state. Otherwise it is a later
// dump of that state.
func (l *list) part() bool { return l.shared == 0 || l.alone || l.same || l.older }

// base is the last part of a name with slashes.
func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// addPart adds a list to the one that is held back.
func (c *conversion) addPart(r resource, d *dumped, l *list) error {
	s := d.first
	for i, raw := range l.items {
		k, what, err := c.live.see(r, &trace.Object{Metadata: l.heads[i]})
		if err != nil {
			return err
		}
		if what == fromBefore {
			continue
		}
		full := withKind(raw, r)
		c.live.keep(k, full, c.dumps.number)
		if at, known := s.at[k]; known {
			s.items[at] = full
		} else {
			s.at[k] = len(s.items)
			s.items = append(s.items, full)
		}
	}
	if number(l.rv) > number(s.rv) || s.rv == "" {
		s.rv = l.rv
	}
	return nil
}

// newest is the list's resourceVersion, or its items' newest where it has none,
// as kubectl's lists.
func newest(items [][]byte, rv string) string {
	if rv != "" {
		return rv
	}
	var most uint64
	for _, raw := range items {
		var o trace.Object
		if trace.Decode(raw, &o) == nil {
			most = max(most, number(o.Metadata.ResourceVersion))
		}
	}
	if most == 0 {
		return ""
	}
	return itoa(int64(most))
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
func (c *conversion) compare(r resource, l *list, later bool) (changes []change, kept int64, err error) {
	for i, raw := range l.items {
		o := trace.Object{Metadata: l.heads[i]}
		full := withKind(raw, r)
		k, what, err := c.live.see(r, &o)
		if err != nil {
			return nil, 0, err
		}
		rv := number(o.Metadata.ResourceVersion)
		switch what {
		case recreated:
			changes = append(changes, change{"DELETED", rv, c.live.live[k].raw}, change{"ADDED", rv, full})
		case added:
			changes = append(changes, change{"ADDED", rv, full})
		case modified:
			changes = append(changes, change{"MODIFIED", rv, full})
		case fromBefore:
			c.live.live[k].dump = c.dumps.number
			continue
		}
		c.live.keep(k, full, c.dumps.number)
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.rv, b.rv) })
	if !later {
		return changes, 0, nil
	}
	var gone []change
	for k, v := range c.live.live {
		if *k.r != r.asked() || v.dump == c.dumps.number {
			continue
		}
		if !c.dumps.sure && !l.scope.holds(k.namespace, v.raw) {
			if l.scope.names(k.namespace) {
				kept++
			}
			continue
		}
		raw := v.raw
		if l.rv != "" {
			raw = setResourceVersion(raw, l.rv)
		}
		gone = append(gone, change{"DELETED", 0, raw})
		c.live.gone(k)
	}
	c.dumps.kept += kept
	slices.SortFunc(gone, func(a, b change) int { return bytes.Compare(a.raw, b.raw) })
	return append(changes, gone...), kept, nil
}

// watchedObject takes note of a watch event about an object, which may be listed
// later.
func (c *conversion) watchedObject(r resource, e *trace.Event, b []byte) error {
	d := c.dumps.of[r]
	if d == nil || d.lists == 0 {
		c.dumps.at(r).watched = true
		return nil
	}
	d.watched = true
	if e.Type == "BOOKMARK" {
		return nil
	}
	k, _, err := c.live.see(r, &e.Object)
	if err != nil {
		return err
	}
	if e.Type == "DELETED" {
		c.live.gone(k)
		return nil
	}
	c.live.keep(k, member(b, "object"), c.dumps.number)
	return nil
}
