package readyourwrites

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// Client is what consistentClient keeps for one kind in one representation. A typed and
// an unstructured client of a kind don't know of each other's writes.
type Client struct {
	Handler
	Barriers
	Registered bool // the informer has synced, and the handler with it
}

// CopyFrom makes c equal to src.
func (c *Client) CopyFrom(src *Client) {
	c.Handler.copyFrom(&src.Handler)
	c.Barriers.copyFrom(&src.Barriers)
	c.Registered = src.Registered
}

// Hash adds what the client knows.
func (c *Client) Hash(h *actor.Hash) {
	h.Bool(c.Registered)
	c.Handler.Hash(h)
	c.Barriers.Hash(h)
}

// Write is a create, update, patch or delete that was sent.
type Write struct {
	Key   object.Key
	UID   object.Sym // of a delete; 0 for other writes
	batch Batch
}

// BeginWrite does what comes before the request. The caller sends it once Registered is
// true. A create with generateName has the key of the empty name.
func (c *Client) BeginWrite(k object.Key) Write { return Write{Key: k, batch: c.begin(k)} }

// BeginDelete does what BeginWrite does, for the delete of an object. Its uid is the precondition's,
// else the given object's, else the cached object's, which may be an older one.
func (c *Client) BeginDelete(k object.Key, uid object.Sym) Write {
	w := c.BeginWrite(k)
	w.UID = uid
	c.AddPendingDelete(k, uid)
	return w
}

// EndWrite does what comes after the answer. The key is the object's, which a create with
// generateName has only learnt from it. The rv is the answer's, and 0 if the object is
// gone. If the request failed, nothing is noted, even if the server has done it.
func (c *Client) EndWrite(w Write, k object.Key, rv int64, failed bool) {
	if w.UID != 0 && (failed || rv != 0) {
		c.RemovePendingDelete(w.Key, w.UID)
	}
	if !failed && rv != 0 {
		c.SetMinimumRV(k, rv)
	}
	c.release(w.Key, w.batch)
}

// Wait says what a read waits for.
type Wait uint8

// What a read waits for, in the order in which it does.
const (
	OnBarrier  Wait = iota // writes that began before it
	OnInformer             // Registered
	OnRV                   // an event of the resourceVersion RV, or a later one
	OnDeletes              // events that show the deletes of UIDs
	OnNothing              // it reads the cache
)

// Read is a Get or a List on its way.
type Read struct {
	Key  object.Key // of a Get
	List bool
	Wait Wait
	RV   int64
	UIDs []object.Sym // in the order of their numbers

	batches []Batch
}

// BeginRead begins a Get of k, or a List.
func (c *Client) BeginRead(k object.Key, list bool) Read {
	r := Read{Key: k, List: list}
	if list {
		r.batches = c.sealAll(nil)
	} else {
		r.batches = c.seal(k, nil)
	}
	return r
}

// Step lets r go on as far as it can, and returns what it waits for. What it has to see
// is settled when the informer is ready: later writes don't make it wait longer.
func (c *Client) Step(r *Read) Wait {
	if r.Wait == OnBarrier && c.answered(r.batches) {
		r.Wait = OnInformer
	}
	if r.Wait == OnInformer && c.Registered {
		r.Wait = OnRV
		for _, d := range c.deletes {
			if (r.List || d.Key == r.Key) && !slices.Contains(r.UIDs, d.UID) { // a precondition may name another object's UID
				r.UIDs = append(r.UIDs, d.UID)
			}
		}
		slices.SortFunc(r.UIDs, cmp.Compare)
		for _, m := range c.minimums {
			if r.List || m.Key == r.Key {
				r.RV = max(r.RV, m.RV)
			}
		}
	}
	if r.Wait == OnRV && c.observedRV >= r.RV {
		r.Wait = OnDeletes
	}
	if r.Wait == OnDeletes && c.allDeleted(r.UIDs) {
		r.Wait = OnNothing
	}
	return r.Wait
}
