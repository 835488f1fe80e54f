package picture

import (
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Concerns reports whether a key takes part in a world's last step, at one of its
// informers.
func Concerns(w *world.World, informer int, key object.Key) bool {
	if int(w.Last.Informer) != informer {
		return false
	}
	t := w.Informers[informer].Config().Table
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		switch {
		case e.Key == key:
			return true
		case e.Key == 0 && e.New != 0 && t.Meta(e.New).Key == key: // an object that was skipped
			return true
		}
	}
	return false
}
