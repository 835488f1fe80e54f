package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Indexer is what the viewer asks the indexer.
type Indexer struct {
	Query  link.Query // while the viewer writes it
	Answer *link.Answer
	asks   bool // an answer is wanted
	Focus  int  // counts the times that the question's field is to have the focus
}

// open shows where the indexer is asked.
func (i *Indexer) open(m *Model) []Cmd {
	m.Front.show(desk.Object)
	i.Focus++
	return nil
}

// edit changes the question while it is written. Field is the name of what
// changes.
func (i *Indexer) edit(field, value string) []Cmd {
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
	return nil
}

// enter asks the question that is written, if the viewer has pressed Enter in the
// field of that name.
func (i *Indexer) enter(m *Model, field, key, value string) []Cmd {
	if key != "Enter" {
		return nil
	}
	i.edit(field, value)
	return i.askWritten(m)
}

// askWritten asks the question that is written.
func (i *Indexer) askWritten(m *Model) []Cmd {
	q := i.Query
	if needsIndex(q.Func) && q.Index == "" {
		q.Index = i.firstIndex(m)
	}
	return i.ask(m, q)
}

// needsIndex reports whether a function has the name of an index for an argument.
func needsIndex(fn string) bool {
	return fn == link.FuncByIndex || fn == link.FuncIndexKeys || fn == link.FuncListIndexFuncValues
}

// NeedsIndex reports whether the question that is written names an index.
func (i *Indexer) NeedsIndex() bool { return needsIndex(i.Query.Func) }

// firstIndex is the index that is asked for until the viewer chooses one.
func (i *Indexer) firstIndex(m *Model) string {
	if m.Stage.Frame == nil || len(m.Stage.Frame.Store.Indices) == 0 {
		return ""
	}
	return m.Stage.Frame.Store.Indices[0].Name
}

// ask asks the indexer as it stands at the step shown.
func (i *Indexer) ask(m *Model, q link.Query) []Cmd {
	m.Front.show(desk.Object)
	m.Front.put(nil)
	i.asks = true
	return m.send(link.AskIndexer{Query: q}, false)
}

// askIndex asks for the objects under an indexed value, or for all values of an index.
// Arg is "index=value", or "index".
func (i *Indexer) askIndex(m *Model, arg string) []Cmd {
	index, value, one := strings.Cut(arg, "=")
	i.Query = link.Query{Func: link.FuncListIndexFuncValues, Index: index}
	if one {
		i.Query.Func, i.Query.Value = link.FuncByIndex, value
	}
	return i.ask(m, i.Query)
}

// askCell asks for the keys in a cell of the density map.
func (i *Indexer) askCell(m *Model, arg string) []Cmd {
	n, err := strconv.Atoi(arg)
	if err != nil {
		return nil
	}
	return i.ask(m, link.Query{Func: link.FuncListKeys, Cell: n})
}

// askPage asks for another part of the answer, from row arg on.
func (i *Indexer) askPage(m *Model, arg string) []Cmd {
	n, err := strconv.Atoi(arg)
	if err != nil || i.Answer == nil {
		return nil
	}
	q := i.Answer.Query
	q.From = n
	return i.ask(m, q)
}

// askAgain asks again what was asked last, as another step is shown. While it plays,
// the answer stays what it was.
func (i *Indexer) askAgain(m *Model) []Cmd {
	if i.Answer == nil || m.Front.Tab != desk.Object || m.Transport.Playing || m.Stage.Frame == nil || m.Stage.Frame.Step == i.Answer.Step {
		return nil
	}
	q := i.Answer.Query
	return m.send(link.AskIndexer{Query: q}, false)
}

// drop forgets the answer, and one that is still to come.
func (i *Indexer) drop() []Cmd {
	i.Answer, i.asks = nil, false
	return nil
}

// answered takes in an answer, if one is wanted.
func (i *Indexer) answered(a *link.Answer) {
	if i.asks {
		i.Answer = a
	}
}

// anew is what stays of i when something else is opened.
func (i Indexer) anew() Indexer { return Indexer{Query: i.Query, Focus: i.Focus} }
