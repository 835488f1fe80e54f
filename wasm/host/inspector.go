package host

import (
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
	"github.com/informerscope/informerscope/wasm/picture/predict"
)

// inspector answers questions about the step that is shown, and shows other informers, setups and parts of long lists.
type inspector struct {
	*desk
	exprs  *exprs
	second *secondMachine
}

// fit shows other parts of long lists.
func (l *inspector) fit(id int, q link.Fit) {
	l.window = picture.ClampWindow(q.Window)
	if l.doc != nil {
		l.asked = l.browser.Now()
		l.redraw(id)
	}
}

// maxBuckets is how many columns a timeline can have.
const maxBuckets = 4096

// drawTimeline gets the timeline, and what was found of the watched expressions.
func (l *inspector) drawTimeline(id int, q link.DrawTimeline) {
	columns := min(q.Buckets, maxBuckets)
	l.send(&link.Reply{ID: id, News: l.doc.run().Timeline(q.Axis, columns)})
	l.exprs.drawOn(q.Axis, columns)
}

// inspect gets an object version.
func (l *inspector) inspect(id int, q link.Inspect) {
	d, r := l.doc, l.doc.run()
	if other, run := l.second.source(); q.Second && run != nil {
		d, r = other, run
	}
	if q.Ref <= 0 || int(q.Ref) >= r.Table().Len() {
		l.badRequest(id)
		return
	}
	o := d.inspect(r, q.Ref)
	o.SecondOnly = r != l.doc.run()
	l.send(&link.Reply{ID: id, News: o})
}

// askIndexer asks the indexer, or its lister.
func (l *inspector) askIndexer(id int, q link.AskIndexer) {
	l.send(&link.Reply{ID: id, News: l.doc.run().Stage(l.window).Query(q.Query)})
}

// showInformer shows another informer at the same virtual time.
func (l *inspector) showInformer(id int, q link.ShowInformer) {
	d := l.doc
	if q.Informer < 0 || q.Informer >= d.informers() {
		l.badRequest(id)
		return
	}
	at := d.run().Now()
	d.shown = q.Informer
	d.takeRecorded()
	l.showRun(id, at)
	l.sendLanes(0)
}

// setUp runs the capture again with another setup. A script has its own.
func (l *inspector) setUp(id int, q link.SetUp) {
	d := l.doc
	if d.script != nil {
		return
	}
	at := d.run().Now()
	s, was := machine.ClampSetup(q.Setup), d.setup
	d.setUp(s)
	if was.Profile, was.Listed = s.Profile, s.Listed; !s.Equal(was) { // more than another version
		d.configured, d.decided = false, true
	}
	if o := l.opening; o != nil && o.state.isSecondReading() {
		o.setUp(d.setup)
		o.configured, o.decided = d.configured, d.decided
	}
	l.showRun(id, at)
	l.sendLanes(0)
}

// askNext asks what comes after the step shown.
func (l *inspector) askNext(id int, _ link.AskNext) {
	r := l.doc.run()
	p, _, _ := predict.Next(r.History(), r.Informer)
	l.send(&link.Reply{ID: id, News: &p})
}

// showNext tells what comes after the step shown, and goes there.
func (l *inspector) showNext(id int, _ link.ShowNext) {
	r := l.doc.run()
	p, right, until := predict.Next(r.History(), r.Informer)
	if p.Ask == "" {
		l.send(&link.Reply{ID: id, News: &p})
		l.redraw(id)
		return
	}
	p.Right, p.Until = right, until
	l.send(&link.Reply{ID: id, News: &p})
	l.sendFrame(id, r.Walk(until, true, false, l.window))
	l.work()
}
