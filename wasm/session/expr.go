package session

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/link"
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
}

// Break is an expression that stays on the timeline, and at which playing stops.
type Break struct {
	Text string
	Off  bool
}

// MaxCompletions is how many completions of an expression are shown.
const MaxCompletions = 8

func (m *Model) openExpr() []Cmd {
	if m.Died != "" {
		return nil
	}
	m.Tab, m.Sheet, m.Dialog = Search, true, ""
	m.Expr.Focus++
	m.Expr.Closed = true
	return nil
}

// exprNames are the names that expressions can have now.
func (m *Model) exprNames() *ask.Names {
	n := &ask.Names{}
	if m.Opened == nil || m.Frame == nil {
		return n
	}
	if x := m.Opened.Informers; m.Opened.Script {
		for i := range x {
			n.Informers = append(n.Informers, x[i].Name)
		}
	} else if m.Opened.Informer < len(x) {
		n.Informers = []string{x[m.Opened.Informer].Name}
	}
	n.Handlers = []string{}
	for _, l := range m.Frame.Processor.Listeners {
		n.Handlers = append(n.Handlers, l.Name)
	}
	if m.Keys != nil {
		n.Keys = append(n.Keys, m.Keys.Keys...)
	}
	for _, t := range m.Frame.Store.Tiles {
		if !slices.Contains(n.Keys, t.Key) {
			n.Keys = append(n.Keys, t.Key)
		}
	}
	return n
}

// ExprCompletions are how the expression that is being written can go on.
func (m *Model) ExprCompletions() []ask.Completion {
	if m.Expr.Closed || m.Frame == nil {
		return nil
	}
	return ask.Complete(m.Expr.Text, len(m.Expr.Text), m.exprNames(), MaxCompletions)
}

// ExprWrong is what is wrong with the expression that is being written, or nil.
func (m *Model) ExprWrong() *ask.Error {
	if strings.TrimSpace(m.Expr.Text) == "" {
		return nil
	}
	x, err := ask.Parse(m.Expr.Text)
	if err == nil && m.Frame != nil {
		err = x.Check(m.exprNames())
	}
	wrong, _ := err.(*ask.Error)
	return wrong
}

// writeExpr takes the expression as it is written. Where a name is being written, the keys
// that contain it are asked for.
func (m *Model) writeExpr(text string) []Cmd {
	if text == m.Expr.Text { // the field has lost the focus
		return nil
	}
	m.Expr.Text, m.Expr.Pick, m.Expr.Closed = text, 0, text == ""
	i := strings.LastIndexAny(text, `"'`)
	if i < 0 || m.Opened == nil || strings.Count(text, text[i:i+1])%2 == 0 {
		return nil
	}
	return m.send(link.FindKeys{Text: text[i+1:]}, false)
}

// takeExpr puts a completion into the expression.
func (m *Model) takeExpr(text string) []Cmd {
	m.Expr.Focus++
	return m.writeExpr(text)
}

// enterExpr is a key in the expression's field.
func (m *Model) enterExpr(key, value string) []Cmd {
	e := &m.Expr
	all := m.ExprCompletions()
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
		return m.takeExpr(e.Text[:c.From] + c.Text + e.Text[c.To:])
	}
	m.Expr.Text = value
	return m.nextHit(1)
}

// likelyExpr has the worker make random runs, to tell how likely the expression is that is
// written.
func (m *Model) likelyExpr() []Cmd {
	e := &m.Expr
	text := strings.TrimSpace(e.Text)
	if x, err := ask.Parse(text); err != nil || x.Type() != ask.Bool || m.ExprWrong() != nil || m.Opened == nil {
		return nil
	}
	e.Asked, e.From, e.Stopped, e.Likely, e.Closed = text, 0, false, true, true
	return m.watchAll()
}

// watchExpr has the worker evaluate the expression that is written, and shows what it finds.
// It reports false if the expression is wrong.
func (m *Model) watchExpr() (cmds []Cmd, ok bool) {
	e := &m.Expr
	text := strings.TrimSpace(e.Text)
	e.Closed = true
	if text == "" || m.ExprWrong() != nil || m.Opened == nil {
		return nil, false
	}
	if text == e.Asked && !e.Stopped && !e.Likely {
		return nil, true
	}
	e.Asked, e.From, e.Stopped, e.Likely = text, 0, false, false
	return m.watchAll(), true
}

// watchAll tells the worker which expressions it is to evaluate.
func (m *Model) watchAll() []Cmd {
	if m.Opened == nil {
		return nil
	}
	e := &m.Expr
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

// watched takes in what the worker has found.
func (m *Model) watched(w *link.Watched) {
	e := &m.Expr
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

// nextHit goes to the next hit of the expression that is written, or with -1 to the one
// before.
func (m *Model) nextHit(n int64) []Cmd {
	if strings.TrimSpace(m.Expr.Text) == "" && m.Expr.Asked == "" {
		return m.openExpr()
	}
	if strings.TrimSpace(m.Expr.Text) == "" {
		m.Expr.Text = m.Expr.Asked
	}
	cmds, ok := m.watchExpr()
	if x, err := ask.Parse(m.Expr.Asked); !ok || err != nil || x.Type() != ask.Bool {
		return cmds
	}
	return append(cmds, m.runTo(m.Expr.Asked, n)...)
}

// runTo goes to the next step at which an expression comes about, or with -1 to the one
// before.
func (m *Model) runTo(text string, n int64) []Cmd {
	m.Dialog, m.Menu = "", ""
	cmds := m.setPlaying(false)
	if !m.places.marking { // from hit to hit it is one jump
		cmds = append(cmds, m.leave()...)
	}
	return append(cmds, m.move(link.RunTo{Back: n < 0, Expr: text})...)
}

// runToFirst is runTo for an expression that the viewer has chosen and not
// written. That expression is searched from then on.
func (m *Model) runToFirst(text string) []Cmd {
	m.Expr.Text = text
	return m.nextHit(1)
}

// listHits lists the hits from a number on.
func (m *Model) listHits(from int) []Cmd {
	m.Expr.From = max(from, 0)
	return m.watchAll()
}

// stopWatching ends the search. What was found stays.
func (m *Model) stopWatching() []Cmd {
	m.Expr.Stopped = true
	return m.watchAll()
}

// dropExpr ends the search, and takes what was found off the timeline.
func (m *Model) dropExpr() []Cmd {
	m.Expr.Asked, m.Expr.Text, m.Expr.From, m.Expr.Stopped, m.Expr.Likely = "", "", 0, false, false
	return m.watchAll()
}

// addBreak makes a breakpoint of the expression that is written.
func (m *Model) addBreak() []Cmd {
	cmds, ok := m.watchExpr()
	text := m.Expr.Asked
	x, err := ask.Parse(text)
	if !ok || err != nil || x.Type() != ask.Bool || len(m.Expr.Breaks) == link.MaxWatches-1 ||
		slices.ContainsFunc(m.Expr.Breaks, func(b Break) bool { return b.Text == text }) {
		return cmds
	}
	m.Expr.Breaks = append(slices.Clone(m.Expr.Breaks), Break{Text: text})
	return append(cmds, m.watchAll()...)
}

// toggleBreak switches a breakpoint off, or on.
func (m *Model) toggleBreak(text string) []Cmd {
	m.Expr.Breaks = slices.Clone(m.Expr.Breaks)
	for i := range m.Expr.Breaks {
		if b := &m.Expr.Breaks[i]; b.Text == text {
			b.Off = !b.Off
		}
	}
	return m.watchAll()
}

// dropBreak takes a breakpoint away.
func (m *Model) dropBreak(text string) []Cmd {
	m.Expr.Breaks = slices.DeleteFunc(slices.Clone(m.Expr.Breaks), func(b Break) bool { return b.Text == text })
	return m.watchAll()
}

// RunTos are the expressions to which a station's menu runs.
func (m *Model) RunTos(station string) []string {
	if m.Frame == nil || slices.Contains(m.Frame.Aside, station) {
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
		for _, l := range m.Frame.Processor.Listeners {
			all = append(all, "call("+ask.Quote(l.Name)+")", "synced("+ask.Quote(l.Name)+")")
		}
		return all
	case link.StationWork:
		return []string{"reconcile()", `fact("ReconcileFailed")`, "staleReconcile(1s)"}
	}
	return nil
}

// RunTosOf are the expressions about a key to which its menu runs.
func (m *Model) RunTosOf(key string) []string {
	k := ask.Quote(key)
	return []string{`delta("", ` + k + ")", "pop(" + k + ")", `call("", "", ` + k + ")", `call("", "OnDelete", ` + k + ")", "reconcile(" + k + ")"}
}
