package indexer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
)

// ListSelected appends what a lister lists: the objects of a namespace, or of all if
// it is "", whose labels the selector matches. They are in the order of their keys;
// client-go's order is random. It is GenericLister.List, or ByNamespace(ns).List.
func (x *Indexer) ListSelected(ns string, s Selector, dst []object.Ref) []object.Ref {
	for _, r := range x.List(nil) {
		m := x.t.Meta(x.Read(r))
		if (ns == "" || x.t.Equals(m.Namespace, ns)) && s.matches(x.t, m.Labels) {
			dst = append(dst, r)
		}
	}
	return dst
}

// GetNamed returns the object of that name, or the error of errors.NewNotFound. Resource is
// what the error calls it. It is GenericLister.Get, or ByNamespace(ns).Get.
func (x *Indexer) GetNamed(resource, ns, name string) (object.Ref, error) {
	text := name
	if ns != "" {
		text = ns + "/" + name
	}
	if k, known := x.t.LookupKey(text); known {
		if r, ok := x.GetByKey(k); ok {
			return r, nil
		}
	}
	return 0, fault.New("notFound resource name", resource, strconv.Quote(name))
}

// Selector is a labels.Selector: all of its requirements must be met.
type Selector []requirement

// requirement is what a selector asks of one label.
type requirement struct {
	name   string
	op     string // in, notin, exists, !, >, <
	values []string
}

// unexpected returns the error of a selector in which a token stands where something else is
// expected.
func unexpected(token string, expected error) error {
	found := fault.Named("token token", token)
	if token == "" {
		found = fault.Plain("end")
	}
	return fault.New("selector found expected", found, expected)
}

// ParseSelector does what labels.Parse does, without its checks of the characters in names
// and values. A label that no object can have matches nothing.
func ParseSelector(text string) (Selector, error) {
	p := selectorParser{rest: text}
	p.next()
	if p.token == "" {
		return nil, nil
	}
	var s Selector
	for {
		r, err := p.requirement()
		if err != nil {
			return nil, err
		}
		s = append(s, r)
		if p.token == "" {
			return s, nil
		}
		if p.token != "," {
			return nil, unexpected(p.token, fault.Plain("commaOrEnd"))
		}
		if p.next(); !p.word() && p.token != "!" {
			return nil, unexpected(p.token, fault.Plain("nameAfterComma"))
		}
	}
}

// selectorParser reads a selector token by token.
type selectorParser struct{ token, rest string }

// symbols are the characters that are tokens, alone or together.
const symbols = "(),!=<>"

func (p *selectorParser) next() {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	end := strings.IndexAny(p.rest, symbols+" \t\r\n")
	switch {
	case end < 0:
		end = len(p.rest)
	case end == 0:
		end = 1
		if strings.HasPrefix(p.rest, "==") || strings.HasPrefix(p.rest, "!=") {
			end = 2
		}
	}
	p.token, p.rest = p.rest[:end], p.rest[end:]
}

// word reports whether the token is a name or a value.
func (p *selectorParser) word() bool { return p.token != "" && !strings.ContainsAny(p.token, symbols) }

// take returns the token if it is a name or a value, and moves on.
func (p *selectorParser) take(expected error) (string, error) {
	word := p.token
	if !p.word() {
		return "", unexpected(p.token, expected)
	}
	p.next()
	return word, nil
}

func (p *selectorParser) requirement() (r requirement, err error) {
	if p.token == "!" {
		p.next()
		r.op = "!"
		r.name, err = p.take(fault.Plain("identifier"))
		return r, err
	}
	if r.name, err = p.take(fault.Plain("negationNameOrEnd")); err != nil {
		return r, err
	}
	switch op := p.token; op {
	case "", ",":
		r.op = "exists"
		return r, nil
	case "in", "notin":
		r.op = op
		p.next()
		return r, p.set(&r)
	case "=", "==", "!=", ">", "<":
		r.op = map[string]string{"=": "in", "==": "in", "!=": "notin"}[op]
		if r.op == "" {
			r.op = op
		}
		p.next()
		value := ""
		if p.word() {
			value = p.token
			p.next()
		}
		r.values = []string{value}
		if _, err := strconv.ParseInt(value, 10, 64); (op == ">" || op == "<") && err != nil {
			return r, unexpected(value, fault.Plain("integer"))
		}
		return r, nil
	}
	return r, unexpected(p.token, fault.Plain("operators"))
}

// set reads the values in parentheses. Nothing between two commas is a value, too.
func (p *selectorParser) set(r *requirement) error {
	if p.token != "(" {
		return unexpected(p.token, fault.Plain("open"))
	}
	for {
		p.next()
		value := ""
		if p.word() {
			value = p.token
			p.next()
		}
		r.values = append(r.values, value)
		switch p.token {
		case ")":
			p.next()
			return nil
		case ",":
		default:
			return unexpected(p.token, fault.Plain("commaOrClose"))
		}
	}
}

// Matches reports whether an object's labels meet all requirements. Label returns the value of a label, if the object has it.
func (s Selector) Matches(label func(name string) (value string, has bool)) bool {
	for i := range s {
		if v, has := label(s[i].name); !s[i].met(v, has) {
			return false
		}
	}
	return true
}

func (s Selector) matches(t *object.Table, l object.Labels) bool {
	return s.Matches(func(name string) (string, bool) {
		sym, known := t.LookupSym(name)
		if !known {
			return "", false
		}
		v, has := t.LabelValue(l, sym)
		return t.Text(v), has
	})
}

func (r *requirement) met(value string, has bool) bool {
	switch r.op {
	case "in":
		return has && slices.Contains(r.values, value)
	case "notin":
		return !has || !slices.Contains(r.values, value)
	case "exists":
		return has
	case "!":
		return !has
	}
	n, err := strconv.ParseInt(value, 10, 64)
	limit, _ := strconv.ParseInt(r.values[0], 10, 64)
	return has && err == nil && (r.op == ">" && n > limit || r.op == "<" && n < limit)
}
