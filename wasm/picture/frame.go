package picture

import (
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/says"
)

// DefaultWindow is the window of a page of common size.
var DefaultWindow = link.Window{Tape: 10, Queue: 12, Store: 240, Pending: 24, Work: 8}

// ClampWindow returns w with everything within what can be drawn.
func ClampWindow(w link.Window) link.Window {
	clamp := func(v *int, lo, hi int) { *v = min(max(*v, lo), hi) }
	clamp(&w.Tape, upcoming+1, 64)
	clamp(&w.Queue, 1, 200)
	clamp(&w.QueueFrom, 0, 1<<30)
	clamp(&w.Store, 1, 4096)
	clamp(&w.StoreFrom, 0, 1<<30)
	clamp(&w.Pending, 0, 200)
	clamp(&w.Work, 1, 200)
	return w
}

// Frame shows everything on the stage, and the last step. The caller adds how
// far the run goes: Steps, Complete, Starved, End, Informer, Dir.
func (s *Stage) Frame() *link.Frame {
	f := &link.Frame{
		Step: s.w.Steps(), Time: s.w.Now(),
		Server: s.server(), Wire: s.wire(), Reflector: s.reflector(), Queue: s.queue(), Loop: s.loop(),
		Store: s.store(), Processor: s.processor(), Work: s.work(), Actors: s.actors(), Process: s.process(), Reached: s.reached(),
	}
	f.Sentence, f.Reason, f.Func = says.Explain(s.w)
	f.Code = says.Code(s.w)
	f.Aside = s.unused()
	if f.Step > 0 {
		f.Actor = s.actor(s.w.Last.Actor)
	}
	f.Moves, f.Lit = s.Moves()
	return f
}

// Summary returns the last step and what is said of it.
func (s *Stage) Summary() link.StepSummary {
	said, why, _ := says.Explain(s.w)
	return link.StepSummary{Step: s.w.Steps(), Sentence: said, Reason: why}
}

// unused returns the stations that the run has no use for. In a run that calls
// stations by hand, these are the stations that it doesn't call. In any other
// run it is the workqueue, if no handler feeds it.
func (s *Stage) unused() (out []string) {
	work := s.x.Work.Queue.Counters().Added > 0
	for _, h := range s.x.Config().Handlers {
		work = work || h.Workqueue
	}
	if !work {
		out = append(out, link.StationWork)
	}
	if s.x.Distributes() {
		return append(out, link.StationServer, link.StationReflector, link.StationQueue, link.StationLoop, link.StationStore)
	}
	if !s.w.ByHand() {
		return out
	}
	out = append(out, link.StationServer, link.StationReflector, link.StationLoop, link.StationProcessor)
	if s.x.Queue.Counters().In == 0 {
		out = append(out, link.StationQueue, link.StationStore)
	}
	return out
}

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
