package redact

import "bytes"

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
	q := place{root: true, listed: true, inSecret: p.inSecret, keeper: p.keeper, deep: p.deep, envList: p.envList, envMap: p.envMap, path: p.path}
	if json {
		r.sheet.enter(n)
		if whole = r.sheet.parse(s); whole {
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
