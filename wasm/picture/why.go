package picture

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/link"
)

// The limits of an answer to why: links of what came of a thing, chains that were merged
// into it, and notifications for one handler that can be asked about.
const (
	maxEffects = 160
	maxMerged  = 12
	maxPending = 8
)

// KeyAt is the key of the thing at a place, or of the first thing at a station.
// It is 0 where nothing is, and for a thing that stands for a whole list.
func (s *Stage) KeyAt(place string) object.Key {
	station, rest, _ := strings.Cut(place, "/")
	first, part, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(first)
	switch {
	case station == link.PlaceReflector:
		_, r := s.x.Received()
		return s.t.KeyOf(r)
	case station == link.PlaceQueue:
		i := 0
		if id, ok := strings.CutPrefix(first, "#"); ok {
			seen, _ := strconv.ParseInt(id, 10, 64)
			i = int(seen - s.x.Queue.Counters().Popped)
		} else if rest != "" {
			return s.keyNamed(rest)
		}
		if i >= 0 && i < s.x.Queue.Depth() {
			k, _ := s.x.Queue.Row(i)
			return k
		}
	case station == link.PlaceLoop:
		deltas, at := s.x.Popped()
		if err == nil {
			at = n
		}
		if at >= 0 && at < len(deltas) {
			return deltas[at].Key
		}
	case station == link.PlaceStore:
		return s.keyNamed(rest)
	case station == link.PlaceProcessor:
		return s.distributed()
	case station == "listener" && err == nil && n >= 0 && n < len(s.x.Processor.Listeners):
		l := &s.x.Processor.Listeners[n]
		switch p := l.PairAt(0); {
		case part == link.LaneSlot || part == link.LaneAddCh:
			return p.Slot.Key
		case part == link.LanePending && l.Pending() > 0:
			return l.PendingAt(0).Key
		case p.InHand.Key != 0:
			return p.InHand.Key
		default:
			return p.Slot.Key
		}
	case station == link.PlaceWorkers && err == nil && n >= 0 && n < len(s.x.Work.Workers):
		return s.x.Work.Workers[n].Key
	case station == link.PlaceWork && part != "":
		return s.keyNamed(part)
	case station == link.PlaceWork || station == link.PlaceWorkers:
		return s.worked()
	}
	return 0
}

// keyNamed is the key with a name, which may be followed by the number of a delta.
func (s *Stage) keyNamed(name string) object.Key {
	if k, ok := s.t.LookupKey(name); ok {
		return k
	}
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		k, _ := s.t.LookupKey(name[:i])
		return k
	}
	return 0
}

// distributed is the key of the notification that is distributed, or else of the first
// one in a handler's hands.
func (s *Stage) distributed() object.Key {
	if n, _ := s.x.Distributing(); n.Type != 0 {
		return n.Key
	}
	for i := range s.x.Processor.Listeners {
		if n := s.x.Processor.Listeners[i].PairAt(0).InHand; n.Type != 0 {
			return n.Key
		}
	}
	return 0
}

// worked is the key in the hands of a worker, or else the first one in the workqueue.
func (s *Stage) worked() object.Key {
	for i := range s.x.Work.Workers {
		if k := s.x.Work.Workers[i].Key; k != 0 {
			return k
		}
	}
	if q := &s.x.Work.Queue; q.Len() > 0 {
		return q.At(0)
	}
	return 0
}

// Thing is something of a key on the stage that can be asked about.
type Thing struct {
	Node  *cause.Node
	Place string
	id    string
}

// Things lists what of the Tracker's key is on the stage, in the order of the stations.
func (s *Stage) Things(t *cause.Tracker) (all []Thing) {
	add := func(id, place string, n *cause.Node) {
		if n != nil && (!n.Over || id == "cached" || id == "popped") {
			all = append(all, Thing{n, place, id})
		}
	}
	k := t.Key()
	name := s.t.KeyText(k)
	if n := t.Received(0); n != nil && n.Key == k {
		add("received", link.PlaceReflector, n)
	}
	for i, n := range t.Queued(0, k) {
		place := link.PlaceDelta(name, i)
		if s.inOrder() {
			place = link.PlaceDelta(rowID(n.First().Row), 0)
		}
		add("queued", place, n)
	}
	for i, n := range t.Popped(0) {
		add("popped", link.PlacePopped(i), n)
	}
	add("notification", link.PlaceProcessor, t.Distributing(0))
	for i := range s.x.Processor.Listeners {
		pop, run := t.Pair(i, 0)
		part := link.LaneHandler
		if run != nil && run.Find(event.HandlerCalled) == nil {
			part = link.LaneNextCh
		}
		add("delivery", link.PlaceLane(i, part), run)
		add("delivery", link.PlaceLane(i, link.LaneSlot), pop)
		some := 0
		for _, n := range t.Pending(i) {
			if n != nil && some < maxPending {
				some++
				add("delivery", link.PlaceLane(i, link.LanePending), n)
			}
		}
	}
	dirty, busy, waits := t.Work(k)
	set := link.SetQueue
	if busy != nil {
		set = link.SetDirty
	}
	add("request", link.PlaceKey(set, name), dirty)
	if busy != nil {
		add("reconcile", link.PlaceWorker(busy.First().Event.Worker()), busy)
	}
	add("retry", link.PlaceKey(link.SetDelayed, name), waits)
	add("cached", link.PlaceTile(name), t.Cached(k))
	if n := s.moved(t); n != nil && (len(all) == 0 || n.Last().Step == s.w.Steps()) {
		all = append(all, Thing{n, "", thingIDs[n.Kind]})
	}
	return all
}

// Taped adds the watch event at a place of the server's tape to the things, if it has come.
func (s *Stage) Taped(t *cause.Tracker, things []Thing, place string) []Thing {
	chains := t.Chains()
	for i := len(chains) - 1; i >= 0; i-- {
		found := false
		chains[i].Each(func(n *cause.Node) bool {
			if l := n.Find(event.WatchEventReceived); n.Kind == cause.Watch && l != nil && place == link.PlaceTape(l.Event.Number()) {
				things, found = append(things, Thing{n, place, "received"}), true
			}
			return !found && (n.Kind == cause.Write || n.Kind == cause.Watch)
		})
		if found {
			break
		}
	}
	return things
}

// thingIDs are the ids of things by what they are.
var thingIDs = [...]string{
	cause.Write: "written", cause.Watch: "received", cause.Item: "listed", cause.Gap: "missing", cause.Resync: "resync", cause.Call: "call",
	cause.Delta: "queued", cause.Notification: "notification", cause.Delivery: "delivery", cause.Request: "request", cause.Reconcile: "reconcile", cause.Retry: "retry",
}

// recent is how many of the last chains moved looks through.
const recent = 200

// moved is the thing of the key that moved last, if nothing of the key moves any more.
func (s *Stage) moved(t *cause.Tracker) (last *cause.Node) {
	chains := t.Chains()
	for _, c := range chains[max(0, len(chains)-recent):] {
		c.Each(func(n *cause.Node) bool {
			if n.Key == t.Key() && n.Over && (last == nil || n.Last().Step >= last.Last().Step) {
				last = n
			}
			return true
		})
	}
	return last
}

// Choose is the number of the thing that is asked about at a place: the thing there, or
// else the one that the step of the stage has moved, or else the one that moved last. It is
// -1 if there is none.
func (s *Stage) Choose(things []Thing, place string) int {
	for i := range things {
		if t := &things[i]; t.Place == place || place == link.PlaceKey(link.SetProcessing, s.t.KeyText(t.Node.Key)) && t.id == "reconcile" ||
			place == link.PlaceKey(link.SetDirty, s.t.KeyText(t.Node.Key)) && t.id == "request" {
			return i
		}
	}
	best := -1
	for i := range things {
		if best < 0 || things[i].Node.Last().Step > things[best].Node.Last().Step {
			best = i
		}
	}
	return best
}

// thing says what a thing is.
func (s *Stage) thing(t *Thing) link.Sentence {
	args := arguments(s.t, factNames{s}, t.Node.First().Event)
	rv := link.Arg{Kind: "rv"}
	for i := range t.Node.Links { // a delta for a whole list learns of the key's version later
		if v := t.Node.Links[i].RV; v != 0 {
			rv.V = s.t.RVText(v)
		}
	}
	args["rv"] = rv
	return link.Sentence{ID: "thing." + t.id, Args: args}
}

// factNames names the things in facts of other steps. The server's words at those steps
// are not known.
type factNames struct{ *Stage }

func (n factNames) reason(e event.Event) link.Arg {
	if e.Kind == event.WatchEventSkipped {
		return n.Stage.reason(e)
	}
	return link.Arg{Kind: "text", V: strconv.Itoa(e.Code())}
}

// Answer is the answer about a thing, or about none.
func (s *Stage) Answer(t *cause.Tracker, things []Thing, chosen int) *link.Why {
	out := &link.Why{Key: s.t.KeyText(t.Key()), Step: s.w.Steps()}
	for i := range things {
		if things[i].Place == "" && i != chosen { // it stands nowhere on the stage, so nobody could choose it
			continue
		}
		out.Things = append(out.Things, link.WhyThing{Place: things[i].Place, Say: s.thing(&things[i]), Chosen: i == chosen})
	}
	return out
}
