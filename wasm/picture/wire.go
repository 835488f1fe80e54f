package picture

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/reflector"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/says"
)

// quietAfter is how long nothing must have come on an open watch for it to be called
// quiet, in nanoseconds.
const quietAfter = 5_000_000_000

// wireStates maps the reflector's states to the wire's.
var wireStates = map[string]string{
	link.StateStart: link.WireNone, link.StateStopped: link.WireNone, link.StateCrashed: link.WireNone,
	link.ReflectorListing: link.WireListing, link.ReflectorReplacing: link.WireListing,
	link.ReflectorOpening: link.WireOpening, link.ReflectorWatching: link.WireOpen, link.ReflectorEnqueueing: link.WireOpen,
	link.ReflectorBackoff: link.WireBackoff, link.ReflectorRetrying: link.WireRetrying,
}

// wire returns the connection between server and reflector, as the reflector's state shows it.
func (s *Stage) wire() link.Wire {
	r, id := &s.x.Reflector, find(s.w, s.x, actor.Reflector, 0)
	state := reflectorState(s.w, s.x, s.w.Set.State(id))
	v := s.x.Server.View(1, 0)
	out := link.Wire{State: wireStates[state], Open: v.State == apiserver.Open && !v.Cut}
	streams := r.Streaming() && (out.State == link.WireOpening || out.State == link.WireOpen)
	switch {
	case out.State == link.WireBackoff:
		out.Remaining, out.BackOff, out.Reason = timerLeft(s.w, id), r.Slept(), whyFailed(r, v.Message)
		if out.After = link.WireBroken; out.Reason == nil {
			out.After = link.WireClosed
		}
		return out
	case out.State == link.WireRetrying:
		out.Remaining, out.Reason = timerLeft(s.w, id), whyFailed(r, v.Message)
		return out
	case v.Cut && out.State != link.WireNone:
		out.State, out.Reason = link.WireBroken, says.Failed(apiserver.Reset)
		return out
	case out.State == link.WireListing || streams:
		out.State = link.WireListing
		if r.RV() != 0 {
			out.State = link.WireRelisting
		}
	case out.State == link.WireOpen && v.Silent:
		out.State = link.WireHalfOpen
	case out.State == link.WireOpen:
		last := r.Opened()
		if len(v.Recent) > 0 {
			last = max(last, v.Recent[0].Time)
		}
		if since := s.w.Now() - last; since >= quietAfter {
			out.State, out.Since = link.WireQuiet, since
		}
	}
	s.watchEnd(&out)
	return out
}

// watchEnd tells that the last step has ended the watch.
func (s *Stage) watchEnd(out *link.Wire) {
	if !s.acted() {
		return
	}
	for _, e := range s.w.Log.Events {
		switch e.Kind {
		case event.WatchClosed:
			out.State = link.WireClosed
			if f := apiserver.Failure(e.Failure()); f != apiserver.NoFailure {
				out.State, out.Reason = link.WireBroken, says.Failed(f)
			}
		case event.WatchErrorReceived, event.WatchFailed, event.ListFailed:
			out.State, out.Reason = link.WireBroken, whyFailed(&s.x.Reflector, s.x.Server.View(0, 0).Message)
		}
	}
}

// whyFailed returns why the last request or watch failed: the server's words, or else its
// code. It is nil if nothing failed.
func whyFailed(r *reflector.Reflector, message string) *link.Arg {
	f := r.LastFailure()
	switch {
	case message != "":
		return &link.Arg{Kind: "text", V: message}
	case f.Refused:
		return says.Failed(apiserver.Refused)
	case f.Code != 0:
		return &link.Arg{Kind: "text", V: strconv.Itoa(int(f.Code))}
	}
	return nil
}
