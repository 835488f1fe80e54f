package picture

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/says"
)

// Way follows one watch event through the informer. The zero Way follows none.
type Way struct {
	received event.Event // WatchEventReceived, the zero Event for none
	applied  bool        // the indexer has been written
	called   int         // handlers, with this version of the object
}

// Begin takes in the step that has received the watch event, if that is about an object.
func (y *Way) Begin(s *Stage) {
	for _, e := range s.w.Log.Events {
		if s.acted() && e.Kind == event.WatchEventReceived && e.New != 0 && e.Delta != event.Bookmark {
			*y = Way{received: e}
		}
	}
}

// Add takes in a step after it.
func (y *Way) Add(s *Stage) {
	if y.received.New == 0 || !s.acted() {
		return
	}
	gone := y.received.Delta == event.Deleted
	for _, e := range s.w.Log.Events {
		switch {
		case e.Key != y.received.Key:
		case gone && e.Kind == event.StoreDeleted, e.New == y.received.New && (e.Kind == event.StoreAdded || e.Kind == event.StoreUpdated):
			y.applied = true
		case y.applied && e.Kind == event.HandlerCalled && (e.New == y.received.New || gone && e.Delta == event.Deleted):
			y.called++
		}
	}
}

// Said returns the sentence about the way. It is nil where the watch event has not come into the cache, so that its steps
// say more.
func (y *Way) Said(s *Stage) *link.Sentence {
	if !y.applied {
		return nil
	}
	said := link.Sentence{ID: "way.stored", Args: says.Arguments(s.x, y.received)}
	if y.received.Delta == event.Deleted {
		said.ID = "way.deleted"
	}
	if y.called > 0 {
		said.ID += "Told"
		said.Args["n"] = link.Arg{Kind: "num", V: strconv.Itoa(y.called)}
	}
	return &said
}
