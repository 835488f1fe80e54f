package fifo

import "github.com/informerscope/informerscope/engine/object"

// Mark adds the objects that the queue refers to.
func (f *DeltaFIFO) Mark(live *object.Live) {
	f.items.mark(live)
	f.op.mark(live)
}

// Mark adds the objects that the queue refers to. Lists that were popped and not
// yet processed are among them.
func (f *RealFIFO) Mark(live *object.Live) {
	for i := range f.items.n {
		live.Key(f.items.at(i).Key)
		live.Ref(f.items.at(i).Obj)
	}
	for i := range f.lists.n {
		live.Refs(f.lists.at(i).refs)
	}
	f.op.mark(live)
}

func (o *operation) mark(live *object.Live) {
	live.Refs(o.list)
	for _, k := range o.keys {
		live.Key(k)
	}
}

func (s *rows) mark(live *object.Live) {
	for k, r := range s.byKey {
		if r.n > 0 {
			live.Key(object.Key(k))
		}
		for n, at := int32(0), r.head; n < r.n; n++ {
			live.Ref(s.nodes[at].Obj)
			at = s.nodes[at].next
		}
	}
}
