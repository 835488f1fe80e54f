package testserver

import (
	"maps"
	"slices"
	"time"
)

// collector does what the garbage collector of kube-controller-manager does: it deletes objects
// whose owners are all gone, ends deletions that wait for dependents, and orphans them.
type collector struct{ s *Server }

// run collects until the server is closed.
func (c collector) run() {
	s := c.s
	for {
		select {
		case <-s.written:
		case <-s.done:
			return
		}
		t := time.NewTimer(s.opts.CollectAfter)
		select {
		case <-t.C:
		case <-s.done:
			t.Stop()
			return
		}
		s.mu.Lock()
		c.sweep()
		c.terminate()
		s.mu.Unlock()
	}
}

// location is where an object is.
type location struct {
	kind *kind
	item *item
}

// owner is an entry of metadata.ownerReferences.
type owner struct {
	uid    string
	blocks bool
}

func ownersOf(o tree) (all []owner) {
	list, _ := metaOf(o)["ownerReferences"].([]any)
	for _, ref := range list {
		ref, _ := ref.(tree)
		blocks, _ := ref["blockOwnerDeletion"].(bool)
		all = append(all, owner{text(ref, "uid"), blocks})
	}
	return all
}

func hasFinalizer(o tree, name string) bool {
	list, _ := texts(metaOf(o)["finalizers"])
	return slices.Contains(list, name)
}

// sweep looks at every object once. What it writes has it called again.
func (c collector) sweep() {
	all := map[string]location{} // by uid
	var order []string
	for _, k := range c.s.kinds() {
		for _, key := range slices.Sorted(maps.Keys(k.items)) {
			uid := text(metaOf(k.items[key].body), "uid")
			all[uid] = location{k, k.items[key]}
			order = append(order, uid)
		}
	}
	blocked := map[string]bool{} // owners with dependents that must go first
	dependents := map[string][]location{}
	for _, uid := range order {
		p := all[uid]
		for _, o := range ownersOf(p.item.body) {
			dependents[o.uid] = append(dependents[o.uid], p)
			blocked[o.uid] = blocked[o.uid] || o.blocks
		}
	}
	for _, uid := range order {
		p := all[uid]
		switch owners := ownersOf(p.item.body); {
		case p.item.Deleting && hasFinalizer(p.item.body, "orphan"):
			for _, d := range dependents[uid] {
				c.edit(d, "ownerReferences", func(item any) bool { ref, _ := item.(tree); return text(ref, "uid") != uid })
			}
			c.edit(p, "finalizers", func(finalizer any) bool { return finalizer != "orphan" })
		case p.item.Deleting && hasFinalizer(p.item.body, "foregroundDeletion") && !blocked[uid]:
			c.edit(p, "finalizers", func(finalizer any) bool { return finalizer != "foregroundDeletion" })
		case p.item.Deleting || len(owners) == 0:
		default:
			c.judge(p, owners, all, blocked[uid])
		}
	}
}

// judge deletes an object if none of its owners is left, or if those that are wait for it. Else
// it forgets the owners that are gone.
func (c collector) judge(p location, owners []owner, all map[string]location, blocked bool) {
	lives, waits, gone := 0, 0, 0
	for _, o := range owners {
		switch owner, there := all[o.uid]; {
		case !there:
			gone++
		case owner.item.Deleting && hasFinalizer(owner.item.body, "foregroundDeletion"):
			waits++
		default:
			lives++
		}
	}
	switch {
	case lives == 0 && waits > 0 && blocked: // its own dependents go before it
		c.s.remove(p.kind, p.item, deletion{propagation: "Foreground"}) // without a precondition, nothing refuses it
	case lives == 0:
		c.s.remove(p.kind, p.item, deletion{propagation: "Background"})
	case gone+waits > 0:
		c.edit(p, "ownerReferences", func(item any) bool {
			ref, _ := item.(tree)
			owner, there := all[text(ref, "uid")]
			return there && !(owner.item.Deleting && hasFinalizer(owner.item.body, "foregroundDeletion"))
		})
	}
}

// edit keeps of a list in the metadata what is to stay.
func (c collector) edit(p location, field string, stays func(any) bool) {
	it := p.kind.items[p.kind.key(text(metaOf(p.item.body), "namespace"), text(metaOf(p.item.body), "name"))]
	if it == nil {
		return
	}
	body, meta := maps.Clone(it.body), maps.Clone(metaOf(it.body))
	list, _ := meta[field].([]any)
	var left []any
	for _, item := range list {
		if stays(item) {
			left = append(left, item)
		}
	}
	delete(meta, field)
	if len(left) > 0 {
		meta[field] = left
	}
	body["metadata"] = meta
	c.s.write(p.kind, it, body, false)
}
