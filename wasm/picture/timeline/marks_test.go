package timeline

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/wasm/link"
)

// Some fact makes each kind of mark. A list makes a relist, and any fact from outside makes a command.
func TestEveryMarkIsMade(t *testing.T) {
	made := []link.MarkKind{link.MarkNote, link.MarkExpired, link.MarkRelist, link.MarkCommand}
	for _, k := range []event.Kind{
		event.WatchErrorReceived, event.ListFailed, event.WatchFailed, event.VeryShortWatch, event.ListReceived, event.ListenerAdded,
		event.WatchClosed, event.BackoffStarted, event.ResyncFired, event.RequestFailed, event.Enqueued,
	} {
		made = append(made, markKind(history.Sample{Kind: k}, 0))
	}
	for _, m := range link.Marks {
		if !slices.Contains(made, m) {
			t.Errorf("nothing makes a mark %s", m)
		}
	}
	for _, m := range made {
		if !slices.Contains(link.Marks, m) {
			t.Errorf("the page knows no mark %s", m)
		}
	}
}
