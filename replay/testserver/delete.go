package testserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/event"
)

// deletion is what a delete asks for, metav1.DeleteOptions.
type deletion struct {
	grace       *int64
	propagation string
	uid, rv     string
	dry         bool
}

// deletion reads the options from the body and the query.
func (r *request) deletion() (d deletion, f *failure) {
	b, f := r.written()
	if f != nil {
		return d, f
	}
	return r.deletionOf(b)
}

// deletionOf reads the options from b, and from the query.
func (r *request) deletionOf(b []byte) (d deletion, f *failure) {
	var options struct {
		GracePeriodSeconds *int64
		PropagationPolicy  string
		OrphanDependents   *bool
		DryRun             []string
		Preconditions      struct{ UID, ResourceVersion string }
	}
	if len(b) > 0 {
		if err := json.Unmarshal(b, &options); err != nil {
			return d, badRequest("the options of the delete are unrecognized: %v", err)
		}
	}
	if g := r.query.Get("gracePeriodSeconds"); g != "" {
		n, err := strconv.ParseInt(g, 10, 64)
		if err != nil {
			return d, badRequest("gracePeriodSeconds: %v", err)
		}
		options.GracePeriodSeconds = &n
	}
	if p := r.query.Get("propagationPolicy"); p != "" {
		options.PropagationPolicy = p
	}
	dry, f := dryRun(options.DryRun, http.MethodDelete)
	switch {
	case f != nil:
		return d, f
	case options.OrphanDependents != nil && *options.OrphanDependents:
		options.PropagationPolicy = "Orphan"
	case !slices.Contains([]string{"", "Background", "Foreground", "Orphan"}, options.PropagationPolicy):
		return d, fail(http.StatusUnprocessableEntity, "Invalid", "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: %q", options.PropagationPolicy)
	}
	return deletion{options.GracePeriodSeconds, options.PropagationPolicy, options.Preconditions.UID, options.Preconditions.ResourceVersion, dry || r.dry}, nil
}

func (s *Server) delete(r *request) (int, any, *failure) {
	d, f := r.deletion()
	if f != nil {
		return 0, nil, f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it, f := s.lookup(r)
	if f != nil {
		return 0, nil, f
	}
	v, gone, f := s.remove(r.kind, it, d)
	if gone && !d.dry {
		v = r.kind.versions[len(r.kind.versions)-1] // the deletion has given the object a resourceVersion
	}
	switch {
	case f != nil:
		return 0, nil, f
	case gone && r.kind.qualified() != "pods" && r.kind.qualified() != "services":
		details := tree{"name": r.name, "kind": r.kind.Name, "uid": metaOf(v.body)["uid"]}
		if r.kind.Group != "" {
			details["group"] = r.kind.Group
		}
		return http.StatusOK, tree{"kind": "Status", "apiVersion": "v1", "metadata": tree{}, "status": "Success", "details": details}, nil
	}
	return http.StatusOK, r.representation(v), nil
}

// remove deletes an object, or marks it. What collects an owner's dependents is a
// controller, and not here: with Foreground and Orphan the object waits for it.
func (s *Server) remove(k *kind, it *item, d deletion) (v *version, gone bool, f *failure) {
	meta := maps.Clone(metaOf(it.body))
	name := text(meta, "name")
	if d.uid != "" && it.Meets(k.table.Sym(d.uid), 0).Failed() {
		return nil, false, k.conflict(name, fmt.Sprintf("Precondition failed: UID in precondition: %s, UID in object meta: %s", d.uid, meta["uid"]))
	}
	if d.rv != "" && d.rv != meta["resourceVersion"] {
		return nil, false, k.conflict(name, fmt.Sprintf("Precondition failed: ResourceVersion in precondition: %s, ResourceVersion in object meta: %s", d.rv, meta["resourceVersion"]))
	}
	body := maps.Clone(it.body)
	body["metadata"] = meta
	have := it.Object
	if wait := map[string]string{"Foreground": "foregroundDeletion", "Orphan": "orphan"}[d.propagation]; wait != "" && !have.Deleting {
		list, _ := meta["finalizers"].([]any)
		if !slices.Contains(list, any(wait)) {
			meta["finalizers"] = append(slices.Clone(list), wait)
		}
		have.Finalizers = s.partNumber(meta["finalizers"])
	}
	switch k.qualified() {
	case "namespaces":
		body = withStatus(body, tree{"phase": "Terminating"})
		have.Finalizers = s.content(k, body).Finalizers
	case crds:
		if hasFinalizer(body, crdFinalizer) && !have.Deleting && !d.dry {
			v := s.mark(k, have, body, 0, false)
			s.undefine(k, k.items[name])
			return v, k.items[name] == nil, nil
		}
	}
	grace := k.grace(it.body, d.grace)
	if k.qualified() == "pods" && grace == 0 && !have.Deleting && have.Finalizers == 0 && !d.dry {
		s.mark(k, have, body, 0, false)
		return s.remove(k, k.items[k.key(text(meta, "namespace"), name)], deletion{grace: new(int64)})
	}
	next, answer := have.Deleted(grace > 0)
	switch answer {
	case registry.NoChange:
		return it.version, false, nil
	case registry.Removed:
		return s.bury(k, it, next, body, d.dry), true, nil
	}
	return s.mark(k, next, body, grace, d.dry), false, nil
}

// mark notes in an object that it is being deleted. A pod that nothing keeps is marked, too, before it is gone.
func (s *Server) mark(k *kind, next registry.Object, body tree, grace int64, dry bool) *version {
	if k.Generation {
		next.Generation++ // as a real server counts it
	}
	meta := metaOf(body)
	meta["deletionTimestamp"] = stamp(time.Now().Add(time.Duration(grace) * time.Second))
	if k.qualified() != "namespaces" {
		meta["deletionGracePeriodSeconds"] = grace
	}
	next.Deleting = true
	return s.commit(k, next, body, event.Updated, dry)
}

// grace returns how many seconds a deletion leaves to the object: none but to a pod on a node,
// whose kubelet ends it.
func (k *kind) grace(o tree, asked *int64) int64 {
	phase := fieldOf(o, "status.phase")
	if k.Kind != "Pod" || fieldOf(o, "spec.nodeName") == "" || phase == "Succeeded" || phase == "Failed" {
		return 0
	}
	if asked != nil {
		return max(*asked, 0)
	}
	if n, err := strconv.ParseInt(fieldOf(o, "spec.terminationGracePeriodSeconds"), 10, 64); err == nil {
		return max(n, 0)
	}
	return 30
}

func (s *Server) deleteCollection(r *request) (int, any, *failure) {
	sel, f := s.selection(r)
	if f != nil {
		return 0, nil, f
	}
	d, f := r.deletion()
	if f != nil {
		return 0, nil, f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	meta := tree{"resourceVersion": strconv.FormatInt(s.rv, 10)}
	if r.kind.custom() && !r.meta && !r.table {
		meta["continue"] = ""
	}
	sel.shards.annotate(meta)
	list := []*version{}
	for _, key := range r.kind.keys() {
		if it := s.item(r.kind, key); it != nil && sel.matches(it.body) {
			v, _, f := s.remove(r.kind, it, d)
			if f != nil {
				return 0, nil, f
			}
			list = append(list, v)
		}
	}
	return http.StatusOK, r.shownList(meta, list), nil
}

// evict deletes a pod, if the disruption budgets that select it allow that.
func (s *Server) evict(r *request) (int, any, *failure) {
	if r.Method != http.MethodPost {
		return 0, nil, methodNotAllowed()
	}
	o, f := r.object()
	if f != nil {
		return 0, nil, f
	}
	if kind := text(o, "kind"); kind != "" && kind != "Eviction" {
		return 0, nil, badRequest("%s in version %q cannot be handled as an Eviction", kind, text(o, "apiVersion"))
	}
	if name := text(metaOf(o), "name"); name != r.name {
		return 0, nil, badRequest("name in URL does not match name in Eviction object")
	}
	options := asJSON(o["deleteOptions"])
	d, f := r.deletionOf(options)
	if f != nil {
		return 0, nil, f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it, f := s.lookup(r)
	if f != nil {
		return 0, nil, f
	}
	budget, f := s.budget(r, it)
	if f != nil {
		return 0, nil, f
	}
	if budget != nil {
		if f := s.spend(budget, r.name, d.dry); f != nil {
			return 0, nil, f
		}
	}
	if _, _, f := s.remove(r.kind, it, d); f != nil {
		return 0, nil, f
	}
	return http.StatusCreated, tree{"kind": "Status", "apiVersion": "v1", "metadata": tree{}, "status": "Success", "code": http.StatusCreated}, nil
}

// budget returns the PodDisruptionBudget that a pod's eviction needs, nil if it needs none.
func (s *Server) budget(r *request, pod *item) (*item, *failure) {
	switch fieldOf(pod.body, "status.phase") {
	case "Succeeded", "Failed", "Pending":
		return nil, nil
	}
	if pod.Deleting {
		return nil, nil
	}
	budgets := s.kindOf("policy", "v1", "poddisruptionbudgets")
	var found *item
	if budgets == nil { // of a Recording without them
		return nil, nil
	}
	for _, key := range budgets.keys() {
		b := s.item(budgets, key)
		if b == nil {
			continue
		}
		spec, _ := b.body["spec"].(tree)
		in, has := spec["selector"].(tree)
		if text(metaOf(b.body), "namespace") != r.namespace || !has {
			continue
		}
		labels, f := labelSelector(selectorText(in))
		if f != nil {
			return nil, f
		}
		sel := selection{labels: labels}
		switch {
		case !sel.matches(pod.body):
		case found != nil:
			return nil, fail(http.StatusInternalServerError, "InternalError", "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.")
		default:
			found = b
		}
	}
	return found, nil
}

// spend takes one disruption from a budget.
func (s *Server) spend(b *item, pod string, dry bool) *failure {
	status, _ := b.body["status"].(tree)
	name := text(metaOf(b.body), "name")
	number := func(field string) int {
		n, _ := strconv.Atoi(fieldOf(status, field))
		return n
	}
	refused := fail(http.StatusTooManyRequests, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.")
	switch allowed := number("disruptionsAllowed"); {
	case int64(number("observedGeneration")) < b.Generation:
		refused.retryAfter = 10
		refused.details = tree{"causes": []any{tree{"reason": "DisruptionBudget", "message": "The disruption budget " + name + " is still being processed by the server."}}}
		return refused
	case allowed <= 0:
		refused.details = tree{"causes": []any{tree{"reason": "DisruptionBudget", "message": "The disruption budget " + name + " needs " + strconv.Itoa(number("desiredHealthy")) + " healthy pods and has " + strconv.Itoa(number("currentHealthy")) + " currently"}}}
		return refused
	default:
		status = maps.Clone(status)
		status["disruptionsAllowed"] = json.Number(strconv.Itoa(allowed - 1))
	}
	disrupted, _ := status["disruptedPods"].(tree)
	disrupted = maps.Clone(disrupted)
	if disrupted == nil {
		disrupted = tree{}
	}
	disrupted[pod] = stamp(time.Now())
	status["disruptedPods"] = disrupted
	k := s.kindOf("policy", "v1", "poddisruptionbudgets")
	body := withStatus(b.body, status)
	next, _ := b.StatusUpdated(s.content(k, body))
	s.commit(k, next, body, event.Updated, dry)
	return nil
}

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
