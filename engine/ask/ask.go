// Package ask is the language in which a run is asked about: an expression over what
// the machine has at each step.
//
//	pop("default/web")
//	behind("audit") > 1000 && synced()
//	within(1s, relist(), call("audit", "OnDelete"))
//	version("default/web") != seen("audit", "default/web")
//
// Scripts stop at an expression and expect it, reports find, plot and assert it, and
// the page runs to it. An expression is a bool, a number, a duration or a string.
// Bools are searched, and bools, numbers and durations are plotted.
//
// The syntax is a part of the Common Expression Language (CEL): literals, calls,
// calls on a receiver, ! - + == != < <= > >= in && ||, brackets and parentheses,
// with CEL's precedence. Everything that an informer has is a function, so that the
// language needs no variables. What CEL lacks is a function, too: before, within,
// once, since and count remember what was true at earlier steps. They are no
// operators. There is one thing that CEL doesn't have: a duration may be written 10ms
// instead of duration("10ms"). It is how Go and the lines of a script write durations, it
// needs no quotation marks on a command line, and CEL has no other meaning for it. Where
// it isn't used, a parser that knows CEL reads an expression. CEL's other operators,
// its floating-point numbers, and its functions of strings and lists are not there. A sum
// that does not fit into 64 bits is an error, as in CEL, and found when it is parsed.
//
// A program parses an expression once ([Parse]) and evaluates it over a history ([Expr.Find], [Expr.Search]), as the example
// does.
//
// No library is used: cel-go, which also needs protobuf, and expr evaluate a whole expression
// in each step, where this package evaluates only what the facts of the step can have
// changed. They offer no completions.
//
// The functions are the rows of a table (table.go). Checking, completion, the page of
// help and evaluation all follow from it.
package ask

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fault"
)

// Type is what an expression is.
type Type uint8

// The types.
const (
	Bool Type = iota + 1
	Number
	Duration
	String
)

func (t Type) String() string { return [...]string{"", "bool", "number", "duration", "string"}[t] }

// Mistyped returns the error of an expression that should have another type.
func Mistyped(wanted, found Type) error {
	return fault.New("expectedType wanted found", terms[wanted], terms[found])
}

const durationTerm = fault.Plain("duration")

var terms = [...]fault.Plain{"", fault.Plain("bool"), fault.Plain("number"), durationTerm, fault.Plain("string")}

// Value is what an expression is at one step. The expression's Type decides which field holds it.
type Value struct {
	N int64  // 0 or 1 for a bool, nanoseconds for a duration
	S string // of a string
}

// True reports whether v is a bool that is true.
func (v Value) True() bool { return v.N != 0 }

// Text writes v as an expression does.
func (v Value) Text(t Type) string {
	switch t {
	case Bool:
		return strconv.FormatBool(v.True())
	case Duration:
		return actor.DurationText(v.N)
	case String:
		return Quote(v.S)
	}
	return strconv.FormatInt(v.N, 10)
}

// Decimal writes v as a number for a table: 0 or 1 for a bool, seconds for a duration.
func (v Value) Decimal(t Type) string {
	if t != Duration {
		return strconv.FormatInt(v.N, 10)
	}
	return Seconds(v.N)
}

// Seconds writes a time in nanoseconds as seconds: "1.5".
func Seconds(ns int64) string {
	if ns < 0 {
		return "-" + Seconds(-ns)
	}
	s := strconv.FormatInt(ns/second, 10)
	if part := ns % second; part != 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(second+part, 10)[1:], "0")
	}
	return s
}

// Error says what is wrong with an expression, and where.
type Error struct {
	Pos, End int // the offsets in bytes between which the text is wrong; both are the text's length where something is missing at its end
	Err      error
}

func (e *Error) Error() string { return e.Err.Error() }

// Fault returns what is wrong, without the place.
func (e *Error) Fault() error { return e.Err }

// Caret returns the line of the text in which the error is, and a line below it with
// carets where it is.
func (e *Error) Caret(text string) string {
	from := strings.LastIndexByte(text[:e.Pos], '\n') + 1
	to := len(text)
	if i := strings.IndexByte(text[e.Pos:], '\n'); i >= 0 {
		to = e.Pos + i
	}
	n := max(1, len([]rune(text[e.Pos:max(e.Pos, min(e.End, to))])))
	before := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, text[from:e.Pos])
	return text[from:to] + "\n" + before + strings.Repeat("^", n)
}

// Names are the names that an expression may use, and that completions offer.
// If a list is nil, its names aren't known, and nothing is checked against it.
type Names struct{ Informers, Handlers, Keys []string }

// Expr is an expression whose types are right.
type Expr struct {
	text     string
	nodes    []node // operands before the node that they belong to; the last one is the whole
	remember bool
}

// op is what a node does.
type op uint8

const (
	opConst op = iota
	opCall
	opNot
	opNeg
	opOr
	opAnd
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opIn
	opAdd
	opSub
)

// node is a part of an expression.
type node struct {
	op        op
	typ       Type
	fn        *function // of an opCall
	args      []int16   // the operands' numbers
	names     [maxNames]string
	named     int    // how many names were given
	informer  string // the receiver, "" for none
	value     Value  // of an opConst; of a call, the quantile in billionths
	pos, end  int
	namesAt   [maxNames]int
	recAt     int
	momentary bool // it is true only in steps with certain facts

	// most is how large the value of a number or duration may be, either way; less than 0 if
	// it may be too large.
	max int64
}

// mostCounted is the most that a function gives of what it counts, of a resourceVersion, and of
// nanoseconds, which are two years.
const mostCounted = 1 << 56

// maxNames is how many names a call has at most.
const maxNames = 3

func (x *Expr) root() *node { return &x.nodes[len(x.nodes)-1] }

// Text returns what was parsed.
func (x *Expr) Text() string { return x.text }

// Type returns the type of the expression's values.
func (x *Expr) Type() Type { return x.root().typ }

// Momentary reports whether the expression can be true only in a step that has certain
// facts, such as a pop. Each such step is then a hit of its own. Other expressions
// are true for a while.
func (x *Expr) Momentary() bool { return x.root().momentary }

// Remembers reports whether the expression's value depends on the steps before. It must
// then be evaluated from a run's first step on.
func (x *Expr) Remembers() bool { return x.remember }

// Check reports, as an Error, the first informer or handler that is not among the
// names.
func (x *Expr) Check(n *Names) error {
	for i := range x.nodes {
		d := &x.nodes[i]
		if d.informer != "" && unknown(n.Informers, d.informer) {
			return &Error{d.recAt, d.recAt + 1, fault.Unknown("noInformer name", d.informer, n.Informers)}
		}
		if d.op != opCall {
			continue
		}
		for j := range d.named {
			if d.fn.params[j].kind == handlerName && d.names[j] != "" && unknown(n.Handlers, d.names[j]) {
				at := d.namesAt[j]
				return &Error{at, at + len(d.names[j]) + 2, fault.Unknown("noHandler name", d.names[j], n.Handlers)}
			}
		}
	}
	return nil
}

func unknown(names []string, name string) bool { return names != nil && !slices.Contains(names, name) }

// Quote writes a name as an expression has it.
func Quote(name string) string {
	b := []byte{'"'}
	for i := range len(name) {
		switch c := name[i]; c {
		case '\n':
			b = append(b, `\n`...)
		case '\t':
			b = append(b, `\t`...)
		case '"', '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

const second = int64(1_000_000_000) // in nanoseconds

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
