package redact

import (
	"bytes"
	"strings"
)

// maxIDs is how many requests for Secrets are remembered. When there are more, every
// request counts as a request for Secrets.
const maxIDs = 1 << 20

// line applies the rules to the line on the tape.
func (r *Redactor) line() {
	header := false
	ids, requests, ends := []string{}, []int32{}, false
	r.sheet.each(0, func(key []byte, _, v int32) {
		switch string(key) {
		case "informerscope":
			header = true
		case "id":
			ids = append(ids, string(r.sheet.Text(v)))
		case "req":
			requests = append(requests, v)
		case "end":
			ends = true
		}
	})
	if len(ids) == 0 {
		ids = []string{"0"}
	}
	for _, v := range requests {
		r.noteRequest(v, ids)
	}
	p := place{marks: marks{secret: r.forSecrets.has(ids)}}
	r.sheet.each(0, func(key []byte, _, v int32) {
		switch string(key) {
		case "t", "id":
			r.value(v, place{})
		case "redacted": // counts, "tokens: 3" among them
		case "event":
			r.event(v, p)
		case "body":
			r.value(v, place{marks: marks{root: true, secret: p.secret, listed: true}})
		case "req":
			r.request(v)
		case "end":
			r.end(v)
		case "call", "calling":
			r.call(v)
		case "write", "wrote", "reconcile", "reconciled", "work":
			work(r, v)
		case "problem":
			r.fields(v, "reason", r.reason)
		case "note": // a header's
			r.value(v, place{ref: aNote})
		default: // a kind of line that may hold anything
			r.value(v, place{})
		}
	})
	if ends && !r.learning {
		for _, id := range ids {
			delete(r.forSecrets, id)
		}
	}
	if header {
		r.sheet.list(r.listed)
	}
}

// noteRequest remembers a request for Secrets, because its answer may not say that it
// holds Secrets.
func (r *Redactor) noteRequest(v int32, ids []string) {
	if r.rules&SecretData == 0 || r.learning {
		return
	}
	r.sheet.each(v, func(key []byte, _, v int32) {
		if string(key) == "url" && forSecrets(string(r.sheet.unquoted(v))) {
			r.forSecrets.add(ids)
		}
	})
}

// requests are requests under way, by the JSON of their ids.
type requests map[string]struct{}

// add notes requests, as long as there are not too many.
func (q requests) add(ids []string) {
	for _, id := range ids {
		if len(q) < maxIDs {
			q[id] = struct{}{}
		}
	}
}

// has reports whether one of the requests was noted, or may have been.
func (q requests) has(ids []string) bool {
	for _, id := range ids {
		if _, ok := q[id]; ok {
			return true
		}
	}
	return len(q) >= maxIDs
}

// forSecrets reports whether a URL asks for Secrets.
func forSecrets(url string) bool {
	segments := pathOf(url)
	for i, s := range segments {
		s = unescape(s)
		if !strings.EqualFold(s, "secrets") {
			continue
		}
		// A namespace or an object may have that name, too. Only a request for an
		// object has the name of an object in its URL.
		if i == 0 || !strings.EqualFold(unescape(segments[i-1]), "namespaces") || i == len(segments)-1 {
			return true
		}
	}
	return false
}

// pathOf splits the path of a URL, which may have a scheme and a host.
func pathOf(url string) []string {
	path, _, _ := strings.Cut(url, "?")
	if i := strings.Index(path, "://"); i >= 0 {
		path = path[i+3:]
		path = path[min(len(path), max(0, strings.IndexByte(path, '/'))):]
	}
	return strings.Split(strings.Trim(path, "/"), "/")
}

func (r *Redactor) event(v int32, p place) {
	if r.sheet.First(v) != '{' {
		r.value(v, place{})
		return
	}
	r.sheet.each(v, func(key []byte, _, v int32) {
		if string(key) == "object" {
			r.value(v, place{marks: marks{root: true, secret: p.secret, listed: true}})
			return
		}
		r.value(v, place{})
	})
}

func (r *Redactor) request(v int32) { r.fields(v, "url", func(v int32) { urlOrText(r, v) }) }

func urlOrText(r *Redactor, v int32) {
	if r.rules&Names == 0 {
		r.text(v, place{})
		return
	}
	r.url(v)
}

func keyOrText(r *Redactor, v int32) {
	if r.rules&Names == 0 {
		r.text(v, place{})
		return
	}
	r.key(v)
}

// work applies the rules to a line about a controller's own work. Its queues and controllers have
// names that a program gives, which are no names of objects.
func work(r *Redactor, v int32) {
	if r.sheet.First(v) != '{' {
		r.value(v, place{})
		return
	}
	r.sheet.each(v, func(key []byte, _, v int32) {
		if r.sheet.First(v) != '"' {
			r.value(v, place{})
			return
		}
		switch string(key) {
		case "key":
			keyOrText(r, v)
		case "url":
			urlOrText(r, v)
		case "generatename":
			r.text(v, place{ref: aName})
		case "message", "error":
			r.text(v, place{})
		default:
			r.text(v, place{ref: aConstant})
		}
	})
}

// end takes out the rest of an event that was cut, because nobody can tell to which field it belongs.
func (r *Redactor) end(v int32) {
	r.fields(v, "rest", func(v int32) { r.take(v, CutEvents, "cut event", `""`) })
}

// reason takes out what a problem's reason quotes: input that could not be read.
func (r *Redactor) reason(v int32) {
	s := r.sheet.unquoted(v)
	var out []byte
	n := 0
	for i := 0; i < len(s); i++ {
		out = append(out, s[i])
		if s[i] != '"' {
			continue
		}
		from, to := quoted(s, i)
		if string(s[from:to]) != redacted {
			n++
			if r.report != nil {
				r.finding(v, "quoted input", s[from:to])
			}
		}
		out = append(out, redacted...)
		out = append(out, s[to:min(to+1, len(s))]...)
		i = to
	}
	if n == 0 {
		r.text(v, place{})
		return
	}
	r.counts.add(Quoted, int64(n))
	if r.rules&Names != 0 {
		out, _ = r.pseudo.appendPseudonyms(nil, out, false)
	}
	if r.rules&Tokens != 0 {
		out, _ = r.texts.clean(nil, out)
	}
	r.sheet.edit(v, string(appendQuoted(nil, out)))
}

func (r *Redactor) call(v int32) { r.fields(v, "key", func(v int32) { keyOrText(r, v) }) }

// fields calls f with the value of each field of v that has this name, and applies
// the rules to the other fields.
func (r *Redactor) fields(v int32, name string, f func(v int32)) {
	if r.sheet.First(v) != '{' {
		r.value(v, place{})
		return
	}
	r.sheet.each(v, func(key []byte, _, v int32) {
		if string(key) == name && r.sheet.First(v) == '"' {
			f(v)
			return
		}
		r.value(v, place{ref: refTo(aText, string(key))})
	})
}

// list adds a list of what is taken out to a header line.
func (s *sheet) list(names []string) {
	b := s.B
	at := int32(-1) // of several such fields the last one counts
	s.each(0, func(key []byte, _, v int32) {
		if string(key) == "redacted" && s.First(v) == '[' {
			at = v
		}
	})
	if at < 0 {
		end := s.Nodes[0].To - 1
		s.edits = append(s.edits, edit{end, end, `,"redacted":[` + quotedList(names) + `]`})
		return
	}
	n := s.Nodes[at]
	var add []string
	for _, name := range names {
		if !bytes.Contains(b[n.From:n.To], appendQuoted(nil, []byte(name))) {
			add = append(add, name)
		}
	}
	if len(add) == 0 {
		return
	}
	by := quotedList(add)
	if n.Next > at+1 {
		by = "," + by
	}
	s.edits = append(s.edits, edit{n.To - 1, n.To - 1, by})
	s.edits.sort()
}

func quotedList(list []string) string {
	var out []byte
	for i, s := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendQuoted(out, []byte(s))
	}
	return string(out)
}
