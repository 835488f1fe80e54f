package ask

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/object"
)

// memory is what a node knows of the steps before. It holds no Refs, and no Keys except
// the keys on a workqueue: in a run that is only passed through, a Table forgets all others.
type memory struct {
	once    bool
	first   int64 // when operand 0 or 1 held last, plus one
	second  int64 // when operand 1 or 2 did, plus one
	n       int64
	server  serverRevision
	cache   cacheRevision
	waits   []int64   // by actor: when it began to wait for a lock, plus one
	relists []Relists // by informer
	written map[written]version
	metrics *metrics.Observer
}

// The functions that take expressions.

func (e *Eval) evalOnce(i int, n *node) Value {
	m := &e.nodes[i].memory
	m.once = m.once || e.nodes[n.args[0]].value.True()
	return truth(m.once)
}

func (e *Eval) evalBefore(i int, n *node) Value {
	m := &e.nodes[i].memory
	m.once = m.once || e.nodes[n.args[1]].value.True()
	return truth(!m.once && e.nodes[n.args[0]].value.True())
}

// noteHeld notes in last when an operand held last, and tells whether it holds. An
// operand that has just ceased to hold has held until now.
func (e *Eval) noteHeld(last *int64, arg int16) bool {
	s := &e.nodes[arg]
	holds := s.value.True()
	if holds || s.changed && !e.fresh && !e.x.nodes[arg].momentary {
		*last = e.w.Now() + 1
	}
	return holds
}

func (e *Eval) evalWithin(i int, n *node) Value {
	m := &e.nodes[i].memory
	since := e.w.Now() + 1 - e.nodes[n.args[0]].value.N
	a, b := e.noteHeld(&m.first, n.args[1]), e.noteHeld(&m.second, n.args[2])
	return truth(a && m.second != 0 && m.second >= since || b && m.first != 0 && m.first >= since)
}

func (e *Eval) evalSince(i int, n *node) Value {
	m := &e.nodes[i].memory
	if m.n == 0 {
		if m.n = 1; e.step > 1 { // the steps before are forgotten
			m.n += e.w.Now()
		}
	}
	if e.noteHeld(&m.first, n.args[0]) {
		return Value{}
	}
	if m.first == 0 {
		return Value{N: e.w.Now() + 1 - m.n}
	}
	return Value{N: e.w.Now() + 1 - m.first}
}

func (e *Eval) evalCount(i int, n *node) Value {
	m, s := &e.nodes[i].memory, &e.nodes[n.args[0]]
	if s.changed && s.value.True() {
		m.n++
	}
	return Value{N: m.n}
}

// evalSeen returns the version that a handler was called with last.
func (e *Eval) evalSeen(i int, n *node) Value {
	m := &e.nodes[i].memory
	for j := range e.w.Log.Events {
		f := &e.w.Log.Events[j]
		if f.Kind != event.HandlerCalled {
			continue
		}
		x := e.w.Informers[e.w.Last.Informer]
		if namesHandler(n.names[0], x, f) && hasText(x, f.Key, n.names[1]) && (n.informer == "" || x.Config().Name == n.informer) {
			m.n = numberOf(x.Config().Table.RVOf(f.New)) // 0 for a deletion, whose New is 0
			if f.Delta == event.Deleted {
				m.n = 0
			}
		}
	}
	return Value{N: m.n}
}

// serverRevision is the newest revision of a server. What a recording has sent by now
// may be more than the reflector has taken.
type serverRevision struct {
	next   int // the next record
	newest int64
}

func (s *serverRevision) revision(x *informer.Informer, now int64) int64 {
	switch server := x.Server.(type) {
	case *apiserver.Simulated:
		s.newest = server.Storage.Revision()
	case *apiserver.Playback:
		feed := server.Feed()
		for s.next = max(s.next, 0); s.next < feed.Len(); s.next++ {
			r := feed.At(s.next)
			if r.Time > now {
				break
			}
			rv := r.RV
			if rv == 0 && r.Kind == apiserver.WatchEvent {
				rv = x.Config().Table.RVOf(r.Obj)
			}
			if n, ok := rv.Number(); ok {
				s.newest = max(s.newest, int64(n))
			}
		}
	}
	return s.newest
}

// cacheRevision is the newest revision that has come to a cache. While objects are on
// their way, it is the revision of the newest object that has arrived. Once nothing is on
// its way, it is the reflector's.
type cacheRevision struct {
	newest, reflector int64
	listed            bool // the first list is in the cache
}

func (c *cacheRevision) revision(e *Eval, x *informer.Informer) int64 {
	t := x.Config().Table
	note := func(rv object.RV) {
		if n, ok := rv.Number(); ok {
			c.newest = max(c.newest, int64(n))
		}
	}
	deltas, at := x.Popped()
	if _, ended := e.w.ProcessExit(x.Index()); ended {
		*c = cacheRevision{}
	} else if e.w.Informers[e.w.Last.Informer] == x {
		for i := range e.w.Log.Events {
			switch f := &e.w.Log.Events[i]; f.Kind {
			case event.StoreAdded, event.StoreUpdated:
				note(t.RVOf(f.New))
			case event.StoreDeleted:
				for j := range deltas {
					if deltas[j].Key == f.Key && j <= at {
						note(t.RVOf(deltas[j].Obj))
					}
				}
			}
		}
	}
	last := max(numberOf(x.LastSyncResourceVersion()), 0)
	if last < c.reflector { // etcd was restored to an earlier revision
		c.newest = last
	}
	c.reflector = last
	if x.Queue.Depth() == 0 && len(deltas) == 0 && x.Listed() == 0 {
		c.newest = max(c.newest, last)
		c.listed = c.listed || last > 0
	}
	return c.newest
}

func (e *Eval) evalRevisionsBehind(i int, n *node) Value {
	m, x := &e.nodes[i].memory, e.informerOf(n)
	behind := m.server.revision(x, e.w.Now()) - m.cache.revision(e, x)
	if !m.cache.listed {
		return Value{}
	}
	return Value{N: max(behind, 0)}
}

// evalLockWait returns the longest of the waits for a lock that go on or have just ended.
func (e *Eval) evalLockWait(i int, n *node) Value {
	m, x, now := &e.nodes[i].memory, e.informerOf(n), e.w.Now()
	longest := int64(0)
	if who := int(e.w.Last.Actor); who >= 0 && who < len(m.waits) && m.waits[who] != 0 {
		longest = now + 1 - m.waits[who]
		m.waits[who] = 0 // unless the actor waits still, see below
	}
	if _, ended := e.w.ProcessExit(x.Index()); ended {
		m.waits = m.waits[:0]
	} else if e.w.Informers[e.w.Last.Informer] == x {
		for j := range e.w.Log.Events {
			switch f := &e.w.Log.Events[j]; {
			case f.Kind == event.LockWaits && f.Actor >= 0 && (n.names[0] == "" || actor.LockID(f.Lock()).String() == n.names[0]):
				m.waits = object.Grown(m.waits, int(f.Actor))
				m.waits[f.Actor] = now + 1 - longest
			}
		}
	}
	for id, since := range m.waits {
		if since != 0 && e.w.Set.State(actor.ID(id)).Wait == actor.Stopped {
			m.waits[id] = 0
		} else if since != 0 {
			longest = max(longest, now+1-since)
		}
	}
	return Value{N: longest}
}

// written is a key of a Table that was written, and version is the version that was written.
type written struct {
	t *object.Table
	k object.Key
}

type version struct {
	rv   object.RV // 0 for a deletion
	time int64
}

// maxWritten is how many writes are remembered before those are dropped that are too
// long ago to matter.
const maxWritten = 1 << 14

// evalStaleReconcile returns true in a step that begins a reconcile, if the object was written
// a short time ago and the cache has another version of it. A recording has no writes, so
// there the arrival of the watch event counts as the write.
func (e *Eval) evalStaleReconcile(i int, n *node) Value {
	m, x, now := &e.nodes[i].memory, e.w.Informers[e.w.Last.Informer], e.w.Now()
	if n.informer != "" && x.Config().Name != n.informer {
		return Value{}
	}
	t, d := x.Config().Table, e.nodes[n.args[0]].value.N
	_, recorded := x.Server.(*apiserver.Playback)
	stale := false
	for j := range e.w.Log.Events {
		f := &e.w.Log.Events[j]
		at := written{t, f.Key}
		switch {
		case f.Kind == event.ObjectWritten || f.Kind == event.WatchEventReceived && recorded && f.Key != 0:
			v := version{time: now}
			if f.Delta != event.Deleted {
				v.rv = t.RVOf(f.New)
			}
			if m.written == nil {
				m.written = map[written]version{}
			}
			if m.written[at] = v; len(m.written) > maxWritten {
				for k, v := range m.written {
					if now-v.time > d {
						delete(m.written, k)
					}
				}
			}
		case f.Kind == event.ReconcileStarted:
			v, ok := m.written[at]
			stale = stale || ok && now-v.time <= d && t.RVOf(f.New) != v.rv
		}
	}
	return truth(stale)
}

func (e *Eval) evalRelist(i int, n *node) Value {
	m := &e.nodes[i].memory
	informer := int(e.w.Last.Informer)
	m.relists = object.Grown(m.relists, len(e.w.Informers)-1)
	begun := false
	for j := range e.w.Log.Events {
		f := &e.w.Log.Events[j]
		if f.Kind == event.ProcessKilled {
			for k := range m.relists {
				if _, ended := e.w.ProcessExit(k); ended {
					m.relists[k] = Relists{}
				}
			}
		}
		why, _ := m.relists[informer].Look(f)
		begun = begun || why != "" && (n.names[0] == "" || n.names[0] == why)
	}
	return truth(begun && (n.informer == "" || e.w.Informers[informer].Config().Name == n.informer))
}

// Why an informer lists again.
const (
	Expired        = "expired"        // a watch ended with 410
	WatchError     = "error"          // a watch ended with another error
	VeryShortWatch = "veryShortWatch" // a watch ended within a second, with nothing on it
	WatchRefused   = "watchFailed"    // a watch was refused
	WatchClosed    = "closed"         // a watch was closed, or broke
	Undecodable    = "undecodable"    // a watch ended because what came on it can't be decoded
	ListedAgain    = "listedAgain"    // the recorded client listed again, and the recording doesn't say why
)

var reasons = []string{Expired, WatchError, VeryShortWatch, WatchRefused, WatchClosed, Undecodable, ListedAgain}

// Relists tells the relists of one informer, and why they happen. It must be shown all
// facts of the informer from the first step on.
type Relists struct {
	first     bool // the first list has been asked for
	listing   bool // a list is under way, the first one included
	streams   bool // the last watch that was asked for begins with a streaming list
	lastError string
	code      int
}

// relistKinds are the kinds of facts that Look looks at.
var relistKinds = []event.Kind{event.ListRequested, event.WatchRequested, event.ListReceived, event.WatchErrorReceived, event.WatchFailed, event.WatchClosed, event.VeryShortWatch, event.ProcessKilled}

// Look takes the next fact. It returns why a relist begins with it, and the code of the
// Status or answer that is the reason; or "" if none begins. A request that follows one
// without an answer belongs to the same relist.
func (r *Relists) Look(f *event.Event) (reason string, code int) {
	switch f.Kind {
	case event.ListRequested:
		return r.reason()
	case event.WatchRequested:
		if r.streams = f.Flags&event.Streaming != 0; r.streams {
			return r.reason()
		}
	case event.ListReceived:
		r.listing, r.lastError, r.code = false, "", 0
	case event.WatchErrorReceived:
		r.lastError, r.code = WatchError, f.Code()
		switch {
		case f.Code() == 410:
			r.lastError = Expired
		case apiserver.Failure(f.Failure()) == apiserver.ListedAnew:
			r.lastError = ListedAgain
		case f.Cause == event.Undecodable: // client-go made the ERROR event, and its code
			r.lastError, r.code = Undecodable, 0
		}
	case event.WatchFailed:
		r.lastError, r.code = WatchRefused, f.Code()
	case event.WatchClosed:
		r.lastError, r.code = WatchClosed, 0
	case event.VeryShortWatch:
		r.lastError, r.code = VeryShortWatch, 0
	case event.ProcessKilled:
		*r = Relists{}
	}
	return "", 0
}

// Streams reports whether the last watch that was asked for begins with a streaming list.
func (r *Relists) Streams() bool { return r.streams }

func (r *Relists) reason() (reason string, code int) {
	begun := !r.first || r.listing
	r.first, r.listing = true, true
	if begun {
		return "", 0
	}
	if r.lastError == "" {
		r.lastError = WatchClosed
	}
	return r.lastError, r.code
}
