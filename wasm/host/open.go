package host

import (
	"cmp"
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/host/browser"
	taught "github.com/informerscope/informerscope/wasm/host/lesson"
	"github.com/informerscope/informerscope/wasm/host/live"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// opener opens what the page wants to see: it reads captures, and shows what has come of them.
type opener struct {
	*desk
	pump     *pump
	second   *secondMachine
	lessons  *lessons
	clusters *clusters
	traveler *traveler
	saver    *saver
	cards    *cards
}

// open opens another capture. What is shown stays until there is something of the new
// one to show, or for good if there never is. The other program can convert the
// files if this one can't read them; there may be none.
func (o *opener) open(q origin, input browser.Input, files []browser.Bytes) {
	o.logged.laid = false
	d := newDocument(q, input, files, true)
	if d.live != nil {
		d.live.OnProgress = func(atOnce bool) { o.clusters.report(d, atOnce) }
	}
	o.read(d, input.Stream)
}

// read begins to read d, and gives up what was being opened.
func (o *opener) read(d *document, stream func(chunk func([]byte, int64), end func(error)) (cancel func())) {
	if o.opening != nil {
		o.happen(o.opening, occasion{trigger: onReplaced})
	}
	o.opening = d
	d.stop = stream(
		func(b []byte, read int64) { o.piece(d, b, read) },
		func(err error) { o.end(d, err) })
}

// piece takes in a piece of d. With it, so many bytes of the input have been read.
func (o *opener) piece(d *document, b []byte, read int64) {
	d.reader.bytes = read
	if d.script == nil && len(d.head) < sniffLen {
		d.head = append(d.head, b[:min(len(b), sniffLen)]...)
		if head := syntax.Text(d.head); (syntax.LooksLikeScript(head) || lesson.IsLesson(head) || address.IsFragment(head)) && d.live == nil {
			if d.state == readingSecond {
				o.happen(d, occasion{trigger: onRefused, err: errNoCapture})
				return
			}
			d.script = &machine.Script{}
		}
	}
	if d.script != nil {
		if err := d.script.Write(b); err != nil {
			o.happen(d, occasion{trigger: onRefused, err: err})
		} else {
			o.happen(d, occasion{trigger: onPiece})
		}
		return
	}
	o.wrote(d, d.reader.Write(b))
}

// wrote goes on after a piece of d was read; err is what was wrong with the piece.
func (o *opener) wrote(d *document, err error) {
	switch {
	case err == nil && d.reader.limit > 0 && d.reader.ValueOffset() >= d.reader.limit:
		d.halt()
		o.end(d, nil)
	case err == nil:
		d.trace().Expect(d.reader.bytes, d.input.Size)
		o.happen(d, occasion{trigger: onPiece})
		o.spread(d)
	case d.convertible() && foreign(err):
		o.happen(d, occasion{trigger: onForeign})
	default:
		o.happen(d, occasion{trigger: onRefused, err: err})
	}
}

// Readers beside one another are started after so many bytes, if so many are left.
const (
	spreadAfter = 8 << 20
	spreadFor   = 48 << 20
)

// spread makes several readers read on if the format allows digests and much is left to read.
func (o *opener) spread(d *document) {
	r := d.reader
	if r.spread || !d.state.mayGrow() || d.stored == nil || r.bytes < spreadAfter || d.input.Size()-r.bytes < spreadFor || !r.TakesDigests() {
		return
	}
	r.spread = true
	d.stored.Spread(func(b []byte, read int64) {
		r.bytes = read
		o.wrote(d, r.WriteDigest(b))
	})
}

// end takes note that all of d has come, or that something went wrong.
func (o *opener) end(d *document, err error) {
	d.stop = nil
	if d.script != nil {
		o.endScript(d, err)
		return
	}
	if err != nil {
		d.reader.Fail(err)
	}
	closed := d.reader.Close()
	switch {
	case d.convertible() && (err != nil || foreign(closed)):
		o.happen(d, occasion{trigger: onForeign})
	case d.underlay(o.doc) != nil && overlay(err) != "":
		o.happen(d, occasion{trigger: onForeign, err: err})
	case !d.showable(true), err != nil && d.state.isSecondReading():
		o.happen(d, occasion{trigger: onRefused, err: cmp.Or[error](err, closed, errEmpty)})
	default:
		o.happen(d, occasion{trigger: onEnd})
	}
}

// overlay returns which of the errors that tell of a log, or of metrics, err is, "" for any other.
func overlay(err error) string {
	if err == nil {
		return ""
	}
	if id := fault.Describe(err, func(string, string, error) {}); id == "logAlone" || id == "seriesAlone" {
		return id
	}
	return ""
}

// convertible reports whether the other program may be able to read d. It knows more
// formats, and unpacks what the browser can't.
func (d *document) convertible() bool { return len(d.files) > 0 && !d.state.isSecondReading() }

func foreign(err error) bool { return errors.As(err, new(format.Foreign)) }

// Why what was chosen can't be opened.
const (
	errEmpty    = fault.Plain("noEvents") // it could be read
	errNoScript = fault.Plain("noLinkScript")
)

func (o *opener) look(d *document) {
	if d.showable(false) {
		o.happen(d, occasion{trigger: onReady})
		return
	}
	o.pump.report(d, false)
}

// show shows the first step of d in the place of what was shown.
func (o *opener) show(d *document) {
	o.enter(d)
	d.choosePods()
	d.takeRecorded()
	d.prepareEdits()
	o.begin(d)
	o.lessons.sendLesson()
	o.sendScript()
	o.work()
	o.pump.report(d, !d.state.mayGrow())
}

func (o *opener) enter(d *document) {
	o.pump.halt()
	if o.doc != nil {
		o.second.end()
		o.happen(o.doc, occasion{trigger: onReplaced})
	}
	o.doc, o.opening = d, nil
	o.saver.last = nil
}

// begin shows the first step of d, with what was found by then.
func (o *opener) begin(d *document) {
	o.awaitPaint()
	o.sendOpened(d.id)
	o.cards.read()
	o.redraw(d.id)
}

// grow runs what has come of d, the document shown.
func (o *opener) grow(d *document) {
	if !d.touched && d.choosePods() {
		o.begin(d)
	}
	o.work()
	o.pump.report(d, false)
}

// finish runs what has come of d, which is all there is.
func (o *opener) finish(d *document) {
	if !d.touched && d.choosePods() {
		o.begin(d)
	}
	if !d.decided && !d.configured && d.recorded() { // which nothing said when it was first shown
		at := d.run().Now()
		d.takeRecorded()
		d.setUp(d.setup)
		o.showRun(0, at)
	} else {
		o.sendOpened(0)
		o.work()
	}
	o.pump.report(d, true)
}

// convert opens the trace that the other program makes of d's files. If they turn out to be a log or metrics, it lies
// over the capture that is shown: d is then what the program has made of them, and why says which they are.
func (o *opener) convert(d *document, why error) {
	on := d.underlay(o.doc)
	if o.opening == d {
		o.close(d)
	} else {
		d.halt()
	}
	if d.foreign != nil {
		o.layOver(on, d, overlay(why) == "logAlone")
		return
	}
	o.logged.laid = false
	made := newDocument(d.origin, o.converted(d.files, d.kind, nil), nil, true)
	made.foreign = d.files
	o.read(made, made.input.Stream)
}

// underlay returns the capture over which d can be laid: the one that is shown, if it is whole. It is nil where there
// is none, and where d is not what the other program has made of files.
func (d *document) underlay(on *document) *document {
	if on == nil || on == d || on.script != nil || on.live != nil || !on.trace().Complete || d.foreign == nil {
		return nil
	}
	return on
}

// layOver opens what the other program makes of the capture shown and the files of over, which are a log or
// metrics. The viewer stays where that is in the run.
func (o *opener) layOver(on, over *document, isLog bool) {
	files := on.files
	if len(files) == 0 {
		files = []browser.Bytes{on.input}
	}
	q := on.origin
	q.id = over.id
	edits := &link.Edits{Informer: on.trace().Resources[on.shown].Name(), Setup: on.setup, Path: on.sharedPath().Path}
	o.open(q, o.converted(append(files[:len(files):len(files)], over.foreign...), on.kind, nil), nil)
	o.opening.edits = edits
	o.logged.laid = isLog
}

func (o *opener) close(d *document) {
	o.opening = nil
	d.halt()
	o.free(d)
}

// showPrevious goes on with the document shown, after refused could not be opened. The document is what the
// page has instead, so it stands for the request that asked for refused.
func (o *opener) showPrevious(refused *document) {
	if o.doc == nil {
		return
	}
	o.doc.id = refused.id
	o.logged = sentLog{} // the page has forgotten it
	o.sendOpened(0)
	o.lessons.sendLesson()
	o.redraw(0)
	o.lessons.sendLesson() // the page has forgotten all of it
	o.sendScript()
	o.work() // opening the other one may have interrupted the run
	o.happen(o.doc, occasion{trigger: onFree})
}

// cancel stops the reading of whatever is being read. What was read stays.
func (o *opener) cancel(id int) {
	d := cmp.Or(o.opening, o.doc)
	if d != nil {
		o.happen(d, occasion{trigger: onCancel, id: id})
	}
}

// sniffLen is how many bytes are looked at to tell a script from a capture.
const sniffLen = 4096

// endScript takes note that all of a script's or a lesson's text has come, and plays
// it.
func (o *opener) endScript(d *document, err error) {
	ready := true
	if err == nil {
		d.script.Text = []byte(syntax.Text(d.script.Text))
	}
	if err == nil && address.IsFragment(string(d.script.Text)) {
		o.send(&link.Reply{ID: d.id, News: &link.Traveled{Address: strings.TrimSpace(string(d.script.Text))}})
		return // the page opens what the link leads to
	}
	if err == nil && lesson.IsLesson(string(d.script.Text)) {
		ready, err = o.teach(d)
	} else if err == nil {
		err = d.script.Play()
	}
	if err == nil && !ready {
		return
	}
	if err != nil {
		o.happen(d, occasion{trigger: onRefused, err: err})
		return
	}
	o.happen(d, occasion{trigger: onEnd})
}

// readSecond shows another capture beside the one shown.
func (o *opener) readSecond(id int, q link.SecondCapture, files []browser.Input) {
	in, all := o.inputOf(q.URL, q.Kind, files)
	o.streamSecond(origin{id: id, name: q.Name, url: q.URL, kind: q.Kind}, in, all)
}

// streamSecond begins to read the capture that is to stand beside the one shown.
func (o *opener) streamSecond(q origin, input browser.Input, files []browser.Bytes) {
	d := o.doc
	o.second.end()
	if d.script != nil || d.live != nil {
		o.fail(q.id, link.Sentence{ID: "fail.request"}, nil)
		return
	}
	other := newDocument(q, input, files, false)
	other.state, other.reader.pass = readingSecond, nil
	o.second.current = &counterpart{pin: -1, capture: &secondCapture{doc: other}}
	other.stop = input.Stream(
		func(b []byte, read int64) { o.piece(other, b, read) },
		func(err error) { o.end(other, err) })
	o.second.sendSecond(q.id)
}

// refuseSecond tells the page why the second capture can't be read.
func (o *opener) refuseSecond(d *document, why error) {
	o.free(d)
	o.second.current = nil
	o.second.sendSecond(0)
	o.fail(0, link.Sentence{ID: "fail.open", Args: map[string]link.Arg{"name": {Kind: "code", V: d.name}}}, why)
}

// replay makes the edits that d's trace has, once all of d was run. If the edits are of
// another machine than the one that was run, d is run again first.
func (o *opener) replay(d *document) {
	e := d.edits
	if d.showNamed(e.Informer) || !d.setup.Equal(e.Setup) {
		d.setUp(e.Setup)
		o.showRun(0, 0)
		return
	}
	d.edits = nil
	o.traveler.travel(0, link.Travel{Path: e.Path})
}

// openText opens a script, a lesson or a trace that a link has.
func (o *opener) openText(id int, q link.Open) {
	in := o.browser.StoreText(q.Text)
	if address.IsCapture(q.Text) {
		o.open(origin{id: id, name: q.Name, profile: q.Profile}, in, []browser.Bytes{in})
		return
	}
	if !syntax.LooksLikeScript(q.Text) && !lesson.IsLesson(q.Text) {
		o.fail(id, link.Sentence{ID: "fail.open", Args: map[string]link.Arg{"name": {Kind: "code", V: q.Name}}}, errNoScript)
		return
	}
	o.open(origin{id: id, name: q.Name, chosen: q.Chosen}, in, nil)
}

// teach reads the lesson that d's text is. It reports whether the lesson is ready: one
// that plays a recording waits for it.
func (o *opener) teach(d *document) (ready bool, err error) {
	d.lesson, err = taught.Read(string(d.script.Text))
	if err != nil {
		return false, err
	}
	if d.lesson.Lesson.Trace == "" {
		return true, d.lesson.Begin(d, d.chosen)
	}
	return false, o.fetchRecording(d, d.lesson.Lesson.Trace)
}

// fetchRecording reads the recording that the lesson's scenes play. Only then is the
// lesson ready.
func (o *opener) fetchRecording(d *document, name string) error {
	if strings.ContainsAny(name, "/\\") {
		return fault.Plain("lessonTrace")
	}
	in := o.browser.Fetch("lessons/traces/" + name)
	d.input = in
	d.stored, _ = in.(browser.Stored)
	d.stop = in.Stream(
		func(b []byte, read int64) {
			if err := d.reader.Write(b); err != nil {
				o.happen(d, occasion{trigger: onRefused, err: err})
			}
		},
		func(err error) {
			d.stop = nil
			if closed := d.reader.Close(); err == nil {
				err = closed
			}
			if err == nil {
				d.lesson.Player.Machine = func(out func(script.Entry)) *script.Runner { return d.recordedMachine(out) }
				err = d.lesson.Begin(d, d.chosen)
			}
			if err != nil {
				o.happen(d, occasion{trigger: onRefused, err: err})
				return
			}
			o.happen(d, occasion{trigger: onEnd})
		})
	return nil
}

// recordedMachine returns a Runner whose informers play the resources of d's trace.
func (d *document) recordedMachine(out func(script.Entry)) *script.Runner {
	r := script.NewRunner(out)
	r.Recorded(feed.Named(d.trace()))
	return r
}

// follow watches the resources that the viewer has chosen.
func (o *opener) follow(id int, q link.FollowCluster) {
	c := o.clusters.found
	if c == nil {
		o.fail(id, link.Sentence{ID: "fail.noCluster"}, nil)
		return
	}
	var resources []follow.Resource
	for _, name := range q.Follow.Resources {
		if r, ok := follow.Find(c.resources, name); ok {
			resources = append(resources, r)
		}
	}
	if len(resources) == 0 {
		o.fail(id, link.Sentence{ID: "fail.noResource"}, nil)
		return
	}
	l, err := live.New(o.browser, c.prefix, c.server, resources, &q.Follow, o.browser.Random)
	if err != nil {
		o.fail(id, link.Sentence{ID: "fail.request"}, err)
		return
	}
	o.open(origin{id: id, name: q.Name}, l, nil)
}

// pauseBetween is how long free and check rest after each piece of their work while the
// viewer asks for something or waits for it, in nanoseconds. Meanwhile the machine is the
// viewer's.
const pauseBetween = 250 * machine.Millisecond

// viewerWaits reports whether the viewer has asked for something within the last pauseBetween.
func (o *opener) viewerWaits() bool { return o.browser.Now()-o.asked < pauseBetween }

// free lets go of the memory that d's bytes are kept in, piece by piece.
func (o *opener) free(d *document) {
	next := func() {
		if d.stored != nil && d.stored.Settle() {
			o.free(d)
		} else {
			o.happen(d, occasion{trigger: onTidied})
		}
	}
	if o.viewerWaits() {
		o.browser.After(pauseBetween, next)
	} else {
		o.browser.Later(next)
	}
}

// openAny opens a text, the files that the page has sent, or a file of the site.
func (o *opener) openAny(id int, q link.Open, files []browser.Input) {
	if q.Text != "" {
		o.openText(id, q)
		return
	}
	if address.IsLive(q.URL) {
		o.open(origin{id: id, name: q.Name, url: q.URL}, live.Piped(o.browser, q.URL), nil)
		return
	}
	in, all := o.inputOf(q.URL, q.Kind, files)
	o.open(origin{id, q.Name, q.URL, q.Chosen, q.Profile, q.Kind}, in, all)
}

// inputOf returns what the page wants read, and the files from which the other program can
// read it: the files that the page has sent, or the file of the site at url, if it has sent
// none. The other program makes one trace of several files.
func (o *opener) inputOf(url, kind string, files []browser.Input) (browser.Input, []browser.Bytes) {
	switch len(files) {
	case 0:
		return o.browser.Fetch(url), nil
	case 1:
		return files[0], bytesOf(files)
	}
	return o.converted(bytesOf(files), kind, nil), nil
}

func bytesOf(files []browser.Input) (all []browser.Bytes) {
	for _, f := range files {
		all = append(all, f)
	}
	return all
}
