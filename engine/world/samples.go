package world

import (
	"sort"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

// Sample is one moment of a run: a watch event or list received, an error, a
// back-off, a resync, a command; or only another few thousand steps.
type Sample struct {
	Step     int64
	Time     int64 // nanoseconds
	Depth    int32 // the queue's highest depth from here to the next sample
	Cache    int32 // objects in the store
	Informer int16
	Kind     event.Kind  // what happened, 0 if nothing worth a mark
	Delta    event.Delta // of a WatchEventReceived

	behind int32 // where its handlers begin in Samples.behind
}

// Samples are the samples of a run, by step. There is one for each watch event, so
// they are plain numbers without pointers. A branch keeps samples of its own
// steps, and asks its parent for the others.
type Samples struct {
	parent       *Samples
	shared       int // how many samples are the parent's
	sharedEvents int // how many watch events are

	rows      []Sample
	behind    []int32 // for each row and handler of its informer: the highest from there to the next sample
	events    []int64 // the steps that received a watch event or a list
	lastSteps int64
}

// sampleEvery is after how many steps a sample is made though nothing happened.
const sampleEvery = 4096

// Len is the number of samples.
func (s *Samples) Len() int { return s.shared + len(s.rows) }

// At returns sample i.
func (s *Samples) At(i int) Sample {
	if i < s.shared {
		return s.parent.At(i)
	}
	return s.rows[i-s.shared]
}

// Behind returns, for each handler that the sample's informer had by then, how
// many notifications it was behind at most from sample i to the next. The caller
// must not change it.
func (s *Samples) Behind(i int) []int32 {
	if i < s.shared {
		return s.parent.Behind(i)
	}
	i -= s.shared
	to := len(s.behind)
	if i+1 < len(s.rows) {
		to = int(s.rows[i+1].behind)
	}
	return s.behind[s.rows[i].behind:to:to]
}

// WatchEvents is how many steps received a watch event or a list.
func (s *Samples) WatchEvents() int { return s.sharedEvents + len(s.events) }

// watchEvent is the i-th step that received a watch event or a list.
func (s *Samples) watchEvent(i int) int64 {
	if i < s.sharedEvents {
		return s.parent.watchEvent(i)
	}
	return s.events[i-s.sharedEvents]
}

func (s *Samples) init(w *World) { s.add(w, Sample{}) }

// branch makes s the samples of a branch that leaves h at a step. The parent's
// last sample before that goes on beyond it, so it is made again, in w.
func (s *Samples) branch(h *History, step int64, w *World) {
	p := &h.samples
	s.parent = p
	last := sort.Search(p.Len(), func(i int) bool { return p.At(i).Step > step }) - 1
	from := p.At(last).Step
	s.shared = sort.Search(last, func(i int) bool { return p.At(i).Step >= from })
	s.sharedEvents = sort.Search(p.WatchEvents(), func(i int) bool { return p.watchEvent(i) >= from })
	if from == 0 {
		h.reach(w, 0)
		s.init(w)
	} else {
		s.lastSteps = p.At(s.shared - 1).Step
		h.reach(w, from-1)
	}
	for w.steps < step && h.advance(w) {
		s.look(w)
	}
}

// class says what a kind of event means to the samples.
type class uint8

const (
	received class = iota + 1 // a sample, which NextWatchEvent stops at
	marked                    // a sample
	queued                    // the queue may be deeper than before
	stored                    // the store may hold another number of objects
	notified                  // a listener may be further behind
)

var classes = [256]class{
	event.ListReceived: received, event.WatchEventReceived: received, event.WatchErrorReceived: received,
	event.ListFailed: marked, event.WatchFailed: marked, event.WatchClosed: marked, event.VeryShortWatch: marked,
	event.BackoffStarted: marked, event.ResyncFired: marked, event.ListenerAdded: marked,
	event.Enqueued: queued, event.Requeued: queued,
	event.StoreAdded: stored, event.StoreDeleted: stored, event.StoreReplaced: stored,
	event.ListenerAddCh: notified,
}

// look notes what w's last step has done.
func (s *Samples) look(w *World) {
	if w.Last.Actor == actor.Nobody {
		s.outside(w)
	}
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		switch classes[e.Kind] {
		case 0: // as most are
		case received:
			s.events = append(s.events, w.steps)
			s.add(w, Sample{Kind: e.Kind, Delta: e.Delta})
		case marked:
			s.add(w, Sample{Kind: e.Kind})
		case queued:
			if row, x := s.row(w); row != nil {
				row.Depth = max(row.Depth, int32(x.Queue.Depth()))
			}
		case stored:
			if row, x := s.row(w); row != nil {
				row.Cache = int32(x.Indexer.Len())
			}
		case notified:
			if row, x := s.row(w); row != nil {
				i := e.Handler()
				behind := &s.behind[int(row.behind)+i]
				*behind = max(*behind, int32(x.Processor.Listeners[i].Behind()))
			}
		}
	}
	if w.Last.Finished && w.steps-s.lastSteps >= sampleEvery {
		s.add(w, Sample{})
	}
}

// outside makes a sample of a command, and of the end of a PassTime.
func (s *Samples) outside(w *World) {
	row := Sample{}
	if len(w.Log.Events) > 0 {
		row.Kind, row.Delta = w.Log.Events[0].Kind, w.Log.Events[0].Delta
	}
	s.add(w, row)
}

// row is the last row and the informer that made the last step, or nil if the row
// is another informer's, or the parent's.
func (s *Samples) row(w *World) (*Sample, *informer.Informer) {
	if len(s.rows) == 0 {
		return nil, nil
	}
	row, x := &s.rows[len(s.rows)-1], w.Informers[w.Last.Informer]
	if x.Index() != int(row.Informer) {
		return nil, nil
	}
	return row, x
}

func (s *Samples) add(w *World, row Sample) {
	x := w.Informers[w.Last.Informer]
	row.Step, row.Time, row.Informer, row.behind = w.steps, w.Now(), int16(x.Index()), int32(len(s.behind))
	row.Depth, row.Cache = int32(x.Queue.Depth()), int32(x.Indexer.Len())
	s.rows = append(s.rows, row)
	for i := range x.Processor.Listeners {
		s.behind = append(s.behind, int32(x.Processor.Listeners[i].Behind()))
	}
	s.lastSteps = w.steps
}
