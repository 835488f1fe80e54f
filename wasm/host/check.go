package host

import (
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/wasm/link"
)

// check reads d once more, and looks for damage in the parts of events that the
// glance passed over because the machine reads nothing in them.
func (o *opener) check(d *document) {
	check := d.reader.Check()
	if check == nil || d.script != nil {
		o.happen(d, occasion{trigger: onChecked})
		return
	}
	over := func(on trigger) {
		d.stop = nil
		o.happen(d, occasion{trigger: on})
	}
	d.stop = d.stored.Restream(func(b []byte, _ int64) {
		known := d.trace().ProblemCount
		err := check.Write(b)
		if d.trace().ProblemCount > known {
			o.sendOpened(0)
		}
		switch {
		case err == format.ErrMisread:
			d.stop()
			over(onMisread)
		case err != nil:
			d.stop()
			over(onChecked)
		case o.viewerWaits() || o.jobs.Busy(): // such as a search
			d.stored.Hold(true)
			o.browser.After(pauseBetween, func() { d.stored.Hold(false) })
		}
	}, func(error) { over(onChecked) }) // an object that can't be read again says so when it is looked at
}

// reread reads the document shown for the second time, and looks at all of it,
// since the first reading was too quick for it. It goes on being shown until the
// second reading has come as far as the viewer.
func (o *opener) reread(d *document) {
	if o.opening != nil {
		return
	}
	again := newDocument(d.origin, d.input, d.files, false)
	again.state, again.setup, again.notes, again.reader.limit = rereading, d.setup, d.notes, d.reader.limit
	again.configured, again.decided = d.configured, d.decided
	o.read(again, d.stored.Restream)
}

// chase runs d, which is read for the second time, towards where the viewer is.
func (o *opener) chase(d *document) {
	if d.showable(d.state == catchingUp) {
		o.adoptChoice(d)
		r, at := d.run(), o.doc.run().GoalOrNow()
		more := o.extend(r)
		if r.History().End() > at || !more && d.state == catchingUp {
			o.happen(d, occasion{trigger: onReady})
			return
		}
	}
	if d.state == catchingUp {
		o.browser.Later(func() { o.happen(d, occasion{trigger: onTurn}) })
	}
	o.pump.report(d, false)
}

// adoptChoice gives d the informer and the setup that the viewer has chosen.
func (o *opener) adoptChoice(d *document) {
	d.shown = min(o.doc.shown, len(d.trace().Resources)-1)
	d.touched = o.doc.touched
}

// replace shows d in the place of the document that was misread. The viewer stays
// at the same step, or where that has moved, at the same time.
func (o *opener) replace(d *document) {
	o.adoptChoice(d)
	r, old := d.run(), o.doc.run()
	at, step := old.GoalOrNow(), old.History().World().Steps()
	var beside *counterpart
	switch b := o.second.current; {
	case b == nil:
	case b.setup != nil:
		beside = &counterpart{second: b.second, setup: b.setup, pin: -1}
	case b.capture != nil:
		beside, o.second.current = &counterpart{capture: b.capture, pin: -1}, nil
	case b.split != nil:
		beside = &counterpart{split: &splitHandlers{shown: b.split.shown}, pin: -1}
	}
	o.enter(d)
	o.second.current = beside
	f := r.SeekTo(step, o.window)
	if f.Step != step || f.Time != at {
		f = r.SeekTo(r.History().StepOf(at), o.window)
	}
	o.sendOpened(0)
	o.sendFrame(0, f)
	o.work()
	o.pump.report(d, !d.state.mayGrow())
}

// keepMisread tells the page that the document shown was misread, and that this stays so: the request
// id, or something that went wrong, has ended the second reading.
func (o *opener) keepMisread(d *document, id int) {
	f := link.Failure{Sentence: link.Sentence{ID: "fail.misread"}}
	d.notes = append(d.notes, f)
	o.sendOpened(0)
	o.send(&link.Reply{ID: id, News: &f})
}
