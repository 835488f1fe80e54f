package host

import (
	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/chains"
	"github.com/informerscope/informerscope/wasm/picture/inspect"
)

// explainer answers what the viewer asks about a thing: why it is there.
type explainer struct{ *desk }

// explanation looks for the causes of a thing, and for its effects. It follows the thing's key,
// or whole lists if the thing stands for one, from the beginning of the run to the step at which the viewer asks, and from there on
// until nothing more comes of it. What the viewer does to the machine meanwhile doesn't end
// it, as it has a world of its own.
type explanation struct {
	*desk
	schedule.Silent // the page knows that it has gone elsewhere, or has asked something else
	run             *machine.Run
	id              int    // of the request
	place           string // that was asked about
	tracker         *cause.Tracker
	finder          *history.Finder
	world           *world.World // at which the Tracker has looked last
	step            int64        // the step at which it was asked
	key             string       // the name of the key
	answer          *link.Causes // what there is to ask about; nil before the step was reached
	node            *cause.Node  // the one that is asked about, nil for none
}

const kindCauses = "why"

func (a *explainer) ask(id int, q link.AskWhy) {
	r := a.doc.run()
	m := chains.MomentOf(r.History().World(), r.Informer)
	key, whole := m.KeyAt(q.Place), m.WholeListAt(q.Place)
	if key == 0 {
		key, _ = r.Table().LookupKey(q.Key)
	}
	x := &explanation{desk: a.desk, run: r, id: id, place: q.Place, step: r.History().World().Steps(), key: r.Table().KeyText(key)}
	if key == 0 && !whole || x.step == 0 { // nothing stands there, or nothing has happened
		a.jobs.Stop(kindCauses, 0)
		name := x.key
		if key == 0 {
			name = q.Key
		}
		a.send(&link.Reply{ID: id, News: &link.Causes{Key: name, Step: x.step}})
		return
	}
	if x.tracker = cause.New(r.Informer, key); whole {
		x.tracker = cause.NewWhole(r.Informer)
	}
	x.finder = r.History().Find(0, false, func(w *world.World) bool {
		x.world = w
		x.tracker.Look(w)
		if whole && w.Steps() < x.step {
			x.tracker.Roots(false) // the lists before are not asked about
		}
		return w.Steps() == x.step
	})
	a.jobs.Start(x, schedule.Terms{Kind: kindCauses, Ends: anotherDocument | anotherRun | anotherFuture, AtOnce: true})
}

func (a *explainer) stop(int, link.StopWhy) { a.jobs.Stop(kindCauses, 0) }

func (x *explanation) moment() *chains.Moment {
	m := chains.MomentOf(x.world, x.run.Informer)
	m.Manager = x.manager
	return m
}

// manager names the field manager that has made a version of an object of the one before it, "" for none that is known.
func (x *explanation) manager(r object.Ref) string {
	before, _ := inspect.Versions(x.world, x.run.Informer, r)
	was, _ := x.doc.objectJSON(x.run.Table(), before)
	now, _ := x.doc.objectJSON(x.run.Table(), r)
	if by := trace.WrittenBy(trace.FieldManagers(was), trace.FieldManagers(now)); by != nil {
		return by.Name
	}
	return ""
}

// Work looks on for a slice.
func (x *explanation) Work(until int64) (more bool) {
	for x.jobs.Now() < until {
		step, ended := x.finder.Run(machine.ExtendBy)
		if step > 0 && x.answer == nil {
			x.arrive()
		}
		if x.answer != nil && (x.node == nil || x.node.Done()) || ended && step == 0 {
			x.report(0)
			return false
		}
	}
	return true
}

// Report tells what is known so far.
func (x *explanation) Report() { x.report(max(x.finder.Step(), 1)) }

// arrive notes what there is to ask about at the step.
func (x *explanation) arrive() {
	s := x.moment()
	things := s.Taped(x.tracker, s.Subjects(x.tracker), x.place)
	chosen := s.Choose(things, x.place)
	if chosen >= 0 {
		x.node = things[chosen].Node
	}
	x.answer = s.Answer(x.tracker, things, chosen)
}

// report tells what is known, and to which step the search has come; 0 if it has ended.
func (x *explanation) report(looked int64) {
	out := link.Causes{Key: x.key, Step: x.step}
	if x.answer != nil {
		out = *x.answer
		if x.node != nil {
			out.Parts = x.moment().Causes(x.tracker, x.node)
		}
	}
	out.Looked = looked
	x.send(&link.Reply{ID: x.id, News: &out})
}
