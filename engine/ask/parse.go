package ask

import (
	"strconv"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fault"
)

// kind is what a token is.
type kind uint8

const (
	tokEnd kind = iota
	tokName
	tokNumber
	tokFraction // a number between 0 and 1
	tokDuration
	tokString
	tokSign // an operator, a bracket or a comma: its text says which
)

// token is a word of an expression.
type token struct {
	kind     kind
	pos, end int
	text     string // of a string: what is between the quotation marks
	n        int64  // of a number, of a duration, or of a fraction in billionths
	open     bool   // a string without its end
}

// unit is the number 1 in billionths.
const unit = 1_000_000_000

// signs are the operators and brackets, the longer ones first, and then comma and point.
var signs = []string{"&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "(", ")", "[", "]", ",", "."}

func nextToken(text string, i int) (t token, err *Error) {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	t.pos, t.end = i, i
	if i == len(text) {
		return t, nil
	}
	switch c := text[i]; {
	case letter(c):
		for i < len(text) && (letter(text[i]) || digit(text[i])) {
			i++
		}
		t.kind, t.end, t.text = tokName, i, text[t.pos:i]
		return t, nil
	case digit(c):
		return number(text, t)
	case c == '"' || c == '\'':
		return quoted(text, t)
	}
	for _, s := range signs {
		if len(text)-i >= len(s) && text[i:i+len(s)] == s {
			t.kind, t.end, t.text = tokSign, i+len(s), s
			return t, nil
		}
	}
	_, n := utf8.DecodeRuneInString(text[i:])
	t.end = i + n
	return t, &Error{i, t.end, fault.Unknown("noSign sign", text[i:t.end], signs[:len(signs)-2])}
}

// number reads digits. What follows without a space makes them a duration.
func number(text string, t token) (token, *Error) {
	i := t.pos
	for i < len(text) && (digit(text[i]) || letter(text[i]) || text[i] == '.' || text[i] >= utf8.RuneSelf) {
		i++
	}
	t.end, t.text = i, text[t.pos:i]
	if n, err := strconv.ParseInt(t.text, 10, 64); err == nil {
		t.kind, t.n = tokNumber, n
		return t, nil
	}
	if n, ok := actor.ParseDuration(t.text); ok {
		t.kind, t.n = tokDuration, n
		return t, nil
	}
	if f, err := strconv.ParseFloat(t.text, 64); err == nil && f > 0 && f < 1 {
		t.kind, t.n = tokFraction, int64(f*unit+0.5)
		return t, nil
	}
	return t, &Error{t.pos, t.end, fault.Quoted("noNumber text", t.text)}
}

func quoted(text string, t token) (token, *Error) {
	mark, b := text[t.pos], []byte(nil)
	t.kind = tokString
	for i := t.pos + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == mark:
			t.end, t.text = i+1, string(b)
			return t, nil
		case c == '\\' && i+1 < len(text):
			i++
			switch e := text[i]; e {
			case '\\', '"', '\'':
				b = append(b, e)
			case 'n':
				b = append(b, '\n')
			case 't':
				b = append(b, '\t')
			default:
				return t, &Error{i - 1, i + 1, fault.Plain("escape")}
			}
		default:
			b = append(b, c)
		}
	}
	t.end, t.text, t.open = len(text), string(b), true
	return t, &Error{t.pos, len(text), fault.Plain("noQuote")}
}

// Limits of an expression.
const (
	MaxBytes = 4096 // of its text
	maxDepth = 40   // of brackets and operators before an operand
)

// parser reads an expression from left to right, checks its types, and notes what
// could stand at the end of the text.
type parser struct {
	text    string
	tok     token
	wrong   *Error // the first error
	depth   int
	nodes   []node
	expects expectation // at the end of the text
}

// expectation is what may stand at a place.
type expectation struct {
	operand  bool     // an operand
	typ      Type     // of that type; 0 for any
	sign     bool     // an operator behind an operand, whose type is typ
	member   bool     // a function behind a receiver
	name     *param   // a name
	receiver string   // and the function's own name before it
	signs    []string // what else may follow
}

// Parse reads an expression. Its error is an *Error.
func Parse(text string) (*Expr, error) {
	x, err, _ := parse(text)
	if err != nil {
		return nil, err
	}
	return x, nil
}

func parse(text string) (*Expr, *Error, expectation) {
	if len(text) > MaxBytes {
		return nil, &Error{MaxBytes, len(text), fault.Number("longExpr max", MaxBytes)}, expectation{}
	}
	p := &parser{text: text}
	p.move(0)
	p.binary(0, 0)
	if p.wrong == nil && p.tok.kind != tokEnd {
		p.expected(fault.Plain("operator"))
	}
	if p.wrong != nil {
		return nil, p.wrong, p.expects
	}
	x := &Expr{text: text, nodes: p.nodes}
	for i := range x.nodes {
		if fn := x.nodes[i].fn; fn != nil && fn.remembers {
			x.remember = true
		}
	}
	return x, nil, p.expects
}

// move reads the token from an offset on.
func (p *parser) move(i int) {
	var err *Error
	p.tok, err = nextToken(p.text, i)
	if err != nil && !p.tok.open {
		p.tok.kind, p.tok.text = tokSign, "" // so that the token isn't taken for the end
	}
	if err != nil && p.wrong == nil {
		p.wrong = err
	}
}

func (p *parser) advance() { p.move(p.tok.end) }

func (p *parser) atSign(sign string) bool {
	return p.tok.kind == tokSign && p.tok.text == sign
}

func (p *parser) fail(at, end int, why error) {
	if p.wrong == nil {
		p.wrong = &Error{at, end, why}
	}
}

// mistyped says that an operand should have another type.
func (p *parser) mistyped(d *node, wanted Type) { p.fail(d.pos, d.end, Mistyped(wanted, d.typ)) }

// expected says that something else is expected at the token, which it quotes.
func (p *parser) expected(what error) {
	if p.tok.kind == tokEnd {
		p.fail(len(p.text), len(p.text), missing(what))
		return
	}
	text := p.text[p.tok.pos:p.tok.end]
	if p.tok.kind != tokString { // which has its quotation marks
		text = strconv.Quote(text)
	}
	p.fail(p.tok.pos, p.tok.end, fault.New("expected text what", text, what))
}

// atEnd notes what could stand here, if the text ends here.
func (p *parser) atEnd(c expectation) {
	if p.tok.kind == tokEnd || p.tok.open {
		p.expects = c
	}
}

// orSigns notes that signs could stand here as well, if the text ends here.
func (p *parser) orSigns(signs ...string) {
	if p.tok.kind == tokEnd {
		p.expects = expectation{sign: p.expects.sign, typ: p.expects.typ, signs: signs}
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
	at := p.tok.pos
	left := p.binary(level+1, want)
	for p.wrong == nil {
		o, sign := op(0), ""
		for _, l := range levels[level] {
			if p.atSign(l.sign) || l.op == opIn && p.tok.kind == tokName && p.tok.text == l.sign {
				o, sign = l.op, l.sign
			}
		}
		if o == 0 {
			p.atEnd(expectation{sign: true, typ: p.nodes[left].typ})
			return left
		}
		signAt, signEnd := p.tok.pos, p.tok.end
		p.advance()
		if o == opIn {
			left = p.parseIn(left, at)
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

// second returns the type of the operand behind an operator; 0 where it may be of several.
func (p *parser) second(o op, first Type) Type {
	if o == opOr || o == opAnd {
		return Bool
	}
	return first
}

// join makes a node of two operands.
func (p *parser) join(o op, sign string, signAt, signEnd, at int, left, right int16) int16 {
	l, r := &p.nodes[left], &p.nodes[right]
	n := node{op: o, typ: Bool, args: []int16{left, right}, pos: at, end: r.end}
	switch o {
	case opOr, opAnd:
		for _, d := range []*node{l, r} {
			if d.typ != Bool {
				p.mistyped(d, Bool)
			}
		}
		n.momentary = l.momentary && r.momentary || o == opAnd && (l.momentary || r.momentary)
	case opAdd, opSub:
		n.typ, n.max = l.typ, l.max+r.max
		if n.max < 0 {
			p.fail(at, r.end, fault.Plain("overflow"))
		}
		if l.typ != r.typ || l.typ != Number && l.typ != Duration {
			p.fail(signAt, signEnd, fault.New("twoNumbers sign left right", sign, terms[l.typ], terms[r.typ]))
		}
	default:
		switch {
		case l.typ != r.typ:
			p.fail(signAt, signEnd, fault.New("notAlike left right", terms[l.typ], terms[r.typ]))
		case o != opEq && o != opNe && l.typ == Bool:
			p.fail(signAt, signEnd, fault.Plain("boolOrder"))
		}
		p.possible(left, right)
		p.possible(right, left)
	}
	return p.add(n)
}

// possible refuses to compare a function with a text that it never gives.
func (p *parser) possible(left, right int16) {
	f, text := p.nodes[left].fn, &p.nodes[right]
	if f != nil && f.values != nil && text.op == opConst && unknown(f.values, text.value.S) {
		p.fail(text.pos, text.end, unknownName(f.name, text.value.S, f.values))
	}
}

// parseIn reads a list of values. The operand left may be equal to any of them.
func (p *parser) parseIn(left int16, at int) int16 {
	n := node{op: opIn, typ: Bool, args: []int16{left}, pos: at}
	typ := p.nodes[left].typ
	if !p.atSign("[") {
		p.orSigns("[")
		p.expected(fault.Plain("listInBrackets"))
		return left
	}
	p.advance()
	for p.wrong == nil && !p.atSign("]") {
		i := p.binary(0, typ)
		if p.wrong != nil {
			break
		}
		if d := &p.nodes[i]; d.typ != typ {
			p.mistyped(d, typ)
		}
		p.possible(left, i)
		n.args = append(n.args, i)
		if p.atSign(",") {
			p.advance()
		} else if !p.atSign("]") {
			p.orSigns(",", "]")
			p.expected(fault.Plain("commaOrBracket"))
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
		p.fail(p.tok.pos, p.tok.end, fault.Plain("deepExpr"))
	}
	defer func() { p.depth-- }()
	t := p.tok
	p.atEnd(expectation{operand: true, typ: want})
	switch {
	case p.wrong != nil:
	case p.atSign("!") || p.atSign("-"):
		n := node{op: opNot, typ: Bool, pos: t.pos}
		p.advance()
		i := p.unary(want)
		if p.wrong != nil {
			return i
		}
		d := &p.nodes[i]
		if t.text == "-" {
			n.op, n.typ, n.max = opNeg, d.typ, d.max
		}
		if t.text == "!" && d.typ != Bool || t.text == "-" && d.typ != Number && d.typ != Duration {
			p.fail(d.pos, d.end, fault.New("cannotFollow found sign", terms[d.typ], t.text))
		}
		n.args, n.end = []int16{i}, d.end
		return p.add(n)
	case p.atSign("("):
		p.advance()
		i := p.binary(0, want)
		p.close(")")
		if p.wrong == nil {
			p.nodes[i].pos = t.pos
		}
		return i
	case t.kind == tokNumber:
		p.advance()
		return p.add(node{typ: Number, value: Value{N: t.n}, max: t.n, pos: t.pos, end: t.end})
	case t.kind == tokDuration:
		p.advance()
		return p.add(node{typ: Duration, value: Value{N: t.n}, max: t.n, pos: t.pos, end: t.end})
	case t.kind == tokString:
		p.advance()
		return p.add(node{typ: String, value: Value{S: t.text}, pos: t.pos, end: t.end})
	case t.kind == tokName && (t.text == "true" || t.text == "false"):
		n := node{typ: Bool, pos: t.pos, end: t.end}
		if t.text == "true" {
			n.value.N = 1
		}
		p.advance()
		return p.add(n)
	case t.kind == tokName && t.text != "in":
		return p.parseCall()
	default:
		p.expected(fault.Plain("operand"))
	}
	return 0
}

func (p *parser) close(sign string) (end int) {
	end = p.tok.end
	p.orSigns(sign)
	if p.wrong == nil && !p.atSign(sign) {
		p.expected(fault.Named("sign sign", sign))
	}
	if p.wrong == nil {
		p.advance()
	}
	return end
}
