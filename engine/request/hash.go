package request

import "github.com/informerscope/informerscope/engine/actor"

// Hash adds the request's state.
func (r *Request) Hash(h *actor.Hash) {
	h.Bool(r.watch)
	h.Add(uint64(r.retries))
}
