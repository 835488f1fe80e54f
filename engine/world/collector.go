package world

import (
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
)

// The garbage collector of kube-controller-manager, as an outside world that follows the
// owners of objects. It sees the servers as they are, a fixed time after each write, and
// makes one write at a time.

// wakeCollector makes the collector look some time after a write.
func wakeCollector(w *World) {
	if w.collects == 0 {
		return
	}
	if id := w.collector; w.Set.State(id).Wait != actor.OnTimer {
		w.Set.Sleep(id, actor.CollectorLook, actor.OnTimer, w.Set.Now+w.collects)
	}
}

// collect is a turn of the collector: it makes the first write that there is to make.
func collect(w *World, id actor.ID) {
	w.Set.Block(id, actor.CollectorLook, actor.OnCond, 0)
	if i, q, found := garbage(w); found {
		w.Last.Informer = int16(i)
		put(w, i, q) // which wakes the collector
	}
}

// garbage is the next write of the collector, and the number of an informer of the resource.
func garbage(w *World) (informer int, q apiserver.Write, found bool) {
	for i, x := range w.Informers {
		server := w.Simulated(i)
		if server == nil {
			continue
		}
		t := x.Config().Table
		for _, o := range server.Storage.Objects(nil) {
			m := t.Meta(o)
			if owner := apiserver.Field(t, m.Labels, apiserver.Owner); owner != "" {
				switch of := ownerAt(w, t, m.Namespace, owner); {
				case of == 0:
					return i, deletion(m), true
				case apiserver.HasFinalizer(t, of, apiserver.OrphanFinalizer):
					m.Labels, m.RV = apiserver.Singleton(t, apiserver.Owner, ""), 0
					return i, apiserver.Write{Verb: apiserver.Patch, Object: m}, true
				case apiserver.HasFinalizer(t, of, apiserver.ForegroundFinalizer) && apiserver.Field(t, m.Labels, apiserver.Deletion) == "":
					return i, deletion(m), true
				}
			}
			for _, f := range [...]string{apiserver.OrphanFinalizer, apiserver.ForegroundFinalizer} {
				if apiserver.HasFinalizer(t, o, f) && !owns(w, t, o) {
					m.Labels, m.RV = apiserver.DropFinalizer(t, m.Labels, f), 0
					return i, apiserver.Write{Verb: apiserver.Update, Object: m}, true
				}
			}
		}
	}
	return 0, q, false
}

// deletion is the delete of an object, with its uid as precondition.
func deletion(m object.Meta) apiserver.Write {
	m.RV = 0
	return apiserver.Write{Verb: apiserver.Delete, Object: m}
}

// ownerAt is the object of a namespace that an owner NAME#UID stands for, 0 if there is none.
func ownerAt(w *World, t *object.Table, namespace object.Sym, owner string) object.Ref {
	name, uid, _ := strings.Cut(owner, "#")
	for i, x := range w.Informers {
		server := w.Simulated(i)
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
func owns(w *World, t *object.Table, o object.Ref) bool {
	owner := ownerText(t, o)
	for i, x := range w.Informers {
		if x.Config().Table == t && len(ownedBy(t, w.Held(i), owner, nil)) > 0 {
			return true
		}
	}
	return false
}
