package indexer

import "github.com/informerscope/informerscope/engine/object"

// NamespaceIndex is the name under which informers keep the namespace index,
// cache.NamespaceIndex.
const NamespaceIndex = "namespace"

// MetaNamespaceIndexFunc files an object under its namespace,
// cache.MetaNamespaceIndexFunc.
func MetaNamespaceIndexFunc(t *object.Table, r object.Ref, dst []object.Sym) ([]object.Sym, error) {
	return append(dst, t.NamespaceOf(r)), nil
}

// LabelIndexFunc files an object under its value of the label name. Objects
// without that label are not filed.
func LabelIndexFunc(name object.Sym) IndexFunc {
	return func(t *object.Table, r object.Ref, dst []object.Sym) ([]object.Sym, error) {
		if v, ok := t.LabelValue(t.LabelSetOf(r), name); ok {
			dst = append(dst, v)
		}
		return dst, nil
	}
}
