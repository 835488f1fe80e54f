package redact

import (
	"bytes"
	"strings"
)

// text applies the rules to a string that is not taken out as a whole.
func (r *Redactor) text(n int32, p place) {
	if r.rules&(Tokens|Names) == 0 && !p.envList && !p.envMap && p.path.from == p.path.to || p.ref == aConstant && r.rules&Tokens == 0 {
		return
	}
	quoted := r.sheet.Text(n)
	s := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(s, '\\') >= 0 {
		s = r.sheet.unquoted(n)
	}
	if r.rules&Names != 0 {
		switch p.ref {
		case aName, anOwnName, aToken, aHost, anID, aTrackingID, anImage, aContainerName, aLabelValue, aLabelKey, aSelector, aGroup:
			if len(s) > 0 {
				r.name(n, s, p.ref)
			}
			return
		}
	}
	if p.deep && aSecret.isSecret(s) {
		r.take(n, "tokens", "part of a secret", placeholder)
		return
	}
	s, changed, whole := r.nested(n, s, p)
	r.replace(n, s, p, changed, whole)
}

// name replaces a name by its pseudonym.
func (r *Redactor) name(n int32, s []byte, what ref) {
	by := ""
	switch what {
	case anOwnName:
		by = r.pseudo.learn(s)
	case aHost:
		if bytes.Contains(s, []byte("://")) {
			r.url(n)
			return
		}
		by = r.pseudo.learnHost(s)
	case anID:
		by = r.pseudo.providerID(s)
	case aTrackingID:
		by = r.pseudo.trackingID(s)
	case anImage:
		by = r.pseudo.image(s)
	case aContainerName:
		if by = string(s); !everydayContainers[by] {
			by = r.pseudo.learn(s)
		}
	case aLabelValue:
		by = r.pseudo.labelValue(s)
	case aLabelKey:
		by = r.pseudo.labelKey(s)
	case aGroup:
		by = r.pseudo.group(s, bytes.IndexByte(s, '/') >= 0 || len(s) < 4 || isVersion(s))
	case aSelector:
		by = r.pseudo.selector(string(s), true)
	case aToken:
		by = r.pseudo.of(s)
	default:
		by = r.pseudo.meet(s)
	}
	if by == string(s) {
		return
	}
	r.take(n, "names", "name", string(appendQuoted(nil, []byte(by))))
}

// replace writes what the rules leave of s in the place of the string at n. changed
// tells that s is not the string's text any more, and whole that it holds no more
// secrets.
func (r *Redactor) replace(n int32, s []byte, p place, changed, whole bool) {
	if r.learning { // there are no names in a text that aren't fields of their own
		return
	}
	tokens, known := 0, 0
	if r.rules&Tokens != 0 && !whole {
		if r.report != nil {
			r.texts.found = func(secret []byte, why string) { r.finding(n, why, secret) }
		}
		r.texts.wary, r.texts.calm = r.report != nil && !p.digest, p.digest
		var cells int
		var table []byte
		if table, cells = r.texts.columns(s); cells > 0 {
			s = table
		}
		if r.clean, tokens = r.texts.clean(r.clean[:0], s); tokens > 0 {
			s = r.clean
		}
		tokens += cells
	}
	if p.ref != aConstant && r.rules&Names != 0 {
		all := p.ref == aNote && !p.digest && !changed && !whole && !plainNote(s)
		s, known = r.pseudo.appendPseudonyms(nil, s, all)
	}
	if tokens+known == 0 && !changed {
		return
	}
	r.sheet.edit(n, string(appendQuoted(nil, s)))
	if tokens > 0 {
		r.counts.add("tokens", int64(tokens))
	}
	if known > 0 {
		r.counts.add("names", int64(known))
	}
}

// plainNote reports whether a text that may be anything is a number, a time or a word that
// tells nothing.
func plainNote(s []byte) bool {
	if len(s) == 0 || isVersion(s) || plainValues[strings.ToLower(string(s))] || len(s) >= 7 && isHex(s) {
		return true
	}
	if !isDigit(s[0]) || len(s) > 40 {
		return false
	}
	for _, c := range s { // 2026-11-20T21:06:42Z, 5m30s, 512Mi
		if !isAlnum(c) && c != ':' && c != '.' && c != '-' && c != '+' {
			return false
		}
	}
	return bytes.IndexByte(s, 'T') > 0 || len(s) < 8
}

// named takes out v, the value of the field k of an object at p, if the name says
// that it is a secret. It returns false if v must still be searched.
func (r *Redactor) named(v, k int32, m *meaning, p place, a about) bool {
	c := r.sheet.First(v)
	if m.hides == nothing && a.opens == nothing || c == '{' || c == 't' || c == 'f' || c == 'n' {
		return false
	}
	h := m.hides
	if a.opens > h && (c == '"' || c == '[') {
		if besideNames[m.folded] {
			h = a.opens
		}
	}
	if h == nothing || a.refers && m.folded == "secretkey" {
		return false
	}
	why := ""
	if r.report != nil {
		why = "value of " + string(r.sheet.keyOf(k))
	}
	switch {
	case c == '"':
		return r.secretString(v, h, why)
	case c == '[':
		return r.secretStrings(v, h, why, p)
	case h == password || h == aSecret && len(r.sheet.Text(v)) >= 6:
		if b := r.sheet.Text(v); len(b) > 1 {
			r.blank(v, "tokens", why)
			return true
		}
	}
	return false
}

func (r *Redactor) secretString(v int32, h hides, why string) bool {
	s := r.sheet.unquoted(v)
	if !h.isSecret(s) {
		return false
	}
	if string(s) != redacted64 {
		r.take(v, "tokens", why, placeholder)
	}
	return true
}

// secretStrings takes out the strings of an array. It returns false if the array
// holds objects or arrays.
func (r *Redactor) secretStrings(n int32, h hides, why string, p place) bool {
	for v := n + 1; v < r.sheet.Nodes[n].Next; v = r.sheet.Nodes[v].Next {
		if r.sheet.First(v) == '{' || r.sheet.First(v) == '[' {
			return false
		}
	}
	for v := n + 1; v < r.sheet.Nodes[n].Next; v = r.sheet.Nodes[v].Next {
		if r.sheet.First(v) == '"' && !r.secretString(v, h, why) {
			r.value(v, place{marks: marks{inSecret: p.inSecret}})
		}
	}
	return true
}

// besideNames are the fields that hold the value beside a name.
var besideNames = dated(origin{"env of the Kubernetes API, parameters of templates, and property lists", "2026-11-24"},
	set("value values val default v content data"))

// structural are the fields of an object with a secret's name that don't hold the
// secret: they say what it is called, where it is, or of what type it is.
var structural = dated(origin{"k8s.io/api core/v1 SecretKeySelector and the references of operators, and OpenAPI schemas", "2026-11-24"},
	set("name namespace kind apiversion apigroup group version key keys property type description title format pattern secretname existingsecret "+
		"existingsecretkey secretref secretkeyref secretkeyselector valuefrom configmapref configmapkeyref usersecretref passwordsecretref tokensecretref "+
		"path paths mountpath subpath file filename audience audiences provider issuer username user realm url uri server host hosts address port method mode "+
		"enabled optional items labels annotations creationtimestamp uid resourceversion ownerreferences metadata reason message status lasttransitiontime"))

// isEnv reports whether a field holds environment variables by its folded name: env,
// extraEnv, envVars and the like.
func isEnv(key string) bool {
	if len(key) < 3 || len(key) > 40 {
		return false
	}
	s := strings.NewReplacer("_", "", "-", "", ".", "").Replace(key)
	for _, end := range []string{"env", "envs", "envvar", "envvars", "environment", "environmentvars", "environmentvariables"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// envFile takes out the values of a file of variables, NAME=value on each line.
func (r *Redactor) envFile(n int32) {
	var out []byte
	taken := 0
	for line := range bytes.SplitSeq(bytes.Clone(r.sheet.unquoted(n)), []byte{'\n'}) {
		if len(out) > 0 || taken > 0 {
			out = append(out, '\n')
		}
		name, value, ok := bytes.Cut(line, []byte{'='})
		if ok && len(bytes.TrimSpace(value)) > 0 && string(value) != redacted {
			line = append(append(name[:len(name):len(name)], '='), redacted...)
			taken++
			if r.report != nil {
				r.finding(n, "env value", value)
			}
		}
		out = append(out, line...)
	}
	if taken > 0 {
		r.sheet.edit(n, string(appendQuoted(nil, out)))
		r.counts.add("env values", int64(taken))
	}
}

// maxNested is how deep JSON and YAML are read within texts within texts: JSON in an
// annotation in a manifest in a ConfigMap is three deep.
const maxNested = 4

// nested applies the rules to s, the text of the string n, if it is JSON or YAML, and
// returns the result. whole tells that s needn't be searched as a text any more.
func (r *Redactor) nested(n int32, s []byte, p place) (_ []byte, changed, whole bool) {
	if len(s) < 6 || len(r.sheet.outer) >= maxNested {
		return s, false, false
	}
	json := s[0] == '{' || s[0] == '[' || s[0] == '\n' || s[0] == ' '
	if json {
		t := bytes.TrimLeft(s, " \n\t\r")
		json = len(t) > 0 && (t[0] == '{' || t[0] == '[')
	}
	if !json && !looksYAML(s) {
		return s, false, false
	}
	s = bytes.Clone(s) // it may be r.sheet.plain, which is used again
	var inner []byte
	q := place{marks: marks{root: true, listed: true, inSecret: p.inSecret, keeper: p.keeper, deep: p.deep, envList: p.envList, envMap: p.envMap}, path: p.path}
	if json {
		r.sheet.enter(n)
		if whole = r.sheet.Parse(s); whole {
			inner = r.walked(s, q)
		}
		r.sheet.leave()
	}
	if !whole && looksYAML(s) {
		inner = r.yaml(n, s, q)
	}
	if inner != nil {
		return inner, true, whole
	}
	return s, false, whole
}

// walked applies the rules to the JSON b, which is on the tape. It returns nil if
// there is nothing to take out.
func (r *Redactor) walked(b []byte, p place) []byte {
	kept := r.sheet.edits
	r.sheet.edits = nil
	r.value(0, p)
	r.sheet.edits.sort()
	var out []byte
	if len(r.sheet.edits) > 0 {
		out = r.sheet.edits.appendTo(nil, b)
	}
	r.sheet.edits = kept
	return out
}
