package driver

import (
	"errors"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
)

// objectSpec is an object as scripts write it.
type objectSpec struct {
	K   string            // namespace/name, or name
	RV  string            //
	UID string            //
	L   map[string]string // labels
	T   string            // "": the object; tomb, tombkey: in a tombstone; bad: no key can be made of it
}

// objects makes the rows of one Table and writes them as the scripts' answers
// do.
type objects struct {
	t      *object.Table
	stamps map[object.Ref]int // how often the stamping transformer has seen it

	// read is Read of the store that holds them, which knows what somebody has
	// changed in place; nil before there is one.
	read func(object.Ref) object.Ref
}

// noMeta is the name, which no object can have, that marks a row without
// metadata.
const noMeta = "\x00"

func newObjects(keyfn string) *objects {
	key := object.MetaNamespaceKeyFunc
	if keyfn == "uid" {
		key = func(t *object.Table, m object.Meta) (string, bool) { return t.Text(m.UID), true }
	}
	return &objects{stamps: map[object.Ref]int{}, t: object.NewTable(func(t *object.Table, m object.Meta) (string, bool) {
		if t.Equals(m.Name, noMeta) {
			return "", false
		}
		return key(t, m)
	})}
}

func (o *objects) ref(s *objectSpec) object.Ref {
	m := object.Meta{RV: o.t.RV(s.RV), UID: o.t.Sym(s.UID), Labels: o.labels(s.L)}
	if m.Name = o.t.Sym(noMeta); s.T != "bad" {
		ns, name, ok := strings.Cut(s.K, "/")
		if !ok {
			ns, name = "", s.K
		}
		m.Namespace, m.Name = o.t.Sym(ns), o.t.Sym(name)
	}
	return o.t.Add(m)
}

func (o *objects) labels(l map[string]string) object.Labels {
	var set []object.Label
	for name, value := range l {
		set = append(set, object.Label{Name: o.t.Sym(name), Value: o.t.Sym(value)})
	}
	slices.SortFunc(set, func(a, b object.Label) int { return o.t.CompareSyms(a.Name, b.Name) })
	return o.t.LabelSet(set)
}

func (o *objects) item(s *objectSpec) fifo.Item {
	if s == nil {
		s = &objectSpec{T: "bad"}
	}
	switch s.T {
	case "tomb":
		return fifo.Tombstone(o.t.Key(s.K), o.ref(s))
	case "tombkey":
		return fifo.Tombstone(o.t.Key(s.K), 0)
	}
	return fifo.Object(o.ref(s))
}

func (o *objects) list(specs []objectSpec) []object.Ref {
	refs := make([]object.Ref, 0, len(specs))
	for i := range specs {
		refs = append(refs, o.item(&specs[i]).Stored(o.t))
	}
	return refs
}

// text returns key@rv#uid{labels}~.
func (o *objects) text(r object.Ref) string {
	if r == 0 {
		return "nil"
	}
	if o.read != nil {
		r = o.read(r)
	}
	m := o.t.Meta(r)
	if o.t.IsTombstone(r) {
		return "DFSU(" + o.t.KeyText(m.Key) + "," + o.text(o.t.InTombstone(r)) + ")"
	}
	var b strings.Builder
	if o.t.Equals(m.Name, noMeta) {
		b.WriteString("bad")
	} else {
		text, _ := object.MetaNamespaceKeyFunc(o.t, m)
		b.WriteString(text + "@" + o.t.RVText(m.RV))
	}
	if m.UID != 0 {
		b.WriteString("#" + o.t.Text(m.UID))
	}
	if m.Labels != 0 {
		var set []string
		for _, l := range o.t.LabelsOf(m.Labels) {
			set = append(set, o.t.Text(l.Name)+"="+o.t.Text(l.Value))
		}
		b.WriteString("{" + strings.Join(set, ",") + "}")
	}
	return b.String() + strings.Repeat("~", o.stamps[r])
}

// equal reports whether client-go finds that two objects are one: the same pointer,
// or tombstones, which are values, with the same in them.
func (o *objects) equal(a, b object.Ref) bool {
	if a == b {
		return true
	}
	return o.t.IsTombstone(a) && o.t.IsTombstone(b) && o.t.Meta(a).Key == o.t.Meta(b).Key && o.equal(o.t.InTombstone(a), o.t.InTombstone(b))
}

func (o *objects) itemText(it fifo.Item) string {
	key := o.t.KeyText(it.Key)
	return strings.Repeat("DFSU("+key+",", int(it.Tomb)) + o.text(it.Obj) + strings.Repeat(")", int(it.Tomb))
}

func (o *objects) texts(refs []object.Ref) []string {
	out := []string{}
	for _, r := range refs {
		out = append(out, o.text(r))
	}
	return out
}

// transform returns the TransformFunc of that name: it stamps what passes, and
// with "fail" or "nometa" breaks on objects that have the label fail. With "types" it breaks on tombstones.
func (o *objects) transform(name string) fifo.TransformFunc {
	if name == "" {
		return nil
	}
	fail := o.t.Sym("fail")
	return func(t *object.Table, r object.Ref) (object.Ref, error) {
		if t.IsTombstone(r) {
			if name == "types" {
				return 0, errors.New("transform failed")
			}
			return r, nil
		}
		m := t.Meta(r)
		if _, ok := t.LabelValue(m.Labels, fail); ok {
			switch name {
			case "fail":
				return 0, errors.New("transform failed")
			case "nometa":
				return t.Add(object.Meta{Name: t.Sym(noMeta)}), nil
			}
		}
		c := t.Add(m)
		o.stamps[c] = o.stamps[r] + 1
		return c, nil
	}
}

// indexers returns the index functions of those names.
func (o *objects) indexers(names []string) (out []indexer.Named) {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue // Indexers are a map
		}
		in := indexer.Named{Name: name}
		label, isLabel := strings.CutPrefix(name, "label:")
		switch {
		case isLabel:
			in.Func = indexer.LabelIndexFunc(o.t.Sym(label))
		case name == "labels":
			in.Func = labelsIndexFunc
		case name == "failing":
			in.Func = o.failingIndexFunc()
		default:
			in.Func = indexer.MetaNamespaceIndexFunc
		}
		out = append(out, in)
	}
	return out
}

// labelsIndexFunc files an object under each of its labels.
func labelsIndexFunc(t *object.Table, r object.Ref, dst []object.Sym) ([]object.Sym, error) {
	for _, l := range t.LabelsOf(t.LabelSetOf(r)) {
		dst = append(dst, t.Sym(t.Text(l.Name)+"="+t.Text(l.Value)))
	}
	return dst, nil
}

func (o *objects) failingIndexFunc() indexer.IndexFunc {
	bad, ok := o.t.Sym("bad"), o.t.Sym("ok")
	return func(t *object.Table, r object.Ref, dst []object.Sym) ([]object.Sym, error) {
		if _, is := t.LabelValue(t.LabelSetOf(r), bad); is {
			return dst, errors.New("index function failed")
		}
		return append(dst, ok), nil
	}
}

// class names an error as the answers do.
func class(err error) string {
	switch {
	case errors.Is(err, object.ErrNoKey):
		return "KeyError"
	case hasErrorType[fifo.TransformError](err):
		return "TransformError"
	case hasErrorType[indexer.NoIndexError](err):
		return "NoSuchIndex"
	case hasErrorType[indexer.ConflictError](err):
		return "IndexerConflict"
	case err == indexer.ErrRunning:
		return "IndexerRunning"
	}
	return err.Error()
}

func hasErrorType[E error](err error) bool {
	return errors.As(err, new(E))
}

// fail puts err into out, if there is one.
func (out output) fail(err error) {
	if hasErrorType[indexer.Panicked](err) {
		out["panic"] = "unable to calculate an index entry"
	} else if err != nil {
		out["err"] = class(err)
	}
}
