package history

import (
	"sort"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
)

// Sample is one moment of a run: a watch event or a list received, or something that
// a timeline marks.
type Sample struct {
	Step     int64
	Time     int64       // nanoseconds
	N        int32       // the HTTP code of a failure, the number of the handler that has joined, or the number of a note, a mark of the recording
	Informer int16       // of a note: 0
	Kind     event.Kind  // what happened; 0 for a note
	Delta    event.Delta // of a WatchEventReceived
}

// Samples are what a timeline needs of a run. There is one for each watch event, so
// they are plain numbers without pointers. A branch keeps samples of its own
// steps, and asks its parent for the others.
type Samples struct {
	received series // watch events and lists
	marks    series // what a timeline marks
	levels   []levels

	notes  world.Notes // may be nil
	noted  int         // how many notes are among the marks
	noteAt int64       // when the next note is due
}

// series are samples in the order of their steps. They lie in pages, since a slice of
// millions is copied when it grows, and the old one takes memory until it is collected.
type series struct {
	parent *series
	shared int // how many samples are the parent's
	added  int
	pages  [][]Sample // all but the last one are full
}

// samplesPerPage is how many samples a page of a series has, and a power of two.
const samplesPerPage = 4096

func (s *series) Len() int { return s.shared + s.added }

func (s *series) At(i int) Sample {
	if i < s.shared {
		return s.parent.At(i)
	}
	i -= s.shared
	return s.pages[i/samplesPerPage][i%samplesPerPage]
}

// push appends a sample. The first page grows, because most series are short.
func (s *series) push(x Sample) {
	if s.added%samplesPerPage == 0 {
		var page []Sample
		if s.added > 0 {
			page = make([]Sample, 0, samplesPerPage)
		}
		s.pages = append(s.pages, page)
	}
	last := &s.pages[len(s.pages)-1]
	*last = append(*last, x)
	s.added++
}

// after returns the number of the first sample after a step.
func (s *series) after(step int64) int {
	return sort.Search(s.Len(), func(i int) bool { return s.At(i).Step > step })
}

// branch makes s go on after the parent's first n samples.
func (s *series) branch(parent *series, n int) { s.parent, s.shared = parent, n }

// Received returns how many watch events and lists were received.
func (s *Samples) Received() int { return s.received.Len() }

// Receipt returns the i-th of the watch events and lists that were received.
func (s *Samples) Receipt(i int) Sample { return s.received.At(i) }

// Marks returns how many moments a timeline marks: lists, failures, ends of watches,
// back-offs, resyncs, tombstones, handlers that join, commands, and notes.
func (s *Samples) Marks() int { return s.marks.Len() }

// Mark returns the i-th of these moments. Their steps never decrease.
func (s *Samples) Mark(i int) Sample { return s.marks.At(i) }

// MarkAfter returns the number of the first mark after a step.
func (s *Samples) MarkAfter(step int64) int { return s.marks.after(step) }

// Levels calls yield with how deep an informer's queue was, and how far its handlers
// were behind, in the order of the steps, until yield returns false.
func (s *Samples) Levels(informer int) func(yield func(Level) bool) {
	return func(yield func(Level) bool) {
		s.levels[informer].each(func(r *levelRow, most, last []int32) bool {
			return yield(Level{Step: r.step, Time: r.time, EndStep: r.endStep, EndTime: r.endTime, Max: most, Last: last})
		})
	}
}

func (s *Samples) init(w *world.World, notes world.Notes) {
	s.levels = make([]levels, len(w.Informers))
	for i, x := range w.Informers {
		s.levels[i].open(w, x)
	}
	s.notes = notes
	s.await()
}

// await notes when the next note is due.
func (s *Samples) await() {
	s.noteAt = actor.Never
	if s.notes != nil && s.noted < s.notes.Len() {
		s.noteAt = s.notes.Time(s.noted)
	}
}

// takeNotes marks the notes that are older than the clock. Step is the last that was
// made when they were taken.
func (s *Samples) takeNotes(step, now int64) {
	for s.noteAt < now {
		s.marks.push(Sample{Step: step, Time: s.noteAt, N: int32(s.noted)})
		s.noted++
		s.await()
	}
}

// class says what a kind of event means to the samples.
type class uint8

const (
	seldom       class = iota
	announced          // received, and marked
	marked             // marked only
	emptied            // all queues and listeners are empty
	received           // NextWatchEvent stops at it
	queued             // the queue may be deeper than before, or less deep
	tombstoned         // queued, and marked if it is about a tombstone
	newTombstone       // marked if the informer has just made a tombstone
	notified           // a listener may be further behind than before, or less far
	usual              // any other that most watch events bring

	lastNoted = emptied // checkpoints tell which parts of a run have facts of these classes
)

var classes = [256]class{
	event.WatchEventReceived: received,
	event.ListReceived:       announced, event.WatchErrorReceived: announced,
	event.ListFailed: marked, event.WatchFailed: marked, event.WatchClosed: marked, event.VeryShortWatch: marked, event.RequestFailed: marked,
	event.BackoffStarted: marked, event.ResyncFired: marked, event.ListenerAdded: marked,
	event.Enqueued: tombstoned, event.DeltaAppended: tombstoned, event.Distributed: newTombstone,
	event.Requeued: queued, event.Popped: queued,
	event.ListenerAddCh: notified, event.HandlerReturned: notified, event.ListenerStopped: notified,
	event.ProcessKilled: emptied,

	event.ResourceVersionSet: usual, event.DeltasDeduplicated: usual, event.PopWaits: usual,
	event.StoreAdded: usual, event.StoreUpdated: usual, event.StoreDeleted: usual, event.IndexAdded: usual, event.IndexRemoved: usual,
	event.ListenerSlot: usual, event.ListenerPending: usual, event.ListenerNextCh: usual, event.HandlerCalled: usual,
	event.LockAcquired: usual, event.LockReleased: usual, event.LockWaits: usual,
	event.WorkAdded: usual, event.WorkDirty: usual, event.WorkGot: usual, event.WorkGetWaits: usual, event.WorkDone: usual, event.WorkForgotten: usual,
	event.ReconcileStarted: usual, event.ReconcileEnded: usual, event.ObjectWritten: usual,
}

// markNotes marks the notes whose time has come before w's last step, and the step itself if it was done from outside.
func (s *Samples) markNotes(w *world.World) {
	if w.Now() > s.noteAt {
		s.takeNotes(w.Steps()-1, w.Now())
	}
	if w.Last.Actor == actor.Nobody {
		s.outside(w)
	}
}

// look notes facts of w's last step. It adds the kinds of those that are noted to a set.
func (s *Samples) look(w *world.World, log []event.Event, facts *event.Set) {
	for i := range log {
		e := &log[i]
		c := classes[e.Kind]
		if c == usual {
			continue
		}
		if c <= lastNoted {
			facts.Add(e.Kind)
		}
		switch c {
		case received:
			s.received.add(w, e)
		case announced:
			s.received.add(w, e)
			s.marks.add(w, e)
		case marked:
			s.marks.add(w, e)
		case tombstoned:
			if e.Flags&event.Tombstone != 0 {
				s.marks.add(w, e)
			}
			s.sampleDepth(w)
		case newTombstone:
			// Other profiles queue a tombstone, which was marked then.
			if e.Flags&event.Tombstone != 0 && w.Informers[w.Last.Informer].Config().Profile.RealFIFO.Atomic {
				s.marks.add(w, e)
			}
		case queued:
			s.sampleDepth(w)
		case notified:
			s.sampleBacklog(w, e.Handler())
		case emptied:
			s.empty(w)
		}
	}
}

// level notes only how w's last step has changed the levels.
func (s *Samples) level(w *world.World) {
	for i := range w.Log.Events {
		switch e := &w.Log.Events[i]; classes[e.Kind] {
		case queued, tombstoned:
			s.sampleDepth(w)
		case notified:
			s.sampleBacklog(w, e.Handler())
		case emptied:
			s.empty(w)
		}
	}
}

// empty notes that a process has just begun.
func (s *Samples) empty(w *world.World) {
	for i, x := range w.Informers {
		if _, ended := w.ProcessExit(i); !ended {
			continue
		}
		s.levels[i].note(w, x, 0, 0)
		for j := range x.Processor.Listeners {
			s.levels[i].note(w, x, 1+j, 0)
		}
	}
}

func (s *Samples) sampleDepth(w *world.World) {
	x := w.Informers[w.Last.Informer]
	s.levels[w.Last.Informer].note(w, x, 0, int32(x.Queue.Depth()))
}

func (s *Samples) sampleBacklog(w *world.World, handler int) {
	x := w.Informers[w.Last.Informer]
	s.levels[w.Last.Informer].note(w, x, 1+handler, int32(x.Processor.Listeners[handler].Backlog()))
}

// outside marks a command, and the end of a PassTime.
func (s *Samples) outside(w *world.World) {
	if len(w.Log.Events) > 0 && w.Log.Events[0].Kind.Outside() {
		s.marks.add(w, &w.Log.Events[0])
	}
}

func (s *series) add(w *world.World, e *event.Event) {
	n := e.Code()
	if e.Kind == event.ListenerAdded {
		n = e.Handler()
	}
	s.push(Sample{Step: w.Steps(), Time: w.Now(), N: int32(n), Informer: w.Last.Informer, Kind: e.Kind, Delta: e.Delta})
}
