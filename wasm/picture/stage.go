// Package picture turns a world into what the page shows: [New] takes a world after a step and one of its
// informers, [Stage.Frame] returns the link.Frame of that moment, and [Stage.Query] answers a question about
// the cache. The packages below it do the same for the timeline, for what came of what, and for objects.
//
// It only reads the world. The error of an index function is in the link.Answer, and nothing else can fail.
// It doesn't know whether the world came from a recording, a script or a cluster. A Stage is valid until the world's next step. A Frame costs as much as
// the link.Window has room for, however much the cache holds.
package picture

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/processor"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/says"
)

// Stage draws one informer of a world as it stands after a step.
type Stage struct {
	w      *world.World
	x      *informer.Informer
	t      *object.Table
	window link.Window
	keys   *Ranks
	lit    map[object.Key]bool // keys that the step touched
}

// New returns a Stage that draws informer x of w as far as the window reaches.
// The Ranks belong to x's table, and all of its stages may share them.
func New(w *world.World, x *informer.Informer, window link.Window, keys *Ranks) *Stage {
	s := &Stage{w: w, x: x, t: x.Config().Table, window: window, keys: keys, lit: map[object.Key]bool{}}
	if s.acted() {
		for _, e := range w.Log.Events {
			if e.Key != 0 {
				s.lit[e.Key] = true
			}
		}
	}
	return s
}

// acted reports whether the last step was made by the informer, or done to it.
func (s *Stage) acted() bool { return int(s.w.Last.Informer) == s.x.Index() }

func (s *Stage) actor(id actor.ID) string { return says.Actor(&s.w.Set, id) }

func (s *Stage) chip(letter string, r object.Ref) link.Chip {
	m := s.t.Meta(r)
	return link.Chip{T: letter, Key: s.t.KeyText(m.Key), RV: s.t.RVText(m.RV), Ref: int32(r)}
}

func (s *Stage) noteChip(n processor.Notification) link.Chip {
	switch n.Type {
	case processor.Add:
		return s.chip(link.LetterAdded, n.New)
	case processor.Update:
		return s.chip(link.LetterUpdated, n.New)
	}
	c := s.chip(link.LetterDeleted, n.Old)
	c.Key, c.Tomb = s.t.KeyText(n.Key), n.Flags&event.Tombstone != 0
	return c
}

// letters are the letters of deltas and watch events. A ReplacedAll has the letter of
// a Replaced, and a SyncAll the letter of a Sync.
var letters = [...]string{
	event.Added: link.LetterAdded, event.Updated: link.LetterUpdated, event.Deleted: link.LetterDeleted, event.Replaced: link.LetterReplaced,
	event.Sync: link.LetterSync, event.Bookmark: link.LetterBookmark, event.ReplacedAll: link.LetterReplaced, event.SyncAll: link.LetterSync,
	event.Error: link.LetterError, event.Unknown: link.LetterUnknown,
}

// deltaLetter returns the letter of a delta, and watchLetter the letter of a watch event.
// They differ for Updated, as a watch event's type is MODIFIED.
func deltaLetter(d event.Delta) string {
	return letters[d]
}

func watchLetter(d event.Delta) string {
	if d == event.Updated {
		return link.LetterModified
	}
	return deltaLetter(d)
}

// actors lists the goroutines: what each does, waits for and holds.
func (s *Stage) actors() []link.Actor {
	set := &s.w.Set
	var out []link.Actor
	for id := range actor.ID(set.Len()) {
		role, st := set.Role(id), set.State(id)
		if role.Informer != int16(s.x.Index()) {
			continue
		}
		a := link.Actor{ID: s.actor(id), PC: st.PC.String(), Waits: st.Wait.String(), Ready: st.Wait == actor.Ready}
		switch st.Wait {
		case actor.OnLock:
			a.Target = actor.LockID(st.Target).String()
			a.Holder = s.holder(actor.LockID(st.Target))
		case actor.OnSend, actor.OnReceive:
			a.Target = channelName(role.Kind, st.Target)
		case actor.OnTimer, actor.OnServer, actor.OnCall:
			if at := set.ReadyAt(id); at != actor.Never {
				a.Remaining = max(0, at-s.w.Now())
			}
		}
		for l := range actor.NumLocks {
			if s.x.Locks[l].Holder() == id {
				a.Locks = append(a.Locks, l.String())
			}
		}
		out = append(out, a)
	}
	return out
}

func channelName(k actor.Kind, c actor.Chan) string {
	switch {
	case k == actor.Delaying || k == actor.Worker:
		return link.ChanWaitingForAddCh
	case c == actor.AddCh:
		return link.ChanAddCh
	}
	return link.ChanNextCh
}

// holder returns the actor that holds a lock, or "" if the lock is free.
func (s *Stage) holder(l actor.LockID) string {
	if h := s.x.Locks[l].Holder(); h != actor.Nobody {
		return s.actor(h)
	}
	return ""
}

// find returns an informer's actor of a kind, or actor.Nobody.
func find(w *world.World, x *informer.Informer, k actor.Kind, index int) actor.ID {
	for id := range actor.ID(w.Set.Len()) {
		if r := w.Set.Role(id); r.Kind == k && int(r.Index) == index && r.Informer == int16(x.Index()) {
			return id
		}
	}
	return actor.Nobody
}

// crashed reports whether the process of an informer has died. A panic ends the goroutines of all
// informers of the process.
func crashed(w *world.World, inf *informer.Informer) bool {
	return slices.ContainsFunc(w.Informers, func(x *informer.Informer) bool {
		return x.Crash() != nil && w.Set.SameProcess(int16(x.Index()), int16(inf.Index()))
	})
}

// idleState returns the state of one of Run's goroutines that doesn't run.
func idleState(w *world.World, x *informer.Informer) string {
	switch r := &x.Reflector; {
	case crashed(w, x):
		return link.StateCrashed
	case r.Lists() > 0 || r.Watches() > 0 || x.Stopped():
		return link.StateStopped
	}
	return link.StateStart
}

// timerLeft returns how long an actor's timer still runs, in nanoseconds, or -1 if it has none.
func timerLeft(w *world.World, id actor.ID) int64 {
	if at := w.Set.ReadyAt(id); at != actor.Never {
		return max(0, at-w.Now())
	}
	return -1
}
