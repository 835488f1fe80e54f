package host

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// A link records a path: where the shown branch leaves the opened run, each script line with the
// moment it was played, and the viewer's own moment. Moments are named by what happens at them, so
// a path can be replayed after the engine has changed.

// linked is the way to what is shown, and the script that is open.
func (d *document) linked() *link.Linked {
	l := d.run().Lanes
	out := &link.Linked{}
	switch {
	case d.lesson != nil && d.url == "": // a lesson of the course has an address of its own
		out.Text = d.lesson.Text
	case d.script != nil && d.lesson == nil:
		out.Text = string(d.script.Text)
	}
	way, err := l.Way(l.Shown, machine.Waypoint)
	if err == nil && d.beside != nil && d.beside.lane != nil {
		out.Second, err = l.Way(d.beside.lane, machine.Waypoint)
	}
	out.Problem = link.Fault(err)
	h := l.Shown.History
	out.Way = append(way, machine.Waypoint(h, h.At().Steps()))
	return out
}

// journey is a travel that is under way.
type journey struct {
	run     *machine.Run
	told    link.Traveled
	console link.Console
	made    bool // a future, or another one is shown
}

// travels goes ways.
type travels struct {
	*desk
	company *company
}

// travel goes the way of a link, beginning with what was opened, whichever future is
// shown. Travel ends at what can't be done any more. If the link has two futures, the
// other one is made first and stands beside.
func (t *travels) travel(id int, q link.Travel) {
	d := t.doc
	r := d.run()
	j := &journey{run: r}
	l := r.Lanes
	opened := l.All[0]
	if len(q.Way) > 0 && l.Shown != opened {
		l.Shown, j.made = opened, true
	}
	if q.Second != nil {
		fixed := l.Fixed
		l.Fixed = true // both may leave it at its end
		j.follow(q.Second.Way)
		second := l.Shown
		l.Shown, l.Fixed = opened, fixed
		d.beside = &beside{lane: second, pin: -1}
	}
	j.follow(q.Way)
	r.Goal = machine.NoGoal
	if len(j.console.Entries) > 0 {
		t.send(&link.Reply{News: &j.console})
	}
	if j.made {
		t.opened(0)
		t.tellLanes(0)
	}
	if q.Second != nil {
		t.company.tellBeside(0)
	}
	if q.Key != "" {
		if ref := versionOf(r.Table(), q.Key, q.RV); ref != 0 {
			t.send(&link.Reply{ID: id, News: d.inspect(r, int32(ref))})
		} else {
			j.told.Lost = true
		}
	}
	t.send(&link.Reply{ID: id, News: &j.told})
	t.frame(id, r.Frame(0, t.window))
	t.work()
}

// follow goes one way from the future shown.
func (j *journey) follow(way []link.Waypoint) {
	r, told := j.run, &j.told
	var b *history.History
	var runner *script.Runner
	var lines []string
	first, end := len(j.console.Entries), link.Waypoint{Step: -1}
	if n := len(way); n > 0 && way[n-1].Line == "" {
		way, end = way[:n-1], way[n-1]
	}
	for _, p := range way {
		if b == nil {
			var at int64
			var lost bool
			at, lost = machine.Locate(r.History(), p)
			told.Lost = told.Lost || lost
			b = r.History().Branch(at)
			runner = script.Attach(b, func(e script.Entry) {
				if len(j.console.Entries) < machine.MaxConsole {
					j.console.Entries = append(j.console.Entries, machine.ConsoleLine(e, 0))
				}
			})
			runner.Limit(machine.MaxTravel, lesson.Bounds)
			runner.OnInquiry(func(*script.Inquiry) {}) // a link explores nothing
		} else if p.When != "" || p.Step >= 0 {
			ahead := b.Branch(b.Steps())
			at, lost := machine.Locate(ahead, p)
			ahead.Drop()
			told.Lost = told.Lost || lost || at < b.Steps()
			for b.Steps() < at && b.Extend(min(machine.ExtendBy, at-b.Steps())) > 0 {
			}
		}
		if p.Line == "" {
			continue
		}
		if err := runner.Line(p.Line, 0); err != nil {
			told.Failure = machine.LineFailure(err, p.Line)
			break
		}
		lines = append(lines, p.Line)
	}
	h, goesOn := r.History(), false
	to := h.At().Steps()
	if b != nil {
		j.made = true
		_, left := b.Parent()
		shared, all := len(machine.InputsUpTo(h, left)), len(h.Inputs())
		if goesOn = len(b.Inputs()) > shared || shared < all; goesOn {
			h, to = b, b.Steps()
		}
	}
	if end.When != "" || end.Step >= 0 {
		at, lost := machine.Locate(h, end)
		told.Lost = told.Lost || lost
		to = at
	}
	switch same := r.Lanes.Like(b); {
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
		r.Lanes.GoOn(b, strings.Join(lines, "\n"), to)
	}
	for i := range j.console.Entries[first:] {
		j.console.Entries[first+i].Lane = r.Lanes.Shown.ID
	}
}

// versionOf finds the version of an object by its resourceVersion, 0 where there is none.
func versionOf(t *object.Table, key, rv string) object.Ref {
	k, ok := t.LookupKey(key)
	for r := object.Ref(1); ok && int(r) < t.Len(); r++ {
		if t.KeyOf(r) == k && t.RVText(t.RVOf(r)) == rv && !t.IsTombstone(r) {
			return r
		}
	}
	return 0
}

const errNoScript = fault.Plain("noLinkScript")

// openText opens a script or a lesson that a link has.
func (h *Host) openText(id int, q link.Open) {
	if !syntax.LooksLikeScript(q.Text) && !lesson.Looks(q.Text) {
		h.desk.fail(id, link.Sentence{ID: "fail.open", Args: map[string]link.Arg{"name": {Kind: "code", V: q.Name}}}, errNoScript)
		return
	}
	h.open(origin{id: id, name: q.Name, chosen: q.Chosen}, &text{q.Text, h.desk.browser}, nil)
}

// text is the Input that a link has.
type text struct {
	content string
	browser browser.Browser
}

func (t *text) Size() int64 { return int64(len(t.content)) }

func (t *text) ReadAt(offset int64, n int) ([]byte, error) {
	from := min(int(offset), len(t.content))
	return []byte(t.content[from:min(from+n, len(t.content))]), nil
}

func (t *text) Stream(chunk func(b []byte, read int64), end func(error)) (cancel func()) {
	over := false
	t.browser.Later(func() {
		if !over {
			chunk([]byte(t.content), t.Size())
		}
		if !over {
			end(nil)
		}
	})
	return func() { over = true }
}
