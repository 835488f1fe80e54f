package session

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Expr is what the viewer asks about the run in expressions: one that is searched or
// plotted, and those at which playing stops.
type Expr struct {
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

	Watched []*link.Watched // the newest reply about each expression
	Least   *link.Minimised // the smallest recording that was found, nil for none
}

// Break is an expression that stays on the timeline, and at which playing stops.
type Break struct {
	Text string
	Off  bool
}

// MaxCompletions is how many completions of an expression are shown.
const MaxCompletions = 8

func (e *Expr) open(m *Model) []Cmd {
	if m.Open.Died != "" {
		return nil
	}
	m.Front.show(desk.Search)
	m.Front.ask("")
	e.Focus++
	e.Closed = true
	return nil
}

// names are the names that expressions can have now.
func (e *Expr) names(m *Model) *ask.Names {
	n := &ask.Names{}
	if m.Open.Trace == nil || m.Stage.Frame == nil {
		return n
	}
	if x := m.Open.Trace.Informers; m.Open.Trace.Script {
		for i := range x {
			n.Informers = append(n.Informers, x[i].Name)
		}
	} else if m.Open.Trace.Informer < len(x) {
		n.Informers = []string{x[m.Open.Trace.Informer].Name}
	}
	n.Handlers = []string{}
	for _, l := range m.Stage.Frame.Processor.Listeners {
		n.Handlers = append(n.Handlers, l.Name)
	}
	if m.Find.Keys != nil {
		n.Keys = append(n.Keys, m.Find.Keys.Keys...)
	}
	for _, t := range m.Stage.Frame.Store.Tiles {
		if !slices.Contains(n.Keys, t.Key) {
			n.Keys = append(n.Keys, t.Key)
		}
	}
	return n
}

// Completions are how the expression that is being written can go on.
func (e *Expr) Completions(m *Model) []ask.Completion {
	if e.Closed || m.Stage.Frame == nil {
		return nil
	}
	return ask.Complete(e.Text, len(e.Text), e.names(m), MaxCompletions)
}

// Wrong is what is wrong with the expression that is being written, or nil.
func (e *Expr) Wrong(m *Model) *ask.Error {
	if strings.TrimSpace(e.Text) == "" {
		return nil
	}
	x, err := ask.Parse(e.Text)
	if err == nil && m.Stage.Frame != nil {
		err = x.Check(e.names(m))
	}
	wrong, _ := err.(*ask.Error)
	return wrong
}

// write takes the expression as it is written. Where a name is being written, the keys
// that contain it are asked for.
func (e *Expr) write(m *Model, text string) []Cmd {
	if text == e.Text { // the field has lost the focus
		return nil
	}
	e.Text, e.Pick, e.Closed = text, 0, text == ""
	i := strings.LastIndexAny(text, `"'`)
	if i < 0 || m.Open.Trace == nil || strings.Count(text, text[i:i+1])%2 == 0 {
		return nil
	}
	return m.send(link.FindKeys{Text: text[i+1:]}, false)
}

// take puts a completion into the expression.
func (e *Expr) take(m *Model, text string) []Cmd {
	e.Focus++
	return e.write(m, text)
}

// enter is a key in the expression's field.
func (e *Expr) enter(m *Model, key, value string) []Cmd {
	all := e.Completions(m)
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
		return e.take(m, e.Text[:c.From]+c.Text+e.Text[c.To:])
	}
	e.Text = value
	return e.next(m, 1)
}

// likely has the worker make random runs, to tell how likely the expression is that is
// written.
func (e *Expr) likely(m *Model) []Cmd {
	text := strings.TrimSpace(e.Text)
	if x, err := ask.Parse(text); err != nil || x.Type() != ask.Bool || e.Wrong(m) != nil || m.Open.Trace == nil {
		return nil
	}
	e.Asked, e.From, e.Stopped, e.Likely, e.Closed = text, 0, false, true, true
	return e.watchAll(m)
}

// watch has the worker evaluate the expression that is written, and shows what it finds.
// It reports false if the expression is wrong.
func (e *Expr) watch(m *Model) (cmds []Cmd, ok bool) {
	text := strings.TrimSpace(e.Text)
	e.Closed = true
	if text == "" || e.Wrong(m) != nil || m.Open.Trace == nil {
		return nil, false
	}
	if text == e.Asked && !e.Stopped && !e.Likely {
		return nil, true
	}
	e.Asked, e.From, e.Stopped, e.Likely = text, 0, false, false
	return e.watchAll(m), true
}

// watchAll tells the worker which expressions it is to evaluate.
func (e *Expr) watchAll(m *Model) []Cmd {
	if m.Open.Trace == nil {
		return nil
	}
	r := link.WatchFor{}
	if e.Asked != "" {
		r.Watches = append(r.Watches, link.Watch{Text: e.Asked, List: !e.Likely, From: e.From, Stopped: e.Stopped, Likely: e.Likely})
	}
	for _, b := range e.Breaks {
		switch {
		case b.Off:
		case b.Text == e.Asked && !e.Likely:
			r.Watches[0].Break = true
		default:
			r.Watches = append(r.Watches, link.Watch{Text: b.Text, Break: true})
		}
	}
	e.Watched = slices.DeleteFunc(slices.Clone(e.Watched), func(w *link.Watched) bool {
		return !slices.ContainsFunc(r.Watches, func(x link.Watch) bool { return x.Text == w.Text && x.Likely == w.Likely })
	})
	return m.send(r, false)
}

// told takes in what the worker has found.
func (e *Expr) told(w *link.Watched) {
	e.Watched = slices.DeleteFunc(slices.Clone(e.Watched), func(o *link.Watched) bool { return o.Text == w.Text && o.Likely == w.Likely })
	if w.Text == e.Asked && w.Likely == e.Likely || slices.ContainsFunc(e.Breaks, func(b Break) bool { return b.Text == w.Text && !b.Off }) {
		e.Watched = append(e.Watched, w)
	}
}

// Shown is what is known of the expression that is searched, plotted or tried in random
// runs, nil for nothing.
func (e *Expr) Shown() *link.Watched { return e.found(e.Asked, e.Likely) }

// Found is what is known of an expression at which playing stops, nil for nothing.
func (e *Expr) Found(text string) *link.Watched { return e.found(text, false) }

func (e *Expr) found(text string, likely bool) *link.Watched {
	for _, w := range e.Watched {
		if w.Text == text && w.Likely == likely {
			return w
		}
	}
	return nil
}

// next goes to the next hit of the expression that is written, or with -1 to the one
// before.
func (e *Expr) next(m *Model, n int64) []Cmd {
	if strings.TrimSpace(e.Text) == "" && e.Asked == "" {
		return e.open(m)
	}
	if strings.TrimSpace(e.Text) == "" {
		e.Text = e.Asked
	}
	cmds, ok := e.watch(m)
	if x, err := ask.Parse(e.Asked); !ok || err != nil || x.Type() != ask.Bool {
		return cmds
	}
	return append(cmds, e.runTo(m, e.Asked, n)...)
}

// runTo goes to the next step at which an expression comes about, or with -1 to the one
// before.
func (e *Expr) runTo(m *Model, text string, n int64) []Cmd {
	m.Front.ask("")
	m.Hands.CloseMenu()
	cmds := m.Transport.set(m, false)
	cmds = append(cmds, m.Nav.History.leaveForMark(m)...)
	return append(cmds, m.move(link.RunTo{Back: n < 0, Expr: text})...)
}

// runToFirst goes to the next step at which an expression comes about that the viewer has chosen
// and not written, or with -1 to the one before. That expression is searched from then on.
func (e *Expr) runToFirst(m *Model, text string, n int64) []Cmd {
	e.Text = text
	return e.next(m, n)
}

// list lists the hits from a number on.
func (e *Expr) list(m *Model, from int) []Cmd {
	e.From = max(from, 0)
	return e.watchAll(m)
}

// stop ends the search. What was found stays.
func (e *Expr) stop(m *Model) []Cmd {
	e.Stopped = true
	return e.watchAll(m)
}

// drop ends the search, and takes what was found off the timeline.
func (e *Expr) drop(m *Model) []Cmd {
	e.Asked, e.Text, e.From, e.Stopped, e.Likely = "", "", 0, false, false
	return e.watchAll(m)
}

// addBreak makes a breakpoint of the expression that is written.
func (e *Expr) addBreak(m *Model) []Cmd {
	cmds, ok := e.watch(m)
	text := e.Asked
	x, err := ask.Parse(text)
	if !ok || err != nil || x.Type() != ask.Bool || len(e.Breaks) == link.MaxWatches-1 ||
		slices.ContainsFunc(e.Breaks, func(b Break) bool { return b.Text == text }) {
		return cmds
	}
	e.Breaks = append(slices.Clone(e.Breaks), Break{Text: text})
	return append(cmds, e.watchAll(m)...)
}

// toggleBreak switches a breakpoint off, or on.
func (e *Expr) toggleBreak(m *Model, text string) []Cmd {
	e.Breaks = slices.Clone(e.Breaks)
	for i := range e.Breaks {
		if b := &e.Breaks[i]; b.Text == text {
			b.Off = !b.Off
		}
	}
	return e.watchAll(m)
}

// dropBreak takes a breakpoint away.
func (e *Expr) dropBreak(m *Model, text string) []Cmd {
	e.Breaks = slices.DeleteFunc(slices.Clone(e.Breaks), func(b Break) bool { return b.Text == text })
	return e.watchAll(m)
}

// RunTos are the expressions to which a station's menu runs.
func (e *Expr) RunTos(m *Model, station string) []string {
	if m.Stage.Frame == nil || slices.Contains(m.Stage.Frame.Aside, station) {
		return nil
	}
	switch station {
	case link.StationServer:
		return []string{"watchEvent()", "write()"}
	case link.StationReflector:
		return []string{"watchEvent()", "relist()", "resync()", "backoff() > 0s"}
	case link.StationQueue:
		return []string{`delta("Deleted")`, "tombstone()", `lockWait("fifo") > 0s`}
	case link.StationLoop:
		return []string{"pop()", `fact("Distributed")`}
	case link.StationStore:
		return []string{`fact("StoreAdded")`, `fact("StoreUpdated")`, `fact("StoreDeleted")`, "revisionsBehind() > 0"}
	case link.StationProcessor:
		var all []string
		for _, l := range m.Stage.Frame.Processor.Listeners {
			all = append(all, "call("+ask.Quote(l.Name)+")", "synced("+ask.Quote(l.Name)+")")
		}
		return all
	case link.StationWork:
		return []string{"reconcile()", `fact("ReconcileFailed")`, "staleReconcile(1s)"}
	}
	return nil
}

// RunTosOf are the expressions about a key to which its menu runs.
func (e *Expr) RunTosOf(key string) []string {
	k := ask.Quote(key)
	return []string{`delta("", ` + k + ")", "pop(" + k + ")", `call("", "", ` + k + ")", `call("", "OnDelete", ` + k + ")", "reconcile(" + k + ")"}
}

// goOn forgets at which expression playing has stopped.
func (e *Expr) goOn() { e.Break = "" }

// stopAt notes the expression at which playing has stopped.
func (e *Expr) stopAt(text string) { e.Break = text }

// least takes in the smallest recording.
func (e *Expr) least(l *link.Minimised) { e.Least = l }

// anew is what stays of e when something else is opened.
func (e Expr) anew() Expr {
	e.Watched, e.Break, e.From, e.Least = nil, "", 0, nil
	return e
}

// CanMinimise reports whether the worker can look for the smallest recording in which the
// expression that is searched still comes about.
func (e *Expr) CanMinimise(m *Model) bool {
	x, err := ask.Parse(e.Asked)
	return err == nil && x.Type() == ask.Bool && !e.Likely && m.Open.Trace != nil && !m.Open.Trace.Script && m.Cluster.Live == nil && !m.Open.Loading
}

// minimise has the worker look for the smallest such recording.
func (e *Expr) minimise(m *Model) []Cmd {
	if !e.CanMinimise(m) {
		return nil
	}
	e.Least = nil
	return m.send(link.Minimise{Expr: e.Asked}, false)
}

// saveLeast opens the dialog that saves what was found.
func (e *Expr) saveLeast(m *Model) []Cmd {
	if !m.Save.Can(m, SaveLeast) {
		return nil
	}
	cmds := m.Save.open(m)
	return append(cmds, m.Save.choose(m, string(SaveLeast))...)
}
