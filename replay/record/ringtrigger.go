package record

import (
	"fmt"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

// Triggers say what is worth a dump. A field that is zero is no trigger.
type Triggers struct {
	SilentWatch time.Duration // a watch has got neither an event nor a bookmark for so long
	OpenList    time.Duration // a list, or the initial events of a watch, has not ended within
	SlowCall    time.Duration // a call of a handler runs for longer
	Behind      int           // a handler is behind by so many events of its watch
	Reconcile   time.Duration // a reconcile runs for longer
	UnseenWrite time.Duration // an own write has not come back for so long, where a watch without selectors should send it
	Panic       bool          // a handler has panicked

	// Cooldown is the least time between two calls of OnTrigger; 0 is a minute.
	Cooldown time.Duration
}

// every is how often the triggers are looked at.
func (g *Triggers) every() time.Duration {
	least := 10 * time.Second
	for _, d := range []time.Duration{g.SilentWatch, g.OpenList, g.SlowCall, g.Reconcile, g.UnseenWrite} {
		if d > 0 {
			least = min(least, d/4)
		}
	}
	if g.Behind > 0 || g.Panic {
		least = min(least, time.Second)
	}
	return max(least, 10*time.Millisecond)
}

// watchTriggers looks at the triggers until the Ring is closed.
func (r *Ring) watchTriggers() {
	g := r.o.Triggers
	none := g
	none.Cooldown = 0
	if r.o.OnTrigger == nil || none == (Triggers{}) {
		return
	}
	if g.Cooldown <= 0 {
		g.Cooldown = time.Minute
	}
	var last time.Time
	var panics int64
	tick := time.NewTicker(g.every())
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-r.stop:
			return
		}
		why := r.why(&g, &panics)
		if why == "" || !last.IsZero() && time.Since(last) < g.Cooldown {
			continue
		}
		last = time.Now()
		r.Mark("trigger: " + why)
		r.trigger(why)
	}
}

// trigger calls OnTrigger, which is the controller's code. The next look at the triggers waits for it.
func (r *Ring) trigger(why string) {
	defer func() {
		if p := recover(); p != nil {
			r.Mark(fmt.Sprintf("OnTrigger panicked: %v", p))
		}
	}()
	r.o.OnTrigger(r, why)
}

// why says which trigger is met, "" for none. Panics is how many were told.
func (r *Ring) why(g *Triggers, panics *int64) string {
	now := r.now()
	var calls []trace.Called
	if g.SlowCall > 0 {
		calls = r.Recorder.calls.all()
	}
	over := func(since int64, most time.Duration) bool { return most > 0 && now-since > int64(most) }
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range sorted(r.live.requests) {
		switch {
		case (!q.watch || q.initial) && over(q.began, g.OpenList):
			return fmt.Sprintf("%s has not ended for %v", q.what(), ago(now, q.began))
		case q.watch && over(q.heard(), g.SilentWatch):
			return fmt.Sprintf("%s is silent for %v", q.what(), ago(now, q.heard()))
		}
	}
	for _, c := range calls {
		if c.Took > int64(g.SlowCall) {
			return fmt.Sprintf("%s of the handler %s runs for %v", c.Fn, c.Handler, time.Duration(c.Took))
		}
	}
	var all int64
	for name, h := range r.live.handlers {
		all += h.panics
		if n, known := r.live.behind(h); known && g.Behind > 0 && n > int64(g.Behind) {
			return fmt.Sprintf("the handler %s is behind by %d events", name, n)
		}
	}
	if g.Panic && all > *panics {
		*panics = all
		return "a handler has panicked"
	}
	for _, x := range sorted(r.live.work) {
		if over(x.began, g.Reconcile) {
			return fmt.Sprintf("the reconcile of %s by %s runs for %v", x.key, x.controller, ago(now, x.began))
		}
	}
	for _, w := range r.live.unseen {
		if over(w.at, g.UnseenWrite) {
			return fmt.Sprintf("the %s of %s %s has not come back for %v", w.verb, w.path.Resource, w.key, ago(now, w.at))
		}
	}
	return ""
}

// what names a request.
func (q *liveRequest) what() string {
	switch {
	case !q.watch:
		return "the list of " + q.path.Resource
	case q.initial:
		return "the streaming list of " + q.path.Resource
	}
	return "the watch of " + q.path.Resource
}

// heard is when something came of a watch, or when it began.
func (q *liveRequest) heard() int64 { return max(q.began, q.last, q.bookmark) }

func ago(now, then int64) time.Duration { return time.Duration(now - then).Round(time.Millisecond) }
