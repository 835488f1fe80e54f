package fleet

import (
	"math"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/engine/request"
)

// server answers a fleet.
type server struct {
	f         *fleet
	listensAt int64 // nobody listens before
	ready     int64 // the watch cache begins
	listed    int64 // the revision with which it has begun
	fairness  *fairness
	sending   *sending
	listing   int64 // objects of the lists that are being sent
}

// reset makes the server forget all requests.
func (s *server) reset() { s.fairness, s.sending, s.listing = newFairness(s.f), &sending{f: s.f}, 0 }

const firstRevision = 1000

// applyEvents makes what happens to the server happen.
func (s *server) applyEvents(f *fleet) {
	s.reset()
	s.listensAt = f.now + f.cfg.Downtime
	if f.cfg.Happens == Restart {
		s.ready = s.listensAt + f.cfg.Warm
		s.listed = s.revision(s.ready)
	}
}

// revision returns the cluster's revision at a time.
func (s *server) revision(at int64) int64 {
	return firstRevision + int64(float64(at)/1e9*(s.f.cfg.Writes+s.f.cfg.OtherWrites))
}

// written returns the revision of the last write of the resource up to a time. Of the writes, share are counted: 1 is all.
func (s *server) written(at int64, share float64) int64 {
	rate := s.f.cfg.Writes * share
	if rate <= 0 {
		return 0
	}
	n := math.Floor(float64(at) / 1e9 * rate)
	return s.revision(int64(n / rate * 1e9))
}

// The watch cache has room for so many changes, and grows and shrinks to hold the changes of the last 75
// seconds: defaultLowerBoundCapacity, defaultUpperBoundCapacity and DefaultEventFreshDuration of
// storage/cacher.
const (
	leastWindow = 100
	mostWindow  = 102_400
	freshFor    = 75
)

// oldest returns the revision from which the watch cache can serve a watch.
func (s *server) oldest() int64 {
	writes := s.f.cfg.Writes
	window := min(max(writes*freshFor, leastWindow), mostWindow)
	if n := math.Floor(float64(s.f.now) / 1e9 * writes); writes > 0 && n > window {
		return max(s.listed, s.revision(int64((n-window)/writes*1e9)))
	}
	return s.listed
}

// compactEvery is how often the server has etcd forget what was old the last time:
// DefaultCompactInterval of storage/storagebackend.
const compactEvery = 300 * second

// compacted returns the oldest revision that etcd can list.
func (s *server) compacted() int64 { return s.revision((s.f.now/compactEvery - 1) * compactEvery) }

// bookmarkEvery is how often a watch gets a bookmark, about, and bookmarkBefore how long before its
// end it gets the last one: defaultBookmarkFrequency and nextBookmarkTime of storage/cacher.
const (
	bookmarkEvery  = 60 * second
	bookmarkBefore = 2 * second
)

// newestSent returns the newest revision that has come on the watch of a client, and with what.
func (s *server) newestSent(c *client) (rev int64, kind event.Delta) {
	share := s.f.cfg.Selects
	if share == 0 {
		share = 1
	}
	rev, kind = s.written(s.f.now, share), event.Updated
	if s.f.cfg.Server.NoBookmarks {
		return rev, kind
	}
	at := (s.f.now - c.since) / bookmarkEvery * bookmarkEvery
	if last := c.asked.Timeout - bookmarkBefore; s.f.now-c.since >= last {
		at = last
	}
	if latest := s.revision(c.since + at); at > 0 && latest > rev {
		rev, kind = latest, event.Bookmark
	}
	return rev, kind
}

// receive takes a request that has arrived.
func (s *server) receive(c *client, generation int) {
	if c.generation != generation {
		return
	}
	s.count(c)
	if s.f.now < s.listensAt {
		s.increment(&s.f.out.Refused)
		s.increment(&s.f.perSecond().Refused)
		c.doAfter(latency, func() { c.failed(request.Failure{}, reflector.Failure{Refused: true}) })
		return
	}
	s.fairness.take(c)
}

// count counts a request by its kind.
func (s *server) count(c *client) {
	if !s.f.counts() {
		return
	}
	o, second := &s.f.out, s.f.perSecond()
	switch {
	case c.request.Watching() && c.asked.SendInitialEvents:
		o.Streaming++
		second.Streaming++
	case c.request.Watching():
		o.Watches++
		second.Watches++
	case c.asked.Continue != 0:
		o.Pages++
		second.Lists++
	default:
		o.Lists++
		second.Lists++
	}
}

// serve answers a request whose turn has come. done is called when it gives its seats back.
func (s *server) serve(c *client, done func()) {
	generation, v := c.generation, s.f.cfg.Server.version()
	// Cacher.GetList and Cacher.Watch refuse while the cache begins, since v1.31
	// (ResilientWatchCacheInitialization); before, they wait.
	if s.f.now < s.ready {
		if !v.refusesEarly {
			s.f.schedule(s.ready, func() { s.serve(c, done) })
			return
		}
		done()
		s.refuse(c, &s.f.out.Beginning, unready(s.f.now-s.listensAt))
		return
	}
	answer := func(objects int64, list bool, do func()) {
		if list {
			s.listing += objects
			s.f.out.ObjectsMost = max(s.f.out.ObjectsMost, s.listing)
		}
		s.sending.add(objects*s.f.cfg.Size, func() {
			done()
			if list {
				s.listing -= objects
			}
			if c.generation == generation {
				if s.f.counts() {
					s.f.out.Bytes += objects * s.f.cfg.Size
				}
				c.doAfter(latency, do)
			}
		})
	}
	rv, _ := c.asked.RV.Number()
	switch {
	case c.request.Watching() && c.asked.SendInitialEvents && !v.watchList:
		// ValidateListOptions of apimachinery's meta/internalversion/validation.
		done()
		s.increment(&s.f.out.Invalid)
		c.doAfter(latency, func() { c.failed(request.Failure{Code: 422, RetryAfter: -1}, reflector.Failure{Code: 422}) })
	case c.request.Watching() && c.asked.SendInitialEvents:
		s.increment(&s.f.out.FromCache)
		rev := s.revision(s.f.now)
		answer(s.f.cfg.Objects, false, func() { c.opened(rev) })
	case c.request.Watching() && int64(rv) < s.oldest():
		// watchCache.getAllEventsSinceLocked: "too old resource version", as the only event.
		done()
		s.increment(&s.f.out.Expired)
		c.doAfter(latency, c.expired)
	case c.request.Watching():
		done()
		c.doAfter(latency, func() { c.opened(max(int64(rv), 0)) })
	default:
		s.list(c, done, answer)
	}
}

// list answers a list, or a page of it.
func (s *server) list(c *client, done func(), answer func(objects int64, list bool, do func())) {
	n, next, rev := s.f.cfg.Objects-c.received, false, s.revision(s.f.now)
	if limit := c.asked.Limit; limit > 0 && limit < n && !s.ignoresLimit(c.asked) {
		n, next = limit, true
	}
	switch rv, _ := c.asked.RV.Number(); {
	case exact(c.asked):
		rev = int64(rv)
	case c.asked.Continue != 0:
		rev = c.listRV
	}
	c.listRV = rev
	if rev < s.compacted() && s.delegates(c.asked) {
		done()
		s.increment(&s.f.out.Expired)
		c.doAfter(latency, func() {
			c.failed(request.Failure{Code: 410, RetryAfter: -1}, reflector.Failure{Code: 410, Expired: true})
		})
		return
	}
	if s.delegates(c.asked) {
		s.increment(&s.f.out.FromEtcd)
	} else {
		s.increment(&s.f.out.FromCache)
	}
	answer(n, true, func() { c.listed(n, rev, next) })
}

// refuse answers with 429.
func (s *server) refuse(c *client, counter *int64, seconds int64) {
	s.increment(counter)
	c.doAfter(latency, func() {
		c.failed(request.Failure{Code: 429, RetryAfter: seconds * second}, reflector.Failure{Code: 429, TooManyRequests: true})
	})
}

// increment counts one more.
func (s *server) increment(counter *int64) {
	if s.f.counts() {
		*counter++
	}
}

// unready follows calculateRetryAfterForUnreadyCache of storage/cacher.
func unready(downtime int64) int64 {
	return int64(min(30, max(1, math.Exp(0.06*float64(downtime)/1e9))))
}

// exact reports whether a list is of just the revision that it names: "Legacy exact match" of
// storage/cacher/delegator.
func exact(o object.ListOptions) bool {
	rv, _ := o.RV.Number()
	return o.Continue == 0 && o.Limit > 0 && rv != 0
}

// ignoresLimit reports whether the watch cache gives the whole list though a limit was asked for: it
// does so for resourceVersion "0".
func (s *server) ignoresLimit(o object.ListOptions) bool {
	rv, number := o.RV.Number()
	return o.Continue == 0 && o.RV != 0 && number && rv == 0
}

// delegates reports whether etcd has to answer (ShouldDelegateList of storage/cacher/delegator).
func (s *server) delegates(o object.ListOptions) bool {
	v := s.f.cfg.Server.version()
	switch {
	case o.Continue != 0:
		return !v.snapshots
	case exact(o):
		rv, _ := o.RV.Number()
		return !v.snapshots || int64(rv) < s.listed
	case o.RV == 0:
		return !v.consistent
	}
	return false
}

// version is in what kube-apiserver's versions differ: pkg/features/kube_features.go.
type version struct {
	refusesEarly bool // ResilientWatchCacheInitialization, on from v1.31
	consistent   bool // ConsistentListFromCache, on from v1.31
	snapshots    bool // ListFromCacheSnapshot, on from v1.34
	watchList    bool // WatchList, on in v1.32 and from v1.34
	bySize       bool // SizeBasedListCostEstimate, on from v1.34
}

func (s *Server) version() version {
	return version{
		refusesEarly: s.Minor >= 31, consistent: s.Minor >= 31, snapshots: s.Minor >= 34,
		watchList: s.Minor == 32 || s.Minor >= 34, bySize: s.Minor >= 34,
	}
}

// sending is what the server writes. All answers that are under way share what it can write in a
// second.
type sending struct {
	f          *fleet
	answers    []*answer
	since      int64 // when the shares were last worked out
	generation int
}

type answer struct {
	remaining float64 // bytes
	done      func()
}

// rate is how many bytes a second the server writes where the Config doesn't say.
const rate = 200_000_000

// minAnswerTime is how long the server takes for an answer without objects.
const minAnswerTime = 1_000_000

func (s *sending) add(bytes int64, done func()) {
	if bytes <= 0 {
		s.f.schedule(s.f.now+minAnswerTime, done)
		return
	}
	s.pass()
	s.answers = append(s.answers, &answer{float64(bytes), done})
	if s.f.counts() {
		s.f.out.AnswersMost = max(s.f.out.AnswersMost, len(s.answers))
	}
	s.plan()
}

// share returns what one answer gets in a nanosecond.
func (s *sending) share() float64 {
	all := s.f.cfg.Server.Bytes
	if all <= 0 {
		all = rate
	}
	return float64(all) / 1e9 / float64(len(s.answers))
}

// pass lets the time up to now pass.
func (s *sending) pass() {
	if len(s.answers) > 0 {
		written := float64(s.f.now-s.since) * s.share()
		for _, a := range s.answers {
			a.remaining -= written
		}
	}
	s.since = s.f.now
}

// plan wakes when the first answer ends.
func (s *sending) plan() {
	s.generation++
	if len(s.answers) == 0 {
		return
	}
	first := s.answers[0].remaining
	for _, a := range s.answers {
		first = min(first, a.remaining)
	}
	generation := s.generation
	s.f.schedule(s.f.now+max(int64(first/s.share())+1, 1), func() {
		if s.generation == generation {
			s.end()
		}
	})
}

// end ends the answers that are written.
func (s *sending) end() {
	s.pass()
	var done []func()
	left := s.answers[:0]
	for _, a := range s.answers {
		if a.remaining <= 0 {
			done = append(done, a.done)
		} else {
			left = append(left, a)
		}
	}
	clear(s.answers[len(left):])
	s.answers = left
	s.plan()
	for _, f := range done {
		f()
	}
}
