package apiserver

import (
	"math"
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// Times in nanoseconds.
const (
	neverReached   = math.MaxInt64
	hop            = 1_000_000      // from the watch cache to the client
	bookmarkEvery  = 60_000_000_000 // on a watch that allows bookmarks
	bookmarkBefore = 2_000_000_000  // the last one comes so long before the deadline
	minWatch       = 1_800_000_000_000
)

// defaultBuffer is SimConfig.Buffer where it is 0.
const defaultBuffer = 1000

// stream is an open watch.
type stream struct {
	from     int64        // only what is later
	next     int          // position of the change that is looked at next
	live     int          // changes from this position on were written while it was open
	waiting  int          // how many of these wait to be sent
	killed   int          // the position that did not fit into the buffer any more, -1 for none
	initial  []object.Ref // that begin it, immutable
	pos      int          // the next of them
	end      bool         // the bookmark that ends them is to come
	rev      int64        // what it, or another bookmark, says at least
	refusal  refusal      // the ERROR event that is all there is
	opened   int64
	deadline int64
	bookmark int64 // when the next one comes
	heard    int64 // when it brought something last
	lost     int64 // when the client finds out that it is silent
	broken   bool
	silent   bool
	shard    object.Shard // which the server applies
}

// Watch asks for a watch at the time now.
func (s *Simulated) Watch(o object.ListOptions, now int64) {
	s.receive(Opening, o, now, (*SimConfig).checkWatch)
}

// checkWatch follows validateWatchOptions of apimachinery (internalversion/validation), and then
// ParseResourceVersion.
func (cfg *SimConfig) checkWatch(o object.ListOptions) refusal {
	_, number := o.RV.Number()
	switch {
	case o.SendInitialEvents && cfg.Classic:
		return invalid("sendInitialEvents: forbidden, this server knows no streaming lists")
	case o.SendInitialEvents && o.Match != object.NotOlderThan:
		return invalid(`resourceVersionMatch: "NotOlderThan" is required with sendInitialEvents`)
	case !o.SendInitialEvents && o.Match != object.AnyMatch:
		return invalid("resourceVersionMatch: forbidden for watch without sendInitialEvents")
	case o.RV != 0 && !number:
		return cfg.noNumber(o.RV)
	}
	return refusal{}
}

// opening is when a watch opens, and whether the cache was too late for it.
type opening struct {
	time    int64
	rev     int64
	refusal refusal
}

// planOpen follows Cacher.Watch up to the first event, or watcher.Watch of etcd3 where the server is
// Uncached. getWatchCacheResourceVersion asks etcd if a streaming list names no revision.
func (s *Simulated) planOpen() opening {
	at := s.asked + latency
	if s.refusal.failed() {
		return opening{time: at, refusal: s.refusal}
	}
	if s.cfg.Uncached {
		_, rev := s.Storage.etcd.writtenAt(at)
		return opening{time: at, rev: rev}
	}
	at = max(at, s.Storage.cache.ready)
	fresh := at
	x, _ := s.opts.RV.Number()
	rev := int64(x)
	if s.opts.SendInitialEvents {
		if s.opts.RV == 0 {
			var pos int
			pos, rev = s.Storage.etcd.writtenAt(s.asked)
			fresh = s.Storage.cachedAt(pos)
		} else if rev > 0 {
			fresh = s.Storage.reaches(rev, s.asked)
		}
	}
	if fresh > s.asked+freshWait {
		at = s.asked + freshWait
		return opening{time: at, refusal: tooLarge(rev, s.Storage.rev(s.Storage.etcd.cachePosition(at)))}
	}
	return opening{time: max(at, fresh), rev: rev}
}

// takeOpen opens the watch, or refuses it. An error after the request was admitted comes as the
// stream's only event (newErrWatcher).
func (s *Simulated) takeOpen() Answer {
	p := s.planOpen()
	s.sent.erred = s.refusal.failed()
	if s.sent.erred {
		s.state, s.sent.message = Idle, p.refusal.text
		return Answer{Answer: OpenFailed, Record: p.refusal.record(WatchError, p.time)}
	}
	o := s.opts
	st := stream{opened: p.time, killed: -1, bookmark: actor.Never, refusal: p.refusal, live: s.Storage.etcd.end(), shard: s.cfg.applied(o.Shard)}
	timeout := o.Timeout
	if timeout == 0 {
		timeout = minWatch + int64(s.rand.Float()*minWatch)
	}
	st.deadline = p.time + timeout
	if o.Bookmarks && !s.cfg.NoBookmarks {
		st.bookmark = nextBookmark(p.time, st.deadline)
	}
	x, _ := o.RV.Number()
	switch rev := int64(x); {
	case p.refusal.failed():
	case o.SendInitialEvents || rev == 0:
		s.begin(&st, p)
	case !s.cfg.Uncached && rev < s.Storage.oldest():
		st.refusal = expired("too old resource version: " + strconv.FormatInt(rev, 10) + " (" + strconv.FormatInt(s.Storage.oldest(), 10) + ")")
	case s.cfg.Uncached && rev+1 < s.Storage.etcd.compact:
		st.refusal = expired("resourceVersion " + strconv.FormatInt(rev, 10) + " of the watch is too old")
	default:
		st.from, st.rev, st.next = rev, rev, s.Storage.etcd.after(rev)
	}
	s.state, s.stream = Open, st
	return Answer{Answer: Opened, N: s.sent.sent, Record: Record{Kind: WatchOpen, Time: p.time, RV: o.RV, Streaming: o.SendInitialEvents}}
}

// begin lets a stream start with an ADDED for every object.
func (s *Simulated) begin(st *stream, p opening) {
	pos := s.Storage.etcd.cachePosition(p.time)
	if s.cfg.Uncached {
		pos, st.rev = s.Storage.etcd.writtenAt(p.time)
	} else {
		st.rev = max(p.rev, s.Storage.rev(pos))
	}
	st.from, st.next = s.Storage.etcd.revBefore(pos), pos
	st.initial, _ = s.cfg.page(s.Storage.etcd.objects(s.cfg.Table, pos, make([]object.Ref, 0, s.Storage.etcd.n)), listing{}, st.shard)
	st.end = s.opts.Bookmarks && (s.opts.SendInitialEvents || s.opts.RV == 0 && !s.cfg.Classic)
}

// nextBookmark follows cacheWatcher.nextBookmarkTime: it returns when the next bookmark comes on a watch that ends at the deadline.
func nextBookmark(now, deadline int64) int64 {
	at := now + bookmarkEvery
	if last := deadline - bookmarkBefore; now < last {
		at = min(at, last)
	}
	return at
}

func (s *Simulated) arrives(c *change) int64 {
	seen := c.visible
	if s.cfg.Uncached {
		seen = c.written
	}
	if seen == actor.Never {
		return actor.Never
	}
	return max(seen+hop, s.stream.opened)
}

// overflow follows cacheWatcher.add: it counts the change that was written at a position against the watcher's
// buffer, and ends the watch if that is full.
func (s *Simulated) overflow(pos int) {
	st := &s.stream
	if s.state != Open || st.killed >= 0 {
		return
	}
	c := s.Storage.etcd.change(pos)
	if d, _ := s.cfg.selected(c, s.stream.shard); d == event.None || c.rev <= st.from {
		return
	}
	size := s.cfg.Buffer
	if size == 0 {
		size = defaultBuffer
	}
	if st.waiting++; st.waiting > size {
		st.killed = pos
	}
}

// sending says what comes next on an open stream.
type sending uint8

const (
	sendNothing sending = iota
	sendError
	sendInitial
	sendInitialEnd
	sendChange
	sendBookmark
	sendEnd
)

// planStream returns what comes next on the open watch, when, and the position
// of the first change that is not passed over then.
func (s *Simulated) planStream() (what sending, at int64, next int) {
	st := &s.stream
	next = st.next
	switch {
	case st.broken:
		return sendEnd, st.opened, next
	case st.silent && st.lost == actor.Never:
		return sendNothing, actor.Never, next
	case st.silent:
		return sendEnd, st.lost, next
	case st.refusal.failed():
		return sendError, st.opened, next
	case st.pos < len(st.initial):
		return sendInitial, st.opened, next
	case st.end:
		return sendInitialEnd, st.opened, next
	}
	what, at = sendEnd, st.deadline
	if st.bookmark <= at {
		what, at = sendBookmark, st.bookmark
	}
	for ; next < s.Storage.etcd.end(); next++ {
		c := s.Storage.etcd.change(next)
		if next == st.killed {
			if t := s.arrives(c); t <= at {
				what, at = sendEnd, t
			}
			break
		}
		if c.rev <= st.from {
			continue
		}
		if d, _ := s.cfg.selected(c, s.stream.shard); d != event.None {
			if t := s.arrives(c); t <= at {
				what, at = sendChange, t
			}
			break
		}
	}
	return what, at, next
}

// takeStream returns what comes next on the open watch.
func (s *Simulated) takeStream() Answer {
	st := &s.stream
	what, at, next := s.planStream()
	st.next, st.heard = next, at
	r := Record{Kind: WatchEvent, Time: at}
	switch what {
	case sendError:
		s.sent.message, s.sent.erred = st.refusal.text, true
		r = st.refusal.record(WatchEvent, at)
		r.Delta = event.Error
		*st = stream{opened: at, deadline: at, bookmark: actor.Never, killed: -1}
	case sendInitial:
		r.Delta, r.Obj = event.Added, st.initial[st.pos]
		r.RV = s.cfg.Table.RVOf(r.Obj)
		st.pos++
	case sendInitialEnd:
		st.end, st.initial = false, nil
		r.Kind, r.RV = InitialEnd, object.NumberRV(uint64(st.rev))
	case sendChange:
		c := s.Storage.etcd.change(st.next)
		r.Delta, r.Obj = s.cfg.eventFor(c, st.shard)
		r.RV = object.NumberRV(uint64(c.rev))
		if st.next >= st.live {
			st.waiting--
		}
		st.next++
		st.rev = c.rev
	case sendBookmark:
		st.rev = max(st.rev, s.Storage.bookmarkRev(next))
		st.bookmark = nextBookmark(at, st.deadline)
		r.Kind, r.RV = WatchBookmark, object.NumberRV(uint64(st.rev))
	default:
		r.Kind = WatchEnd
		switch {
		case st.broken:
			r.Failure = Reset
		case st.silent:
			r.Failure = ConnectionLost
		case next == st.killed && at < st.deadline:
			r.Failure = TooSlow
		}
		if s.sent.erred = st.broken; s.sent.erred {
			s.sent.message = resetText
		}
		s.state = Idle
		return Answer{Answer: Closed, Record: r, N: s.sent.sent}
	}
	s.sent.add(r)
	return Answer{Answer: Event, Record: r, N: s.sent.sent}
}

func (st *stream) hash(h *actor.Hash, now int64) {
	h.Add(uint64(st.from))
	h.Add(uint64(st.next))
	h.Add(uint64(st.waiting))
	h.Add(uint64(st.killed))
	h.Add(uint64(len(st.initial) - st.pos))
	h.Add(uint64(st.rev))
	h.Bools(st.end, st.broken, st.silent)
	st.refusal.hash(h)
	h.Due(st.opened, now)
	h.Due(st.deadline, now)
	h.Due(st.bookmark, now)
	if st.silent {
		h.Due(st.lost, now)
	}
}

// coming returns what is to be sent on the open watch if nothing more is written.
func (s *Simulated) coming(n int) (list []Sent) {
	if s.state != Open {
		return nil // a stream that is over may stand before the oldest change that is kept
	}
	st := &s.stream
	what, at, _ := s.planStream()
	if what == sendNothing || what == sendEnd {
		return nil
	}
	add := func(r Record) {
		if len(list) < n {
			list = append(list, Sent{r, s.sent.sent + int64(len(list)) + 1})
		}
	}
	if what == sendError {
		r := st.refusal.record(WatchEvent, at)
		r.Delta = event.Error
		add(r)
		return list
	}
	for _, r := range st.initial[min(st.pos, len(st.initial)):] {
		add(Record{Kind: WatchEvent, Time: at, Delta: event.Added, Obj: r, RV: s.cfg.Table.RVOf(r)})
	}
	if st.end {
		add(Record{Kind: InitialEnd, Time: at, RV: object.NumberRV(uint64(st.rev))})
	}
	rev, marked := st.rev, st.bookmark > st.deadline
	bookmark := func(rev int64) {
		add(Record{Kind: WatchBookmark, Time: st.bookmark, RV: object.NumberRV(uint64(rev))})
		marked = true
	}
	pos := st.next
	for ; pos < s.Storage.etcd.end() && len(list) < n; pos++ {
		c := s.Storage.etcd.change(pos)
		at := s.arrives(c)
		if at > st.deadline || pos == st.killed {
			return list
		}
		if !marked && at > st.bookmark {
			bookmark(max(rev, s.Storage.etcd.revBefore(pos)))
		}
		d, leaves := s.cfg.selected(c, s.stream.shard)
		if c.rev <= st.from || d == event.None {
			continue
		}
		r := c.obj
		if leaves {
			r = c.old // looking makes no new version of the object
		}
		add(Record{Kind: WatchEvent, Time: at, Delta: d, Obj: r, RV: object.NumberRV(uint64(c.rev))})
		rev = c.rev
	}
	if !marked {
		bookmark(max(rev, s.Storage.bookmarkRev(pos)))
	}
	return list
}
