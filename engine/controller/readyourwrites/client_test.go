package readyourwrites

import (
	"testing"

	"github.com/informerscope/informerscope/engine/actor"
)

func sum(c *Client) (h actor.Hash) {
	c.Hash(&h)
	return h
}

// TestReads goes through what a read waits for, in that order.
func TestReads(t *testing.T) {
	var c Client
	w := c.BeginWrite(1)
	r := c.BeginRead(1, false)
	late := c.BeginWrite(1) // belongs to another batch
	list := c.BeginRead(0, true)
	expect := func(name string, r *Read, want Wait) {
		t.Helper()
		if got := c.Step(r); got != want {
			t.Errorf("%s waits for %d, want %d", name, got, want)
		}
	}
	expect("the Get", &r, OnBarrier)
	c.EndWrite(w, 1, 5, false)
	expect("the Get", &r, OnInformer)
	expect("the List", &list, OnBarrier)
	c.EndWrite(late, 1, 6, true) // it failed: nothing to wait for
	c.Registered = true
	expect("the Get", &r, OnRV)
	d := c.BeginDelete(2, 7)
	c.EndWrite(d, 2, 0, false)
	expect("the List", &list, OnRV)
	c.Observe(4)
	expect("the Get", &r, OnRV)
	c.Observe(5)
	expect("the Get", &r, OnNothing)
	expect("the List", &list, OnDeletes)
	c.RemovePendingDelete(2, 7)
	expect("the List", &list, OnNothing)
	if len(c.Minimums())+len(c.PendingDeletes())+len(c.InFlight(nil)) != 0 {
		t.Errorf("%v, %v and %v are left", c.Minimums(), c.PendingDeletes(), c.InFlight(nil))
	}
}

func TestCopyStandsAlone(t *testing.T) {
	var c, d Client
	c.BeginWrite(1)
	c.BeginDelete(2, 3)
	c.BeginRead(1, false)
	c.SetMinimumRV(4, 9)
	before := sum(&c)
	d.CopyFrom(&c)
	if sum(&d) != before {
		t.Error("a copy has another hash")
	}
	d.BeginWrite(1)
	d.Observe(10)
	if sum(&d) == before || sum(&c) != before {
		t.Error("what is done to a copy changes the client, or not the copy")
	}
}
