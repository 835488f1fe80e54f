// Package code makes the file from which the page shows the engine's own source beside
// the picture: for each program counter the function at work, for each fact the ways by
// which a step comes to it, and the lines that have run then for certain.
//
// It reads the source as the compiler does, and runs nothing. A step tells its program
// counter and the kinds of its facts. A fact can be made only where the source names its
// kind. If there is one such place, and one way of calls that leads there, all of this
// way has run, and with it whatever had to run before. If there are several, what all of
// them share has run. Nothing else is lit.
package code

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
)

// File is what the page fetches.
type File struct {
	Functions []Function      `json:"functions"`
	Steps     map[int64]*Step `json:"steps"`    // by program counter: None for a command, or TimePassed
	ClientGo  [][3]any        `json:"clientGo"` // the beginning of a function's name, its file, and since which minor version
}

// Function is a function of the engine.
type Function struct {
	File  string     `json:"file"`
	Name  string     `json:"name"`
	First int        `json:"first"` // the number of its first line, which may be a comment's
	Lines [][]string `json:"lines"` // each in pieces: see paint
}

// Step is what is known of the steps of one program counter.
type Step struct {
	Call  Call             `json:"call"` // what runs in each of them
	Paths map[int64][]Path `json:"ways"` // to each kind of fact, by its number: see arguments.fact
}

// Call is the number of a function, and the numbers of the lines that run in it for certain.
type Call []int

// Path is one way to a fact.
type Path struct {
	Calls []Call  `json:"calls"`           // the outermost first
	Line  int     `json:"line"`            // in the last function: it makes the fact
	Needs []int64 `json:"needs,omitempty"` // kinds of facts that are made on the way
	Queue string  `json:"queue,omitempty"` // the only kind of queue with which it is taken
	Batch *bool   `json:"batch,omitempty"` // whether Pop has to take batches for it, nil where that makes no difference
}

// TimePassed stands for the program counter of the step that ends a PassTime.
const TimePassed = actor.NumPC

// roots are functions in which a step can begin besides the programs of
// engine/informer.
var roots = map[int64]string{
	int64(actor.None):             "world.Driver.carryOut",
	int64(TimePassed):             "world.Driver.ReachHorizon",
	int64(actor.WorkerReconciled): "manager.Driver.WriteBack",
	int64(actor.RunEnqueue):       "manager.Driver.handle",
	int64(actor.WorkerProgram):    "manager.Driver.runProgram",
	int64(actor.WorkerStart):      "manager.Driver.awaitCaches",
	int64(actor.CollectorLook):    "manager.Driver.collect",
	int64(actor.ElectorStart):     "manager.Driver.elect",
	int64(actor.ElectorWake):      "manager.Driver.elect",
	int64(actor.ElectorTry):       "manager.Driver.elect",
	int64(actor.ElectorAnswer):    "manager.Driver.elect",
}

// NewFile reads the engine of the module in the folder root.
func NewFile(root string) ([]byte, error) {
	f, err := read(root)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err = e.Encode(f)
	return b.Bytes(), err
}

func read(root string) (*File, error) {
	s, err := load(root, "engine/world")
	if err != nil {
		return nil, err
	}
	m := maker{graph: newGraph(s), numbers: map[*function]int{}, File: File{Steps: map[int64]*Step{}}}
	programs := s.program()
	for pc := range int64(TimePassed) + 1 {
		var from []node
		if fn := programs[pc]; fn != nil {
			from = append(from, node{fn, arguments{pc, -1}})
		}
		if name := roots[pc]; name != "" {
			pkg, name, _ := strings.Cut(name, ".")
			fn := s.find(pkg, name)
			if fn == nil {
				return nil, fmt.Errorf("engine/%s has no %s", pkg, name)
			}
			from = append(from, node{fn, noArguments})
		}
		if len(from) > 0 {
			m.step(pc, from)
		}
	}
	for _, p := range clientGo {
		m.ClientGo = append(m.ClientGo, [3]any{p.name, p.file, p.since})
	}
	return &m.File, nil
}

type maker struct {
	*graph
	File
	numbers map[*function]int
}

func (m *maker) step(pc int64, from []node) {
	step := &Step{Call: m.call(from[0], m.executed(from[0])), Paths: map[int64][]Path{}}
	for _, n := range from {
		ways := m.findPaths(n)
		for _, kind := range slices.Sorted(maps.Keys(ways)) {
			for _, w := range ways[kind] {
				step.Paths[kind] = append(step.Paths[kind], m.encodePath(w))
			}
		}
	}
	m.Steps[pc] = step
}

func (m *maker) encodePath(w factPath) Path {
	last := len(w.nodes) - 1
	for w.nodes[last].fn.obj.Pkg().Name() == "actor" { // what takes a lock says more than how a lock is taken
		last--
	}
	out := Path{Line: m.line(w.positions[last])}
	for i, n := range w.nodes[:last+1] {
		r := m.executed(n, w.positions[i])
		out.Calls = append(out.Calls, m.call(n, r))
		for _, k := range slices.Sorted(maps.Keys(r.facts)) {
			if !slices.Contains(out.Needs, k) {
				out.Needs = append(out.Needs, k)
			}
		}
		out.Batch = cmp.Or(out.Batch, r.batch)
		if r := receiver(n.fn.obj); strings.HasSuffix(r, "FIFO") {
			out.Queue = r
		}
	}
	return out
}

func (m *maker) call(n node, r *executed) Call {
	return append(Call{m.number(n.fn)}, slices.Sorted(maps.Keys(r.lines))...)
}

// number returns the function's in File.Functions.
func (m *maker) number(fn *function) int {
	n, ok := m.numbers[fn]
	if !ok {
		n = len(m.Functions)
		m.numbers[fn] = n
		m.Functions = append(m.Functions, m.function(fn))
	}
	return n
}

// function returns a function's source, with the comment before it.
func (m *maker) function(fn *function) Function {
	from := fn.decl.Pos()
	if fn.decl.Doc != nil {
		from = fn.decl.Doc.Pos()
	}
	start, end := m.fset.Position(from), m.fset.Position(fn.decl.End())
	return Function{File: fn.file, Name: fn.name, First: start.Line, Lines: paint(string(m.text[fn.file][start.Offset:end.Offset]))}
}

// The classes of pieces of source: the letter before each.
const (
	plain   = ' '
	keyword = 'k'
	comment = 'c'
	quoted  = 's'
	number  = 'n'
)

// paint splits source into lines, and each line into pieces: a letter that says what it
// is, and its text.
func paint(text string) [][]string {
	lines := [][]string{{}}
	put := func(class byte, s string) {
		for i, part := range strings.Split(s, "\n") {
			if i > 0 {
				lines = append(lines, []string{})
			}
			if l := &lines[len(lines)-1]; part != "" {
				if n := len(*l); n > 0 && (*l)[n-1][0] == class {
					(*l)[n-1] += part
				} else {
					*l = append(*l, string(class)+part)
				}
			}
		}
	}
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	end := 0
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		if tok == token.EOF {
			put(plain, text[end:])
			return lines
		}
		class, size := byte(plain), len(lit)
		switch {
		case tok == token.SEMICOLON && lit == "\n":
			continue
		case tok.IsKeyword():
			class = keyword
		case tok == token.COMMENT:
			class = comment
		case tok == token.STRING || tok == token.CHAR:
			class = quoted
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			class = number
		}
		if class == plain {
			continue
		}
		put(plain, text[end:at])
		put(class, text[at:at+size])
		end = at + size
	}
}
