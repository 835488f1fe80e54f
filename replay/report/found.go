package report

import (
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
)

// InferredHandlers is what the recorded calls of a resource's handlers say of the informer.
type InferredHandlers struct {
	Handlers []FoundHandler
	Resync   int64 // the informer's period, at which it checks whether those of its handlers are over
	// AnyKind tells that handlers were called with objects of another kind: a dynamic
	// informer expects none in particular.
	AnyKind bool
}

// FoundHandler is what the recorded calls of a handler say of it.
type FoundHandler struct {
	Name   string
	Resync int64 // the period that explains its resyncs
	From   int64 // when it was added to a running informer; 0 for before Run
	Until  int64 // when it was removed; 0 for never
	// Shared tells that a handler of another informer has this name, too: see trace.Resource.Shared. Nothing follows from its
	// calls then but how long they took.
	Shared bool
	// Ended tells that notifications were waiting for it when its informer, or the
	// recording, ended.
	Ended bool

	calls  int
	took   durations
	lost   int64 // how much earlier the engine makes its last call
	spread int64 // how long it took for the calls of one resync, or of a list that had nothing new, at most
}

// Handler returns the engine's handler that gets the recorded calls from a version of
// client-go. Each call takes as long as it was recorded to take. A call that is the last
// although more is waiting does not return if the handler was not removed.
func (f *FoundHandler) Handler(p world.Profile) Handler {
	h := Handler{Name: f.Name, Resync: f.Resync, From: f.From}
	blocks, longer := f.Ended, int64(0)
	if f.Until > 0 {
		if h.Until = f.Until; p.Registrations {
			longer = f.lost
		} else {
			blocks = true // nothing else keeps the calls from it
		}
	}
	took, last := f.took, f.calls-1
	h.Took = func(call int) int64 {
		switch {
		case call == last && !blocks:
			return took.at(call) + longer
		case call >= last && (blocks || longer > 0):
			return informer.Forever
		}
		return took.at(call)
	}
	return h
}

// Dynamic reports whether the informer was one that expects objects of no kind in
// particular.
func (f *InferredHandlers) Dynamic() bool { return f != nil && f.AnyKind }

// Named returns the found handler of that name; nil if there is none.
func (f *InferredHandlers) Named(name string) *FoundHandler {
	if f != nil {
		for i := range f.Handlers {
			if f.Handlers[i].Name == name {
				return &f.Handlers[i]
			}
		}
	}
	return nil
}

// durations are what the calls of a handler took: nanoseconds, or microseconds from two
// seconds on, which have the highest bit set.
type durations []uint32

const inMicroseconds = 1 << 31

// maxDurations is how many are kept: 64 MB. A handler with more calls takes no time for
// the others.
const maxDurations = 1 << 24

func (d durations) add(took int64) durations {
	switch took = max(took, 0); {
	case len(d) == maxDurations:
		return d
	case took < inMicroseconds:
		return append(d, uint32(took))
	}
	return append(d, uint32(min(took/1000, inMicroseconds-1))|inMicroseconds)
}

// at returns what a call took, counted from 0, in nanoseconds. It is 0 where that is not known.
func (d durations) at(call int) int64 {
	switch {
	case call >= len(d):
		return 0
	case d[call] < inMicroseconds:
		return int64(d[call])
	}
	return int64(d[call]&^inMicroseconds) * 1000
}
