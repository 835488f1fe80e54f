package host

import (
	"cmp"
	"strings"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// A link records a path: where the shown branch leaves the opened run, each script line with the
// moment it was played, and the viewer's own moment. Moments are named by what happens at them, so
// a path can be replayed after the engine has changed.

// sharedPath returns the way to what is shown, and the script that is open.
func (d *document) sharedPath() *link.Linked {
	l := d.run().Lanes
	out := &link.Linked{}
	switch {
	case d.lesson != nil && d.url == "": // a lesson of the course has an address of its own
		out.Text = d.lesson.Text
	case d.script != nil && d.lesson == nil:
		out.Text = string(d.script.Text)
	}
	way, err := l.Path(l.Shown, machine.PathStep)
	out.Problem = link.Fault(err)
	h := l.Shown.History
	out.Path = append(way, machine.PathStep(h, h.World().Steps()))
	return out
}

// trip is a travel that is under way.
type trip struct {
	run      *machine.Run
	result   link.Traveled
	console  link.Console
	branched bool // a future, or another one is shown
}

// traveler makes links, and goes where they lead.
type traveler struct {
	*desk
	second *secondMachine
}

// travel goes the way of a link, beginning with what was opened, whichever future is
// shown. Travel ends at what can't be done any more. If the link has two futures, the
// other one is made first and stands beside.
func (t *traveler) travel(id int, q link.Travel) {
	d := t.doc
	r := d.run()
	j := &trip{run: r}
	l := r.Lanes
	opened := l.All[0]
	if len(q.Path) > 0 && l.Shown != opened {
		l.Shown, j.branched = opened, true
	}
	if q.Second != nil {
		fixed := l.Fixed
		l.Fixed = true // both may leave it at its end
		j.follow(q.Second.Path)
		second := l.Shown
		l.Shown, l.Fixed = opened, fixed
		t.second.current = &counterpart{lane: second, pin: -1}
	}
	j.follow(q.Path)
	r.Goal = machine.NoGoal
	if len(j.console.Entries) > 0 {
		t.send(&link.Reply{News: &j.console})
	}
	if j.branched {
		t.sendOpened(0)
		t.sendLanes(0)
	}
	if q.Second != nil {
		t.second.sendSecond(0)
	}
	if q.Key != "" {
		if ref := versionOf(r.Table(), q.Key, q.RV); ref != 0 {
			t.send(&link.Reply{ID: id, News: d.inspect(r, int32(ref))})
		} else {
			j.result.Lost = true
		}
	}
	t.send(&link.Reply{ID: id, News: &j.result})
	t.sendFrame(id, r.Frame(0, t.window))
	t.work()
}

// makeLink gets the way to what is shown, and the one to the future beside it.
func (t *traveler) makeLink(id int, _ link.MakeLink) {
	out := t.doc.sharedPath()
	if b := t.second.current; b != nil && b.lane != nil && out.Problem == nil {
		way, err := t.doc.run().Lanes.Path(b.lane, machine.PathStep)
		out.Second, out.Problem = way, link.Fault(err)
	}
	t.send(&link.Reply{ID: id, News: out})
}

// follow goes one way from the future shown.
func (j *trip) follow(way []link.PathStep) {
	r, result := j.run, &j.result
	var b *history.History
	var runner *script.Runner
	var lines []string
	first, end := len(j.console.Entries), link.PathStep{Step: -1}
	if n := len(way); n > 0 && way[n-1].Line == "" {
		way, end = way[:n-1], way[n-1]
	}
	for _, p := range way {
		if b == nil {
			var at int64
			var lost bool
			at, lost = machine.Locate(r.History(), p)
			result.Lost = result.Lost || lost
			b = r.History().Branch(at)
			runner = script.Attach(b, func(e script.Entry) {
				if len(j.console.Entries) < machine.MaxConsole {
					j.console.Entries = append(j.console.Entries, machine.ConsoleLine(e, 0))
				}
			})
			runner.Limit(machine.MaxTravel, lesson.Bounds)
			runner.OnInquiry(func(*script.Inquiry) {}) // a link explores nothing
		} else if p.Moment != "" || p.Step >= 0 {
			ahead := b.Branch(b.Steps())
			at, lost := machine.Locate(ahead, p)
			ahead.Drop()
			result.Lost = result.Lost || lost || at < b.Steps()
			for b.Steps() < at && b.Extend(min(machine.ExtendBy, at-b.Steps())) > 0 {
			}
		}
		if p.Line == "" {
			continue
		}
		if err := runner.Line(p.Line, 0); err != nil {
			result.Failure = machine.LineFailure(err, p.Line)
			break
		}
		lines = append(lines, p.Line)
	}
	h, goesOn := r.History(), false
	to := h.World().Steps()
	if b != nil {
		j.branched = true
		_, left := b.Parent()
		shared, all := len(machine.InputsUpTo(h, left)), len(h.Inputs())
		if goesOn = len(b.Inputs()) > shared || shared < all; goesOn {
			h, to = b, b.Steps()
		}
	}
	if end.Moment != "" || end.Step >= 0 {
		at, lost := machine.Locate(h, end)
		result.Lost = result.Lost || lost
		to = at
	}
	switch same := r.Lanes.LaneOf(b); {
	case !goesOn:
		h.SeekTo(to)
	case same != nil:
		b.Drop()
		r.Lanes.Shown = same
		h = same.History
		for h.Steps() < to && h.Extend(min(machine.ExtendBy, to-h.Steps())) > 0 {
		}
		h.SeekTo(to)
	default:
		r.Lanes.Extend(b, strings.Join(lines, "\n"), to)
	}
	for i := range j.console.Entries[first:] {
		j.console.Entries[first+i].Lane = r.Lanes.Shown.ID
	}
}

// versionOf returns the version of an object by its resourceVersion, 0 where there is none.
func versionOf(t *object.Table, key, rv string) object.Ref {
	k, ok := t.LookupKey(key)
	for r := object.Ref(1); ok && int(r) < t.Len(); r++ {
		if t.KeyOf(r) == k && t.RVText(t.RVOf(r)) == rv && !t.IsTombstone(r) {
			return r
		}
	}
	return 0
}

// encodedEdits returns the viewer's edits of the run that is shown, for a trace that is saved. It
// returns nil where there are none, and where they can't be written as lines of script.
func (d *document) encodedEdits() []byte {
	l := d.run().Lanes
	if d.script != nil || d.lesson != nil || l.Shown.History == l.Base {
		return nil
	}
	way := d.sharedPath()
	if way.Problem != nil {
		return nil
	}
	e := link.Edits{Informer: d.trace().Resources[d.shown].Name(), Setup: d.setup, Path: way.Path}
	return e.Encode()
}

// prepareEdits readies d, which has just been shown, for the edits that its trace has, or that the capture under
// its log has. It gives d
// their setup, and their informer if that has been read.
func (d *document) prepareEdits() {
	e := d.edits // of the document over which a log was laid
	if raw := d.trace().Edits; e == nil && raw != nil {
		e, _ = link.DecodeEdits(raw) // nobody but the page writes it, so somebody has edited it where it can't be read
	}
	if e == nil || d.script != nil {
		return
	}
	e.Setup.Profile = cmp.Or(e.Setup.Profile, d.setup.Profile)
	e.Setup = machine.ClampSetup(e.Setup)
	d.setup, d.configured, d.decided = e.Setup, d.edits == nil, true
	if len(e.Path) > 0 || e.Informer != "" {
		d.edits = e
	}
	d.showNamed(e.Informer)
}

// showNamed shows the informer of a name, if the trace has come to it. It reports whether that
// is another one than before.
func (d *document) showNamed(name string) bool {
	for i, r := range d.trace().Resources {
		if r.Name() == name && len(r.Records) > 0 {
			another := d.shown != i
			d.shown, d.touched = i, true
			return another
		}
	}
	return false
}
