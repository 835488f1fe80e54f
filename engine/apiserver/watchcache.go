package apiserver

import "github.com/informerscope/informerscope/engine/actor"

// The watch cache keeps at least minWindow and at most maxWindow changes.
// Between the two, it keeps the changes of the last 75 seconds.
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

// oldest is the revision from which a watch can still be served.
func (w *watchCache) oldest(h *history) int64 {
	if !w.dropped {
		return w.listed
	}
	if w.from < h.end() {
		return h.change(w.from).rev - 1
	}
	return h.revBefore(w.from)
}

// rev is the resourceVersion of the cache when it has reached a position.
func (w *watchCache) rev(h *history, pos int) int64 {
	return max(w.listed, w.progress, h.revBefore(pos))
}

// seen is when the cache has a change that is written now.
func (w *watchCache) seen(h *history, now int64) int64 {
	if now < w.ready { // it begins with it
		return w.ready
	}
	if w.stuck {
		return actor.Never
	}
	at := now + w.lag
	if n := len(h.log); n > 0 && h.log[n-1].seen != actor.Never {
		at = max(at, h.log[n-1].seen)
	}
	return at
}

// took makes room in the window for the change that was just written. A full
// window doubles if all of its changes are fresh, and halves if most of them
// are not. Otherwise the oldest change leaves it.
func (w *watchCache) took(h *history, now int64) {
	if now < w.ready {
		w.from, w.listed = h.end(), h.revision
		return
	}
	n := h.end() - 1 - w.from
	if n < w.window {
		return
	}
	switch {
	case now-h.change(w.from).at < freshFor && w.window < maxWindow:
		w.window = min(2*w.window, maxWindow)
		return
	case now-h.change(h.end()-1-w.window/4).at > freshFor && w.window > minWindow:
		w.window = max(w.window/2, minWindow)
	}
	w.from = h.end() - w.window
	w.dropped = true
}

// begin starts the cache anew with what etcd holds when it is ready.
func (w *watchCache) begin(h *history, ready int64) {
	for i := range h.log {
		h.log[i].seen = min(h.log[i].seen, ready)
	}
	*w = watchCache{from: h.end(), window: minWindow, listed: h.revision, lag: w.lag, stuck: w.stuck, ready: ready}
}
