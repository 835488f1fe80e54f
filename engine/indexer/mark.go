package indexer

import "github.com/informerscope/informerscope/engine/object"

// Mark adds the objects that the store holds. It reports false if there are
// indices, because their values, and the strings that IndexFuncs look for, may
// belong to no object.
func (x *Indexer) Mark(live *object.Live) bool {
	live.Refs(x.items)
	for _, m := range x.changed {
		live.Ref(m.obj)
		live.Ref(m.reads)
	}
	return len(x.indices) == 0
}
