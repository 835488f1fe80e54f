package ask

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Recorded is the name of a recorded controller of the trace that is open, "" for none.
func Recorded(r desk.Rest) string {
	if r.Trace == nil || !r.Trace.Complete {
		return ""
	}
	for i := range r.Trace.Informers {
		if name := r.Trace.Informers[i].Controller; name != "" {
			return name
		}
	}
	return ""
}

// SeeOwn asks what the recording tells of the controllers' own work, or folds the answer.
func (e *Expr) SeeOwn(d Desk) []desk.Cmd {
	e.OwnSeen = !e.OwnSeen
	if !e.OwnSeen || e.Own != nil || Recorded(d.Rest()) == "" {
		return nil
	}
	return d.Send(link.AskOwnWork{})
}

// TakeOwn takes in the answer.
func (e *Expr) TakeOwn(o *link.OwnWork) { e.Own = o }
