package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// Storage is what a server has of one resource: what etcd holds, and the watch cache that
// is made from it. It knows no client.
type Storage struct {
	cfg             *SimConfig
	etcd            history
	cache           watchCache
	compacts        int64 // when the last of CompactEvery was, ns
	compactRevision int64 // the revision at that time
}

// write makes a change at its revision and its time.
func (s *Storage) write(c change) {
	s.autoCompact(c.written)
	c.visible = s.cache.cachedAt(&s.etcd, c.written)
	s.etcd.write(s.cfg.Table, c)
	s.cache.add(&s.etcd, c.written)
}

// Revision returns the revision of the cluster.
func (s *Storage) Revision() int64 { return s.etcd.revision }

// Compacted returns the oldest revision that can be read.
func (s *Storage) Compacted() int64 { return s.etcd.compact }

// Window tells how many changes the watch cache has room for, and the revision
// from which it can serve a watch.
func (s *Storage) Window() (size int, oldest int64) {
	return s.cache.window, s.oldest()
}

// Get returns the version of k that lives, or 0.
func (s *Storage) Get(k object.Key) object.Ref { return s.etcd.get(k) }

// Len returns how many objects live.
func (s *Storage) Len() int { return s.etcd.n }

// Objects appends those that live, in the order of their keys.
func (s *Storage) Objects(dst []object.Ref) []object.Ref {
	return s.etcd.objects(s.cfg.Table, s.etcd.end(), dst)
}

// Written appends the versions of an object that etcd has written and still keeps,
// in their order.
func (s *Storage) Written(k object.Key, dst []object.Ref) []object.Ref {
	for i := range s.etcd.log {
		if c := &s.etcd.log[i]; s.cfg.Table.KeyOf(c.obj) == k {
			if c.old != 0 && len(dst) == 0 {
				dst = append(dst, c.old)
			}
			dst = append(dst, c.obj)
		}
	}
	return dst
}

// Changed returns when an object was created, updated or deleted last, in nanoseconds. It is 0 where etcd has forgotten that.
func (s *Storage) Changed(k object.Key) int64 {
	for i := len(s.etcd.log) - 1; i >= 0; i-- {
		if c := &s.etcd.log[i]; s.cfg.Table.KeyOf(c.obj) == k {
			return c.written
		}
	}
	return 0
}

// HasWritten reports whether r is the version that was written last.
func (s *Storage) HasWritten(r object.Ref) bool {
	n := len(s.etcd.log)
	return n > 0 && s.etcd.log[n-1].obj == r
}

// LastWritten returns the key of the object written last, and its versions
// before and after; after a deletion, the second is its last content at the
// deletion's revision.
func (s *Storage) LastWritten() (k object.Key, old, new object.Ref) {
	c := s.etcd.change(s.etcd.end() - 1)
	return s.cfg.Table.KeyOf(c.obj), c.old, c.obj
}

// Advance tells of a write to another resource.
func (s *Storage) Advance(rev, now int64) {
	s.autoCompact(now)
	s.etcd.revision = rev
	if now < s.cache.ready {
		s.cache.listed = rev
	}
}

// autoCompact follows runCompactLoop of etcd3: what was new at one compaction is dropped at the
// next.
func (s *Storage) autoCompact(now int64) {
	if every := s.cfg.CompactEvery; every != 0 && now-s.compacts >= every {
		s.etcd.compact = max(s.etcd.compact, s.compactRevision)
		s.compacts, s.compactRevision = now, s.etcd.revision
	}
}

// Lag lets the watch cache get every later change so many nanoseconds after it
// was written; less than 0 stops it altogether. Such a replica answers with old data, as one
// does whose etcd member is late (kubernetes/kubernetes#60478): Cacher.GetList and Cacher.Watch
// wait for the cache only if a request asks for a revision.
func (s *Storage) Lag(lag, now int64) {
	s.cache.stuck, s.cache.lag = lag < 0, max(0, lag)
	if s.cache.stuck {
		return
	}
	for i := range s.etcd.log {
		if c := &s.etcd.log[i]; c.visible == actor.Never {
			c.visible = now
		}
	}
}

// readable returns the oldest revision whose objects can still be listed. Servers of
// today keep what the watch cache held at each revision of its window.
func (s *Storage) readable() int64 {
	if s.cfg.Classic || s.cfg.Uncached {
		return s.etcd.compact
	}
	return min(s.etcd.compact, s.oldest())
}

// oldest returns the revision from which the watch cache can still serve a watch.
func (s *Storage) oldest() int64 { return s.cache.oldest(&s.etcd) }

// rev returns the resourceVersion of the watch cache when it has reached a position.
func (s *Storage) rev(pos int) int64 { return s.cache.rev(&s.etcd, pos) }

// cachedAt returns when the watch cache has all changes before a position.
func (s *Storage) cachedAt(pos int) int64 {
	if pos == s.etcd.base {
		return s.cache.ready
	}
	return max(s.cache.ready, s.etcd.change(pos-1).visible)
}

// reaches returns when waitUntilFreshLocked has the watch cache know that it has seen everything
// up to rev: from a change of that revision or later, or from etcd's notice of progress, which it
// asks for at the time asked.
func (s *Storage) reaches(rev, asked int64) int64 {
	if rev <= s.rev(s.etcd.cachePosition(asked)) {
		return asked
	}
	at := int64(neverReached)
	if pos := s.etcd.after(rev - 1); pos < s.etcd.end() {
		at = s.cachedAt(pos + 1)
	}
	if rev <= s.etcd.revision && !s.cache.stuck {
		at = min(at, max(asked+progressIn+s.cache.lag, s.cachedAt(s.etcd.after(rev))))
	}
	return at
}

// bookmarkRev returns the revision that a bookmark may tell where the change at a
// position is the next to be sent. No change up to that revision is still to
// come.
func (s *Storage) bookmarkRev(next int) int64 {
	if next < s.etcd.end() {
		return s.etcd.revBefore(next)
	}
	if s.cfg.Uncached {
		return s.etcd.revision
	}
	return s.rev(s.etcd.end())
}

// Full reports whether the quota is used up, so that the server creates nothing more.
func (s *Storage) Full() bool { return s.cfg.Quota > 0 && int64(s.etcd.n) >= s.cfg.Quota }

// The watch cache keeps at least minWindow and at most maxWindow changes. Between the two, it
// keeps the changes of DefaultEventFreshDuration. freshWait is blockTimeout.
const (
	minWindow  = 100
	maxWindow  = 102_400
	freshFor   = 75_000_000_000
	progressIn = 1_000_000_000 // how long after a revision the cache knows that it has seen everything up to it
	freshWait  = 3_000_000_000 // how long a request waits for the cache to reach a revision
)

// watchCache is one resource's cacher. It holds the history's changes from the position
// from on, and the objects that result from them.
type watchCache struct {
	from     int   // the oldest change in the window
	window   int   // how many changes fit in
	listed   int64 // the revision with which it began
	dropped  bool  // a change has left the window since
	progress int64 // the revision that it knows it has reached
	lag      int64 // how long after a write the cache has the change, ns
	stuck    bool  // it gets nothing at all
	ready    int64 // when it has begun, ns
}

// oldest returns the revision from which a watch can still be served, as GetIntervalLocked says.
func (w *watchCache) oldest(h *history) int64 {
	if !w.dropped {
		return w.listed
	}
	if w.from < h.end() {
		return h.change(w.from).rev - 1
	}
	return h.revBefore(w.from)
}

// rev returns the resourceVersion of the cache when it has reached a position.
func (w *watchCache) rev(h *history, pos int) int64 {
	return max(w.listed, w.progress, h.revBefore(pos))
}

// cachedAt returns when the cache has a change that is written now.
func (w *watchCache) cachedAt(h *history, now int64) int64 {
	if now < w.ready { // it begins with it
		return w.ready
	}
	if w.stuck {
		return actor.Never
	}
	at := now + w.lag
	if n := len(h.log); n > 0 && h.log[n-1].visible != actor.Never {
		at = max(at, h.log[n-1].visible)
	}
	return at
}

// add follows updateCache and resizeCacheLocked: it makes room in the window for the change that
// was just written. A full window doubles if all of its changes are fresh, and halves if the
// changes of its newest quarter are not. Otherwise the oldest change leaves it.
func (w *watchCache) add(h *history, now int64) {
	if now < w.ready {
		w.from, w.listed = h.end(), h.revision
		return
	}
	n := h.end() - 1 - w.from
	if n < w.window {
		return
	}
	switch {
	case now-h.change(w.from).written < freshFor && w.window < maxWindow:
		w.window = min(2*w.window, maxWindow)
		return
	case now-h.change(h.end()-1-w.window/4).written > freshFor && w.window > minWindow:
		w.window = max(w.window/2, minWindow)
	}
	w.from = h.end() - w.window
	w.dropped = true
}

// begin follows watchCache.Replace: it starts the cache anew with what etcd holds when it is ready.
func (w *watchCache) begin(h *history, ready int64) {
	for i := range h.log {
		h.log[i].visible = min(h.log[i].visible, ready)
	}
	*w = watchCache{from: h.end(), window: minWindow, listed: h.revision, lag: w.lag, stuck: w.stuck, ready: ready}
}
