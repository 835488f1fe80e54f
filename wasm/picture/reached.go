package picture

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// nearby is how many watch events on either side of the moment are searched for
// changes that a station has not reached. Beyond these, Time is a lower bound.
const nearby = apiserver.TapeLen

// reached returns the server, and how far the stations are behind it. The server is
// as far as its newest change. A recorded server sends nothing while no watch
// is open, but the changes recorded for that time have happened.
func (s *Stage) reached() []link.Reached {
	v := s.x.Server.View(nearby, nearby)
	newest := s.x.Reflector.RV() // a bookmark or a list may have told more than the watch
	var sent []apiserver.Sent    // the newest first
	for i := len(v.Coming) - 1; i >= 0; i-- {
		if e := v.Coming[i]; v.Recorded && e.Time <= s.w.Now() {
			sent = append(sent, e)
		}
	}
	sent = append(sent, v.Recent...)
	newest = later(later(newest, v.Newest), v.Revision)
	for _, e := range sent {
		newest = later(newest, sentRV(s.t, e))
	}
	out := []link.Reached{{Name: link.StationServer, Listener: -1, RV: s.t.RVText(newest)}}
	add := func(name string, actor int, rv object.RV) {
		r := link.Reached{Name: name, Listener: actor, RV: s.t.RVText(rv)}
		if n, ok := rv.Number(); ok {
			if m, _ := newest.Number(); m > n {
				r.Behind = int64(m - n)
			}
			for _, e := range sent {
				if at := sentRV(s.t, e); at > rv && e.Kind == apiserver.WatchEvent {
					r.Time = max(r.Time, s.w.Now()-e.Time)
				}
			}
		}
		out = append(out, r)
	}
	add(link.StationReflector, -1, s.x.LastSyncResourceVersion())
	add(link.StationStore, -1, s.x.CacheReached())
	for i, h := range s.x.Config().Handlers {
		if s.x.Processor.Listeners[i].Joined && !timeline.IsImplicit(&h) {
			add(h.Name, i, s.x.HandlerReached(i))
		}
	}
	if rv := s.x.Work.WroteRV; rv != 0 {
		add(link.StationWork, -1, rv)
	}
	return out
}

// sentRV returns the resourceVersion of a watch event.
func sentRV(t *object.Table, e apiserver.Sent) object.RV {
	if e.Obj != 0 {
		return t.RVOf(e.Obj)
	}
	return e.RV
}

// later returns the later of two resourceVersions, and passes over those that are no numbers.
func later(a, b object.RV) object.RV {
	if _, ok := b.Number(); ok && b > a {
		return b
	}
	return a
}
