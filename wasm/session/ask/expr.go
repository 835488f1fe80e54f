package ask

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Expr is what the viewer asks about the run in expressions: one that is searched or
// plotted, and those at which playing stops.
type Expr struct {
	desk    Desk
	Text    string // as it is being written
	Asked   string // the one that is searched or plotted, "" for none
	Likely  bool   // random runs tell how likely it is
	Stopped bool   // what was found of it is enough
	From    int    // the first hit that is listed
	Breaks  []Break
	Break   string // the one at which playing has just stopped, "" for none

	Pick   int  // the completion that is chosen, counted from 1; 0 for none
	Closed bool // completions are not to be shown
	Focus  int  // counts the times that the field is to have the focus
	Whole  bool // all of the field is selected then, so that typing begins another expression

	Watched      []*link.Watched // the newest reply about each expression
	Minimised    *link.Minimised // the smallest recording that was found, nil for none
	OwnWork      *link.OwnWork   // what the recording tells of the controllers' own work, nil for nothing yet
	ShowsOwnWork bool            // the viewer wants to see that
	asked        bool            // for OwnWork
}

// NewExpr returns an Expr with nothing asked.
func NewExpr(d Desk) Expr { return Expr{desk: d} }

// Open shows where expressions are searched.
func (e *Expr) Open() {
	e.desk.Show(desk.Search)
	e.desk.SetDialog("")
	e.Focus++
	e.Whole = true
	e.Closed = true
}

// AskLikely lets the worker make random runs, to tell how likely the expression is that is
// written.
func (e *Expr) AskLikely() []desk.Cmd {
	text, r := strings.TrimSpace(e.Text), e.desk.Surroundings()
	if x, err := ask.Parse(text); err != nil || x.Type() != ask.Bool || e.SyntaxError() != nil || r.Trace == nil {
		return nil
	}
	e.Asked, e.From, e.Stopped, e.Likely, e.Closed = text, 0, false, true, true
	return e.WatchAll()
}

// Watch lets the worker evaluate the expression that is written, and shows what it finds.
// It reports false if the expression is wrong.
func (e *Expr) Watch() (cmds []desk.Cmd, ok bool) {
	text, r := strings.TrimSpace(e.Text), e.desk.Surroundings()
	e.Closed = true
	if text == "" || e.SyntaxError() != nil || r.Trace == nil {
		return nil, false
	}
	if text == e.Asked && !e.Stopped && !e.Likely {
		return nil, true
	}
	e.Asked, e.From, e.Stopped, e.Likely = text, 0, false, false
	return e.WatchAll(), true
}

// Plot lets the worker plot a series that was measured.
func (e *Expr) Plot(name string) []desk.Cmd {
	e.Asked, e.From, e.Stopped, e.Likely, e.Closed = name, 0, false, false, true
	return e.WatchAll()
}

// WatchAll tells the worker which expressions it is to evaluate.
func (e *Expr) WatchAll() []desk.Cmd {
	if e.desk.Surroundings().Trace == nil {
		return nil
	}
	r := link.WatchFor{}
	if e.Asked != "" {
		r.Watches = append(r.Watches, link.Watch{Text: e.Asked, List: !e.Likely, From: e.From, Stopped: e.Stopped, Likely: e.Likely})
	}
	for _, b := range e.Breaks {
		switch {
		case b.Disabled:
		case b.Text == e.Asked && !e.Likely:
			r.Watches[0].Break = true
		default:
			r.Watches = append(r.Watches, link.Watch{Text: b.Text, Break: true})
		}
	}
	e.Watched = slices.DeleteFunc(e.Watched, func(w *link.Watched) bool {
		return !slices.ContainsFunc(r.Watches, func(x link.Watch) bool { return x.Text == w.Text && x.Likely == w.Likely })
	})
	return e.desk.Send(r)
}

// Evaluated takes in what the worker has found.
func (e *Expr) Evaluated(w *link.Watched) {
	e.Watched = slices.DeleteFunc(e.Watched, func(o *link.Watched) bool { return o.Text == w.Text && o.Likely == w.Likely })
	if w.Text == e.Asked && w.Likely == e.Likely || slices.ContainsFunc(e.Breaks, func(b Break) bool { return b.Text == w.Text && !b.Disabled }) {
		e.Watched = append(e.Watched, w)
	}
}

// Result returns what is known of the expression that is searched, plotted or tried in random
// runs, nil for nothing.
func (e *Expr) Result() *link.Watched { return e.result(e.Asked, e.Likely) }

// StopResult returns what is known of an expression at which playing stops, nil for nothing.
func (e *Expr) StopResult(text string) *link.Watched { return e.result(text, false) }

// result returns what is known of an expression, nil for nothing.
func (e *Expr) result(text string, likely bool) *link.Watched {
	for _, w := range e.Watched {
		if w.Text == text && w.Likely == likely {
			return w
		}
	}
	return nil
}

// NextHit goes to the next hit of the expression that is written, or with -1 to the one
// before.
func (e *Expr) NextHit(n int64) []desk.Cmd {
	if strings.TrimSpace(e.Text) == "" && e.Asked == "" {
		e.Open()
		return nil
	}
	if strings.TrimSpace(e.Text) == "" {
		e.Text = e.Asked
	}
	cmds, ok := e.Watch()
	if x, err := ask.Parse(e.Asked); !ok || err != nil || x.Type() != ask.Bool {
		return cmds
	}
	return append(cmds, e.runTo(e.Asked, n)...)
}

// runTo goes to the next step at which an expression comes about, or with -1 to the one
// before.
func (e *Expr) runTo(text string, n int64) []desk.Cmd {
	e.desk.SetDialog("")
	e.desk.CloseMenu()
	cmds := append(e.desk.Pause(), e.desk.LeaveForMark()...)
	return append(cmds, e.desk.Move(link.RunTo{Back: n < 0, Expr: text})...)
}

// RunTo goes to the next step at which an expression comes about that the viewer has chosen
// and not written, or with -1 to the one before. That expression is searched from then on.
func (e *Expr) RunTo(text string, n int64) []desk.Cmd {
	e.Text = text
	return e.NextHit(n)
}

// List lists the hits from a number on.
func (e *Expr) List(from int) []desk.Cmd {
	e.From = max(from, 0)
	return e.WatchAll()
}

// Stop ends the search. What was found stays.
func (e *Expr) Stop() []desk.Cmd {
	e.Stopped = true
	return e.WatchAll()
}

// Drop ends the search, and takes what was found off the timeline.
func (e *Expr) Drop() []desk.Cmd {
	e.Asked, e.Text, e.From, e.Stopped, e.Likely = "", "", 0, false, false
	return e.WatchAll()
}

// Reset forgets what was open. The expressions stay.
func (e *Expr) Reset() {
	e.Watched, e.Break, e.From, e.Minimised, e.OwnWork, e.ShowsOwnWork, e.asked = nil, "", 0, nil, nil, false, false
}

// CanMinimise reports whether the worker can look for the smallest recording in which the
// expression that is searched still comes about.
func (e *Expr) CanMinimise() bool {
	r := e.desk.Surroundings()
	x, err := ask.Parse(e.Asked)
	return err == nil && x.Type() == ask.Bool && !e.Likely && r.Trace != nil && !r.Trace.Script && !r.Live && !r.Loading
}

// Minimise lets the worker look for the smallest such recording.
func (e *Expr) Minimise() []desk.Cmd {
	if !e.CanMinimise() {
		return nil
	}
	e.Minimised = nil
	return e.desk.Send(link.Minimise{Expr: e.Asked})
}

// AskAll takes over the expressions that an address has.
func (e *Expr) AskAll(a *address.Address) []desk.Cmd {
	before := len(e.Breaks)
	if _, err := ask.Parse(a.Search); a.Search != "" && a.Search != e.Asked && err == nil {
		e.Asked, e.Text, e.From, e.Stopped, e.Closed = a.Search, a.Search, 0, false, true
		before = -1
	}
	for _, text := range a.Stops {
		if _, err := ask.Parse(text); err == nil && !slices.ContainsFunc(e.Breaks, func(b Break) bool { return b.Text == text }) {
			e.Breaks = append(e.Breaks, Break{Text: text})
		}
	}
	if before == len(e.Breaks) {
		return nil
	}
	return e.WatchAll()
}

// Break is an expression that stays on the timeline, and at which playing stops.
type Break struct {
	Text     string
	Disabled bool
}

// AddBreak makes a breakpoint of the expression that is written.
func (e *Expr) AddBreak() []desk.Cmd {
	cmds, ok := e.Watch()
	text := e.Asked
	x, err := ask.Parse(text)
	if !ok || err != nil || x.Type() != ask.Bool || len(e.Breaks) == link.MaxWatches-1 ||
		slices.ContainsFunc(e.Breaks, func(b Break) bool { return b.Text == text }) {
		return cmds
	}
	e.Breaks = append(e.Breaks, Break{Text: text})
	return append(cmds, e.WatchAll()...)
}

// ToggleBreak switches a breakpoint off, or on.
func (e *Expr) ToggleBreak(text string) []desk.Cmd {
	for i := range e.Breaks {
		if b := &e.Breaks[i]; b.Text == text {
			b.Disabled = !b.Disabled
		}
	}
	return e.WatchAll()
}

// DropBreak takes a breakpoint away.
func (e *Expr) DropBreak(text string) []desk.Cmd {
	e.Breaks = slices.DeleteFunc(e.Breaks, func(b Break) bool { return b.Text == text })
	return e.WatchAll()
}

// Recorded returns the name of a recorded controller of the trace that is open, "" for none.
func (e *Expr) Recorded() string {
	r := e.desk.Surroundings()
	if r.Trace == nil || !r.Trace.Complete {
		return ""
	}
	for i := range r.Trace.Informers {
		if name := r.Trace.Informers[i].Controller; name != "" {
			return name
		}
	}
	return ""
}

// ToggleOwnWork shows what the recording tells of the controllers' own work, or folds it.
func (e *Expr) ToggleOwnWork() []desk.Cmd {
	e.ShowsOwnWork = !e.ShowsOwnWork
	if !e.ShowsOwnWork || e.Recorded() == "" {
		return nil
	}
	return e.AskOwnWork()
}

// AskOwnWork asks what the recording tells of the controllers' own work, unless that was asked.
func (e *Expr) AskOwnWork() []desk.Cmd {
	if e.asked {
		return nil
	}
	e.asked = true
	return e.desk.Send(link.AskOwnWork{})
}

// maxCompletions is how many completions of an expression are shown.
const maxCompletions = 8

// names returns the names that expressions can have now.
func (e *Expr) names() *ask.Names {
	n, r := &ask.Names{}, e.desk.Surroundings()
	if r.Trace == nil || r.Frame == nil {
		return n
	}
	if x := r.Trace.Informers; r.Trace.Script {
		for i := range x {
			n.Informers = append(n.Informers, x[i].Name)
		}
	} else if r.Trace.Informer < len(x) {
		n.Informers = []string{x[r.Trace.Informer].Name}
	}
	n.Handlers = []string{}
	for _, l := range r.Frame.Processor.Listeners {
		n.Handlers = append(n.Handlers, l.Name)
	}
	if found := r.Keys; found != nil {
		n.Keys = append(n.Keys, found.Keys...)
	}
	for _, t := range r.Frame.Store.Tiles {
		if !slices.Contains(n.Keys, t.Key) {
			n.Keys = append(n.Keys, t.Key)
		}
	}
	return n
}

// Completions returns how the expression that is being written can go on.
func (e *Expr) Completions() []ask.Completion {
	if e.Closed || e.desk.Surroundings().Frame == nil {
		return nil
	}
	return ask.Complete(e.Text, len(e.Text), e.names(), maxCompletions)
}

// SyntaxError returns what is wrong with the expression that is being written, or nil.
func (e *Expr) SyntaxError() *ask.Error {
	if strings.TrimSpace(e.Text) == "" {
		return nil
	}
	x, err := ask.Parse(e.Text)
	if err == nil && e.desk.Surroundings().Frame != nil {
		err = x.Check(e.names())
	}
	wrong, _ := err.(*ask.Error)
	return wrong
}

// Write takes the expression as it is written. Where a name is being written, the keys
// that contain it are asked for.
func (e *Expr) Write(text string) []desk.Cmd {
	if text == e.Text { // the field has lost the focus
		return nil
	}
	e.Text, e.Pick, e.Closed = text, 0, text == ""
	i := strings.LastIndexAny(text, `"'`)
	if i < 0 || e.desk.Surroundings().Trace == nil || strings.Count(text, text[i:i+1])%2 == 0 {
		return nil
	}
	return e.desk.Send(link.FindKeys{Text: text[i+1:]})
}

// Complete puts a completion into the expression.
func (e *Expr) Complete(text string) []desk.Cmd {
	e.Focus++
	e.Whole = false
	return e.Write(text)
}

// Enter takes in a key in the expression's field.
func (e *Expr) Enter(key, value string) []desk.Cmd {
	all := e.Completions()
	switch key {
	case "ArrowDown", "ArrowUp":
		by := 1
		if key == "ArrowUp" {
			by = len(all)
		}
		if e.Closed {
			e.Closed = false
		} else if n := len(all) + 1; n > 1 {
			e.Pick = (e.Pick + by) % n
		}
		return nil
	case "Escape":
		if len(all) > 0 {
			e.Closed, e.Pick = true, 0
			return nil
		}
		e.Text = ""
		return nil
	}
	if e.Pick > 0 && e.Pick <= len(all) {
		c := all[e.Pick-1]
		return e.Complete(e.Text[:c.From] + c.Text + e.Text[c.To:])
	}
	e.Text = value
	return e.NextHit(1)
}

// RunTo is an entry of a menu that runs to the next step at which an expression comes about.
// The catalogues name it after "runTo." and its ID. Handler is the handler in Expr, "" for
// none.
type RunTo struct{ ID, Expr, Handler string }

// RunTos returns the entries of a station's menu.
func (e *Expr) RunTos(station string) []RunTo {
	r := e.desk.Surroundings()
	if r.Frame == nil || slices.Contains(r.Frame.Aside, station) {
		return nil
	}
	switch station {
	case link.StationServer:
		return []RunTo{{ID: "watchEvent", Expr: "watchEvent()"}, {ID: "write", Expr: "write()"}}
	case link.StationReflector:
		return []RunTo{{ID: "watchEvent", Expr: "watchEvent()"}, {ID: "relist", Expr: "relist()"}, {ID: "resync", Expr: "resync()"}, {ID: "backoff", Expr: "backoff() > 0s"}}
	case link.StationQueue:
		return []RunTo{{ID: "deleted", Expr: `delta("Deleted")`}, {ID: "tombstone", Expr: "tombstone()"}, {ID: "lockWait", Expr: `lockWait("fifo") > 0s`}}
	case link.StationLoop:
		return []RunTo{{ID: "pop", Expr: "pop()"}, {ID: "distributed", Expr: `fact("Distributed")`}}
	case link.StationStore:
		return []RunTo{{ID: "storeAdded", Expr: `fact("StoreAdded")`}, {ID: "storeUpdated", Expr: `fact("StoreUpdated")`}, {ID: "storeDeleted", Expr: `fact("StoreDeleted")`}, {ID: "behind", Expr: "revisionsBehind() > 0"}}
	case link.StationProcessor:
		var all []RunTo
		for _, l := range r.Frame.Processor.Listeners {
			all = append(all, RunTo{"call", "call(" + ask.Quote(l.Name) + ")", l.Name}, RunTo{"synced", "synced(" + ask.Quote(l.Name) + ")", l.Name})
		}
		return all
	case link.StationWork:
		return []RunTo{{ID: "reconcile", Expr: "reconcile()"}, {ID: "reconcileFailed", Expr: `fact("ReconcileFailed")`}, {ID: "stale", Expr: "staleReconcile(1s)"}}
	}
	return nil
}

// RunTosOf returns the entries of a key's menu.
func (e *Expr) RunTosOf(key string) []RunTo {
	k := ask.Quote(key)
	return []RunTo{
		{ID: "keyDelta", Expr: `delta("", ` + k + ")"}, {ID: "keyPop", Expr: "pop(" + k + ")"}, {ID: "keyCall", Expr: `call("", "", ` + k + ")"},
		{ID: "keyOnDelete", Expr: `call("", "OnDelete", ` + k + ")"}, {ID: "keyReconcile", Expr: "reconcile(" + k + ")"},
	}
}
