package ask

import (
	"strconv"
	"strings"
)

// Limits of an expression.
const (
	MaxBytes = 4096
	maxDepth = 40 // of brackets and operators before an operand
)

// parser reads an expression from left to right, checks its types, and notes what
// could stand at the end of the text.
type parser struct {
	text  string
	tok   token
	wrong *Error // the first error
	depth int
	nodes []node
	could could // at the end of the text
}

// could is what may stand at a place.
type could struct {
	operand bool     // an operand
	typ     Type     // of that type; 0 for any
	sign    bool     // an operator behind an operand, whose type is typ
	member  bool     // a function behind a receiver
	name    *param   // a name
	of      string   // and the function's own name before it
	signs   []string // what else may follow
}

// Parse reads an expression. Its error is an *Error.
func Parse(text string) (*Expr, error) {
	x, err, _ := parse(text)
	if err != nil {
		return nil, err
	}
	return x, nil
}

func parse(text string) (*Expr, *Error, could) {
	if len(text) > MaxBytes {
		return nil, &Error{MaxBytes, len(text), "the expression is longer than " + strconv.Itoa(MaxBytes) + " bytes"}, could{}
	}
	p := &parser{text: text}
	p.move(0)
	p.binary(0, 0)
	if p.wrong == nil && p.tok.kind != tokEnd {
		p.expected("an operator")
	}
	if p.wrong != nil {
		return nil, p.wrong, p.could
	}
	x := &Expr{text: text, nodes: p.nodes}
	for i := range x.nodes {
		if of := x.nodes[i].of; of != nil && of.remembers {
			x.remember = true
		}
	}
	return x, nil, p.could
}

// move reads the token from an offset on.
func (p *parser) move(i int) {
	var err *Error
	p.tok, err = next(p.text, i)
	if err != nil && !p.tok.open {
		p.tok.kind, p.tok.text = tokSign, "" // and not the end
	}
	if err != nil && p.wrong == nil {
		p.wrong = err
	}
}

func (p *parser) advance() { p.move(p.tok.end) }

func (p *parser) is(sign string) bool {
	return p.tok.kind == tokSign && p.tok.text == sign
}

func (p *parser) fail(at, end int, text string) {
	if p.wrong == nil {
		p.wrong = &Error{at, end, text}
	}
}

// expected says that something else is expected at the token.
func (p *parser) expected(what string) {
	if p.tok.kind == tokEnd {
		p.fail(len(p.text), len(p.text), what+" is missing")
		return
	}
	p.fail(p.tok.at, p.tok.end, "here "+what+" is expected")
}

// atEnd notes what could stand here, if the text ends here.
func (p *parser) atEnd(c could) {
	if p.tok.kind == tokEnd || p.tok.open {
		p.could = c
	}
}

// orSigns notes that signs could stand here as well, if the text ends here.
func (p *parser) orSigns(signs ...string) {
	if p.tok.kind == tokEnd {
		p.could = could{sign: p.could.sign, typ: p.could.typ, signs: signs}
	}
}

func (p *parser) add(n node) int16 {
	p.nodes = append(p.nodes, n)
	return int16(len(p.nodes) - 1)
}

// levels are the binary operators, those that bind least first.
var levels = [][]struct {
	sign string
	op   op
}{
	{{"||", opOr}},
	{{"&&", opAnd}},
	{{"==", opEq}, {"!=", opNe}, {"<=", opLe}, {">=", opGe}, {"<", opLt}, {">", opGt}, {"in", opIn}},
	{{"+", opAdd}, {"-", opSub}},
}

// binary reads operands with operators of a level, or of a higher one, between them.
// An operand of type want is expected, or of any if want is 0.
func (p *parser) binary(level int, want Type) int16 {
	if level == len(levels) {
		return p.unary(want)
	}
	if level < 2 && p.wrong == nil {
		want = 0 // what stands before a comparison may have another type
	}
	at := p.tok.at
	left := p.binary(level+1, want)
	for p.wrong == nil {
		o, sign := op(0), ""
		for _, l := range levels[level] {
			if p.is(l.sign) || l.op == opIn && p.tok.kind == tokName && p.tok.text == l.sign {
				o, sign = l.op, l.sign
			}
		}
		if o == 0 {
			p.atEnd(could{sign: true, typ: p.nodes[left].typ})
			return left
		}
		signAt, signEnd := p.tok.at, p.tok.end
		p.advance()
		if o == opIn {
			left = p.in(left, at)
			continue
		}
		typ := p.nodes[left].typ
		right := p.binary(level+1, p.second(o, typ))
		if p.wrong == nil {
			left = p.join(o, sign, signAt, signEnd, at, left, right)
		}
	}
	return left
}

// second is the type of the operand behind an operator; 0 where it may be of several.
func (p *parser) second(o op, first Type) Type {
	if o == opOr || o == opAnd {
		return Bool
	}
	return first
}

// join makes a node of two operands.
func (p *parser) join(o op, sign string, signAt, signEnd, at int, left, right int16) int16 {
	l, r := &p.nodes[left], &p.nodes[right]
	n := node{op: o, typ: Bool, args: []int16{left, right}, at: at, end: r.end}
	switch o {
	case opOr, opAnd:
		for _, d := range []*node{l, r} {
			if d.typ != Bool {
				p.fail(d.at, d.end, "beside "+sign+" a bool is expected, and this is a "+d.typ.String())
			}
		}
		n.momentary = l.momentary && r.momentary || o == opAnd && (l.momentary || r.momentary)
	case opAdd, opSub:
		n.typ = l.typ
		if l.typ != r.typ || l.typ != Number && l.typ != Duration {
			p.fail(signAt, signEnd, sign+" is between two numbers or two durations, and here are a "+l.typ.String()+" and a "+r.typ.String())
		}
	default:
		switch {
		case l.typ != r.typ:
			p.fail(signAt, signEnd, "a "+l.typ.String()+" can't be compared with a "+r.typ.String())
		case o != opEq && o != opNe && l.typ == Bool:
			p.fail(signAt, signEnd, "one bool is not greater than another")
		}
	}
	return p.add(n)
}

// in reads a list of values, one of which the operand left may be.
func (p *parser) in(left int16, at int) int16 {
	n := node{op: opIn, typ: Bool, args: []int16{left}, at: at}
	typ := p.nodes[left].typ
	if !p.is("[") {
		p.orSigns("[")
		p.expected("a list in brackets")
		return left
	}
	p.advance()
	for p.wrong == nil && !p.is("]") {
		i := p.binary(0, typ)
		if p.wrong != nil {
			break
		}
		if d := &p.nodes[i]; d.typ != typ {
			p.fail(d.at, d.end, "a "+typ.String()+" is looked for in the list, and this is a "+d.typ.String())
		}
		n.args = append(n.args, i)
		if p.is(",") {
			p.advance()
		} else if !p.is("]") {
			p.orSigns(",", "]")
			p.expected("a comma or ]")
		}
	}
	n.end = p.tok.end
	if p.wrong == nil {
		p.advance()
	}
	return p.add(n)
}

// unary reads an operand with what stands before it.
func (p *parser) unary(want Type) int16 {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.tok.at, p.tok.end, "the expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	t := p.tok
	p.atEnd(could{operand: true, typ: want})
	switch {
	case p.wrong != nil:
	case p.is("!") || p.is("-"):
		n := node{op: opNot, typ: Bool, at: t.at}
		p.advance()
		i := p.unary(want)
		if p.wrong != nil {
			return i
		}
		d := &p.nodes[i]
		if t.text == "-" {
			n.op, n.typ = opNeg, d.typ
		}
		if t.text == "!" && d.typ != Bool || t.text == "-" && d.typ != Number && d.typ != Duration {
			p.fail(d.at, d.end, "a "+d.typ.String()+" can't stand behind "+t.text)
		}
		n.args, n.end = []int16{i}, d.end
		return p.add(n)
	case p.is("("):
		p.advance()
		i := p.binary(0, want)
		p.close(")")
		if p.wrong == nil {
			p.nodes[i].at = t.at
		}
		return i
	case t.kind == tokNumber:
		p.advance()
		return p.add(node{typ: Number, value: Value{N: t.n}, at: t.at, end: t.end})
	case t.kind == tokDuration:
		p.advance()
		return p.add(node{typ: Duration, value: Value{N: t.n}, at: t.at, end: t.end})
	case t.kind == tokString:
		p.advance()
		return p.add(node{typ: String, value: Value{S: t.text}, at: t.at, end: t.end})
	case t.kind == tokName && (t.text == "true" || t.text == "false"):
		n := node{typ: Bool, at: t.at, end: t.end}
		if t.text == "true" {
			n.value.N = 1
		}
		p.advance()
		return p.add(n)
	case t.kind == tokName && t.text != "in":
		return p.named()
	default:
		p.expected("an operand")
	}
	return 0
}

// close takes a bracket.
func (p *parser) close(sign string) (end int) {
	end = p.tok.end
	p.orSigns(sign)
	if p.wrong == nil && !p.is(sign) {
		p.expected(sign)
	}
	if p.wrong == nil {
		p.advance()
	}
	return end
}

// named reads a call, with the informer that it is made on where one is named.
func (p *parser) named() int16 {
	first := p.tok
	receiver, recAt := "", first.at
	p.advance()
	if first.text == "duration" && p.is("(") {
		return p.constant(first)
	}
	switch {
	case first.text == "informer" && p.is("("):
		receiver = p.receiver()
		if p.wrong == nil && !p.is(".") {
			p.orSigns(".")
			p.expected(". and a function")
		}
	case p.is("."):
		receiver = first.text
	}
	name := first
	if receiver != "" && p.wrong == nil {
		p.advance()
		p.atEnd(could{member: true})
		if name = p.tok; name.kind != tokName {
			p.expected("a function")
		}
		p.advance()
	}
	if p.wrong != nil {
		return 0
	}
	f := functionNamed(name.text)
	switch {
	case f == nil:
		p.fail(name.at, name.end, "there is no function "+strconv.Quote(name.text)+nearest(name.text))
	case receiver != "" && f.alone:
		p.fail(name.at, name.end, f.name+" is about the whole run, and not about an informer")
	case !p.is("("):
		p.orSigns("(")
		p.expected("( after " + name.text)
	}
	if p.wrong != nil {
		return 0
	}
	return p.call(f, node{op: opCall, typ: f.result, of: f, informer: receiver, recAt: recAt, at: first.at, momentary: f.kinds != nil})
}

// receiver reads the name of an informer in parentheses.
func (p *parser) receiver() (name string) {
	p.advance()
	p.atEnd(could{name: &param{is: informerName}})
	if p.wrong == nil || p.tok.open {
		if p.tok.kind != tokString {
			p.expected("an informer's name in quotation marks")
		} else if name = p.tok.text; name == "" {
			p.fail(p.tok.at, p.tok.end, "an informer's name is missing")
		}
	}
	if p.wrong == nil {
		p.advance()
		p.close(")")
	}
	return name
}

// constant reads duration("10ms").
func (p *parser) constant(first token) int16 {
	p.advance()
	t := p.tok
	p.atEnd(could{name: &param{is: durationName}})
	n, ok := duration(t.text)
	switch {
	case p.wrong != nil:
	case t.kind != tokString:
		p.expected(`a duration in quotation marks, such as "10ms"`)
	case !ok:
		p.fail(t.at, t.end, strconv.Quote(t.text)+" is no duration such as 1.5s or 10ms")
	}
	if p.wrong == nil {
		p.advance()
	}
	return p.add(node{typ: Duration, value: Value{N: n}, at: first.at, end: p.close(")")})
}

// call reads what a function is called with.
func (p *parser) call(f *function, n node) int16 {
	p.advance()
	for i := range f.params {
		a := &f.params[i]
		if p.is(")") && a.optional {
			break
		}
		if i > 0 {
			if !p.is(",") {
				if a.optional {
					p.orSigns(",", ")")
					p.expected(", or )")
				} else {
					p.orSigns(",")
					p.expected(", and " + a.what())
				}
				return 0
			}
			p.advance()
		}
		if a.is == expression {
			p.operand(f, a, &n)
		} else {
			p.name(f, a, &n)
		}
		if p.wrong != nil {
			return 0
		}
	}
	n.end = p.close(")")
	return p.add(n)
}

// operand reads an argument that is an expression.
func (p *parser) operand(f *function, a *param, n *node) {
	i := p.binary(0, a.typ)
	if p.wrong != nil {
		return
	}
	if d := &p.nodes[i]; d.typ != a.typ {
		p.fail(d.at, d.end, f.name+" takes a "+a.typ.String()+" here, and this is a "+d.typ.String())
		return
	}
	n.args = append(n.args, i)
	if f.momentarily != nil {
		n.momentary = f.momentarily(p.nodes, n.args)
	}
}

// name reads an argument that is a name.
func (p *parser) name(f *function, a *param, n *node) {
	t := p.tok
	p.atEnd(could{name: a, of: f.name})
	if p.wrong != nil {
		return
	}
	if t.kind != tokString {
		what := a.what()
		if a.optional {
			what += " or )"
		}
		p.expected(what)
		return
	}
	if known := a.known(); known != nil && t.text != "" && unknown(known, t.text) {
		p.fail(t.at, t.end, "there is no "+a.noun()+" "+strconv.Quote(t.text)+"; there is "+strings.Join(shorter(known, t.text), ", "))
		return
	}
	if t.text == "" && !a.optional {
		p.fail(t.at, t.end, a.what()+" is missing")
		return
	}
	n.names[n.given], n.namesAt[n.given] = t.text, t.at
	n.given++
	p.advance()
}

// shorter are those of many names that begin as a name does, or the first ones.
func shorter(names []string, name string) []string {
	const most = 12
	if len(names) <= most {
		return names
	}
	for i := len(name); i > 0; i-- {
		var some []string
		for _, n := range names {
			if strings.HasPrefix(strings.ToLower(n), strings.ToLower(name[:i])) {
				some = append(some, n)
			}
		}
		if len(some) > 0 {
			return some[:min(len(some), most)]
		}
	}
	return append(names[:most:most], "…")
}

// nearest proposes a function for a name that is none.
func nearest(name string) string {
	for i := len(name); i >= min(3, len(name)) && i > 0; i-- {
		for j := range functions {
			if strings.HasPrefix(strings.ToLower(functions[j].name), strings.ToLower(name[:i])) {
				return "; is it " + functions[j].name + "?"
			}
		}
	}
	return ""
}
