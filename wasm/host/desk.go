package host

import (
	"math"
	"sort"
	"strconv"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/browser"
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
	asked   int64   // when the last thing was done that the viewer has asked for, by Browser.Now
	seen    onStage // at the last notice
	logged  sentLog
	runner  runner
	second  companion

	carryOut func(*document, action, occasion) // does what a transition asks for
	watch    func(state, trigger)              // set by tests: sees each transition
}

// runner runs the document shown.
type runner interface {
	work()       // there may be something to run
	awaitPaint() // the page was told something that it will paint
}

// companion is what stands beside the document shown.
type companion interface {
	addTo(*link.Frame) // adds its frame to the one of the document shown
	present() bool     // something stands there
	start()            // the document shown was run as far as it was read
	hold(on bool)      // its reading pauses, or goes on
}

// converted lets the other program make one trace of files. kind is for objects that don't say theirs. r says what of the
// trace leaves; nil is for all.
func (k *desk) converted(files []browser.Bytes, kind string, r *link.Redact) browser.Stored {
	return k.browser.Convert(files, string((&link.Conversion{Kind: kind, Redact: r}).Encode()))
}

// happen moves d to its next state, and has what the transition asks for carried out.
// Nothing else changes the state of a document.
func (d *desk) happen(doc *document, o occasion) {
	t := life[doc.state][o.trigger]
	if d.watch != nil {
		d.watch(doc.state, o.trigger)
	}
	if t.to == 0 {
		d.browser.Complain("impossible: " + triggerNames[o.trigger] + " comes to a capture that is " + stateNames[doc.state])
		return
	}
	if t.to != doc.state {
		d.browser.Debug("life of " + strconv.Itoa(doc.id) + ": " + stateNames[doc.state] + " " + triggerNames[o.trigger] + " " + stateNames[t.to])
	}
	doc.state = t.to
	d.carryOut(doc, t.action, o)
}

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

// onStage is what is shown.
type onStage struct {
	doc *document
	run *machine.Run
	h   *history.History
}

// notice returns what has happened to what is shown since it was called last.
func (d *desk) notice() (on schedule.Event) {
	now := onStage{doc: d.doc}
	if d.doc != nil {
		now.run = d.doc.run()
		now.h = now.run.History()
	}
	switch was := d.seen; {
	case now.doc != was.doc:
		on = anotherDocument | anotherRun | anotherFuture
	case now.run != was.run:
		on = anotherRun | anotherFuture
	case now.h != was.h:
		on = anotherFuture
	}
	d.seen = now
	return on
}

// send sends a reply to the page. A reply without the ID of a request is about the document shown.
func (d *desk) send(r *link.Reply) {
	if r.ID == 0 && d.doc != nil {
		r.ID = d.doc.id
	}
	d.browser.Send(r.Encode())
}

func (d *desk) fail(id int, say link.Sentence, why error) {
	d.send(&link.Reply{ID: id, News: &link.Failure{Sentence: say, Reason: link.Fault(why)}})
}

// badRequest tells the page that the arguments of a request mean nothing here.
func (d *desk) badRequest(id int) { d.fail(id, link.Sentence{ID: "fail.request"}, nil) }

// work runs what has come of the document shown.
func (d *desk) work() { d.runner.work() }

// awaitPaint holds reading and running back until the page has painted what it was told last.
func (d *desk) awaitPaint() { d.runner.awaitPaint() }

// showRun shows another run of the document: first its beginning, and as soon as it
// has been run that far, the virtual time at.
func (d *desk) showRun(id int, at int64) {
	d.sendOpened(id)
	r := d.doc.run()
	r.Goal = at
	d.sendFrame(id, r.Frame(0, d.window))
	d.work()
}

func (d *desk) redraw(id int) { d.sendFrame(id, d.doc.run().Frame(0, d.window)) }

func (d *desk) sendFrame(id int, f *link.Frame) {
	f.Informer = d.doc.shown
	d.second.addTo(f)
	if !f.Brief && d.doc.script == nil {
		if x := d.logged.linesAround(d.doc.trace(), f); x != nil {
			d.send(&link.Reply{News: x})
		}
	}
	d.send(&link.Reply{ID: id, News: f})
}

func (d *desk) sendOpened(id int) { d.send(&link.Reply{ID: id, News: d.doc.opened()}) }

func (d *desk) sendLanes(id int) {
	d.send(&link.Reply{ID: id, News: d.doc.run().Lanes.Link()})
}

// sendScript shows what the lines of a script have brought.
func (d *desk) sendScript() {
	if s := d.doc.script; s != nil {
		d.send(&link.Reply{News: &s.Console})
	}
	d.sendLanes(0)
}

// offer lets the viewer save b as a file.
func (d *desk) offer(id int, b browser.Bytes, name string, saved func(size int64) *link.Saved) {
	d.browser.Download(b, name, func(size int64, err error) {
		if err != nil {
			d.fail(id, link.Sentence{ID: "fail.save"}, err)
			return
		}
		d.send(&link.Reply{ID: id, News: saved(size)})
	})
}

// offerText lets the viewer save a text as a file.
func (d *desk) offerText(id int, text, name string) {
	kept := d.browser.Store()
	kept.Append([]byte(text))
	d.offer(id, kept, name, func(size int64) *link.Saved { return &link.Saved{Name: name, Size: size} })
}

// fetchText fetches a text of the page's own, and gives it to then. One of more than limit bytes fails with long.
func (d *desk) fetchText(url string, limit int, long error, then func(text string, err error)) {
	var text []byte
	in := d.browser.Fetch(url)
	in.Stream(
		func(b []byte, _ int64) {
			if len(text) <= limit {
				text = append(text, b...)
			}
		},
		func(err error) {
			if s, ok := in.(browser.Stored); ok {
				for s.Settle() { // nothing of it is read again
				}
			}
			if err == nil && len(text) > limit {
				err = long
			}
			then(string(text), err)
		})
}

// slice is how long a job works before the page's messages and the bytes that were read get
// their turn, in nanoseconds.
const slice = schedule.Slice

// reportEvery is how often the worker reports to the page how far reading and running
// have come, in nanoseconds.
const reportEvery = schedule.ReportEvery

// extend runs r on for one slice, and reports whether there may be more to run.
func (d *desk) extend(r *machine.Run) (more bool) {
	until := d.browser.Now() + slice
	for !r.Enough() && r.History().Extend(machine.ExtendBy) > 0 {
		if d.browser.Now() >= until {
			return true
		}
	}
	return false
}

// The page gets these numbers of entries before and after the moment shown, and maxLogText characters of each. Few
// stand before the moment, so the viewer sees the last one of them without scrolling.
const (
	logLinesBefore = 6
	logLinesAfter  = 24
	maxLogText     = 600
)

// sentLog is what the page knows of a log.
type sentLog struct {
	trace         *trace.Trace // nil before the page was told
	before, total int          // as the page was told
	laid          bool         // the log that comes next was laid over what was open
}

// linesAround returns what was logged near the step of a frame, or nil where the page knows that. What was logged before the
// next step belongs to the step.
func (x *sentLog) linesAround(t *trace.Trace, f *link.Frame) *link.Log {
	all := t.Log
	if len(all) == 0 {
		return nil
	}
	last := max(f.Time, f.Next-1)
	if f.Step == f.Steps && f.Complete {
		last = math.MaxInt64
	}
	by := sort.Search(len(all), func(i int) bool { return all[i].Time > last })
	if x.trace == t && x.before == by && x.total == len(all) {
		return nil
	}
	out := &link.Log{Total: len(all), Reached: by, From: max(0, by-logLinesBefore), Laid: x.laid}
	for _, e := range all[out.From:min(len(all), by+logLinesAfter)] {
		out.Entries = append(out.Entries, link.Logged{Time: e.Time, Level: string(e.Level), Text: machine.Short(e.Text, maxLogText)})
	}
	*x = sentLog{trace: t, before: by, total: len(all)}
	return out
}
