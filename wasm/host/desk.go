package host

import (
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/log"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

// desk is what all concerns of the host know: what is open and shown, and the page.
type desk struct {
	browser browser.Browser
	jobs    *schedule.Schedule
	doc     *document // what is shown
	opening *document // what is being opened, until it is shown
	window  link.Window
	asked   int64 // when the last thing was done that the viewer has asked for, by Browser.Now
	seen    sight // at the last notice
	logged  log.Told
	made    *made  // the trace that was written last for the viewer to look at or to save, nil for none
	writing func() // stops the other program, which writes a trace; nil while it doesn't
	runner  runner
	second  companion
}

// runner runs the document shown.
type runner interface {
	work() // there may be something to run
	told() // the page was told something that it will paint
}

// companion adds what stands beside the document shown to its frames.
type companion interface{ add(*link.Frame) }

// What ends jobs. An operation can bring the last three about. The others are seen by
// looking at what is shown.
const (
	anotherDocument schedule.Event = 1 << iota
	anotherRun                     // another informer is shown, another setup, or another scene
	anotherFuture                  // the run has another History
	machineMoves                   // the viewer goes to another step, or does something to the machine
	futuresChange                  // the viewer takes a future away, or makes another
	runReplaced                    // the viewer wants another run or another future
)

// sight is what is shown.
type sight struct {
	doc *document
	run *machine.Run
	h   *history.History
}

// notice returns what has happened to what is shown since it was called last.
func (d *desk) notice() (on schedule.Event) {
	now := sight{doc: d.doc}
	if d.doc != nil {
		now.run = d.doc.run()
		now.h = now.run.History()
	}
	switch was := d.seen; {
	case now.doc != was.doc:
		on = anotherDocument | anotherRun | anotherFuture
		d.made = nil
	case now.run != was.run:
		on = anotherRun | anotherFuture
	case now.h != was.h:
		on = anotherFuture
	}
	d.seen = now
	return on
}

// send tells the page something. Where nobody has asked for it, it is about the document shown.
func (d *desk) send(r *link.Reply) {
	if r.ID == 0 && d.doc != nil {
		r.ID = d.doc.id
	}
	d.browser.Send(r.Encode())
}

func (d *desk) fail(id int, say link.Sentence, why error) {
	d.send(&link.Reply{ID: id, News: &link.Failure{Say: say, Why: link.Fault(why)}})
}

// badRequest says that the arguments of a request mean nothing here.
func (d *desk) badRequest(id int) { d.fail(id, link.Sentence{ID: "fail.request"}, nil) }

func (d *desk) work() { d.runner.work() }

func (d *desk) told() { d.runner.told() }

// moved shows another run of the document: first its beginning, and as soon as it
// has been run that far, the virtual time at.
func (d *desk) moved(id int, at int64) {
	d.opened(id)
	r := d.doc.run()
	r.Goal = at
	d.frame(id, r.Frame(0, d.window))
	d.work()
}

// here shows where the machine is.
func (d *desk) here(id int) { d.frame(id, d.doc.run().Frame(0, d.window)) }

func (d *desk) frame(id int, f *link.Frame) {
	f.Informer = d.doc.shown
	d.second.add(f)
	if !f.Brief && d.doc.script == nil {
		if x := d.logged.Near(d.doc.trace(), f); x != nil {
			d.send(&link.Reply{News: x})
		}
	}
	d.send(&link.Reply{ID: id, News: f})
}

func (d *desk) opened(id int) { d.send(&link.Reply{ID: id, News: d.doc.opened()}) }

func (d *desk) tellLanes(id int) {
	d.send(&link.Reply{ID: id, News: d.doc.run().Lanes.Link()})
}

// tellScript shows what the lines of a script have brought.
func (d *desk) tellScript() {
	if s := d.doc.script; s != nil {
		d.send(&link.Reply{News: &s.Console})
	}
	d.tellLanes(0)
}

// give lets the viewer save b as a file.
func (d *desk) give(id int, b browser.Bytes, name string, saved func(size int64) *link.Saved) {
	d.browser.Give(b, name, func(size int64, err error) {
		if err != nil {
			d.fail(id, link.Sentence{ID: "fail.save"}, err)
			return
		}
		d.send(&link.Reply{ID: id, News: saved(size)})
	})
}
