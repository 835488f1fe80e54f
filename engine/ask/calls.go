package ask

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fault"
)

// parseCall reads a call, with the informer that it is made on where one is named.
func (p *parser) parseCall() int16 {
	first := p.tok
	receiver, recAt := "", first.pos
	p.advance()
	if first.text == "duration" && p.atSign("(") {
		return p.constant(first)
	}
	switch {
	case first.text == "informer" && p.atSign("("):
		receiver = p.receiver()
		if p.wrong == nil && !p.atSign(".") {
			p.orSigns(".")
			p.expected(fault.Plain("dotFunction"))
		}
	case p.atSign("."):
		receiver = first.text
	}
	name := first
	if receiver != "" && p.wrong == nil {
		p.advance()
		p.atEnd(expectation{member: true})
		if name = p.tok; name.kind != tokName {
			p.expected(functionTerm)
		}
		p.advance()
	}
	if p.wrong != nil {
		return 0
	}
	f := functionNamed(name.text)
	switch {
	case f == nil:
		p.fail(name.pos, name.end, unknownFunction(name.text))
	case receiver != "" && f.alone:
		p.fail(name.pos, name.end, fault.Named("wholeRun name", f.name))
	case !p.atSign("("):
		p.orSigns("(")
		p.expected(fault.Named("paren name", name.text))
	}
	if p.wrong != nil {
		return 0
	}
	return p.call(f, node{op: opCall, typ: f.result, fn: f, max: mostCounted, informer: receiver, recAt: recAt, pos: first.pos, momentary: f.kinds != nil})
}

// receiver reads the name of an informer in parentheses.
func (p *parser) receiver() (name string) {
	p.advance()
	p.atEnd(expectation{name: &param{kind: informerName}})
	if p.wrong == nil || p.tok.open {
		if p.tok.kind != tokString {
			p.expected(inQuotes(aReceiver))
		} else if name = p.tok.text; name == "" {
			p.fail(p.tok.pos, p.tok.end, missing(aReceiver))
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
	p.atEnd(expectation{name: &param{kind: durationName}})
	n, ok := actor.ParseDuration(t.text)
	switch {
	case p.wrong != nil:
	case t.kind != tokString:
		p.expected(fault.Plain("quotedDuration"))
	case !ok:
		p.fail(t.pos, t.end, fault.Quoted("noDuration text", t.text))
	}
	if p.wrong == nil {
		p.advance()
	}
	return p.add(node{typ: Duration, value: Value{N: n}, max: max(n, -n), pos: first.pos, end: p.close(")")})
}

func (p *parser) call(f *function, n node) int16 {
	p.advance()
	for i := range f.params {
		a := &f.params[i]
		if p.atSign(")") && a.optional {
			break
		}
		if i > 0 {
			if !p.atSign(",") {
				if a.optional {
					p.orSigns(",", ")")
					p.expected(fault.Plain("commaOrParen"))
				} else {
					p.orSigns(",")
					p.expected(fault.Wrap("commaAnd what", a.expected()))
				}
				return 0
			}
			p.advance()
		}
		switch a.kind {
		case expression:
			p.operand(f, a, &n)
		case quantile:
			p.quantile(&n)
		default:
			p.name(f, a, &n)
		}
		if p.wrong != nil {
			return 0
		}
	}
	n.end = p.close(")")
	if p.wrong == nil && isTime(&n) {
		n.typ = Duration
	}
	if histogram := !unknown(histograms, n.names[0]); p.wrong == nil && f.name == "metric" && histogram != (n.value.N > 0) {
		if histogram {
			p.fail(n.end-1, n.end, missing(quantileTerm))
		} else {
			p.fail(n.namesAt[0], n.end, fault.Named("noHistogram name", n.names[0]))
		}
	}
	return p.add(n)
}

// quantile reads a number that is more than 0 and at most 1.
func (p *parser) quantile(n *node) {
	switch t := p.tok; {
	case t.kind == tokFraction:
		n.value.N = t.n
	case t.kind == tokNumber && t.n == 1:
		n.value.N = unit
	default:
		p.atEnd(expectation{name: &param{kind: quantile}})
		p.expected(quantileTerm)
	}
	p.advance()
}

// operand reads an argument that is an expression.
func (p *parser) operand(f *function, a *param, n *node) {
	i := p.binary(0, a.typ)
	if p.wrong != nil {
		return
	}
	if d := &p.nodes[i]; d.typ != a.typ {
		p.mistyped(d, a.typ)
		return
	}
	if d := &p.nodes[i]; a.typ == Duration && (d.op == opNeg || d.value.N < 0) {
		p.fail(d.pos, d.end, fault.Plain("negativeTime"))
		return
	}
	n.args = append(n.args, i)
	if f.momentarily != nil {
		n.momentary = f.momentarily(p.nodes, n.args)
	}
}

func (p *parser) name(f *function, a *param, n *node) {
	t := p.tok
	p.atEnd(expectation{name: a, receiver: f.name})
	if p.wrong != nil {
		return
	}
	if t.kind != tokString {
		what := a.expected()
		if a.optional {
			what = fault.Wrap("orParen what", what)
		}
		p.expected(what)
		return
	}
	if known := a.known(); known != nil && t.text != "" && unknown(known, t.text) {
		p.fail(t.pos, t.end, unknownName(a.noun(), t.text, known))
		return
	}
	if t.text == "" && !a.optional {
		p.fail(t.pos, t.end, missing(a.expected()))
		return
	}
	n.names[n.named], n.namesAt[n.named] = t.text, t.pos
	n.named++
	p.advance()
}

// unknownName says that a name of some kind is none of the known ones.
func unknownName(kind any, name string, known []string) error {
	return fault.Want(fault.New("noName kind name", kind, strconv.Quote(name)), name, known)
}

// unknownFunction says that there is no function of that name, and which one may be meant.
func unknownFunction(name string) error {
	var names []string
	for i := range functions {
		names = append(names, functions[i].name)
	}
	return fault.Unknown("noFunction name", name, names)
}
