package host

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/wasm/host/expr"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture/timeline"
)

// navigator takes the viewer to steps.
type navigator struct {
	*desk
	exprs     *exprs
	lookahead *lookahead // may be nil
}

// search looks for a step that concerns a key, or at which an expression comes about.
// Whatever moves the machine ends it.
type search struct {
	*desk
	run       *machine.Run
	id        int         // of the request
	name      string      // what is looked for: a key or an expression
	backward  bool        // earlier steps are looked at
	missed    link.Missed // what is said if there is no such step
	finder    expr.Finder // a history.Finder, or what an expression gives
	remaining int64       // how many more such steps to go
	last      int64       // the last that was found, 0 for none
	asFast    bool        // the steps on the way are not shown
}

const kindSearch = "search"

// step goes on, or back if q.N is negative: q.N units, or with a key to the q.N-th step that
// concerns the key.
func (s *navigator) step(id int, q link.Step) {
	r := s.doc.run()
	switch {
	case q.Key == "":
		s.sendFrame(id, s.playStep(q, r))
		return
	case q.N == 0: // as many forward as back
		s.redraw(id)
		return
	}
	none := link.Missed{Key: q.Key, Back: q.N < 0}
	way := r.Concerning(q.Key, r.History().World().Steps(), q.N < 0)
	if way == nil {
		s.sendMissed(id, none)
		return
	}
	s.start(&search{desk: s.desk, run: r, id: id, name: q.Key, backward: q.N < 0, missed: none, finder: way, remaining: max(q.N, -q.N), asFast: q.N != 1 && q.N != -1})
}

func (s *navigator) start(x *search) {
	s.jobs.Start(x, schedule.Terms{Kind: kindSearch, Ends: machineMoves | anotherRun, AtOnce: true})
}

// Work looks on for a slice.
func (x *search) Work(until int64) (more bool) {
	for x.jobs.Now() < until {
		step, ended := x.finder.Run(machine.ExtendBy)
		if step > 0 {
			x.last = step
			if x.remaining--; x.remaining > 0 {
				if x.backward {
					x.finder = x.run.Concerning(x.name, step, true)
				}
				continue
			}
		}
		if ended {
			x.show()
			return false
		}
	}
	return true
}

// Report tells to which step the search has come.
func (x *search) Report() {
	x.send(&link.Reply{News: &link.Searching{Key: x.name, Step: x.finder.Step()}})
}

// Stop tells the page where the machine is, unless the page shows something else by now.
func (x *search) Stop(on schedule.Event) {
	if on&anotherDocument == 0 {
		x.redraw(x.id)
	}
}

func (x *search) show() {
	if x.last == 0 {
		x.sendMissed(x.id, x.missed)
		return
	}
	x.sendFrame(x.id, x.run.Walk(x.last, !x.asFast, false, x.window))
}

// sendMissed tells that there is no such step, and shows where the machine is.
func (d *desk) sendMissed(id int, none link.Missed) {
	d.send(&link.Reply{News: &none})
	d.redraw(id)
}

// end ends the search that is under way, if there is one.
func (s *navigator) end(int, link.EndSearch) { s.jobs.Stop(kindSearch, machineMoves) }

func (s *navigator) seek(id int, q link.Seek) { s.sendFrame(id, s.doc.run().SeekTo(q.Step, s.window)) }

// runTo goes to the next step at which an expression comes about, or to the one
// before. An expression that is momentary and remembers nothing is looked for
// from where the viewer is. Any other is looked for among its hits.
func (s *navigator) runTo(id int, q link.RunTo) {
	r := s.doc.run()
	none := link.Missed{Expr: q.Expr, Back: q.Back}
	w := s.exprs.find(q.Expr)
	w.Begin(r)
	if !w.IsBool() {
		s.sendMissed(id, none)
		return
	}
	from := r.History().World().Steps()
	x := &search{desk: s.desk, run: r, id: id, name: q.Expr, backward: q.Back, missed: none, finder: w.Hunt(from, q.Back), remaining: 1, asFast: true}
	if w.Parsed.Momentary() && !w.Parsed.Remembers() {
		x.finder = w.Parsed.Find(r.History(), r.Informer, from, q.Back)
	} else if w.Stopped {
		w.Stopped = false
	}
	s.start(x)
}

// seekMark goes to the next mark, or to the one before.
func (s *navigator) seekMark(id int, q link.SeekMark) {
	r := s.doc.run()
	to := timeline.NextMark(r.History().Samples(), r.Informer, r.History().World().Steps(), q.Back, q.Marks)
	if to < 0 {
		s.sendMissed(id, link.Missed{Marks: q.Marks, Back: q.Back})
		return
	}
	s.sendFrame(id, r.SeekTo(to, s.window))
}

// seekTime goes to the last step at or before q.Time. While the page plays by the
// recording's clock, the steps on the way are shown if there are few.
func (s *navigator) seekTime(id int, q link.SeekTime) {
	r := s.doc.run()
	switch {
	case !q.Play:
		s.sendFrame(id, r.SeekTo(r.History().StepOf(q.Time), s.window))
	case q.Key == "":
		s.sendFrame(id, s.playTo(q, r))
	default:
		s.playKey(id, q, r)
	}
}

// lookahead looks, beyond the step shown, for the next steps that concern a key,
// while the page plays by the recording's clock.
type lookahead struct {
	run    *machine.Run
	key    string
	step   int64 // the step shown
	finder *history.Finder
	next   int64 // the next such step, which s has come to; 0 if it isn't known
	ended  bool  // there is none
}

// playKey does what playTo does for those steps that concern a key.
func (s *navigator) playKey(id int, q link.SeekTime, r *machine.Run) {
	from := r.History().World().Steps()
	a := s.lookahead
	if a == nil || a.run != r || a.key != q.Key || a.step != from {
		a = &lookahead{run: r, key: q.Key, finder: r.Concerning(q.Key, from, false)}
		s.lookahead = a
	}
	to := from
	for a.finder != nil && a.finder.Now() <= q.Time {
		if a.next > 0 {
			to, a.next = a.next, 0
		}
		if a.next, a.ended = a.finder.Run(1); a.ended && a.next == 0 {
			break
		}
	}
	a.step = to
	if a.finder == nil || a.ended && a.next == 0 && r.History().Complete() {
		s.send(&link.Reply{News: &link.Missed{Key: q.Key}})
	}
	f := r.Walk(to, true, false, s.window)
	if f.Next = q.Time; a.next > 0 {
		f.Next = a.finder.Now()
	}
	s.sendFrame(id, f)
}

// playStep makes the steps of a request. While the page plays, it stops where a breakpoint comes about.
func (s *navigator) playStep(q link.Step, r *machine.Run) *link.Frame {
	if q.Play {
		from := r.History().World().Steps()
		if hit, text := s.exprs.nextBreak(from, r.Units(q.Unit, q.N)); hit != nil {
			f := r.Walk(hit.From, q.N == 1, q.Brief, s.window)
			f.Break = text
			return f
		}
	}
	return r.Step(q.Unit, q.N, q.Brief, s.window)
}

// playTo returns playStep for a time that has not come yet.
func (s *navigator) playTo(q link.SeekTime, r *machine.Run) *link.Frame {
	from := r.History().World().Steps()
	if hit, text := s.exprs.nextBreak(from, from+machine.MaxAhead); hit != nil && hit.FromTime <= q.Time {
		f := r.Walk(hit.From, true, q.Brief, s.window)
		f.Break = text
		return f
	}
	return r.PlayTo(q.Time, q.Brief, s.window)
}

// maxKeys is how many keys an answer to FindKeys has.
const maxKeys = 50

// findKeys answers with the first keys, in the order of keys, that contain a text.
func (s *navigator) findKeys(id int, q link.FindKeys) {
	t := s.doc.run().Table()
	out := &link.Keys{Text: q.Text}
	var first []object.Key
	for k := object.Key(1); int(k) < t.Keys(); k++ {
		if !strings.Contains(t.KeyText(k), q.Text) {
			continue
		}
		out.Total++
		if len(first) == maxKeys && t.CompareKeys(k, first[maxKeys-1]) > 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(first, k, t.CompareKeys)
		first = append(first, k)
		copy(first[i+1:], first[i:])
		first[i] = k
		first = first[:min(len(first), maxKeys)]
	}
	for _, k := range first {
		out.Keys = append(out.Keys, t.KeyText(k))
	}
	s.send(&link.Reply{ID: id, News: out})
}
