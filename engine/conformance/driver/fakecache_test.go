package driver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
)

// fakeCache is one informer of a controller, with one handler. Its micro-steps take no
// time.
type fakeCache struct {
	t             *object.Table
	conn          *manual
	h             *history.History
	w             *world.World
	x             *informer.Informer
	requested     bool // the API server has its request
	notifications []processor.Notification
}

// newFakeCache makes an informer that hasn't been started.
func newFakeCache(t *object.Table) *fakeCache {
	p, _ := world.ProfileFor(currentVersion)
	s := &script{t: t}
	c := &fakeCache{t: t, conn: s.Dial().(*manual)}
	h, err := history.NewPassing(&world.Config{Costs: new(actor.Costs), Informers: []informer.Config{{Name: "informer", Profile: p, Table: t, Server: c.conn}}})
	if err != nil {
		panic(err) // no indexer fails on an empty store
	}
	c.h, c.w = h, h.Front()
	c.x = c.w.Informers[0]
	user, _, _, _ := c.x.Actors()
	c.w.Set.Stop(user)
	return c
}

// start calls Run, in a goroutine.
func (c *fakeCache) start(now int64) {
	c.w.Set.Now = now
	user, _, _, _ := c.x.Actors()
	c.w.Set.Schedule(user, actor.UserRun)
}

// addHandler calls AddEventHandler.
func (c *fakeCache) addHandler() {
	c.h.Do(world.Command{Kind: world.AddHandler, Handler: informer.Handler{Name: "handler"}})
	c.look()
}

// next returns when the informer does something by itself.
func (c *fakeCache) next() int64 {
	_, at := c.w.Set.Earliest()
	return at
}

// settle runs all that can run at the time now.
func (c *fakeCache) settle(now int64) {
	for {
		next, at := c.w.Set.Earliest()
		if at > now {
			break
		}
		c.h.Choose(next)
		c.look()
	}
	c.w.Set.Now = max(c.w.Now(), now)
}

func (c *fakeCache) look() {
	for _, e := range c.w.Log.Events {
		if e.Kind == event.HandlerCalled {
			l := &c.x.Processor.Listeners[e.Handler()]
			c.notifications = append(c.notifications, l.PairAt(int(c.w.Set.Role(e.Actor).Pair)).InHand)
		}
	}
	c.w.Log.Reset()
}

// answer gives the informer what the API server says at the time now.
func (c *fakeCache) answer(now int64, answers ...apiserver.Answer) {
	c.settle(now) // it may have slept since
	for _, a := range answers {
		c.conn.answer(a)
	}
	c.x.Poll(&c.w.Set)
}

// synced reports whether the handler has been told of the initial list.
func (c *fakeCache) synced() bool {
	return c.x.HasSynced() && len(c.x.Processor.Listeners) > 0 && c.x.Processor.Listeners[0].Synced
}

// objects returns the objects in the cache.
func (c *fakeCache) objects() []object.Ref { return c.x.Indexer.List(nil) }

func (c *fakeCache) get(k object.Key) (object.Ref, bool) { return c.x.Indexer.GetByKey(k) }

// storeRV returns how far the cache has come.
func (c *fakeCache) storeRV() string {
	return c.t.RVText(c.x.Indexer.LastStoreSyncResourceVersion())
}
