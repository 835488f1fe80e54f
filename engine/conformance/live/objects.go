package live

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// indexers returns the index functions of those names.
func indexers(names []string) cache.Indexers {
	out := cache.Indexers{}
	for _, name := range names {
		switch label, isLabel := strings.CutPrefix(name, "label:"); {
		case isLabel:
			out[name] = func(o any) ([]string, error) {
				if v, ok := o.(metav1.Object).GetLabels()[label]; ok {
					return []string{v}, nil
				}
				return nil, nil
			}
		case name == "labels":
			out[name] = func(o any) ([]string, error) {
				var values []string
				for k, v := range o.(metav1.Object).GetLabels() {
					values = append(values, k+"="+v)
				}
				slices.Sort(values) // since v0.38 their order counts
				return values, nil
			}
		case name == "failing":
			out[name] = func(o any) ([]string, error) {
				if _, bad := o.(metav1.Object).GetLabels()["bad"]; bad {
					return nil, fmt.Errorf("index function failed")
				}
				return []string{"ok"}, nil
			}
		default:
			out[name] = cache.MetaNamespaceIndexFunc
		}
	}
	return out
}

// bare is an object without metadata.
type bare struct{ stamps int }

func transform(name string) Transform {
	if name == "" {
		return nil
	}
	return func(o any) (any, error) {
		if b, ok := o.(*bare); ok {
			return &bare{b.stamps + 1}, nil
		}
		m, ok := o.(*metav1.PartialObjectMetadata)
		if !ok { // a tombstone, up to v0.30
			if name == "types" {
				return nil, fmt.Errorf("transform failed")
			}
			return o, nil
		}
		if _, bad := m.Labels["fail"]; bad {
			switch name {
			case "fail":
				return nil, fmt.Errorf("transform failed")
			case "nometa":
				return &bare{}, nil
			}
		}
		c := m.DeepCopy()
		c.GenerateName += "~"
		return c, nil
	}
}

func object(o *Object) *metav1.PartialObjectMetadata {
	ns, name, ok := strings.Cut(o.K, "/")
	if !ok {
		ns, name = "", o.K
	}
	m := &metav1.PartialObjectMetadata{}
	m.Namespace, m.Name, m.ResourceVersion, m.UID, m.Labels = ns, name, o.RV, types.UID(o.UID), o.L
	return m
}

// text writes key@rv#uid{labels}~.
func text(o any) string {
	if b, ok := o.(*bare); ok {
		return "bad" + strings.Repeat("~", b.stamps)
	}
	if d, ok := o.(cache.DeletedFinalStateUnknown); ok {
		return "DFSU(" + d.Key + "," + text(d.Obj) + ")"
	}
	if o == nil {
		return "nil"
	}
	m := o.(metav1.Object)
	s := m.GetName()
	if m.GetNamespace() != "" {
		s = m.GetNamespace() + "/" + m.GetName()
	}
	s += "@" + m.GetResourceVersion()
	if m.GetUID() != "" {
		s += "#" + string(m.GetUID())
	}
	var set []string
	for k, v := range m.GetLabels() {
		set = append(set, k+"="+v)
	}
	if slices.Sort(set); len(set) > 0 {
		s += "{" + strings.Join(set, ",") + "}"
	}
	return s + m.GetGenerateName()
}
