package ask

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// MaxCompletions is how many completions of an expression are shown.
const MaxCompletions = 8

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
	return ask.Complete(e.Text, len(e.Text), e.names(), MaxCompletions)
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

// Take puts a completion into the expression.
func (e *Expr) Take(text string) []desk.Cmd {
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
		return e.Take(e.Text[:c.From] + c.Text + e.Text[c.To:])
	}
	e.Text = value
	return e.NextHit(1)
}

// RunTo is an entry of a menu that runs to the next step at which an expression comes about.
// The catalogues name it after "runTo." and its ID. Handler is the one that it is about, "" for
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
