package redact

import "bytes"

// text looks at a string that is no value of any rule's own.
func (r *Redactor) text(n int32, p place) {
	if r.rules&(Tokens|Names) == 0 || p.ref == aConstant && r.rules&Tokens == 0 {
		return
	}
	quoted := r.bytes(n)
	s := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(s, '\\') >= 0 {
		s = r.unquoted(n)
	}
	if r.rules&Names != 0 {
		switch p.ref {
		case aName, anOwnName, aToken:
			if len(s) > 0 {
				r.name(n, s, p.ref)
			}
			return
		}
	}
	r.replace(n, s, p.ref != aConstant)
}

// name replaces a name by its pseudonym.
func (r *Redactor) name(n int32, s []byte, what ref) {
	by := ""
	if what == anOwnName {
		by = r.pseudo.learn(s)
	} else {
		by = r.pseudo.of(s)
	}
	r.take(n, "names", string(appendQuoted(nil, []byte(by))))
}

// replace puts what the rules leave of s in the place of the string at n.
func (r *Redactor) replace(n int32, s []byte, names bool) {
	tokens, known := 0, 0
	if r.rules&Tokens != 0 {
		r.clean, tokens = appendWithoutTokens(r.clean[:0], s)
		s = r.clean
	}
	if names && len(r.pseudo.known) > 0 {
		s, known = r.pseudo.appendMapped(nil, s)
	}
	if tokens+known == 0 {
		return
	}
	r.edit(n, string(appendQuoted(nil, s)))
	if tokens > 0 {
		r.counts.add("tokens", int64(tokens))
	}
	if known > 0 {
		r.counts.add("names", int64(known))
	}
}
