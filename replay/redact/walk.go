package redact

import (
	"slices"
	"strings"
)

// What stands in the place of what was taken out. As base64 it says the same as
// in clear, so that a Secret's data can still be decoded.
const (
	placeholder   = `"REDACTED"`
	placeholder64 = `"UkVEQUNURUQ="`
)

// place is what is known of a value from what it stands in.
type place struct {
	root     bool // an object of the API, which paths count from, or a list of them
	listed   bool // its items, if it has such, are objects of the API
	secret   bool // a Secret, whatever it says of itself
	inSecret bool // part of one
	envList  bool // the list of a container's variables
	envItem  bool // one of them
	row      bool // a row of a Table
	path     span // of Redactor.active: the paths that lead through here
	ref      ref  // what a name in here is one of
}

func (r *Redactor) bytes(n int32) []byte {
	x := r.tape.nodes[n]
	return r.tape.b[x.from:x.to]
}

func (r *Redactor) first(n int32) byte { return r.tape.b[r.tape.nodes[n].from] }

// unquoted is what the string at n says, until the next call.
func (r *Redactor) unquoted(n int32) []byte {
	if r.first(n) != '"' {
		return nil
	}
	r.plain = appendUnquoted(r.plain[:0], r.bytes(n))
	return r.plain
}

// each calls f for each field of the object at n, with its name as appendFolded
// makes it, which holds only until f looks at something else. Nothing happens
// if n is no object.
func (r *Redactor) each(n int32, f func(key []byte, k, v int32)) {
	if r.first(n) != '{' {
		return
	}
	for k := n + 1; k < r.tape.nodes[n].next; k = r.tape.nodes[k+1].next {
		r.folded = appendFolded(r.folded[:0], r.bytes(k))
		f(r.folded, k, k+1)
	}
}

func (r *Redactor) edit(n int32, by string) {
	x := r.tape.nodes[n]
	r.edits = append(r.edits, edit{x.from, x.to, by})
}

func (r *Redactor) sortEdits() {
	slices.SortStableFunc(r.edits, func(a, b edit) int { return int(a.from) - int(b.from) })
}

// take replaces the value at n and counts it. null tells nothing, and a
// placeholder neither.
func (r *Redactor) take(n int32, what, by string) {
	if b := r.bytes(n); string(b) == "null" || string(b) == by {
		return
	}
	r.edit(n, by)
	r.counts.add(what, 1)
}

// blank takes out the value at n, and leaves one of its type.
func (r *Redactor) blank(n int32, what string) {
	by := "0"
	switch r.first(n) {
	case '{':
		by = "{}"
	case '[':
		by = "[]"
	case '"':
		by = placeholder
	case 't', 'f':
		by = "false"
	}
	r.take(n, what, by)
}

func (r *Redactor) value(n int32, p place) {
	switch r.first(n) {
	case '{':
		r.object(n, p)
	case '[':
		r.array(n, p)
	case '"':
		r.text(n, p)
	}
}

func (r *Redactor) array(n int32, p place) {
	q := p
	q.envList, q.envItem = false, p.envList
	index := 0
	for v := n + 1; v < r.tape.nodes[n].next; v = r.tape.nodes[v].next {
		held := len(r.active)
		if p.root || p.path.from < p.path.to {
			var hit *path
			if q.path, hit = r.follow(p, nil, index); hit != nil {
				r.blank(v, hit.text)
				r.active = r.active[:held]
				index++
				continue
			}
		}
		r.value(v, q)
		r.active = r.active[:held]
		index++
	}
}

// about is what an object says of itself.
type about struct {
	secret     bool // kind Secret, or a type that only Secrets have
	secretList bool
	opens      bool // a name, beside whose value a token stands
}

func (r *Redactor) about(n int32) (a about) {
	for k := n + 1; k < r.tape.nodes[n].next; k = r.tape.nodes[k+1].next {
		switch c := r.tape.b[r.tape.nodes[k].from+1]; {
		case c == 'k' || c == 'K' || c == 't' || c == 'T' || c == 'n' || c == 'N' || c == '\\' || c >= 0x80:
		default:
			continue
		}
		if r.first(k+1) != '"' {
			continue
		}
		r.folded = appendFolded(r.folded[:0], r.bytes(k))
		switch string(r.folded) {
		case "kind":
			r.folded = appendFolded(r.folded[:0], r.bytes(k+1))
			a.secret = a.secret || string(r.folded) == "secret"
			a.secretList = a.secretList || string(r.folded) == "secretlist"
		case "type":
			a.secret = a.secret || secretType(string(r.unquoted(k+1)))
		case "name":
			a.opens = a.opens || opens(r.unquoted(k+1))
		}
	}
	return a
}

// secretType tells a Secret that doesn't say its kind, as the items of a list.
func secretType(s string) bool {
	return s == "Opaque" || strings.HasPrefix(s, "kubernetes.io/") || strings.HasPrefix(s, "helm.sh/release") ||
		s == "bootstrap.kubernetes.io/token"
}

func (r *Redactor) object(n int32, p place) {
	a := r.about(n)
	if p.root {
		p.path = r.begin(p.path)
	}
	secret := r.rules&SecretData != 0 && (p.secret || a.secret)
	inSecret := secret || p.inSecret
	for k := n + 1; k < r.tape.nodes[n].next; k = r.tape.nodes[k+1].next {
		v := k + 1
		r.folded = appendFolded(r.folded[:0], r.bytes(k))
		key := r.folded
		held := len(r.active)
		q := place{inSecret: inSecret}
		if p.path.from < p.path.to {
			var hit *path
			if q.path, hit = r.follow(p, key, -1); hit != nil {
				r.blank(v, hit.text)
				r.active = r.active[:held]
				continue
			}
		}
		switch {
		case secret && (string(key) == "data" || string(key) == "stringdata"):
			r.secretData(v, string(key) == "data")
		case r.rules&ManagedFields != 0 && string(key) == "managedfields" && r.first(v) == '[':
			r.take(v, "managed fields", "[]")
		case (r.rules&LastApplied != 0 || inSecret) && r.first(v) == '"' && holdsCopy(key):
			r.take(v, "last-applied annotations", placeholder)
		case r.rules&Env != 0 && p.envItem && string(key) == "value":
			if string(r.bytes(v)) != `""` {
				r.blank(v, "env values")
			}
		case r.rules&Tokens != 0 && (r.first(v) == '"' || r.first(v) == '[') && (opens(key) || a.opens && (string(key) == "value" || string(key) == "values")):
			r.strings(v, "tokens")
		default:
			r.value(v, r.inside(p, q, a, key, v))
		}
		r.active = r.active[:held]
	}
}

// inside completes what is known of the field key of an object at p.
func (r *Redactor) inside(p, q place, a about, key []byte, v int32) place {
	switch string(key) {
	case "items":
		if p.listed || a.secretList {
			q.root, q.listed, q.secret = true, true, p.secret || a.secretList
		}
	case "rows":
		q.row, q.secret = p.listed, p.secret
	case "object":
		if p.row {
			q.root, q.secret = true, p.secret
		}
	case "env":
		q.envList = r.first(v) == '['
	}
	if r.rules&Names != 0 {
		q.ref = r.refTo(p.ref, key)
	}
	return q
}

// secretData takes out the values of a Secret's data, or of its stringData.
func (r *Redactor) secretData(n int32, encoded bool) {
	by := placeholder
	if encoded {
		by = placeholder64
	}
	if r.first(n) != '{' {
		r.take(n, "secret data", "null")
		return
	}
	for k := n + 1; k < r.tape.nodes[n].next; k = r.tape.nodes[k+1].next {
		r.take(k+1, "secret data", by)
	}
}

// strings takes out a string, or those that stand in the array at n.
func (r *Redactor) strings(n int32, what string) {
	if r.first(n) == '"' {
		if string(r.bytes(n)) != `""` {
			r.take(n, what, placeholder)
		}
		return
	}
	for v := n + 1; v < r.tape.nodes[n].next; v = r.tape.nodes[v].next {
		if r.first(v) == '"' {
			r.strings(v, what)
		} else {
			r.value(v, place{})
		}
	}
}

// holdsCopy tells whether an annotation is one that keeps the whole object once
// more.
func holdsCopy(key []byte) bool {
	if len(key) < len("kapp.k14s.io/original") {
		return false
	}
	s := string(key)
	return strings.Contains(s, "last-applied") || strings.Contains(s, "last_applied") || strings.Contains(s, "lastapplied") ||
		strings.HasPrefix(s, "kapp.k14s.io/original") || strings.HasSuffix(s, "rio.cattle.io/applied") ||
		strings.HasSuffix(s, "/last-configuration") || strings.HasSuffix(s, "/original-configuration")
}
