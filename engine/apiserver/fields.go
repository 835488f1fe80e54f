package apiserver

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/object"
)

// A field of an object that is more than a label is kept among the labels, under a name
// that begins with a dot, as no label's does. These are the fields that the rules know.
// Every other one, such as .owner, belongs to the metadata, as labels do.
const (
	specFields   = ".spec."
	statusFields = ".status."
	Finalizers   = ".finalizers"
	Deletion     = ".deletionTimestamp" // when the deletion was asked for
	Generation   = ".generation"        // of an object that has a spec
	Owner        = ".owner"             // the controller among the owner references: NAME#UID
	Created      = ".creationTimestamp" // in whole seconds. A server with SimConfig.Ages writes it
)

// section is the part of the content to which a name belongs.
type section uint8

const (
	metaPart section = iota
	specPart
	statusPart
	finalizerPart
	serverPart // the server's own: no client writes it
)

// sectionOf returns the section of a name.
func sectionOf(t *object.Table, name object.Sym) section {
	if !t.Begins(name, '.') {
		return metaPart
	}
	switch n := t.Text(name); {
	case strings.HasPrefix(n, specFields):
		return specPart
	case strings.HasPrefix(n, statusFields):
		return statusPart
	case n == Finalizers:
		return finalizerPart
	case n == Deletion, n == Generation:
		return serverPart
	}
	return metaPart
}

// hasOnlyLabels reports whether an object has labels only.
func hasOnlyLabels(t *object.Table, l object.Labels) bool {
	return !slices.ContainsFunc(t.LabelsOf(l), func(x object.Label) bool { return t.Begins(x.Name, '.') })
}

// SameLabels reports whether two objects have the same labels, whatever their fields are.
func SameLabels(t *object.Table, a, b object.Labels) bool {
	return a == b || onlyLabels(t, a) == onlyLabels(t, b)
}

func onlyLabels(t *object.Table, l object.Labels) object.Labels {
	return t.LabelSet(slices.DeleteFunc(slices.Clone(t.LabelsOf(l)), func(x object.Label) bool { return t.Begins(x.Name, '.') }))
}

// pick returns the labels that belong to a section.
func pick(t *object.Table, l object.Labels, of section) int32 {
	var set []object.Label
	for _, x := range t.LabelsOf(l) {
		if sectionOf(t, x.Name) == of {
			set = append(set, x)
		}
	}
	return int32(t.LabelSet(set))
}

// contentOf returns the content of an object with these labels and fields.
func contentOf(t *object.Table, l object.Labels) registry.Content {
	if hasOnlyLabels(t, l) {
		return registry.Content{Meta: int32(l)}
	}
	return registry.Content{Meta: pick(t, l, metaPart), Spec: pick(t, l, specPart), Status: pick(t, l, statusPart), Finalizers: pick(t, l, finalizerPart)}
}

// objectOf returns a version of an object as the rules see it.
func objectOf(t *object.Table, r object.Ref) registry.Object {
	m := t.Meta(r)
	rv, _ := m.RV.Number()
	o := registry.Object{Key: m.Key, UID: m.UID, RV: int64(rv), Content: contentOf(t, m.Labels)}
	if o.Deleting = t.Field(m.Labels, Deletion) != ""; o.Spec != 0 {
		o.Generation, _ = strconv.ParseInt(t.Field(m.Labels, Generation), 10, 64)
	}
	return o
}

// HasFinalizer reports whether an object that is being deleted has a finalizer.
func HasFinalizer(t *object.Table, o object.Ref, name string) bool {
	l := t.LabelSetOf(o)
	return t.Field(l, Deletion) != "" && slices.Contains(strings.Split(t.Field(l, Finalizers), ","), name)
}

// addFinalizer returns labels and fields with one finalizer more, as
// deletionFinalizersForGarbageCollection does.
func addFinalizer(t *object.Table, l object.Labels, name string) object.Labels {
	return setFinalizers(t, l, append(strings.FieldsFunc(t.Field(l, Finalizers), isComma), name))
}

// DropFinalizer returns labels and fields without a finalizer.
func DropFinalizer(t *object.Table, l object.Labels, name string) object.Labels {
	return setFinalizers(t, l, slices.DeleteFunc(strings.FieldsFunc(t.Field(l, Finalizers), isComma), func(f string) bool { return f == name }))
}

func isComma(r rune) bool { return r == ',' }

func setFinalizers(t *object.Table, l object.Labels, all []string) object.Labels {
	return t.Merge(l, t.Singleton(Finalizers, strings.Join(all, ",")))
}

// initialLabels returns the labels and fields of a new object.
func initialLabels(t *object.Table, l object.Labels) object.Labels {
	if hasOnlyLabels(t, l) {
		return l
	}
	o := registry.Object{Content: contentOf(t, l), Generation: 1}
	o.Status = 0 // of a subresource, which a create doesn't write
	return labelsOf(t, &o, "")
}

// labelsOf returns the labels and fields of an object. Deletion is when its deletion was asked
// for, if it is being deleted.
func labelsOf(t *object.Table, o *registry.Object, deletion string) object.Labels {
	if !o.Deleting && o.Content == (registry.Content{Meta: o.Meta}) {
		return object.Labels(o.Meta)
	}
	var set []object.Label
	for _, l := range [...]int32{o.Meta, o.Spec, o.Status, o.Finalizers} {
		set = append(set, t.LabelsOf(object.Labels(l))...)
	}
	if o.Spec != 0 {
		set = append(set, object.Label{Name: t.Sym(Generation), Value: t.Sym(strconv.FormatInt(o.Generation, 10))})
	}
	if o.Deleting {
		set = append(set, object.Label{Name: t.Sym(Deletion), Value: t.Sym(deletion)})
	}
	sort.Slice(set, func(i, j int) bool { return t.CompareSyms(set[i].Name, set[j].Name) < 0 })
	return t.LabelSet(set)
}

// TimeOf returns the time that a field of an object has, in nanoseconds. It reports false for an object that has none. Created
// is missing where the object was there when the world began, and where its server has no Ages.
func TimeOf(t *object.Table, o object.Ref, field string) (at int64, ok bool) {
	text, ok := strings.CutSuffix(t.FieldOf(o, field), "s")
	seconds, err := strconv.ParseInt(text, 10, 64)
	return seconds * 1e9, ok && err == nil
}

// withCreation returns the labels and fields that a client writes, with the time of creation that the
// server says: "" for none.
func (cfg *SimConfig) withCreation(l object.Labels, created string) object.Labels {
	if !cfg.Ages {
		return l
	}
	return cfg.Table.Merge(l, cfg.Table.Singleton(Created, created))
}

// seconds returns a time as fields of objects tell it.
func seconds(now int64) string { return strconv.FormatInt(now/1e9, 10) + "s" }
