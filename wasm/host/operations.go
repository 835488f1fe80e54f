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
	effect effect
	ends   schedule.Event // the jobs that these events end, and other work that isn't done yet: Host.before
	do     func(id int, op link.Op, files []browser.Input)
}

// The events that operations bring about.
const (
	none     = schedule.Event(0)
	moves    = machineMoves
	replaces = machineMoves | runReplaced
	changes  = machineMoves | runReplaced | futuresChange
)

// table returns what the host does for each operation, by its name.
func table(h *Host) map[string]operation {
	all := map[string]operation{}
	for _, rows := range [][]tableRow{rowsOfOpening(h), rowsOfRun(h), rowsOfOthers(h)} {
		for _, r := range rows {
			all[r.name] = r.operation
		}
	}
	return all
}

// tableRow is a row of the table.
type tableRow struct {
	name string
	operation
}

// row makes a row of the table for the operation T.
func row[T link.Op](e effect, ends schedule.Event, do func(id int, op T)) tableRow {
	var op T
	return tableRow{link.Name(op), operation{e, ends, func(id int, op link.Op, _ []browser.Input) { do(id, op.(T)) }}}
}

// with makes a row for an operation with which the page sends files.
func with[T link.Op](e effect, ends schedule.Event, do func(id int, op T, files []browser.Input)) tableRow {
	var op T
	return tableRow{link.Name(op), operation{e, ends, func(id int, op link.Op, files []browser.Input) { do(id, op.(T), files) }}}
}

// rowsOfOpening are the operations that open something, or follow a cluster.
func rowsOfOpening(h *Host) []tableRow {
	return []tableRow{
		with(anytime, none, h.openAny),
		row(anytime, none, func(id int, _ link.Cancel) { h.cancel(id) }),
		row(anytime, none, func(int, link.Painted) { h.pump.drive(onPainted) }),
		row(anytime, none, h.lessons.course),
		row(anytime, none, h.clusters.discover),
		row(anytime, none, h.follow),
	}
}

// rowsOfRun are the operations that go somewhere in the run, show another one, or change it.
func rowsOfRun(h *Host) []tableRow {
	s, l, c, t := &searches{desk: h.desk, exprs: h.exprs}, &looks{h.desk, h.exprs}, h.console, h.lessons
	return []tableRow{
		// Where the viewer is.
		row(touches, moves, s.step),
		row(touches, moves, s.seek),
		row(touches, moves, s.seekTime),
		row(touches, moves, s.seekMark),
		row(touches, moves, s.runTo),
		row(touches, moves|futuresChange, h.travels.travel),
		row(anytime, none, s.end),
		row(0, none, s.findKeys),
		row(touches, moves, l.askNext),
		row(touches, moves, l.showNext),

		// What is shown of it.
		row(anytime, none, l.fit),
		row(0, none, l.drawTimeline),
		row(touches, none, l.inspect),
		row(touches, none, l.askIndexer),
		row(touches, replaces, l.showInformer),
		row(touches, replaces, l.setUp),

		// What the viewer does to the machine.
		row(touches, changes, c.line),
		row(touches, replaces, c.showLane),
		row(touches, changes, c.visitLane),
		row(touches, replaces, c.renameLane),
		row(touches, changes, c.dropLane),
		row(touches, changes, c.undo),
		row(touches, changes, c.redo),
		row(touches, none, c.stopExploring),

		// The lesson.
		row(touches, futuresChange, t.goStop),
		row(touches, none, t.askAnswer),
		row(touches, futuresChange, t.turn),
		row(touches, futuresChange, t.compareVersions),
		row(touches, none, t.checkExercise),
		row(touches, futuresChange, t.solve),
		row(touches, none, t.readText),
		row(touches, futuresChange, t.rewrite),
	}
}

// rowsOfOthers are the operations that leave the run as it is.
func rowsOfOthers(h *Host) []tableRow {
	b, a, m, t := h.company, &whys{h.desk}, &leasts{desk: h.desk}, &texts{h.desk}
	return []tableRow{
		// What stands beside it.
		row(touches, none, besideSetup(b, func(shown link.Setup, q link.SecondProfile) link.Setup { return shown.WithProfile(q.Profile) })),
		row(touches, none, besideSetup(b, func(shown link.Setup, _ link.SecondResync) link.Setup { return shown.WithResync() })),
		row(touches, none, besideSetup(b, func(_ link.Setup, q link.SecondSetup) link.Setup { return q.Setup })),
		row(touches, none, b.besideLane),
		row(touches, none, b.besideApart),
		with(0, none, h.besideCapture),
		row(touches, none, b.alone),
		row(touches, none, b.seekDiffer),

		// What is asked of the run.
		row(0, none, h.exprs.watchFor),
		row(touches, none, h.exprs.savePlot),
		row(0, none, m.minimise),
		row(0, none, m.stop),
		row(0, none, a.ask),
		row(0, none, a.stop),

		// What is made of it.
		row(0, none, (&looks{h.desk, h.exprs}).makeLink),
		row(0, none, (&saves{h.desk}).save),
		row(0, none, m.saveLeast),
		row(0, none, t.saveText),
		row(0, none, t.stop),
	}
}

// Handle does what an encoded Request asks for.
func (h *Host) Handle(message []byte, files []browser.Input) {
	q, err := link.DecodeRequest(message)
	if err != nil {
		h.desk.fail(q.ID, link.Sentence{ID: "fail.request"}, err)
		return
	}
	o := h.operations[link.Name(q.Do)]
	if o.effect&anytime == 0 {
		if h.desk.doc == nil {
			h.desk.fail(q.ID, link.Sentence{ID: "fail.nothingOpen"}, nil)
			return
		}
		h.before(o)
	}
	o.do(q.ID, q.Do, files)
}

// before does what an operation does to the document beside its own work.
func (h *Host) before(o operation) {
	h.desk.asked = h.desk.browser.Now()
	if o.effect&touches != 0 {
		h.desk.doc.touched = true
	}
	h.desk.jobs.End(h.desk.notice() | o.ends)
	if o.ends&runReplaced != 0 {
		h.desk.doc.edits = nil // the viewer wants something else
	}
}

// openAny opens a text, the files that the page has sent, or a file of the site.
func (h *Host) openAny(id int, q link.Open, files []browser.Input) {
	if q.Text != "" {
		h.openText(id, q)
		return
	}
	in, all := h.inputOf(q.URL, files)
	h.open(origin{id, q.Name, q.URL, q.Chosen}, in, all)
}

// inputOf returns what the page wants read, and the files from which the other program can
// read it: the files that the page has sent, or the file of the site at url, if it has sent
// none. The other program makes one trace of several files.
func (h *Host) inputOf(url string, files []browser.Input) (browser.Input, []browser.Bytes) {
	switch len(files) {
	case 0:
		return h.desk.browser.Fetch(url), nil
	case 1:
		return files[0], bytesOf(files)
	}
	return h.desk.browser.Convert(bytesOf(files), ""), nil
}

func bytesOf(files []browser.Input) (all []browser.Bytes) {
	for _, f := range files {
		all = append(all, f)
	}
	return all
}
