package ask

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Indexer is what the viewer asks the indexer.
type Indexer struct {
	desk   Desk
	Query  link.Query // while the viewer writes it
	Answer *link.Answer
	asks   bool // an answer is wanted
	Focus  int  // counts the times that the question's field is to have the focus
}

// NewIndexer returns an Indexer that was asked nothing.
func NewIndexer(d Desk) Indexer {
	return Indexer{desk: d, Query: link.Query{Func: link.FuncGetByKey}}
}

// Open shows where the indexer is asked.
func (i *Indexer) Open() {
	i.desk.Show(desk.Cache)
	i.Focus++
}

// Edit changes the question while it is written. Field is the name of what
// changes.
func (i *Indexer) Edit(field, value string) {
	switch q := &i.Query; field {
	case "func":
		i.Query = link.Query{Func: value, Index: q.Index, Namespace: q.Namespace}
	case "index":
		q.Index = value
	case "value":
		q.Value = value
	case "namespace":
		q.Namespace = value
	}
}

// Enter asks the question that is written, if the viewer has pressed Enter in the
// field of that name.
func (i *Indexer) Enter(field, key, value string) []desk.Cmd {
	if key != "Enter" {
		return nil
	}
	i.Edit(field, value)
	return i.AskWritten()
}

// AskWritten asks the question that is written.
func (i *Indexer) AskWritten() []desk.Cmd {
	q := i.Query
	if needsIndex(q.Func) && q.Index == "" {
		q.Index = i.firstIndex()
	}
	return i.ask(q)
}

// needsIndex reports whether a function has the name of an index for an argument.
func needsIndex(fn string) bool {
	return fn == link.FuncByIndex || fn == link.FuncIndexKeys || fn == link.FuncListIndexFuncValues
}

// NeedsIndex reports whether the question that is written names an index.
func (i *Indexer) NeedsIndex() bool { return needsIndex(i.Query.Func) }

// firstIndex returns the index that is asked for until the viewer chooses one.
func (i *Indexer) firstIndex() string {
	r := i.desk.Surroundings()
	if r.Frame == nil || len(r.Frame.Store.Indices) == 0 {
		return ""
	}
	return r.Frame.Store.Indices[0].Name
}

// ask asks the indexer as it stands at the step shown.
func (i *Indexer) ask(q link.Query) []desk.Cmd {
	i.desk.Show(desk.Cache)
	i.asks = true
	return i.desk.Send(link.AskIndexer{Query: q})
}

// AskIndex asks for the objects under an indexed value, or for all values of an index.
// Arg is "index=value", or "index".
func (i *Indexer) AskIndex(arg string) []desk.Cmd {
	index, value, hasValue := strings.Cut(arg, "=")
	i.Query = link.Query{Func: link.FuncListIndexFuncValues, Index: index}
	if hasValue {
		i.Query.Func, i.Query.Value = link.FuncByIndex, value
	}
	return i.ask(i.Query)
}

// AskCell asks for the keys in a cell of the density map.
func (i *Indexer) AskCell(n int) []desk.Cmd {
	return i.ask(link.Query{Func: link.FuncListKeys, Cell: n})
}

// AskPage asks for another part of the answer, from a row on.
func (i *Indexer) AskPage(from int) []desk.Cmd {
	if i.Answer == nil {
		return nil
	}
	q := i.Answer.Query
	q.From = from
	return i.ask(q)
}

// AskAgain asks again what was asked last, as another step is shown. While it plays,
// the answer stays what it was.
func (i *Indexer) AskAgain() []desk.Cmd {
	r := i.desk.Surroundings()
	if i.Answer == nil || r.Tab != desk.Cache || r.Playing || r.Frame == nil || r.Frame.Step == i.Answer.Step {
		return nil
	}
	q := i.Answer.Query
	return i.desk.Send(link.AskIndexer{Query: q})
}

// Drop forgets the answer, and one that is still to come.
func (i *Indexer) Drop() {
	i.Answer, i.asks = nil, false
}

// SetAnswer takes in an answer, if one is wanted.
func (i *Indexer) SetAnswer(a *link.Answer) {
	if i.asks {
		i.Answer = a
	}
}

// Reset forgets what was open.
func (i *Indexer) Reset() { i.Answer, i.asks = nil, false }
