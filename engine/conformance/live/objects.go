package live

import (
	"fmt"
	"reflect"
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

func options(o metav1.ListOptions) string {
	s := fmt.Sprintf("rv=%q", o.ResourceVersion)
	if o.ResourceVersionMatch != "" {
		s += " match=" + string(o.ResourceVersionMatch)
	}
	if o.Limit != 0 {
		s += fmt.Sprintf(" limit=%d", o.Limit)
	}
	if o.Continue != "" {
		s += fmt.Sprintf(" continue=%q", o.Continue)
	}
	if o.AllowWatchBookmarks {
		s += " bookmarks"
	}
	if sendsInitial(o) {
		s += " sendInitialEvents=true"
	}
	if shard := shardSelector(o); shard != "" {
		s += fmt.Sprintf(" shardSelector=%q", shard)
	}
	if o.TimeoutSeconds != nil {
		if n := *o.TimeoutSeconds; n >= 300 && n <= 600 {
			s += " timeout=[300,600]"
		} else {
			s += fmt.Sprintf(" timeout=%d", n)
		}
	}
	return s
}

// sendsInitial reads SendInitialEvents, which old versions do not have.
func sendsInitial(o metav1.ListOptions) bool {
	f := reflect.ValueOf(o).FieldByName("SendInitialEvents")
	return f.IsValid() && !f.IsNil() && f.Elem().Bool()
}

// shardSelector reads ShardSelector, which old versions do not have.
func shardSelector(o metav1.ListOptions) string {
	f := reflect.ValueOf(o).FieldByName("ShardSelector")
	if !f.IsValid() {
		return ""
	}
	return f.String()
}

// Op is one operation of a script.
type Op struct {
	Op string `json:"op"`

	Gates    map[string]bool `json:"gates,omitempty"`
	ResyncMs *int64          `json:"resyncMs,omitempty"`
	Indexers []string        `json:"indexers,omitempty"`
	Xform    string          `json:"xform,omitempty"`
	ID       string          `json:"id,omitempty"`
	Block    bool            `json:"block,omitempty"`
	Items    []Object        `json:"items,omitempty"`
	RV       string          `json:"rv,omitempty"`
	Cont     string          `json:"cont,omitempty"`
	Shard    string          `json:"shard,omitempty"` // of inf.new: KEY:INDEX/TOTAL; of inf.list: what ShardInfo says, "" for no ShardInfo
	Err      string          `json:"err,omitempty"`
	Events   []Event         `json:"events,omitempty"`
	N        int             `json:"n,omitempty"`
	Ms       int64           `json:"ms,omitempty"`
	NS       string          `json:"ns,omitempty"`
	Sel      string          `json:"sel,omitempty"`
	Value    string          `json:"value,omitempty"`

	L map[string]string `json:"l,omitempty"`

	Kind     string  `json:"kind,omitempty"` // of a queue; of the objects of inf.new, which are Unstructured then
	Known    *bool   `json:"known,omitempty"`
	Replaced bool    `json:"replaced,omitempty"`
	Keyfn    string  `json:"keyfn,omitempty"`
	O        *Object `json:"o,omitempty"`
	Batch    bool    `json:"batch,omitempty"`
	Ret      string  `json:"ret,omitempty"`
	Index    string  `json:"index,omitempty"`

	Limiter string  `json:"limiter,omitempty"`
	BaseMs  int64   `json:"baseMs,omitempty"`
	MaxMs   int64   `json:"maxMs,omitempty"`
	QPS     float64 `json:"qps,omitempty"`
	Burst   int     `json:"burst,omitempty"`
	Item    string  `json:"item,omitempty"`
}

// Object is an object as scripts write it.
type Object struct {
	K   string            `json:"k"`
	RV  string            `json:"rv"`
	UID string            `json:"uid,omitempty"`
	L   map[string]string `json:"l,omitempty"`
	T   string            `json:"t,omitempty"` // tomb, tombkey, bad
}

// Event is a watch event as scripts write it.
type Event struct {
	T   string  `json:"t"`
	O   *Object `json:"o,omitempty"`
	RV  string  `json:"rv,omitempty"`
	End bool    `json:"end,omitempty"`
	Err string  `json:"err,omitempty"`

	Other bool `json:"other,omitempty"` // its object is not of the kind that was asked for
}
