package manager

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/controller/replicaset"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
)

// ownerText returns the owner that the children of an object have: NAME#UID.
func ownerText(t *object.Table, owner object.Ref) string {
	m := t.Meta(owner)
	return t.Text(m.Name) + "#" + t.Text(m.UID)
}

func ownedBy(t *object.Table, list []object.Ref, owner string, dst []object.Ref) []object.Ref {
	for _, o := range list {
		if t.FieldOf(o, apiserver.Owner) == owner {
			dst = append(dst, o)
		}
	}
	return dst
}

// byOwner is an index of a store by the owner of its objects.
type byOwner struct {
	t *object.Table
	x *informer.Informer
}

func (b byOwner) IndexKeys(owner string, dst []object.Key) []object.Key {
	for _, o := range ownedBy(b.t, b.x.Indexer.List(nil), owner, nil) {
		dst = append(dst, b.t.KeyOf(o))
	}
	return dst
}

func (b byOwner) Has(o object.Ref, owner string) bool {
	return len(ownedBy(b.t, []object.Ref{o}, owner, nil)) > 0
}

// children appends the objects of an owner as a controller with that guard reads them now.
func (m *Manager) children(g *guard.Guard, owns int, owner string, dst []object.Ref) []object.Ref {
	x := m.Informers[owns]
	t := x.Config().Table
	switch g.Kind {
	case guard.Live:
		return ownedBy(t, m.Objects(owns), owner, dst)
	case guard.Mutation:
		all, _ := g.Mutations[guard.Children].ByIndex(byOwner{t, x}, owner, x.Indexer, m.Set.Now, nil)
		for _, e := range all {
			dst = append(dst, e.Obj)
		}
		return dst
	}
	return ownedBy(t, x.Indexer.List(nil), owner, dst)
}

// ownerOf returns the key of an object's owner, 0 for none.
func ownerOf(t *object.Table, o object.Ref) object.Key {
	m := t.Meta(o)
	name, _, owned := strings.Cut(t.Field(m.Labels, apiserver.Owner), "#")
	if !owned {
		return 0
	}
	m.Name = t.Sym(name)
	return t.MakeKey(m)
}

// keyInLabel returns the key of the object that a label of o names, 0 for none. It is in the namespace of o.
func keyInLabel(t *object.Table, o object.Ref, label string) object.Key {
	m := t.Meta(o)
	name := t.Field(m.Labels, label)
	if name == "" {
		return 0
	}
	m.Name = t.Sym(name)
	return t.MakeKey(m)
}

// pod returns what kube-controller-manager reads of a pod, as far as an object of the engine
// has it.
func pod(t *object.Table, o object.Ref) replicaset.Pod {
	m := t.Meta(o)
	created, _ := apiserver.TimeOf(t, o, apiserver.Created)
	since, ready := apiserver.TimeOf(t, o, ".status.readySince")
	return replicaset.Pod{
		UID: m.UID, Created: created / 1e9, Ready: ready, ReadySince: since / 1e9,
		Phase: phases[t.Field(m.Labels, ".status.phase")], Deleting: t.Field(m.Labels, apiserver.Deletion) != "",
	}
}

// phases are the values of .status.phase. Without it, a pod is Pending.
var phases = map[string]replicaset.Phase{
	"Unknown": replicaset.Unknown, "Running": replicaset.Running, "Succeeded": replicaset.Succeeded, "Failed": replicaset.Failed,
}

// selector is the field of an owner with its matchLabels: NAME=VALUE, with commas between
// them. The children that a program makes have these labels.
const selector = ".spec.selector"

// selected returns the labels that the selector of an owner asks for.
func selected(t *object.Table, owner object.Labels) (all []object.Label) {
	for part := range strings.SplitSeq(t.Field(owner, selector), ",") {
		if name, value, ok := strings.Cut(part, "="); ok {
			all = append(all, object.Label{Name: t.Sym(name), Value: t.Sym(value)})
		}
	}
	return all
}

// Selects reports whether the selector of an owner matches an object of its namespace. One
// without a selector matches nothing.
func Selects(t *object.Table, owner, o object.Ref) bool {
	all, l := selected(t, t.LabelSetOf(owner)), t.LabelSetOf(o)
	return len(all) > 0 && t.Meta(owner).Namespace == t.Meta(o).Namespace && !slices.ContainsFunc(all, func(x object.Label) bool {
		v, _ := t.LabelValue(l, x.Name)
		return v != x.Value
	})
}

// Collect begins to collect garbage, some nanoseconds after each write.
func (d Driver) Collect(after int64) {
	d.collects = after
	d.collector = d.Set.ActorOf(actor.Role{Kind: actor.Collector})
	d.Set.Block(d.collector, actor.CollectorLook, actor.OnCond, 0)
}

// collect makes a turn of the collector: it makes the first write that there is to make. It
// returns an informer of the resource that it has looked at.
func (d Driver) collect(id actor.ID, role actor.Role) int16 {
	d.Set.Block(id, actor.CollectorLook, actor.OnCond, 0)
	i, q, found := d.garbage()
	if !found {
		return role.Informer
	}
	d.Write(i, q) // which wakes the collector
	return int16(i)
}

// garbage returns the next write of the collector, and the number of an informer of the resource.
func (m *Manager) garbage() (informer int, q apiserver.Write, found bool) {
	for i, x := range m.Informers {
		server := m.Simulated(i)
		if server == nil {
			continue
		}
		t := x.Config().Table
		for _, o := range server.Storage.Objects(nil) {
			meta := t.Meta(o)
			if owner := t.Field(meta.Labels, apiserver.Owner); owner != "" {
				switch owned := m.ownerAt(t, meta.Namespace, owner); {
				case owned == 0:
					return i, deletion(meta), true
				case apiserver.HasFinalizer(t, owned, apiserver.OrphanFinalizer):
					meta.Labels, meta.RV = t.Singleton(apiserver.Owner, ""), 0
					return i, apiserver.Write{Verb: apiserver.Patch, Object: meta}, true
				case apiserver.HasFinalizer(t, owned, apiserver.ForegroundFinalizer) && t.Field(meta.Labels, apiserver.Deletion) == "":
					return i, deletion(meta), true
				}
			}
			for _, f := range [...]string{apiserver.OrphanFinalizer, apiserver.ForegroundFinalizer} {
				if apiserver.HasFinalizer(t, o, f) && !m.owns(t, o) {
					meta.Labels, meta.RV = apiserver.DropFinalizer(t, meta.Labels, f), 0
					return i, apiserver.Write{Verb: apiserver.Update, Object: meta}, true
				}
			}
		}
	}
	return 0, q, false
}

// deletion returns the delete of an object, with its uid as precondition.
func deletion(m object.Meta) apiserver.Write {
	m.RV = 0
	return apiserver.Write{Verb: apiserver.Delete, Object: m}
}

// ownerAt returns the object of a namespace that an owner NAME#UID stands for, 0 if there is none.
func (m *Manager) ownerAt(t *object.Table, namespace object.Sym, owner string) object.Ref {
	name, uid, _ := strings.Cut(owner, "#")
	for i, x := range m.Informers {
		server := m.Simulated(i)
		if server == nil || x.Config().Table != t {
			continue
		}
		o := server.Storage.Get(t.MakeKey(object.Meta{Namespace: namespace, Name: t.Sym(name)}))
		if o != 0 && t.Text(t.Meta(o).UID) == uid {
			return o
		}
	}
	return 0
}

// owns reports whether there are objects whose owner is o.
func (m *Manager) owns(t *object.Table, o object.Ref) bool {
	owner := ownerText(t, o)
	for i, x := range m.Informers {
		if x.Config().Table == t && len(ownedBy(t, m.Objects(i), owner, nil)) > 0 {
			return true
		}
	}
	return false
}
