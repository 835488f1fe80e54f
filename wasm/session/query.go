package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// openQuery shows where the indexer is asked.
func (m *Model) openQuery() []Cmd {
	m.Tab, m.Sheet = Object, true
	m.Asked++
	return nil
}

// editQuery changes the question while it is written. Field is the name of what
// changes.
func (m *Model) editQuery(field, value string) []Cmd {
	switch q := &m.Query; field {
	case "func":
		m.Query = link.Query{Func: value, Index: q.Index, Namespace: q.Namespace}
	case "index":
		q.Index = value
	case "value":
		q.Value = value
	case "namespace":
		q.Namespace = value
	}
	return nil
}

// enterQuery asks the question that is written, if the viewer has pressed Enter in the
// field of that name.
func (m *Model) enterQuery(field, key, value string) []Cmd {
	if key != "Enter" {
		return nil
	}
	m.editQuery(field, value)
	return m.askWritten()
}

// askWritten asks the question that is written.
func (m *Model) askWritten() []Cmd {
	q := m.Query
	if needsIndex(q.Func) && q.Index == "" {
		q.Index = m.firstIndex()
	}
	return m.askIndexer(q)
}

// needsIndex tells whether a function has the name of an index for an argument.
func needsIndex(fn string) bool {
	return fn == link.FuncByIndex || fn == link.FuncIndexKeys || fn == link.FuncListIndexFuncValues
}

// NeedsIndex tells whether the question that is written names an index.
func (m *Model) NeedsIndex() bool { return needsIndex(m.Query.Func) }

// firstIndex is the index that is asked for until the viewer chooses one.
func (m *Model) firstIndex() string {
	if m.Frame == nil || len(m.Frame.Store.Indices) == 0 {
		return ""
	}
	return m.Frame.Store.Indices[0].Name
}

// askIndexer asks the indexer as it stands at the step shown.
func (m *Model) askIndexer(q link.Query) []Cmd {
	m.Tab, m.Sheet, m.Object, m.asks = Object, true, nil, true
	return m.send(link.AskIndexer{Query: q}, false)
}

// askIndex asks for the objects under an indexed value, or for all values of an index.
// Arg is "index=value", or "index".
func (m *Model) askIndex(arg string) []Cmd {
	index, value, one := strings.Cut(arg, "=")
	m.Query = link.Query{Func: link.FuncListIndexFuncValues, Index: index}
	if one {
		m.Query.Func, m.Query.Value = link.FuncByIndex, value
	}
	return m.askIndexer(m.Query)
}

// askCell asks for the keys in a cell of the density map.
func (m *Model) askCell(arg string) []Cmd {
	n, err := strconv.Atoi(arg)
	if err != nil {
		return nil
	}
	return m.askIndexer(link.Query{Func: link.FuncListKeys, Cell: n})
}

// askPage asks for another part of the answer, from row arg on.
func (m *Model) askPage(arg string) []Cmd {
	n, err := strconv.Atoi(arg)
	if err != nil || m.Answer == nil {
		return nil
	}
	q := m.Answer.Query
	q.From = n
	return m.askIndexer(q)
}

// askAgain asks again what was asked last, as another step is shown. While it plays,
// the answer stays what it was.
func (m *Model) askAgain() []Cmd {
	if m.Answer == nil || m.Tab != Object || m.Playing || m.Frame == nil || m.Frame.Step == m.Answer.Step {
		return nil
	}
	q := m.Answer.Query
	return m.send(link.AskIndexer{Query: q}, false)
}

// dropAnswer forgets the answer, and one that is still to come.
func (m *Model) dropAnswer() []Cmd {
	m.Answer, m.asks = nil, false
	return nil
}
