package manager

import (
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
)

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
			if owner := apiserver.Field(t, meta.Labels, apiserver.Owner); owner != "" {
				switch of := m.ownerAt(t, meta.Namespace, owner); {
				case of == 0:
					return i, deletion(meta), true
				case apiserver.HasFinalizer(t, of, apiserver.OrphanFinalizer):
					meta.Labels, meta.RV = apiserver.Singleton(t, apiserver.Owner, ""), 0
					return i, apiserver.Write{Verb: apiserver.Patch, Object: meta}, true
				case apiserver.HasFinalizer(t, of, apiserver.ForegroundFinalizer) && apiserver.Field(t, meta.Labels, apiserver.Deletion) == "":
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
