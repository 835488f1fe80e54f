package host

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// effect says what an operation needs, and what it does beside its own work.
type effect uint8

const (
	// anytime: it needs no document.
	anytime effect = 1 << iota
	// touches: the viewer has done something to the document, so the informer shown stays.
	touches
	// moves: the machine goes elsewhere, so the search for a step ends.
	moves
	// replaces: another run is shown, so a text that is made of the run ends, and the
	// edits that the trace has aren't made any more.
	replaces
)

// operation is what the host does when the page asks for an operation.
type operation struct {
	effect effect
	do     func(h *Host, id int, op link.Op, files []Input)
}

// row makes a row of the table for the operation T.
func row[T link.Op](e effect, do func(h *Host, id int, op T)) (string, operation) {
	var op T
	return link.Name(op), operation{e, func(h *Host, id int, op link.Op, _ []Input) { do(h, id, op.(T)) }}
}

// with makes a row for an operation with which the page sends files.
func with[T link.Op](e effect, do func(h *Host, id int, op T, files []Input)) (string, operation) {
	var op T
	return link.Name(op), operation{e, func(h *Host, id int, op link.Op, files []Input) { do(h, id, op.(T), files) }}
}

// operations has what the host does for each operation, by its name.
var operations = map[string]operation{}

func add(name string, o operation) { operations[name] = o }

func init() {
	// What is open.
	add(with(anytime, (*Host).openAny))
	add(row(anytime, func(h *Host, id int, _ link.Cancel) { h.cancel(id) }))
	add(row(anytime, func(h *Host, _ int, _ link.Painted) { h.drive(onPainted) }))
	add(row(anytime, (*Host).course))
	add(row(anytime, func(h *Host, id int, _ link.Discover) { h.discover(id) }))
	add(row(anytime, (*Host).follow))

	// Where the viewer is.
	add(row(touches|moves, (*Host).step))
	add(row(touches|moves, (*Host).seek))
	add(row(touches|moves, (*Host).seekTime))
	add(row(touches|moves, (*Host).seekMark))
	add(row(touches|moves, (*Host).travel))
	add(row(touches|moves, (*Host).runTo))
	add(row(anytime, func(h *Host, _ int, _ link.EndSearch) { h.endSearch() }))
	add(row(0, (*Host).findKeys))

	// What is shown of it.
	add(row(anytime, (*Host).fit))
	add(row(0, (*Host).drawTimeline))
	add(row(touches, (*Host).inspect))
	add(row(touches, (*Host).askIndexer))
	add(row(touches|moves|replaces, (*Host).showInformer))
	add(row(touches|moves|replaces, (*Host).setUp))

	// What the viewer does to the machine.
	add(row(touches|moves|replaces, (*Host).line))
	add(row(touches|moves|replaces, (*Host).showLane))
	add(row(touches|moves|replaces, (*Host).visitLane))
	add(row(touches|moves|replaces, (*Host).renameLane))
	add(row(touches|moves|replaces, (*Host).dropLane))
	add(row(touches|moves|replaces, (*Host).undo))
	add(row(touches|moves|replaces, (*Host).redo))
	add(row(touches, func(h *Host, _ int, _ link.StopExploring) { h.enough() }))

	// What stands beside it.
	add(row(touches, besideSetup(func(shown link.Setup, q link.SecondProfile) link.Setup { return shown.WithProfile(q.Profile) })))
	add(row(touches, besideSetup(func(shown link.Setup, _ link.SecondResync) link.Setup { return shown.WithResync() })))
	add(row(touches, besideSetup(func(_ link.Setup, q link.SecondSetup) link.Setup { return q.Setup })))
	add(row(touches, (*Host).besideLane))
	add(row(touches, (*Host).besideApart))
	add(with(0, (*Host).besideCapture))
	add(row(touches, (*Host).alone))
	add(row(touches, (*Host).seekDiffer))

	// The lesson.
	add(row(touches, (*Host).goStop))
	add(row(touches, (*Host).askAnswer))
	add(row(touches, (*Host).turn))
	add(row(touches, (*Host).compareVersions))
	add(row(touches, (*Host).checkExercise))
	add(row(touches, (*Host).solve))
	add(row(touches, (*Host).readText))
	add(row(touches, (*Host).rewrite))
	add(row(touches, (*Host).askNext))
	add(row(touches, (*Host).showNext))

	// What is asked of the run.
	add(row(0, (*Host).watchFor))
	add(row(touches, (*Host).savePlot))
	add(row(0, (*Host).minimise))
	add(row(0, func(h *Host, _ int, _ link.StopMinimising) { h.leave() }))
	add(row(0, (*Host).askWhy))
	add(row(0, func(h *Host, _ int, _ link.StopWhy) { h.why = nil }))

	// What is made of it.
	add(row(0, func(h *Host, id int, _ link.MakeLink) { h.send(&link.Reply{ID: id, Linked: h.doc.linked()}) }))
	add(row(0, (*Host).save))
	add(row(0, (*Host).saveLeast))
	add(row(0, (*Host).saveText))
	add(row(0, func(h *Host, _ int, _ link.StopSaving) { h.unmake() }))
}

// Handle does what an encoded Request asks for.
func (h *Host) Handle(message []byte, files []Input) {
	q, err := link.DecodeRequest(message)
	if err != nil {
		h.fail(q.ID, link.Sentence{ID: "fail.request"}, err)
		return
	}
	o := operations[link.Name(q.Do)]
	if o.effect&anytime == 0 {
		if h.doc == nil {
			h.fail(q.ID, link.Sentence{ID: "fail.nothingOpen"}, nil)
			return
		}
		h.before(o.effect)
	}
	o.do(h, q.ID, q.Do, files)
}

// before does what an operation does to the document beside its own work.
func (h *Host) before(e effect) {
	h.asked = h.browser.Now()
	if e&touches != 0 {
		h.doc.touched = true
	}
	if e&moves != 0 {
		h.endSearch()
	}
	if e&replaces != 0 {
		h.unmake()
		h.doc.edits = nil // the viewer wants something else
	}
}

// openAny opens a text, the files that the page has sent, or a file of the site.
func (h *Host) openAny(id int, q link.Open, files []Input) {
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
func (h *Host) inputOf(url string, files []Input) (Input, []Bytes) {
	switch len(files) {
	case 0:
		return h.browser.Fetch(url), nil
	case 1:
		return files[0], bytesOf(files)
	}
	return h.browser.Convert(bytesOf(files), ""), nil
}

func bytesOf(files []Input) (all []Bytes) {
	for _, f := range files {
		all = append(all, f)
	}
	return all
}

// seek goes to a step.
func (h *Host) seek(id int, q link.Seek) { h.frame(id, h.doc.run().seek(q.Step, h.window)) }

// fit shows other parts of long lists.
func (h *Host) fit(id int, q link.Fit) {
	h.window = picture.SaneWindow(q.Window)
	if h.doc != nil {
		h.before(0)
		h.frame(id, h.doc.run().frame(0, h.window))
	}
}

// maxBuckets is how many columns a timeline can have.
const maxBuckets = 4096

// drawTimeline gets the timeline, and what was found of the watched expressions.
func (h *Host) drawTimeline(id int, q link.DrawTimeline) {
	columns := min(q.Buckets, maxBuckets)
	h.send(&link.Reply{ID: id, Timeline: h.doc.run().timeline(q.Axis, columns)})
	h.showWatched(q.Axis, columns)
}

// inspect gets an object version.
func (h *Host) inspect(id int, q link.Inspect) {
	d, r := h.doc, h.doc.run()
	if b := d.beside; q.Other && b != nil && b.aside != nil && b.run != nil {
		d, r = b.aside.doc, b.run
	}
	if q.Ref <= 0 || int(q.Ref) >= r.table().Len() {
		h.fail(id, link.Sentence{ID: "fail.request"}, nil)
		return
	}
	o := d.inspect(r, q.Ref)
	o.Other = d != h.doc
	h.send(&link.Reply{ID: id, Object: o})
}

// askIndexer asks the indexer, or its lister.
func (h *Host) askIndexer(id int, q link.AskIndexer) {
	h.send(&link.Reply{ID: id, Answer: h.doc.run().stage(h.window).Query(q.Query)})
}

// showInformer shows another informer at the same virtual time.
func (h *Host) showInformer(id int, q link.ShowInformer) {
	d := h.doc
	if q.Informer < 0 || q.Informer >= d.informers() {
		h.fail(id, link.Sentence{ID: "fail.request"}, nil)
		return
	}
	at := d.run().now()
	d.shown = q.Informer
	h.moved(id, at)
	h.tellLanes(0)
}

// setUp runs the capture again with another setup. A script has its own.
func (h *Host) setUp(id int, q link.SetUp) {
	d := h.doc
	if d.script != nil {
		return
	}
	at := d.run().now()
	d.setUp(sane(q.Setup))
	if o := h.opening; o != nil && o.state.again() {
		o.setUp(d.setup)
	}
	h.moved(id, at)
	h.tellLanes(0)
}
