package world

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
)

// Sample is one moment of a run: a watch event or list received, an error, a
// back-off, a resync; or only another few thousand steps.
type Sample struct {
	Step     int64
	Time     int64 // nanoseconds
	Depth    int32 // the queue's highest depth from here to the next sample
	Cache    int32 // objects in the store
	Informer int16
	Kind     event.Kind  // what happened, 0 if nothing worth a mark
	Delta    event.Delta // of a WatchEventReceived
}

// Samples are the samples of a run, by step. They are columns of plain numbers
// because there is one for each watch event.
type Samples struct {
	rows      []Sample
	behind    []int32 // handlers for each row: the highest from here to the next sample
	events    []int64 // the steps that received a watch event or a list
	handlers  int     // the most that an informer has
	lastSteps int64
}

// sampleEvery is after how many steps a sample is made though nothing happened.
const sampleEvery = 4096

// Len is the number of samples.
func (s *Samples) Len() int { return len(s.rows) }

// At returns sample i.
func (s *Samples) At(i int) Sample { return s.rows[i] }

// Behind returns, for each handler of the sample's informer, how many
// notifications it was behind at most from sample i to the next. The caller
// must not change it.
func (s *Samples) Behind(i int) []int32 {
	return s.behind[i*s.handlers : (i+1)*s.handlers : (i+1)*s.handlers]
}

// WatchEvents is how many steps received a watch event or a list.
func (s *Samples) WatchEvents() int { return len(s.events) }

func (s *Samples) init(w *World, commands []Command) {
	for _, x := range w.Informers {
		s.handlers = max(s.handlers, len(x.Config().Handlers))
	}
	for _, c := range commands {
		if c.Kind == AddHandler {
			s.handlers++
		}
	}
	s.add(w, Sample{})
}

// The kinds that samples are made of, a bit for each.
const (
	received uint64 = 1<<event.ListReceived | 1<<event.WatchEventReceived | 1<<event.WatchErrorReceived
	marked   uint64 = 1<<event.ListFailed | 1<<event.WatchFailed | 1<<event.WatchClosed | 1<<event.VeryShortWatch | 1<<event.BackoffStarted | 1<<event.ResyncFired | 1<<event.ListenerAdded
	queued   uint64 = 1<<event.Enqueued | 1<<event.Requeued
	stored   uint64 = 1<<event.StoreAdded | 1<<event.StoreDeleted | 1<<event.StoreReplaced
	notified uint64 = 1 << event.ListenerAddCh
	sampled         = received | marked | queued | stored | notified
)

// look takes in what w's last step has done.
func (s *Samples) look(w *World) {
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		kind := uint64(1) << e.Kind
		if kind&sampled == 0 { // as most are
			continue
		}
		switch {
		case kind&received != 0:
			s.events = append(s.events, w.steps)
			s.add(w, Sample{Kind: e.Kind, Delta: e.Delta})
		case kind&marked != 0:
			s.add(w, Sample{Kind: e.Kind})
		case kind&queued != 0:
			if row, x := s.row(w); row != nil {
				row.Depth = max(row.Depth, int32(x.Queue.Depth()))
			}
		case kind&stored != 0:
			if row, x := s.row(w); row != nil {
				row.Cache = int32(x.Indexer.Len())
			}
		case kind&notified != 0:
			if row, x := s.row(w); row != nil {
				behind := &s.behind[len(s.behind)-s.handlers+int(e.Listener)]
				*behind = max(*behind, int32(x.Processor.Listeners[e.Listener].Behind()))
			}
		}
	}
	if w.Last.Finished && w.steps-s.lastSteps >= sampleEvery {
		s.add(w, Sample{})
	}
}

// row is the last row and the informer that made the last step, or nil if the row
// is another one's.
func (s *Samples) row(w *World) (*Sample, *informer.Informer) {
	row, x := &s.rows[len(s.rows)-1], w.of(w.Last.Actor)
	if x.Index() != int(row.Informer) {
		return nil, nil
	}
	return row, x
}

func (s *Samples) add(w *World, row Sample) {
	x := w.Informers[0]
	if w.steps > 0 {
		x = w.of(w.Last.Actor)
	}
	row.Step, row.Time, row.Informer = w.steps, w.Now(), int16(x.Index())
	row.Depth, row.Cache = int32(x.Queue.Depth()), int32(x.Indexer.Len())
	s.rows = append(s.rows, row)
	for range s.handlers {
		s.behind = append(s.behind, 0)
	}
	behind := s.behind[len(s.behind)-s.handlers:]
	for i := range x.Processor.Listeners {
		behind[i] = int32(x.Processor.Listeners[i].Behind())
	}
	s.lastSteps = w.steps
}
