// Package host is the worker's half of the program. It opens captures and clusters,
// runs them through the engine, and answers the page's requests; package picture
// draws the frames. Each capture is in one of the states of life.go. The package is
// plain Go, and reaches the browser through the interface Browser.
//
// A request goes down: Host.Handle finds its row in the table, a concern does the work, and the desk,
// which all concerns share, has the document and the page. What a transition of life.go asks for
// is carried out by the opener.
package host

import (
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// Host answers one page. Each of its concerns has a state of its own.
type Host struct {
	desk      *desk
	pump      *pump
	opener    *opener
	console   *console
	second    *secondMachine
	lessons   *lessons
	clusters  *clusters
	exprs     *exprs
	traveler  *traveler
	navigator *navigator
	inspector *inspector
	explainer *explainer
	minimiser *minimiser
	exporter  *exporter
	saver     *saver

	operations map[string]operation // by name
}

// New returns a Host that has nothing open.
func New(b browser.Browser) *Host {
	d := &desk{browser: b, window: picture.DefaultWindow}
	d.jobs = schedule.New(b, d.notice)
	h := &Host{
		desk: d, pump: &pump{desk: d}, console: &console{d}, second: &secondMachine{desk: d}, clusters: &clusters{desk: d},
		exprs: &exprs{desk: d}, explainer: &explainer{d}, exporter: &exporter{d}, saver: &saver{desk: d},
	}
	card := &cards{desk: d}
	h.lessons, h.traveler = &lessons{d, h.console, &finder{desk: d}}, &traveler{d, h.second}
	h.navigator, h.inspector = &navigator{desk: d, exprs: h.exprs}, &inspector{d, h.exprs, h.second}
	h.minimiser = &minimiser{desk: d, saver: h.saver}
	h.opener = &opener{d, h.pump, h.second, h.lessons, h.clusters, h.traveler, h.saver, card}
	h.pump.grown, h.pump.replay = func() { h.exprs.evaluate(); card.read() }, h.opener.replay
	d.runner, d.second, d.carryOut = h.pump, h.second, h.opener.carryOut
	h.operations = h.table()
	return h
}

// The events that operations bring about.
const (
	noJobs   = schedule.Event(0)
	moves    = machineMoves
	replaces = machineMoves | runReplaced
	changes  = machineMoves | runReplaced | futuresChange
)

func (h *Host) table() map[string]operation {
	all := map[string]operation{}
	for _, o := range []operation{
		// What opens something, or follows a cluster.
		rowWithFiles(anytime, noJobs, h.opener.openAny),
		row(anytime, noJobs, func(id int, _ link.Cancel) { h.opener.cancel(id) }),
		row(anytime, noJobs, func(int, link.Painted) { h.pump.drive(onPainted) }),
		row(anytime, noJobs, h.lessons.finder.find),
		row(anytime, noJobs, h.lessons.readCourse),
		row(anytime, noJobs, h.clusters.discover),
		row(anytime, noJobs, h.opener.follow),

		// Where the viewer is.
		row(touches, moves, h.navigator.step),
		row(touches, moves, h.navigator.seek),
		row(touches, moves, h.navigator.seekTime),
		row(touches, moves, h.navigator.seekMark),
		row(touches, moves, h.navigator.runTo),
		row(touches, moves|futuresChange, h.traveler.travel),
		row(anytime, noJobs, h.navigator.end),
		row(0, noJobs, h.navigator.findKeys),
		row(touches, moves, h.inspector.askNext),
		row(touches, moves, h.inspector.showNext),

		// What is shown of it.
		row(anytime, noJobs, h.inspector.fit),
		row(0, noJobs, h.inspector.drawTimeline),
		row(touches, noJobs, h.inspector.inspect),
		row(touches, noJobs, h.inspector.askIndexer),
		row(touches, replaces, h.inspector.showInformer),
		row(touches, replaces, h.inspector.setUp),
		row(touches, moves, h.navigator.show),

		// What the viewer does to the machine.
		row(touches, changes, h.console.line),
		row(touches, replaces, h.console.showLane),
		row(touches, changes, h.console.visitLane),
		row(touches, replaces, h.console.renameLane),
		row(touches, changes, h.console.dropLane),
		row(touches, changes, h.console.undo),
		row(touches, changes, h.console.redo),
		row(touches, noJobs, h.console.stopExploring),

		// The lesson.
		row(touches, futuresChange, func(id int, q link.GoStop) { h.lessons.goStop(id, q) }),
		row(touches, noJobs, h.lessons.answer),
		row(touches, futuresChange, h.lessons.turnControl),
		row(touches, futuresChange, h.lessons.compareVersions),
		row(touches, noJobs, h.lessons.checkExercise),
		row(touches, futuresChange, h.lessons.seekSchedule),
		row(touches, futuresChange, h.lessons.solve),
		row(touches, noJobs, h.lessons.readText),
		row(touches, futuresChange, h.lessons.rewrite),

		// What stands beside it.
		row(touches, noJobs, func(id int, q link.SecondProfile) { h.second.showSetup(id, q) }),
		row(touches, noJobs, func(id int, q link.SecondResync) { h.second.showSetup(id, q) }),
		row(touches, noJobs, func(id int, q link.SecondSetup) { h.second.showSetup(id, q) }),
		row(touches, noJobs, h.second.showLane),
		row(touches, noJobs, h.second.showSplit),
		row(touches, noJobs, h.second.showGuard),
		row(touches, noJobs, h.desk.countGuards),
		rowWithFiles(0, noJobs, h.opener.readSecond),
		row(touches, noJobs, h.second.remove),
		row(touches, noJobs, h.second.seekDifference),

		// What is asked of the run.
		row(0, noJobs, h.exprs.watchFor),
		row(touches, noJobs, h.exprs.savePlot),
		row(0, noJobs, h.minimiser.start),
		row(0, noJobs, h.minimiser.stop),
		row(0, noJobs, h.explainer.ask),
		row(0, noJobs, func(id int, _ link.AskOwnWork) { h.saver.sendOwnWork(id) }),
		row(0, noJobs, h.explainer.stop),

		// What is made of it.
		row(0, noJobs, h.traveler.makeLink),
		row(0, noJobs, h.saver.save),
		row(0, noJobs, h.minimiser.save),
		row(0, noJobs, h.exporter.saveText),
		row(0, noJobs, h.exporter.stop),
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
	o, known := h.operations[link.Name(q.Op)]
	if !known {
		h.desk.fail(q.ID, link.Sentence{ID: "fail.request"}, link.UnknownOp(link.Name(q.Op)))
		return
	}
	if o.effect&anytime == 0 {
		if h.desk.doc == nil {
			h.desk.fail(q.ID, link.Sentence{ID: "fail.nothingOpen"}, nil)
			return
		}
		h.prepare(&o)
	}
	o.run(q.ID, q.Op, files)
	if o.effect&anytime == 0 {
		h.desk.asked = h.desk.browser.Now()
	}
}

// prepare does what an operation does to the document beside its own work.
func (h *Host) prepare(o *operation) {
	if o.effect&touches != 0 {
		h.desk.doc.touched = true
	}
	h.desk.jobs.End(h.desk.notice() | o.ends)
	if o.ends&runReplaced != 0 {
		h.desk.doc.edits = nil // the viewer wants something else
	}
}

// settleAfter is how long the page has to draw what was opened, in nanoseconds, before the
// memory that it was read into is let go of.
const settleAfter = 300 * machine.Millisecond

// carryOut does what a transition of d asks for, because of what has happened.
func (o *opener) carryOut(d *document, do action, why occasion) {
	switch do {
	case doLook:
		o.look(d)
	case doShow:
		o.show(d)
	case doGrow:
		o.grow(d)
	case doFinish:
		o.finish(d)
	case doConvert:
		o.convert(d, why.err)
	case doStop:
		d.halt()
		d.reader.limit = d.reader.ValueOffset()
		d.notes = append(d.notes, link.Failure{Sentence: link.Sentence{ID: "fail.canceled"}})
		o.finish(d)
	case doUnfollow:
		d.halt()
		o.finish(d)
		o.clusters.report(d, true)
	case doRefuse:
		refusal := d.refusal(why.err)
		o.close(d)
		o.send(&link.Reply{ID: d.id, News: refusal})
		o.showPrevious(d)
	case doWithdraw:
		o.close(d)
		o.fail(why.id, link.Sentence{ID: "fail.withdrawn"}, nil)
		o.showPrevious(d)
	case doPart:
		d.halt()
		o.free(d)
	case doForget:
		d.halt()
	case doWait:
		d.stop = o.browser.After(settleAfter, func() { d.stop = nil; o.happen(d, occasion{trigger: onRested}) })
	case doFree:
		o.free(d)
	case doCheck:
		o.check(d)
	case doReread:
		o.reread(d)
	case doChase:
		o.chase(d)
	case doReplace:
		o.replace(d)
	case doAbandon:
		o.close(d)
		o.happen(o.doc, occasion{trigger: onFailed, id: why.id})
	case doKeepMisread:
		o.keepMisread(d, why.id)
	case doReportSecond:
		o.second.reportCapture()
	case doConvertSecond:
		d.halt()
		o.second.current = nil
		o.free(d)
		o.streamSecond(d.origin, o.converted(d.files, d.kind, nil), nil)
	case doRefuseSecond:
		d.halt()
		o.refuseSecond(d, why.err)
	case doCompare:
		o.free(d)
		o.second.sendSecond(0)
		o.work()
	}
}

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
	ends   schedule.Event // the jobs that these events end, and other work that isn't done yet: Host.prepare
	run    func(id int, op link.Op, files []browser.Input)
}

// row returns the row of an operation of the type Q.
func row[Q link.Op](e effect, ends schedule.Event, do func(id int, q Q)) operation {
	var none Q
	return operation{link.Name(none), e, ends, func(id int, op link.Op, _ []browser.Input) { do(id, op.(Q)) }}
}

// rowWithFiles returns the row of an operation with which the page sends files.
func rowWithFiles[Q link.Op](e effect, ends schedule.Event, do func(id int, q Q, files []browser.Input)) operation {
	var none Q
	return operation{link.Name(none), e, ends, func(id int, op link.Op, files []browser.Input) { do(id, op.(Q), files) }}
}
