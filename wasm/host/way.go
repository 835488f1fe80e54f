package host

import (
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
)

// A link records a path: where the shown branch leaves the opened run, each script line with the
// moment it was played, and the viewer's own moment. Moments are named by what happens at them, so
// a path can be replayed after the engine has changed.

// maxTravel is how many steps are run for one way at most.
const maxTravel = 2_000_000

// maxWay is how many lines a way has at most that the page keeps for itself.
const maxWay = 5000

// linked is the way to what is shown, and the script that is open.
func (d *document) linked() *link.Linked {
	l := d.run().lanes
	out := &link.Linked{}
	switch {
	case d.lesson != nil && d.url == "": // a lesson of the course has an address of its own
		out.Text = d.lesson.text
	case d.script != nil && d.lesson == nil:
		out.Text = string(d.script.text)
	}
	way, err := l.way(l.shown, waypoint)
	if err == nil && d.beside != nil && d.beside.lane != nil {
		out.Second, err = l.way(d.beside.lane, waypoint)
	}
	if err != nil {
		out.Problem = err.Error()
	}
	h := l.shown.h
	out.Way = append(way, waypoint(h, h.At().Steps()))
	return out
}

// way leads to a lane. It calls at for each moment at which something is done.
func (l *lanes) way(to *lane, at func(h *world.History, step int64) link.Waypoint) (way []link.Waypoint, err error) {
	h := to.h
	shared := l.sharedBy(h)
	if h == l.base || shared == h.Steps() {
		return nil, nil
	}
	inputs, err := script.Inputs(h)
	if err != nil {
		return nil, err
	}
	way = append(way, at(h, shared)) // what the opened run does after it is left out
	made := shared
	for _, in := range inputs {
		if in.Step <= shared {
			continue
		}
		p := link.Waypoint{Step: -1}
		if in.Step != made+1 {
			p = at(h, in.Step-1)
		}
		p.Line, made = in.Line, in.Step
		way = append(way, p)
	}
	return way, nil
}

// brief is the way to a lane for a page that is loaded again, which has the same machine.
func (l *lanes) brief(to *lane) []link.Waypoint {
	way, err := l.way(to, func(_ *world.History, step int64) link.Waypoint { return link.Waypoint{Step: step} })
	if err != nil || len(way) > maxWay {
		return nil
	}
	return way
}

// sharedBy is how many steps h shares with what was opened.
func (l *lanes) sharedBy(h *world.History) int64 {
	shared := h.Steps()
	for h != l.base {
		parent, left := h.Parent()
		if parent == nil {
			return 0
		}
		h, shared = parent, min(shared, left)
	}
	return shared
}

func waypoint(h *world.History, step int64) link.Waypoint {
	p := link.Waypoint{Step: step}
	if m, ok := h.MomentOf(step); ok {
		p.When = m.String()
	}
	return p
}

// locate returns the step of a waypoint's moment in h. Lost says that the
// moment isn't there. The step is then the one that the moment had where the
// link was made.
func locate(h *world.History, p link.Waypoint) (step int64, lost bool) {
	if p.When != "" {
		m, ok := world.ParseMoment(p.When)
		if step := h.FindMoment(m); ok && step >= 0 {
			return step, false
		}
	}
	for far := h.Steps() + maxTravel; h.Steps() < min(p.Step, far) && h.Extend(extendBy) > 0; {
	}
	return min(max(p.Step, 0), h.Steps()), p.When != "" || p.Step > h.Steps()
}

// journey is a travel that is under way.
type journey struct {
	run     *run
	told    link.Traveled
	console link.Console
	made    bool // a future
}

// travels goes ways.
type travels struct {
	*desk
	company *company
}

// travel goes the way of a link, beginning with the future shown. Travel ends
// at what can't be done any more. If the link has two futures, the other one is
// made first and stands beside.
func (t *travels) travel(id int, q link.Travel) {
	d := t.doc
	r := d.run()
	j := &journey{run: r}
	if l := r.lanes; q.Second != nil {
		from, fixed := l.shown, l.fixed
		l.fixed = true // both may leave it at its end
		j.follow(q.Second.Way)
		second := l.shown
		l.shown, l.fixed = from, fixed
		d.beside = &beside{lane: second, pin: -1}
	}
	j.follow(q.Way)
	r.goal = noGoal
	if len(j.console.Entries) > 0 {
		t.send(&link.Reply{Console: &j.console})
	}
	if j.made {
		t.opened(0)
		t.tellLanes(0)
	}
	if q.Second != nil {
		t.company.tellBeside(0)
	}
	if q.Key != "" {
		if ref := versionOf(r.table(), q.Key, q.RV); ref != 0 {
			t.send(&link.Reply{ID: id, Object: d.inspect(r, int32(ref))})
		} else {
			j.told.Lost = true
		}
	}
	t.send(&link.Reply{ID: id, Traveled: &j.told})
	t.frame(id, r.frame(0, t.window))
	t.work()
}

// follow goes one way from the future shown.
func (j *journey) follow(way []link.Waypoint) {
	r, told := j.run, &j.told
	var b *world.History
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
			at, lost = locate(r.history(), p)
			told.Lost = told.Lost || lost
			b = r.history().Branch(at)
			runner = script.Attach(b, func(e script.Entry) {
				if len(j.console.Entries) < maxConsole {
					j.console.Entries = append(j.console.Entries, consoleLine(e, 0))
				}
			})
			runner.Limit(maxTravel, world.Limits{States: maxStates, Depth: maxDepth})
			runner.Asking(func(*script.Inquiry) {}) // a link explores nothing
		} else if p.When != "" || p.Step >= 0 {
			ahead := b.Branch(b.Steps())
			at, lost := locate(ahead, p)
			ahead.Drop()
			told.Lost = told.Lost || lost || at < b.Steps()
			for b.Steps() < at && b.Extend(min(extendBy, at-b.Steps())) > 0 {
			}
		}
		if p.Line == "" {
			continue
		}
		if err := runner.Line(p.Line, 0); err != nil {
			told.Failure = lineFailure(err, p.Line)
			break
		}
		lines = append(lines, p.Line)
	}
	if b != nil {
		j.made = true
		_, left := b.Parent()
		shared, all := len(inputsUpTo(r.history(), left)), len(r.history().Inputs())
		if len(b.Inputs()) > shared || shared < all {
			r.lanes.goOn(b, strings.Join(lines, "\n"))
		}
	}
	if end.When != "" || end.Step >= 0 {
		at, lost := locate(r.history(), end)
		told.Lost = told.Lost || lost
		r.history().SeekTo(at)
	}
	for i := range j.console.Entries[first:] {
		j.console.Entries[first+i].Lane = r.lanes.shown.id
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

var errNoScript = errors.New("the link has a text that is no script")

// openText opens a script or a lesson that a link has.
func (h *Host) openText(id int, q link.Open) {
	if !script.Looks(q.Text) && !lesson.Looks(q.Text) {
		h.fail(id, link.Sentence{ID: "fail.open", Args: map[string]link.Arg{"name": {Kind: "code", V: q.Name}}}, errNoScript)
		return
	}
	h.open(origin{id: id, name: q.Name, chosen: q.Chosen}, &text{q.Text, h.browser}, nil)
}

// text is the Input that a link has.
type text struct {
	content string
	browser Browser
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
