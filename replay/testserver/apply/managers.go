package apply

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Write is a write of an object by a field manager.
type Write struct {
	Schema                           *Schema
	APIVersion, Subresource, Manager string
	Ignored                          []string // fields that such a write doesn't change, as "status" or "metadata.labels"
	Force                            bool     // conflicts are no reason to refuse
	Time                             time.Time
}

// Conflict says that an apply would change what other managers have written.
type Conflict struct {
	Text   string
	Causes []Cause
}

// Cause is one of the fields of a Conflict.
type Cause struct{ Field, Message string }

func (c *Conflict) Error() string { return c.Text }

// manager is an entry of managedFields.
type manager struct {
	name, operation, apiVersion, subresource string
	time                                     any // as it is written, nil for none
	fields                                   set
}

const applies, updates = "Apply", "Update"

// id tells managers apart. What applies has one entry for all versions.
func (m *manager) id() string {
	version := m.apiVersion
	if m.operation == applies {
		version = ""
	}
	return strings.Join([]string{m.operation, m.name, m.subresource, version}, "\n")
}

// seconds returns when the manager wrote last.
func (m *manager) seconds() int64 {
	s, _ := m.time.(string)
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return 0
	}
	return t.Unix()
}

// title returns how a conflict names the manager.
func (m *manager) title() string {
	t := fmt.Sprintf("%q", m.name)
	if m.subresource != "" {
		t += fmt.Sprintf(" with subresource %q", m.subresource)
	}
	if m.operation == updates {
		t += " using " + m.apiVersion
	}
	return t
}

type managers map[string]*manager

// read returns the managers of an object. Those of other versions of it don't count: this server has none.
func (w *Write) read(o object) managers {
	var entries []struct {
		Manager, Operation, APIVersion, Subresource string
		Time, FieldsV1                              any
	}
	meta, _ := o["metadata"].(object)
	all := managers{}
	if json.Unmarshal([]byte(asJSON(meta["managedFields"])), &entries) != nil {
		return all
	}
	for _, e := range entries {
		if e.APIVersion == w.APIVersion && (e.Operation == applies || e.Operation == updates) {
			m := &manager{e.Manager, e.Operation, e.APIVersion, e.Subresource, e.Time, decode(e.FieldsV1)}
			all[m.id()] = m
		}
	}
	return all
}

// write returns an object with its managers.
func (all managers) write(o object) object {
	order := slices.SortedFunc(maps.Values(all), func(a, b *manager) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.seconds(), b.seconds()), cmp.Compare(a.name, b.name), cmp.Compare(a.apiVersion, b.apiVersion), cmp.Compare(a.subresource, b.subresource))
	})
	var entries list
	for _, m := range order {
		e := object{"manager": m.name, "operation": m.operation, "apiVersion": m.apiVersion, "fieldsType": "FieldsV1", "fieldsV1": m.fields.encode()}
		if m.time != nil {
			e["time"] = m.time
		}
		if m.subresource != "" {
			e["subresource"] = m.subresource
		}
		entries = append(entries, e)
	}
	o = bare(o)
	if meta, is := o["metadata"].(object); is && entries != nil {
		meta["managedFields"] = entries
	}
	return o
}

// bare returns an object without managedFields.
func bare(o object) object {
	meta, is := o["metadata"].(object)
	if !is {
		return o
	}
	o, meta = maps.Clone(o), maps.Clone(meta)
	delete(meta, "managedFields")
	o["metadata"] = meta
	return o
}

// unowned are the fields that nobody manages.
var unowned = func() set {
	all := set{"f:apiVersion": set{}.add(true), "f:kind": set{}.add(true), "f:metadata": set{}.add(true)}
	for _, name := range []string{"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields", "resourceVersion"} {
		all["f:metadata"]["f:"+name] = set{}.add(true)
	}
	return all
}()

// counted returns the paths of a set that such a write can change.
func (w *Write) counted(a set) set {
	for _, name := range w.Ignored {
		a = a.without(strings.Split("f:"+strings.ReplaceAll(name, ".", ".f:"), ".")...)
	}
	return a
}

// take takes from the managers what a change from one object to another takes from them, and returns what is new. An apply that isn't
// forced fails instead. self, if it isn't nil, keeps what it has.
func (w *Write) take(all managers, self *manager, live, next object, force bool) (set, error) {
	d := w.Schema.compare(live, next)
	changed, removed := w.counted(d.changed.union(d.added)), w.counted(d.removed)
	conflicts := map[*manager]set{}
	for _, m := range all {
		if c := m.fields.intersection(changed); m != self && len(c) > 0 {
			conflicts[m] = c
		}
	}
	if len(conflicts) > 0 && !force {
		return nil, conflict(conflicts)
	}
	for id, m := range all {
		if m != self {
			m.fields = m.fields.minus(changed).minus(removed)
		}
		if len(m.fields) == 0 {
			delete(all, id)
		}
	}
	return changed, nil
}

// conflict says which fields are whose.
func conflict(owned map[*manager]set) *Conflict {
	c := &Conflict{}
	var lines []string
	for _, m := range slices.SortedFunc(maps.Keys(owned), func(a, b *manager) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.operation, b.operation), cmp.Compare(b.subresource, a.subresource))
	}) {
		lines = append(lines, "conflicts with "+m.title()+":")
		for _, field := range owned[m].texts() {
			c.Causes = append(c.Causes, Cause{field, "conflict with " + m.title()})
			lines = append(lines, "- "+field)
		}
	}
	c.Text = fmt.Sprintf("Apply failed with %d conflicts: %s", len(c.Causes), strings.Join(lines, "\n"))
	if len(c.Causes) == 1 {
		c.Text = "Apply failed with 1 conflict: " + c.Causes[0].Message + ": " + c.Causes[0].Field
	}
	return c
}

// update notes what an update has changed.
func (w *Write) update(all managers, live, next object, name string) {
	changed, _ := w.take(all, nil, live, next, true)
	if changed = changed.minus(unowned); len(changed) > 0 {
		m := &manager{name, updates, w.APIVersion, w.Subresource, nil, nil}
		if old := all[m.id()]; old != nil {
			m = old
		}
		m.fields, m.time = m.fields.union(changed), w.stamp()
		all[m.id()] = m
	}
}

func (w *Write) stamp() string { return w.Time.UTC().Format(time.RFC3339) }

// Update returns a new object with its managedFields, after a write that isn't an apply. An object that has none gets none, unless it
// is being created.
func (w *Write) Update(live, next object) object {
	all := w.read(live)
	meta, _ := live["metadata"].(object)
	live, next = bare(live), bare(next)
	if len(all) == 0 && meta["uid"] != nil {
		return next
	}
	if cmp.Or(w.Schema.check(live, false, 0), w.Schema.check(next, false, 0)) == nil {
		w.update(all, live, next, w.Manager)
	}
	return all.write(next)
}

// Apply returns an object with its managedFields after an apply. The error is a *Conflict, or says why the patch is none.
func (w *Write) Apply(live, patch object) (object, error) {
	if err := w.Schema.check(patch, true, 0); err != nil {
		return nil, fmt.Errorf("failed to create typed patch object: %w", err)
	}
	if err := w.Schema.check(live, false, 0); err != nil {
		return nil, fmt.Errorf("failed to create typed live object: %w", err)
	}
	all := w.read(live)
	if live = bare(live); len(all) == 0 {
		w.update(all, object{"apiVersion": live["apiVersion"], "kind": live["kind"]}, live, "before-first-apply")
	}
	self := &manager{w.Manager, applies, w.APIVersion, w.Subresource, nil, w.counted(w.Schema.fields(patch))}
	last := all[self.id()]
	next := w.Schema.merged(live, patch).(object)
	all[self.id()] = self
	if last != nil {
		self.time = last.time
		next = w.pruned(next, last.fields, all)
	}
	if _, err := w.take(all, self, live, next, w.Force); err != nil {
		return nil, err
	}
	if self.fields = self.fields.minus(unowned); len(self.fields) == 0 {
		delete(all, self.id())
	}
	if !reflect.DeepEqual(live, next) {
		self.time = w.stamp()
	}
	return all.write(next), nil
}

// pruned returns an object without what a manager applied last, and neither it nor another one wants now.
func (w *Write) pruned(o object, last set, all managers) object {
	s := w.Schema
	var managed set
	for _, m := range all {
		managed = managed.union(m.fields)
	}
	whole, last := s.named(s.fields(o)), s.named(last)
	left := s.named(s.fields(s.remove(o, last))).union(s.named(managed))
	left = s.named(s.fields(s.remove(o, whole.minus(left))))
	pruned, _ := s.remove(o, whole.minus(left).intersection(last)).(object)
	return pruned
}
