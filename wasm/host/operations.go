package host

import (
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// effect says what an operation needs, and what it does to the document beside its own work.
type effect uint8

const (
	// anytime: it needs no document.
	anytime effect = 1 << iota
	// touches: the viewer has done something to the document, so the informer shown stays.
	touches
)

// operation is what the host does when the page asks for an operation.
type operation struct {
	name   string // of its link.Op
	effect effect
	ends   schedule.Event // the jobs that these events end, and other work that isn't done yet: Host.before
	do     func(id int, op link.Op, files []browser.Input)
}

// on returns the row of an operation of the type Q.
func on[Q link.Op](e effect, ends schedule.Event, do func(id int, q Q)) operation {
	return withFiles(e, ends, func(id int, q Q, _ []browser.Input) { do(id, q) })
}

// withFiles returns the row of an operation with which the page sends files.
func withFiles[Q link.Op](e effect, ends schedule.Event, do func(id int, q Q, files []browser.Input)) operation {
	var none Q
	return operation{link.Name(none), e, ends, func(id int, op link.Op, files []browser.Input) { do(id, op.(Q), files) }}
}

// The events that operations bring about.
const (
	noJobs   = schedule.Event(0)
	moves    = machineMoves
	replaces = machineMoves | runReplaced
	changes  = machineMoves | runReplaced | futuresChange
)

// table returns what the host does for each operation.
func (h *Host) table() map[string]operation {
	all := map[string]operation{}
	for _, o := range []operation{
		// What opens something, or follows a cluster.
		withFiles(anytime, noJobs, h.opener.openAny),
		on(anytime, noJobs, func(id int, _ link.Cancel) { h.opener.cancel(id) }),
		on(anytime, noJobs, func(int, link.Painted) { h.pump.drive(onPainted) }),
		on(anytime, noJobs, h.lessons.finder.find),
		on(anytime, noJobs, h.lessons.readCourse),
		on(anytime, noJobs, h.clusters.discover),
		on(anytime, noJobs, h.opener.follow),

		// Where the viewer is.
		on(touches, moves, h.navigator.step),
		on(touches, moves, h.navigator.seek),
		on(touches, moves, h.navigator.seekTime),
		on(touches, moves, h.navigator.seekMark),
		on(touches, moves, h.navigator.runTo),
		on(touches, moves|futuresChange, h.traveler.travel),
		on(anytime, noJobs, h.navigator.end),
		on(0, noJobs, h.navigator.findKeys),
		on(touches, moves, h.inspector.askNext),
		on(touches, moves, h.inspector.showNext),

		// What is shown of it.
		on(anytime, noJobs, h.inspector.fit),
		on(0, noJobs, h.inspector.drawTimeline),
		on(touches, noJobs, h.inspector.inspect),
		on(touches, noJobs, h.inspector.askIndexer),
		on(touches, replaces, h.inspector.showInformer),
		on(touches, replaces, h.inspector.setUp),

		// What the viewer does to the machine.
		on(touches, changes, h.console.line),
		on(touches, replaces, h.console.showLane),
		on(touches, changes, h.console.visitLane),
		on(touches, replaces, h.console.renameLane),
		on(touches, changes, h.console.dropLane),
		on(touches, changes, h.console.undo),
		on(touches, changes, h.console.redo),
		on(touches, noJobs, h.console.stopExploring),

		// The lesson.
		on(touches, futuresChange, func(id int, q link.GoStop) { h.lessons.goStop(id, q) }),
		on(touches, noJobs, h.lessons.answer),
		on(touches, futuresChange, h.lessons.turn),
		on(touches, futuresChange, h.lessons.compareVersions),
		on(touches, noJobs, h.lessons.checkExercise),
		on(touches, futuresChange, h.lessons.seekSchedule),
		on(touches, futuresChange, h.lessons.solve),
		on(touches, noJobs, h.lessons.readText),
		on(touches, futuresChange, h.lessons.rewrite),

		// What stands beside it.
		on(touches, noJobs, func(id int, q link.SecondProfile) { h.second.showSetup(id, q) }),
		on(touches, noJobs, func(id int, q link.SecondResync) { h.second.showSetup(id, q) }),
		on(touches, noJobs, func(id int, q link.SecondSetup) { h.second.showSetup(id, q) }),
		on(touches, noJobs, h.second.showLane),
		on(touches, noJobs, h.second.showSplit),
		on(touches, noJobs, h.second.showGuard),
		on(touches, noJobs, h.desk.countGuards),
		withFiles(0, noJobs, h.opener.readSecond),
		on(touches, noJobs, h.second.remove),
		on(touches, noJobs, h.second.seekDifference),

		// What is asked of the run.
		on(0, noJobs, h.exprs.watchFor),
		on(touches, noJobs, h.exprs.savePlot),
		on(0, noJobs, h.minimiser.start),
		on(0, noJobs, h.minimiser.stop),
		on(0, noJobs, h.explainer.ask),
		on(0, noJobs, func(id int, _ link.AskOwnWork) { h.saver.sendOwnWork(id) }),
		on(0, noJobs, h.explainer.stop),

		// What is made of it.
		on(0, noJobs, h.traveler.makeLink),
		on(0, noJobs, h.saver.save),
		on(0, noJobs, h.minimiser.save),
		on(0, noJobs, h.exporter.saveText),
		on(0, noJobs, h.exporter.stop),
	} {
		all[o.name] = o
	}
	return all
}

// Handle does what an encoded Request asks for.
func (h *Host) Handle(message []byte, files []browser.Input) {
	q, err := link.DecodeRequest(message)
	if err != nil {
		h.desk.fail(q.ID, link.Sentence{ID: "fail.request"}, err)
		return
	}
	o, known := h.operations[link.Name(q.Do)]
	if !known {
		h.desk.fail(q.ID, link.Sentence{ID: "fail.request"}, link.UnknownOp(link.Name(q.Do)))
		return
	}
	if o.effect&anytime == 0 {
		if h.desk.doc == nil {
			h.desk.fail(q.ID, link.Sentence{ID: "fail.nothingOpen"}, nil)
			return
		}
		h.before(&o)
	}
	o.do(q.ID, q.Do, files)
	if o.effect&anytime == 0 {
		h.desk.asked = h.desk.browser.Now()
	}
}

// before does what an operation does to the document beside its own work.
func (h *Host) before(o *operation) {
	if o.effect&touches != 0 {
		h.desk.doc.touched = true
	}
	h.desk.jobs.End(h.desk.notice() | o.ends)
	if o.ends&runReplaced != 0 {
		h.desk.doc.edits = nil // the viewer wants something else
	}
}
