package fleet

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// client is a replica: client-go's Reflector and rest.Request, and the connection.
type client struct {
	f       *fleet
	refl    reflector.Reflector
	request request.Request
	rand    actor.Rand
	log     factLog
	flow    int

	asked      object.ListOptions // of the request that is under way
	generation int                // counts requests and watches: an answer to an older one is not heard any more
	received   int64              // objects of the list so far
	open       bool               // it watches
	since      int64              // since when
	began      int64              // the revision of the watch's beginning
	listRV     int64              // of the list so far
	flying     bool               // the request has no answer yet
	synced     bool               // after what happened
}

// latency is how long a request or an answer is on its way.
const latency = 2_500_000

func newClient(f *fleet, i int) *client {
	c := &client{f: f, rand: actor.Rand(f.rand.Next()), flow: i % max(f.cfg.Server.Flows, 1)}
	c.refl = reflector.New(object.NewTable(nil), f.cfg.Profile.Reflector)
	c.request = request.New(f.cfg.Profile.Request)
	return c
}

// watchesSince begins with a replica that has watched for some time. share is how much of the time of a watch
// has passed.
func (c *client) watchesSince(share float64) {
	c.refl.Start()
	if !c.refl.Streaming() {
		c.refl.Begin()
	}
	c.refl.Listed(0)
	c.refl.SetRV(object.NumberRV(uint64(c.f.server.revision(0))), c.log.empty())
	c.refl.StreamEnded()
	c.refl.Streamed(0)
	c.asked = c.refl.Watch(0, &c.rand)
	c.open, c.began = true, c.f.server.revision(0)
	c.since = -int64(share * float64(c.asked.Timeout))
	c.endWatch()
}

// listAndWatch models ListAndWatch.
func (c *client) listAndWatch() {
	if c.refl.Start() {
		c.watch()
		return
	}
	c.list(c.refl.Begin())
}

func (c *client) list(o object.ListOptions) {
	c.asked, c.received = o, 0
	c.request.Begin(false)
	c.send()
}

func (c *client) watch() {
	c.asked = c.refl.Watch(c.f.now, &c.rand)
	c.request.Begin(true)
	c.send()
}

// send sends the request that is asked.
func (c *client) send() {
	c.generation++
	c.flying = true
	generation := c.generation
	c.f.schedule(c.f.now+latency, func() { c.f.server.receive(c, generation) })
}

// doAfter does something unless another request has been made by then.
func (c *client) doAfter(after int64, do func()) {
	generation := c.generation
	c.f.schedule(c.f.now+after, func() {
		if c.generation == generation {
			do()
		}
	})
}

// listed takes a list, or a page of it. next is true where more pages follow.
func (c *client) listed(objects, rev int64, next bool) {
	c.flying = false
	c.refl.ListDecoded(int(objects))
	c.received += objects
	if next && !c.refl.ListComplete() {
		c.asked = c.refl.Page(1)
		c.request.Begin(false)
		c.send()
		return
	}
	c.refl.Listed(0)
	c.refl.SetRV(object.NumberRV(uint64(rev)), c.log.empty())
	c.watch()
}

// opened takes the beginning of a watch, and the initial events of a streaming list.
func (c *client) opened(rev int64) {
	c.flying = false
	c.open, c.since, c.began = true, c.f.now, rev
	if c.refl.Streaming() {
		c.refl.ListDecoded(int(c.f.cfg.Objects))
		c.refl.StreamEnded()
		c.refl.SetRV(object.NumberRV(uint64(rev)), c.log.empty())
		c.refl.Streamed(c.f.now)
	}
	if c.f.counts() && !c.synced {
		c.synced = true
		c.f.synced++
		c.f.times = append(c.f.times, c.f.now-c.f.from)
	}
	c.endWatch()
}

// endWatch ends the watch when its time is up.
func (c *client) endWatch() {
	c.generation++
	c.doAfter(c.since+c.asked.Timeout-c.f.now, func() { c.closed() })
}

// closed ends the watch.
func (c *client) closed() {
	c.catchUp()
	c.open = false
	v, _ := c.refl.WatchClosed(c.f.now)
	c.applyVerdict(v)
}

// catchUp tells the reflector what came on the watch so far. Nothing that the fleet does
// depends on it before the watch ends.
func (c *client) catchUp() {
	if rev, kind := c.f.server.newestSent(c); rev > c.began {
		c.refl.Received(kind)
		c.refl.SetRV(object.NumberRV(uint64(rev)), c.log.empty())
	}
}

// expired takes the ERROR event of a watch that begins too early.
func (c *client) expired() {
	c.flying = false
	c.applyVerdict(c.refl.WatchBroke(reflector.Failure{Code: 410, Expired: true}, c.f.now))
}

// cut breaks the connection.
func (c *client) cut() {
	c.synced = false
	if c.open {
		c.closed()
	} else if c.flying {
		c.generation++
		c.f.out.Broken++
		c.failed(request.Failure{Reset: true}, reflector.Failure{})
	}
}

// failed takes the failure of the request.
func (c *client) failed(f request.Failure, failure reflector.Failure) {
	c.flying = false
	switch v, after := c.request.Failed(f); v {
	case request.Retry:
		c.doAfter(after, c.send)
		return
	case request.Empty:
		v, _ := c.refl.WatchClosed(c.f.now)
		c.applyVerdict(v)
		return
	}
	if c.request.Watching() {
		c.applyVerdict(c.refl.WatchFailed(failure))
		return
	}
	c.applyVerdict(c.refl.ListFailed(failure))
}

// applyVerdict does what the reflector says.
func (c *client) applyVerdict(v reflector.Verdict) {
	switch v {
	case reflector.ListAgain:
		c.list(c.refl.LastOptions())
	case reflector.Rewatch:
		c.watch()
	case reflector.FallBack:
		c.list(c.refl.Begin())
	default:
		if c.f.counts() {
			c.f.out.Backoffs++
		}
		then := c.watch
		if v == reflector.Relist {
			then = c.listAndWatch
		}
		c.doAfter(c.refl.Backoff(v, c.f.now, &c.rand, 0), then)
	}
}

// factLog is where a reflector's facts go, which nobody reads.
type factLog struct{ event.Log }

func (l *factLog) empty() *event.Log {
	l.Events = l.Events[:0]
	return &l.Log
}
