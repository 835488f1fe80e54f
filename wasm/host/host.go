// Package host is the worker's half of the program. It opens captures and clusters,
// runs them through the engine, and answers the page's requests; package picture
// draws the frames. Each capture is in one of the states of life.go. The package is
// plain Go, and reaches the browser through the interface Browser.
//
// A request goes down: operations.go finds its row, a concern does the work, and the desk,
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
	h.opener = &opener{d, h.pump, h.second, h.lessons, h.clusters, h.traveler, h.saver}
	h.pump.grown, h.pump.replay = func() { h.exprs.evaluate(); card.read() }, h.opener.replay
	d.runner, d.second, d.carryOut = h.pump, h.second, h.opener.carryOut
	h.operations = h.table()
	return h
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
		d.reader.limit = d.reader.Begun()
		d.notes = append(d.notes, link.Failure{Say: link.Sentence{ID: "fail.canceled"}})
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
		o.tidy(d)
	case doForget:
		d.halt()
	case doRest:
		d.stop = o.browser.After(settleAfter, func() { d.stop = nil; o.happen(d, occasion{on: onRested}) })
	case doTidy:
		o.tidy(d)
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
		o.happen(o.doc, occasion{on: onGivenUp, id: why.id})
	case doKeepMisread:
		o.keepMisread(d, why.id)
	case doReportSecond:
		o.second.reportCapture()
	case doConvertSecond:
		d.halt()
		o.second.current = nil
		o.tidy(d)
		o.streamSecond(d.origin, o.browser.Convert(d.files, ""), nil)
	case doRefuseSecond:
		d.halt()
		o.refuseSecond(d, why.err)
	case doCompare:
		o.tidy(d)
		o.second.sendSecond(0)
		o.work()
	}
}
