package ask

import (
	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/event"
)

// Why an informer lists again.
const (
	Expired        = "expired"        // a watch ended with 410
	WatchError     = "error"          // a watch ended with another error
	VeryShortWatch = "veryShortWatch" // a watch ended within a second, with nothing on it
	WatchRefused   = "watchFailed"    // a watch was refused
	WatchClosed    = "closed"         // a watch was closed, or broke
	Undecodable    = "undecodable"    // a watch ended because what came on it can't be decoded
	ListedAgain    = "listedAgain"    // the recorded client listed again, and the recording doesn't say why
)

var reasons = []string{Expired, WatchError, VeryShortWatch, WatchRefused, WatchClosed, Undecodable, ListedAgain}

// Relists tells the relists of one informer, and why they happen. It must be shown all
// facts of the informer from the first step on.
type Relists struct {
	first   bool // the first list has been asked for
	listing bool // a list is under way, the first one included
	streams bool // the last watch that was asked for begins with a streaming list
	why     string
	code    int
}

// relistKinds are the kinds of facts that Look looks at.
var relistKinds = []event.Kind{event.ListRequested, event.WatchRequested, event.ListReceived, event.WatchErrorReceived, event.WatchFailed, event.WatchClosed, event.VeryShortWatch, event.ProcessKilled}

// Look takes the next fact. It returns why a relist begins with it, and the code of the
// Status or answer that is the reason; or "" if none begins. A request that follows one
// without an answer belongs to the same relist.
func (r *Relists) Look(f *event.Event) (reason string, code int) {
	switch f.Kind {
	case event.ListRequested:
		return r.asks()
	case event.WatchRequested:
		if r.streams = f.Flags&event.Streaming != 0; r.streams {
			return r.asks()
		}
	case event.ListReceived:
		r.listing, r.why, r.code = false, "", 0
	case event.WatchErrorReceived:
		r.why, r.code = WatchError, f.Code()
		switch {
		case f.Code() == 410:
			r.why = Expired
		case apiserver.Failure(f.Failure()) == apiserver.ListedAnew:
			r.why = ListedAgain
		case f.Cause == event.Undecodable: // client-go made the ERROR event, and its code
			r.why, r.code = Undecodable, 0
		}
	case event.WatchFailed:
		r.why, r.code = WatchRefused, f.Code()
	case event.WatchClosed:
		r.why, r.code = WatchClosed, 0
	case event.VeryShortWatch:
		r.why, r.code = VeryShortWatch, 0
	case event.ProcessKilled:
		*r = Relists{}
	}
	return "", 0
}

// Streams tells whether the last watch that was asked for begins with a streaming list.
func (r *Relists) Streams() bool { return r.streams }

func (r *Relists) asks() (reason string, code int) {
	begun := !r.first || r.listing
	r.first, r.listing = true, true
	if begun {
		return "", 0
	}
	if r.why == "" {
		r.why = WatchClosed
	}
	return r.why, r.code
}
