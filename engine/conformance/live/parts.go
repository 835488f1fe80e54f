package live

import (
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// parts compares on random scripts for queues alone and for indexers alone.
func (c *comparison) parts(t *testing.T) {
	no := false
	kinds := map[string]Op{
		"delta":       {Kind: "delta", Replaced: true},
		"delta-sync":  {Kind: "delta"},
		"delta-nil":   {Kind: "delta", Replaced: true, Known: &no},
		"delta-stamp": {Kind: "delta", Replaced: true, Xform: "stamp"},
		"delta-fail":  {Kind: "delta", Replaced: true, Xform: "fail"},
		"delta-types": {Kind: "delta", Replaced: true, Xform: "types"},
		"real":        {Kind: "real"},
		"real-fail":   {Kind: "real", Xform: "fail"},
		"real-types":  {Kind: "real", Xform: "types"},
		"atomic":      {Kind: "real-atomic"},
		"atomic-fail": {Kind: "real-atomic", Xform: "fail"},
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		op := kinds[name]
		op.Op = "fifo.new"
		has := func(writer *Version) bool {
			return writer.hasQueue(op.Kind, op.Xform) && (op.Xform != "fail" && op.Xform != "types" || writer.syncTransforms() == c.v.syncTransforms())
		}
		t.Run(name, func(t *testing.T) {
			c.run(t, has, func(writer *Version, seed int64) ([]Op, []string) { return queueScript(seeded(seed), op, writer), nil })
		})
	}
	t.Run("idx", func(t *testing.T) {
		c.run(t, allVersions, func(_ *Version, seed int64) ([]Op, []string) { return indexScript(seeded(seed)), nil })
	})
}

// allVersions reports that a version has the scripts that all versions have.
func allVersions(*Version) bool { return true }

func seeded(seed int64) *rand.Rand { return rand.New(rand.NewSource(seed)) }

// hasQueue reports whether a version has a kind of queue, with a transformer that has a name, or without one.
func (v *Version) hasQueue(kind, xform string) bool {
	switch {
	case v.delta() && strings.HasPrefix(kind, "real"), !v.atomic() && kind == "real-atomic":
		return false
	}
	return xform == "" || v.transforms()
}

func newWriter(r *rand.Rand, xform string) *writer {
	return &writer{kind: kind{xform: xform}, Rand: r, rv: 100, odd: r.Intn(4) == 0, objects: map[string]Object{}}
}

// changed returns a new version of an object. Now and then it is an object without a
// key, or a tombstone, which belongs in no Add and no Update.
func (w *writer) changed() *Object {
	if w.Intn(25) == 0 {
		return &Object{T: "bad"}
	}
	o := w.change().O
	if w.tombs && w.Intn(8) == 0 {
		o.T = w.pick("tomb", "tombkey")
	}
	return o
}

// deleted returns an object to delete, which may never have been there.
func (w *writer) deleted() *Object {
	o := w.changed()
	if w.Intn(4) == 0 && o.T == "" {
		o.T = w.pick("tomb", "tombkey")
	}
	return o
}

func queueScript(r *rand.Rand, open Op, v *Version) []Op {
	w := newWriter(r, open.Xform)
	w.tombs = w.odd
	script := []Op{{Op: "config"}, open}
	verbs := []string{"add", "add", "update", "update", "delete", "delete", "replace", "resync", "bookmark", "pop", "pop", "pop", "pop", "pop", "hasSynced"}
	if v.delta() {
		verbs = append(verbs, "addIfNotPresent")
	}
	if v.syncTransforms() && (open.Xform == "fail" || open.Xform == "types") {
		// A resync transforms there, and the order of a map decides where it
		// fails.
		verbs = slices.DeleteFunc(verbs, func(verb string) bool { return verb == "resync" })
	}
	if open.Kind != "real-atomic" && open.Known == nil {
		verbs = append(verbs, "known.add", "known.delete")
	}
	for range 20 + w.Intn(80) {
		op := Op{Op: w.pick(verbs...)}
		switch op.Op {
		case "add", "update", "known.add":
			op.O = w.changed()
		case "delete", "known.delete":
			op.O = w.deleted()
		case "replace":
			w.gap()
			op.Items, op.RV = w.heldObjects(), w.next()
		case "bookmark":
			op.RV = w.next()
		case "addIfNotPresent":
			op.O, op.Kind = w.changed(), w.pick("", "Added", "Updated", "Deleted", "Sync")
		case "pop":
			op.Batch = strings.HasPrefix(open.Kind, "real") && w.Intn(2) == 0
			if w.Intn(12) == 0 {
				op.Ret = w.pick("err", "requeue")
			}
		}
		if w.Intn(150) == 0 {
			op = Op{Op: "close"}
		}
		if !strings.Contains(op.Op, ".") {
			op.Op = "fifo." + op.Op
		}
		script = append(script, op)
	}
	return script
}

func indexScript(r *rand.Rand) []Op {
	w := newWriter(r, "")
	open := Op{Op: "idx.new", Indexers: []string{"namespace", "label:app", "labels"}[:w.Intn(4)]}
	// If one of several fails, the order of a map decides how far the others
	// come.
	failing := w.Intn(4) == 0
	if failing {
		open.Indexers = []string{"failing"}
	}
	w.tombs = w.odd && len(open.Indexers) == 0 // no index function takes a tombstone
	script := []Op{{Op: "config"}, open}
	for range 20 + w.Intn(60) {
		op := Op{Op: w.pick("add", "add", "update", "update", "delete", "replace", "get", "byIndex", "index", "indexKeys", "indexValues", "addIndexers", "list", "mutate")}
		switch op.Op {
		case "add", "update":
			if op.O = w.changed(); failing && w.Intn(6) == 0 && op.O.T == "" {
				op.O.L = map[string]string{"bad": "1"}
			}
		case "delete":
			op.O = w.deleted()
		case "replace":
			w.gap()
			op.Items, op.RV = w.heldObjects(), w.next()
		case "get":
			op.Value = w.change().O.K
		case "byIndex", "indexKeys", "indexValues":
			op.Index = w.pick("namespace", "label:app", "labels", "failing", "nope")
			op.Value = w.pick("a", "b", "web", "db", "app=web", "tier=1", "ok")
		case "index":
			op.Index, op.O = w.pick("namespace", "label:app", "labels", "nope"), w.change().O
		case "addIndexers":
			if failing || w.tombs {
				continue
			}
			op.Indexers = []string{w.pick("namespace", "label:app", "label:tier", "labels")}
		case "list":
			if w.tombs {
				continue
			}
			op.NS, op.Sel = w.pick("", "a", "b"), w.pick("", "app=web", "app!=web", "tier", "!tier", "app in (web,db)")
		case "mutate":
			if failing {
				continue
			}
			script = w.mutate(script, "idx")
			continue
		}
		op.Op = "idx." + op.Op
		script = append(script, op)
	}
	return script
}
