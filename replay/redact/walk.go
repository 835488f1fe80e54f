package redact

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// The placeholders. The second is the first in base64, so that a Secret's data can
// still be decoded.
const (
	placeholder   = `"REDACTED"`
	placeholder64 = `"UkVEQUNURUQ="`
)

// place is what is known about a value from where it stands.
type place struct {
	marks
	letters string // flags of one letter that take passwords, of a command's arguments
	path    span   // of ways.active: the paths that lead through here
	ref     ref    // what a name in here is one of
}

// marks are the parts of a place that hold or don't.
type marks struct {
	root     bool // an object of the API, which paths count from, or a list of them
	listed   bool // its items, if it has such, are objects of the API
	secret   bool // a Secret, whatever it says of itself
	inSecret bool // part of one
	envList  bool // the list of a container's variables
	envItem  bool // one of them
	envMap   bool // variables by their names
	identity bool // says which object it is: it must stay what it is
	deep     bool // all that a secret's name stands for
	keeper   bool // part of an object that brings Secrets about, such as a SealedSecret
	digest   bool // a hash or an identifier
	row      bool // a row of a Table
	cells    bool // its cells
	clean    bool // of a node of a line that was read: nothing was found here
}

// take replaces the value at n and counts it, unless it is null or a placeholder.
// why says what the value was taken for.
func (r *Redactor) take(n int32, what, why, by string) {
	b := r.sheet.Text(n)
	if string(b) == "null" || string(b) == by {
		return
	}
	r.sheet.edit(n, by)
	r.counts.add(what, 1)
	if r.report != nil {
		r.finding(n, why, b)
	}
}

// blank takes out the value at n, and leaves one of its type.
func (r *Redactor) blank(n int32, what, why string) {
	by := "0"
	switch r.sheet.First(n) {
	case '{':
		by = "{}"
	case '[':
		by = "[]"
	case '"':
		by = placeholder
	case 't', 'f':
		by = "false"
	}
	r.take(n, what, why, by)
}

// value applies the rules to the value at n. A value in which nothing was found in such a
// place before is passed over.
func (r *Redactor) value(n int32, p place) {
	if !r.plain.may(r, p) {
		search(r, n, p)
		return
	}
	before := r.plain.line.at(n)
	if before.holds(p) {
		return
	}
	slot := r.plain.slot(r, n)
	if !slot.holds(r.sheet.Text(n), p) {
		edits, changes := len(r.sheet.edits), r.plain.changes
		search(r, n, p)
		if len(r.sheet.edits) != edits || r.plain.changes != changes {
			return
		}
		slot.note(r.sheet.Text(n), p)
	}
	before.note(p)
}

// search does what value does, without the cache.
func search(r *Redactor, n int32, p place) {
	switch c := r.sheet.First(n); {
	case c == '"':
		r.text(n, p)
	case r.sheet.Nodes[n].Next == n+1: // {}, [] and numbers
	case c == '{':
		r.object(n, p)
	case c == '[':
		r.array(n, p)
	}
}

func (r *Redactor) array(n int32, p place) {
	q := p
	q.envList, q.envItem, q.letters = false, p.envList, ""
	argv := arguments{letters: p.letters}
	index := 0
	var placed []placed
	if r.rules&Tokens != 0 {
		placed = r.sheet.positionedArguments(n)
	}
	for v := n + 1; v < r.sheet.Nodes[n].Next; v = r.sheet.Nodes[v].Next {
		held := len(r.ways.active)
		if p.root || p.path.from < p.path.to {
			var hit *path
			if q.path, hit = r.ways.follow(p.path, "", index); hit != nil {
				r.blank(v, hit.text, hit.text)
				r.ways.active = r.ways.active[:held]
				index++
				continue
			}
		}
		switch {
		case len(placed) > 0 && placed[0].node == v:
			s := bytes.Clone(r.sheet.unquoted(v))
			r.rest(v, s, placed[0].from, "part of a command")
			placed = placed[1:]
		case p.cells && index < len(r.columns) && r.sheet.First(v) == '"' && r.secretString(v, r.columns[index], "cell of a secret's column"):
		case r.sheet.First(v) == '"' && argv.take(r, v, p):
		default:
			r.value(v, q)
		}
		r.ways.active = r.ways.active[:held]
		index++
	}
}

// about is what an object says about itself.
type about struct {
	secret     bool // kind Secret, or a type that only Secrets have
	secretList bool
	keeper     bool   // another kind that brings Secrets about
	opens      hides  // what a name says about the value beside it
	refers     bool   // has a remoteRef: what it calls secretKey is a mere name
	schema     bool   // describes a type: what it calls default is no value
	label      string // the key that its values are of, where it is a requirement or a taint
	requires   bool   // is one
}

func (r *Redactor) about(n int32) (a about) {
	for k := n + 1; k < r.sheet.Nodes[n].Next; k = r.sheet.Nodes[k+1].Next {
		switch c := r.sheet.B[r.sheet.Nodes[k].From+1]; {
		case opensWith[lower(c)] || c == 'r' || c == '\\' || c >= 0x80:
		default:
			continue
		}
		if r.sheet.First(k+1) != '"' {
			if r.sheet.First(k+1) == '{' && string(r.sheet.Text(k)) == `"remoteRef"` {
				a.refers = true
			}
			continue
		}
		r.sheet.folded = appendFolded(r.sheet.folded[:0], r.sheet.Text(k))
		switch string(r.sheet.folded) {
		case "kind":
			r.sheet.folded = appendFolded(r.sheet.folded[:0], r.sheet.Text(k+1))
			a.secret = a.secret || string(r.sheet.folded) == "secret"
			a.secretList = a.secretList || string(r.sheet.folded) == "secretlist"
			a.keeper = a.keeper || len(r.sheet.folded) > len("secret") && strings.HasSuffix(string(r.sheet.folded), "secret")
		case "type":
			s := string(r.sheet.unquoted(k + 1))
			a.secret = a.secret || secretType(s)
			a.schema = a.schema || schemaTypes[s]
		case "name", "key", "param", "parameter", "property", "option", "attribute", "variable", "setting", "field", "header", "k", "id":
			text := r.sheet.unquoted(k + 1)
			if string(r.sheet.folded) == "key" && r.rules&Names != 0 {
				a.label = fold(string(text))
			}
			a.opens = max(a.opens, r.texts.names.of(text))
		case "operator", "effect":
			a.requires = true
		}
	}
	return a
}

// opensWith are the first letters of the fields that about looks at.
var opensWith = func() (is [256]bool) {
	for _, c := range []byte("ktnpoavsfhie") {
		is[c] = true
	}
	return is
}()

// schemaTypes are what an OpenAPI schema may say its type is.
var schemaTypes = dated(origin{"OpenAPI 3.0, data types", "2026-11-24"},
	set("string object array integer number boolean"))

// secretType reports whether a type is one of Secrets: the items of a list don't say
// their kind.
func secretType(s string) bool {
	return s == "Opaque" || strings.HasPrefix(s, "kubernetes.io/") || strings.HasPrefix(s, "helm.sh/release") ||
		s == "bootstrap.kubernetes.io/token"
}

func (r *Redactor) object(n int32, p place) {
	a := r.about(n)
	fields := r.plain.fields(r, n, p, a)
	if p.root {
		p.path = r.ways.begin(p.path)
	}
	secretSchema := p.deep && a.schema
	p.deep = p.deep && !a.schema
	secret := r.rules&SecretData != 0 && (p.secret || a.secret)
	inSecret := secret || p.inSecret
	keeper := r.rules&SecretData != 0 && (p.keeper || a.keeper)
	for k := n + 1; k < r.sheet.Nodes[n].Next; k = r.sheet.Nodes[k+1].Next {
		v := k + 1
		if fields.clean(k) {
			continue
		}
		fields.begin(r)
		m := r.texts.names.get(r.sheet.Text(k))
		key := m.folded
		held := len(r.ways.active)
		q := place{marks: marks{inSecret: inSecret, keeper: keeper}}
		if r.rules&Tokens != 0 && len(key) > 10 {
			r.keys.clean(r, k)
		}
		if p.ref == aLabelMap || p.ref == aSelector || p.ref == anAnnotationMap || p.ref == aQuantityMap {
			r.keys.label(r, k)
		}
		if p.path.from < p.path.to {
			var hit *path
			if q.path, hit = r.ways.follow(p.path, key, -1); hit != nil {
				r.blank(v, hit.text, hit.text)
				r.ways.active = r.ways.active[:held]
				continue
			}
		}
		switch {
		case secret && (key == "data" || key == "stringdata"):
			r.secretData(v, key == "data")
		case keeper && r.sheet.First(v) == '{' && (key == "data" || key == "stringdata" || key == "encrypteddata"):
			r.secretData(v, false)
		case r.rules&ManagedFields != 0 && key == "managedfields" && r.sheet.First(v) == '[':
			r.take(v, "managed fields", "managed fields", "[]")
		case (r.rules&LastApplied != 0 || inSecret) && m.copies && r.sheet.First(v) == '"':
			r.take(v, "last-applied annotations", "copy of the object", placeholder)
		case r.rules&Env != 0 && (p.envItem && key == "value" || p.envMap && r.sheet.isScalar(v)):
			if string(r.sheet.Text(v)) != `""` {
				r.blank(v, "env values", "env value")
			}
		case r.rules&Env != 0 && r.sheet.First(v) == '"' && strings.HasSuffix(key, ".env"):
			r.envFile(v)
		case r.rules&Tokens != 0 && r.named(v, k, m, p, a):
		case secretSchema && (key == "default" || key == "example") && r.sheet.First(v) == '"' && looksSecret(r.sheet.unquoted(v)) && r.secretString(v, password, "default of a secret"):
		case p.identity && m.identity && r.rules&Names == 0 && r.sheet.First(v) == '"':
		default:
			r.value(v, r.inside(n, p, q, a, m, v))
		}
		fields.end(r, k, key)
		r.ways.active = r.ways.active[:held]
	}
}

// fieldNames applies the rules to the names of fields.
type fieldNames struct {
	plain map[string]bool // those that hold no secret
}

// label maps the domain in the name k of a label or an annotation.
func (f *fieldNames) label(r *Redactor, k int32) {
	s := jsonscan.AppendUnquoted(nil, r.sheet.Text(k))
	if by := r.pseudo.labelKey(s); by != string(s) {
		r.sheet.edit(k, string(appendQuoted(nil, []byte(by))))
		r.counts.add("names", 1)
	}
}

// clean takes out the secrets in the name k of a field, such as v:"db.password=x" of
// managedFields.
func (f *fieldNames) clean(r *Redactor, k int32) {
	quoted := r.sheet.Text(k)
	if f.plain[string(quoted)] {
		return
	}
	s := jsonscan.AppendUnquoted(nil, quoted)
	if r.report != nil {
		r.texts.found = func(secret []byte, why string) { r.finding(k, why, secret) }
	}
	r.texts.wary, r.texts.calm = false, false
	clean, n := r.texts.clean(nil, s)
	if n == 0 {
		if f.plain == nil || len(f.plain) >= maxMeanings {
			f.plain = map[string]bool{}
		}
		f.plain[string(quoted)] = true
		return
	}
	r.sheet.edit(k, string(appendQuoted(nil, clean)))
	r.counts.add("tokens", int64(n))
}

// readColumns keeps in mind what the names of a Table's columns say about their
// cells. Only the first event of a watch has the columns.
func (r *Redactor) readColumns(n int32) {
	if r.rules&Tokens == 0 {
		return
	}
	r.plain.changes++
	r.sheet.each(n, func(key []byte, _, v int32) {
		if string(key) != "columndefinitions" || r.sheet.First(v) != '[' {
			return
		}
		r.columns = r.columns[:0]
		for c := v + 1; c < r.sheet.Nodes[v].Next; c = r.sheet.Nodes[c].Next {
			h := nothing
			r.sheet.each(c, func(key []byte, _, v int32) {
				if string(key) == "name" {
					h = r.texts.names.of(r.sheet.unquoted(v))
				}
			})
			r.columns = append(r.columns, h)
		}
	})
}

// inside returns the place of v, which is the value of a field of the object n at p.
func (r *Redactor) inside(n int32, p, q place, a about, m *meaning, v int32) place {
	key := m.folded
	switch key {
	case "items":
		if p.listed || a.secretList {
			q.root, q.listed, q.secret = true, true, p.secret || a.secretList
		}
	case "rows":
		q.row, q.secret = p.listed, p.secret
		r.readColumns(n)
	case "cells":
		q.cells = p.row
	case "object":
		if p.row {
			q.root, q.secret = true, p.secret
		}
	case "args":
		q.letters = ""
		if r.rules&Tokens != 0 {
			q.letters = r.sheet.program(n)
		}
	}
	if m.env && r.rules&Env != 0 {
		q.envList, q.envMap = r.sheet.First(v) != '{', r.sheet.First(v) == '{'
	}
	q.identity, q.digest = m.identifies, m.digest
	if p.envMap && key != "valuefrom" {
		q.envMap = true
	}
	if r.rules&Tokens != 0 {
		q.deep = (p.deep || m.hides >= aSecret && r.sheet.First(v) == '{') && !m.structural
	}
	if r.rules&Names != 0 {
		q.ref = m.refTo(p.ref)
		switch {
		case a.requires && a.label != "" && (key == "values" || key == "value"):
			q.ref = refToLabel(a.label)
		case a.requires && key == "key":
			q.ref = aLabelKey
		}
	}
	return q
}

// secretData takes out the values of a Secret's data, or of its stringData.
func (r *Redactor) secretData(n int32, encoded bool) {
	by := placeholder
	if encoded {
		by = placeholder64
	}
	if r.sheet.First(n) != '{' {
		r.take(n, "secret data", "data of a Secret", "null")
		return
	}
	for k := n + 1; k < r.sheet.Nodes[n].Next; k = r.sheet.Nodes[k+1].Next {
		r.take(k+1, "secret data", "data of a Secret", by)
	}
}

// holdsCopy reports whether an annotation holds a copy of the whole object.
func holdsCopy(s string) bool {
	return len(s) >= len("kapp.k14s.io/original") && (strings.Contains(s, "last-applied") || strings.Contains(s, "last_applied") || strings.Contains(s, "lastapplied") ||
		strings.HasPrefix(s, "kapp.k14s.io/original") || strings.HasSuffix(s, "rio.cattle.io/applied") ||
		strings.HasSuffix(s, "/last-configuration") || strings.HasSuffix(s, "/original-configuration"))
}
