package chains

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/says"
)

// The limits of an answer to why: links of what came of a thing, chains that were merged
// into it, and notifications for one handler that can be asked about.
const (
	maxEffects = 160
	maxMerged  = 12
	maxPending = 8
)

// Moment is an informer at the step at which somebody asks why.
type Moment struct {
	w *world.World
	x *informer.Informer
	t *object.Table

	// Manager names the field manager that has made a version of an object, "" for none that is known. It may be nil.
	Manager func(object.Ref) string
}

// MomentOf returns the Moment of informer i of w.
func MomentOf(w *world.World, i int) *Moment {
	x := w.Informers[i]
	return &Moment{w: w, x: x, t: x.Config().Table}
}

// KeyAt returns the key of the thing at a place, or of the first thing at a station.
// It is 0 where nothing is, and for a thing that stands for a whole list.
func (m *Moment) KeyAt(place string) object.Key {
	station, rest, _ := strings.Cut(place, "/")
	first, part, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(first)
	switch {
	case station == link.PlaceReflector:
		_, r := m.x.Received()
		return m.t.KeyOf(r)
	case station == link.PlaceQueue || station == link.PlaceLoop:
		k, _ := m.deltaAt(station, rest)
		return k
	case station == link.PlaceStore:
		return m.keyNamed(rest)
	case station == link.PlaceProcessor:
		return m.distributed()
	case station == "listener" && err == nil && n >= 0 && n < len(m.x.Processor.Listeners):
		l := &m.x.Processor.Listeners[n]
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
	case station == link.PlaceWorkers && err == nil && n >= 0 && n < len(m.x.Work.Workers):
		return m.x.Work.Workers[n].Key
	case station == link.PlaceWork && part != "":
		return m.keyNamed(part)
	case station == link.PlaceWork || station == link.PlaceWorkers:
		return m.worked()
	}
	return 0
}

// WholeListAt reports whether a delta that stands for a whole list is at a place of the queue
// or of the process loop.
func (m *Moment) WholeListAt(place string) bool {
	station, rest, _ := strings.Cut(place, "/")
	k, is := m.deltaAt(station, rest)
	return is && k == 0
}

// deltaAt returns the key of the delta at a place of the queue or of the process loop, and
// whether there is one.
func (m *Moment) deltaAt(station, rest string) (k object.Key, is bool) {
	first, _, _ := strings.Cut(rest, "/")
	switch station {
	case link.PlaceQueue:
		i := 0
		if id, ok := strings.CutPrefix(first, "#"); ok {
			seen, _ := strconv.ParseInt(id, 10, 64)
			i = int(seen - m.x.Queue.Counters().Popped)
		} else if rest != "" {
			k = m.keyNamed(rest)
			return k, k != 0
		}
		if is = i >= 0 && i < m.x.Queue.Depth(); is {
			k, _ = m.x.Queue.Row(i)
		}
	case link.PlaceLoop:
		deltas, at := m.x.Popped()
		if n, err := strconv.Atoi(first); err == nil {
			at = n
		}
		if is = at >= 0 && at < len(deltas); is {
			k = deltas[at].Key
		}
	}
	return k, is
}

// keyNamed returns the key with a name, which may be followed by the number of a delta.
func (m *Moment) keyNamed(name string) object.Key {
	if k, ok := m.t.LookupKey(name); ok {
		return k
	}
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		k, _ := m.t.LookupKey(name[:i])
		return k
	}
	return 0
}

// distributed returns the key of the notification that is distributed, or else of the first
// one in a handler's hands.
func (m *Moment) distributed() object.Key {
	if n, _ := m.x.Distributing(); n.Type != 0 {
		return n.Key
	}
	for i := range m.x.Processor.Listeners {
		if n := m.x.Processor.Listeners[i].PairAt(0).InHand; n.Type != 0 {
			return n.Key
		}
	}
	return 0
}

// worked returns the key in the hands of a worker, or else the first one in the workqueue.
func (m *Moment) worked() object.Key {
	for i := range m.x.Work.Workers {
		if k := m.x.Work.Workers[i].Key; k != 0 {
			return k
		}
	}
	if q := &m.x.Work.Queue; q.Len() > 0 {
		return q.At(0)
	}
	return 0
}

// Subject is something of a key on the stage that can be asked about.
type Subject struct {
	Node  *cause.Node
	Place string
	id    string
}

// Subjects lists what of the Tracker's key is on the stage, in the order of the stations.
func (m *Moment) Subjects(t *cause.Tracker) (all []Subject) {
	k := t.Key()
	add := func(id, place string, n *cause.Node) {
		if n != nil && (k != 0 || n.Key == 0) && (!n.Final || id == "cached" || id == "popped") {
			all = append(all, Subject{n, place, id})
		}
	}
	name := m.t.KeyText(k)
	if n := t.Received(0); n != nil && n.Key == k {
		add("received", link.PlaceReflector, n)
	}
	for i, n := range t.Queued(0, k) {
		place := link.PlaceDelta(name, i)
		if m.x.Config().Profile.InOrder {
			place = link.PlaceDelta(link.RowID(n.First().Row), 0)
		}
		add("queued", place, n)
	}
	for i, n := range t.Popped(0) {
		add("popped", link.PlacePopped(i), n)
	}
	add("notification", link.PlaceProcessor, t.Distributing(0))
	for i := range m.x.Processor.Listeners {
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
	if n := m.moved(t); n != nil && (len(all) == 0 || n.Last().Step == m.w.Steps()) {
		all = append(all, Subject{n, "", thingIDs[n.Kind]})
	}
	return all
}

// Taped adds the watch event at a place of the server's tape to the things, if it has come.
func (m *Moment) Taped(t *cause.Tracker, things []Subject, place string) []Subject {
	chains := t.Chains()
	for i := len(chains) - 1; i >= 0; i-- {
		found := false
		chains[i].Each(func(n *cause.Node) bool {
			if l := n.Find(event.WatchEventReceived); n.Kind == cause.Watch && l != nil && place == link.PlaceTape(l.Event.Number()) {
				things, found = append(things, Subject{n, place, "received"}), true
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
	cause.Write: "written", cause.Watch: "received", cause.Item: "listed", cause.Gap: "missing", cause.Resync: "resync", cause.Call: "call", cause.Recorded: "recordedCall",
	cause.Delta: "queued", cause.Notification: "notification", cause.Delivery: "delivery", cause.Request: "request", cause.Reconcile: "reconcile", cause.Retry: "retry",
}

// recent is how many of the last chains moved looks through.
const recent = 200

// moved returns the thing of the key that moved last, if nothing of the key moves any more.
func (m *Moment) moved(t *cause.Tracker) (last *cause.Node) {
	chains := t.Chains()
	for _, c := range chains[max(0, len(chains)-recent):] {
		c.Each(func(n *cause.Node) bool {
			if n.Key == t.Key() && n.Final && (last == nil || n.Last().Step >= last.Last().Step) {
				last = n
			}
			return true
		})
	}
	return last
}

// Choose returns the index of the thing at a place; failing that, of the one that this step
// moved; failing that, of the last one that moved; -1 if there is none.
func (m *Moment) Choose(things []Subject, place string) int {
	for i := range things {
		if t := &things[i]; t.Place == place || place == link.PlaceKey(link.SetProcessing, m.t.KeyText(t.Node.Key)) && t.id == "reconcile" ||
			place == link.PlaceKey(link.SetDirty, m.t.KeyText(t.Node.Key)) && t.id == "request" ||
			place == link.PlaceKey(link.SetDelayed, m.t.KeyText(t.Node.Key)) && t.id == "request" && m.x.Work.Priority != nil {
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

func (m *Moment) describe(t *Subject) link.Sentence {
	args := says.Arguments(m.x, t.Node.First().Event)
	rv := link.Arg{Kind: "rv"}
	for i := range t.Node.Links { // a delta for a whole list learns of the key's version later
		if v := t.Node.Links[i].RV; v != 0 {
			rv.V = m.t.RVText(v)
		}
	}
	args["rv"] = rv
	return link.Sentence{ID: "thing." + t.id, Args: args}
}

// Answer returns the answer about a thing, or about none.
func (m *Moment) Answer(t *cause.Tracker, things []Subject, chosen int) *link.Causes {
	out := &link.Causes{Key: m.t.KeyText(t.Key()), Step: m.w.Steps()}
	for i := range things {
		if things[i].Place == "" && i != chosen { // it stands nowhere on the stage, so nobody could choose it
			continue
		}
		out.Subjects = append(out.Subjects, link.Subject{Place: things[i].Place, Name: m.describe(&things[i]), Chosen: i == chosen})
	}
	return out
}
