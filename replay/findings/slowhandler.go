package findings

import (
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// slowHandler looks for handlers that get to know of changes late because of their own calls. client-go calls each handler
// in a goroutine of its own and gives it a buffer without bounds, so nobody else waits, and nothing fails: the handler is
// only told later and later. A second is what people see, and what a test that waits for a change gives up after.
type slowHandler struct {
	base
	arrivals Newest[version, Moment]
	handlers []handlerOf
}

// lateCall is the threshold: how long after a change a call about it begins.
const lateCall = second

// pause is how long a handler rests between two calls at most while something waits for it. What is longer is nothing
// to do.
const pause = millisecond

// handlerOf is what is known of one handler.
type handlerOf struct {
	h        *trace.Handler
	calls    int64
	duration int64
	longest  int64
	slowest  Moment // of the longest
	ended    int64  // when the last call returned
	busy     int64  // since when it has gone from call to call
	worked   int64  // of that
	first    bool   // it has not rested since its first call
	late     int64
	from, to Moment // of the latest call
	key      string
	lates    int64 // calls that were late
	waiting  int64
}

func (s *slowHandler) record(x *reading, rec *trace.Record) {
	if len(x.r.Handlers) == 0 {
		return // objects that came by now are in x.server
	}
	switch {
	case x.server.news != nil:
		for _, i := range x.server.list {
			s.arrivals.Add(version{i.key, i.rv}, x.now(rec))
		}
	case x.isChange(rec):
		s.arrivals.Add(version{x.r.Table.KeyOf(rec.Obj), x.r.Table.RVOf(rec.Obj)}, x.now(rec))
	}
}

func (s *slowHandler) call(x *reading, h *trace.Handler, c *trace.Call) {
	i := 0
	for i < len(s.handlers) && s.handlers[i].h != h {
		i++
	}
	if i == len(s.handlers) {
		s.handlers = append(s.handlers, handlerOf{h: h})
	}
	o := &s.handlers[i]
	began := c.Time - c.Duration
	if o.calls == 0 || began-o.ended > pause {
		o.busy, o.worked, o.first = began, 0, o.calls == 0
	}
	o.calls++
	o.duration += c.Duration
	if c.Duration > o.longest {
		o.longest, o.slowest = c.Duration, Moment{c.Time, x.records}
	}
	defer func() { o.ended, o.worked = c.Time, o.worked+c.Duration }()
	at, behind, known := s.arrived(x, c)
	// The calls themselves must fill the time from when it came, or nearly so. Otherwise it waited for something else. A handler that is added
	// to a running informer, as controller-runtime does, is called for objects that had come before.
	since := max(at.Time, o.busy)
	if late := began - since; !known || c.Fn == trace.OnUpdate && c.OldRV == c.RV || late < lateCall || o.busy > at.Time+pause && (!o.first || c.Fn != trace.OnAdd) || o.worked*5 < (began-o.busy)*4 {
		return
	}
	o.lates++
	o.waiting = max(o.waiting, int64(behind))
	if late := began - since; late > o.late {
		o.late, o.from, o.to, o.key = late, at, Moment{began, x.records}, x.r.Table.KeyText(c.Key)
	}
}

// arrived returns when the version that a call is about had come, and how many changes have come since.
func (s *slowHandler) arrived(x *reading, c *trace.Call) (at Moment, behind int, known bool) {
	if n, ok := s.arrivals.Find(version{c.Key, c.RV}); ok {
		return s.arrivals.At(n), s.arrivals.Len() - 1 - n, true
	}
	if int(c.Key) < len(x.server.objects) {
		if o := &x.server.objects[c.Key]; o.exists && o.rv == c.RV {
			return Moment{Time: o.time, Record: x.records}, 0, true
		}
	}
	return at, 0, false
}

func (s *slowHandler) find(x *reading) (all []Finding) {
	for i := range s.handlers {
		o := &s.handlers[i]
		if o.lates == 0 || !x.timed() {
			continue
		}
		f := Finding{
			Subject: Subject{Handler: o.h.Name, Key: o.key}, From: o.from, To: o.to,
			Counts: []Count{
				{Name: "late", N: o.late, Unit: Duration, AtLeast: x.lossy()}, x.count("calls", o.lates),
				{Name: "mean", N: o.duration / o.calls, Unit: Duration}, {Name: "longest", N: o.longest, Unit: Duration},
				{Name: "waiting", N: o.waiting, AtLeast: true},
			},
			Evidence: []Evidence{{Moment: o.slowest, N: o.longest}},
		}
		if o.waiting == 0 { // what a list has brought isn't counted
			f.Lacks = "waiting"
		}
		all = append(all, f)
	}
	return all
}

// version is a version of an object.
type version struct {
	key object.Key
	rv  object.RV
}
