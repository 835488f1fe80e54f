package findings

import (
	"slices"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// handlerPanic looks for calls of handlers that panicked. client-go lets the panic end the process, unless the program
// has set otherwise: then the goroutine that calls the handler begins again, with the next notification.
type handlerPanic struct {
	base
	calls []Finding // the first of each handler
}

func (p *handlerPanic) call(x *reading, h *trace.Handler, c *trace.Call) {
	if !c.Panicked {
		return
	}
	at := Moment{c.Time, x.records}
	for i := range p.calls {
		if f := &p.calls[i]; f.Handler == h.Name {
			f.To = at
			f.Counts[0].N++
			f.Evidence = show(f.Evidence, Evidence{Moment: at, Key: x.r.Table.KeyText(c.Key)})
			return
		}
	}
	key := x.r.Table.KeyText(c.Key)
	p.calls = append(p.calls, Finding{
		Subject: Subject{Key: key, Handler: h.Name, Fn: c.Fn.String()}, From: at, To: at, Tombstone: c.Tombstone,
		Counts: []Count{{Name: "calls", N: 1}}, Evidence: []Evidence{{Moment: at, Key: key}},
	})
}

func (p *handlerPanic) find(x *reading) (all []Finding) {
	for _, f := range p.calls {
		f.Counts = []Count{x.count("calls", f.Counts[0].N)}
		f.Last = f.Key != "" && x.pass.trace.Now-f.To.Time < lastCall
		all = append(all, f)
	}
	return all
}

// panicOfUnknown looks for calls that panicked with an object that the recording doesn't have.
func panicOfUnknown(p *Pass, x *worker.Fault) *Finding {
	if x.Kind != trace.FaultHandler {
		return nil
	}
	return &Finding{Last: p.trace.Now-x.Last < lastCall, Tombstone: x.Tombstone, Lacks: "object"}
}

// lastCall is for how long a process may go on that a panic ends, while the recorder writes what led to it.
const lastCall = second

// stuckHandler looks for calls that had not returned when the capture ended. The recorder writes of a call that runs for a
// second that it goes on. Half a minute is as long as most clients wait for an answer, so who waits longer
// mostly waits for what doesn't come. All later notifications of the handler wait for it.
type stuckHandler struct {
	base
	long []longCall // those that have returned, mostLong at most
}

// longCall names a call that was written about while it ran.
type longCall struct {
	handler string
	began   int64
}

const (
	// stuckFor is the threshold: how long a call runs that has not returned.
	stuckFor = minute / 2
	// mostLong is how many calls are remembered.
	mostLong = 1 << 12
	// writtenBy is by how much two lines about a call may differ on when it began.
	writtenBy = 5 * millisecond
)

func (s *stuckHandler) call(_ *reading, h *trace.Handler, c *trace.Call) {
	if c.Duration >= second && len(s.long) < mostLong {
		s.long = append(s.long, longCall{h.Name, c.Time - c.Duration})
	}
}

func (s *stuckHandler) find(x *reading) (all []Finding) {
	log := x.pass.o.Log
	if log == nil || len(s.long) == mostLong {
		return nil
	}
	for i := range log.Calling {
		c := &log.Calling[i]
		began := c.Time - c.Duration
		if x.pass.trace.Now-began < stuckFor || x.pass.ofCall(c.Handler, c.Kind, c.Key) != x || s.returned(c.Handler, began) {
			continue
		}
		if n := len(all); n > 0 && all[n-1].Handler == c.Handler && began-all[n-1].From.Time < writtenBy {
			continue // it was written about before
		}
		at := Moment{began, x.records}
		all = append(all, Finding{
			Subject: Subject{Key: c.Key, Handler: c.Handler, Fn: c.Fn.String()}, From: at, To: Moment{x.pass.trace.Now, x.records},
			Counts: []Count{{Name: "ran", N: x.pass.trace.Now - began, Unit: Duration, AtLeast: true}}, Tombstone: c.Tombstone,
			Unknown: log.LeftOut.Calls > 0,
		})
	}
	return all
}

func (s *stuckHandler) returned(handler string, began int64) bool {
	for _, l := range s.long {
		if d := l.began - began; l.handler == handler && d < writtenBy && d > -writtenBy {
			return true
		}
	}
	return false
}

// ofCall returns the resource that a call was about, or nil if it isn't known. It is the resource that has such an object and either a handler
// of that name or objects of that kind. If there is none, it is the first resource that has such an object.
func (p *Pass) ofCall(handler, kind, key string) (first *reading) {
	for _, x := range p.readings {
		if _, ok := x.r.Table.LookupKey(key); !ok {
			continue
		}
		if first == nil {
			first = x
		}
		if kind != "" && x.r.Kind == kind || kind == "" && x.r.Handler(handler) != nil {
			return x
		}
	}
	return first
}

// sameName looks for a name under which handlers of two informers were recorded: see trace.Resource.Shared. The report plays
// one handler for each name and informer, and compares no calls of such a one.
type sameName struct {
	base
	first []Moment // by handler: its first call
}

func (s *sameName) call(x *reading, h *trace.Handler, c *trace.Call) {
	if i := slices.Index(x.r.Handlers, h); i >= len(s.first) {
		s.first = append(s.first, make([]Moment, i+1-len(s.first))...)
		s.first[i] = Moment{c.Time, x.records}
	}
}

func (s *sameName) find(x *reading) (all []Finding) {
	for i, h := range x.r.Handlers {
		other, calls, others := x.r.Shared(h)
		if other == nil || i >= len(s.first) || other.Handler(h.Name) != nil && slices.Index(x.pass.trace.Resources, other) < x.resource {
			continue // of two, the first tells
		}
		all = append(all, Finding{
			Subject: Subject{Handler: h.Name, Other: other.Name()}, From: s.first[i], To: s.first[i],
			Counts: []Count{x.count("calls", calls), x.count("others", others)},
		})
	}
	return all
}
