package testserver

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/informerscope/informerscope/engine/event"
)

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
	options, err := json.Marshal(o["deleteOptions"])
	if err != nil {
		panic(err) // it is made of JSON
	}
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

// budget is the PodDisruptionBudget that a pod's eviction needs, nil if it needs none.
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
	for _, key := range slices.Sorted(maps.Keys(budgets.items)) {
		b := budgets.items[key]
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
		case !sel.holds(pod.body):
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
