package redact

import (
	"bytes"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// url appends the URL of a request: its path, and the parameters that the API server knows.
func (r *Redactor) url(out, url []byte) []byte {
	path, query, asks := bytes.Cut(url, []byte{'?'})
	if i := bytes.Index(path, []byte("://")); i >= 0 { // a host before the path
		end := len(path)
		if n := bytes.IndexByte(path[i+3:], '/'); n >= 0 {
			end = i + 3 + n
		}
		if string(path[:i]) == "https" {
			out = append(out, "https://"...)
		} else {
			out = append(out, "http://"...)
		}
		out = r.escapedToken(out, path[i+3:end])
		path = path[end:]
	}
	out = r.path(out, path)
	if !asks {
		return out
	}
	out = append(out, '?')
	for i, field := range bytes.Split(query, []byte{'&'}) {
		if i > 0 {
			out = append(out, '&')
		}
		name, value, has := bytes.Cut(field, []byte{'='})
		known, is := parameters[trace.Unescape(string(name))]
		if is {
			out = append(out, name...)
		} else {
			out = r.escapedToken(out, name)
		}
		if has {
			out = r.parameter(append(out, '='), value, known)
		}
	}
	return out
}

// parameter appends the value of a parameter.
func (r *Redactor) parameter(out, value []byte, f form) []byte {
	text := []byte(trace.Unescape(string(value)))
	switch {
	case len(text) == 0:
		return out
	case f == asEnum && sets["parameter words"][string(text)], f == asPercent && isDigits(bytes.TrimRight(text, "hms"), 6):
		return append(out, value...)
	case f == asLabel && madeOf(text, "-._/=!,() ", 4096):
		if !r.o.Names {
			return append(out, value...)
		}
		return trace.AppendEscaped(out, string(r.selector(nil, text)))
	case f == asName:
		return trace.AppendEscaped(out, string(r.fieldSelector(nil, text)))
	case (f == asVersion || f == asCount) && f.looks(text, nil):
		return append(out, value...)
	}
	return r.escapedToken(out, text)
}

// escapedToken appends a token to a URL.
func (r *Redactor) escapedToken(out, text []byte) []byte {
	if len(text) == 0 {
		return out
	}
	r.counts.tokens++
	return r.tokens.appendName(out, text)
}

// path appends a URL's path. What is none of the API server's becomes tokens.
func (r *Redactor) path(out, path []byte) []byte {
	parts := strings.Split(string(path), "/")
	from := 0 // a proxy may have put something before the path
	for from < len(parts) && parts[from] != "api" && parts[from] != "apis" {
		from++
	}
	if from == len(parts) { // none of the API: discovery of another kind, health, logs
		from = 0
	}
	forms := []form{asEnum, asGroup, asGroup} // apis, group, version
	if parts[from] == "api" {
		forms = forms[:2]
	}
	if parts[from] != "api" && parts[from] != "apis" {
		forms = nil
	}
	namespaced := false
	for i, s := range parts {
		if i > 0 {
			out = append(out, '/')
		}
		text := []byte(trace.Unescape(s))
		n := i - from
		f := asToken
		switch {
		case i < from || s == "" || forms == nil:
			if s != "" && !sets["server paths"][s] {
				out = r.escapedToken(out, text)
			} else {
				out = append(out, s...)
			}
			continue
		case n < len(forms):
			f = forms[n]
		default:
			n -= len(forms)
			if n == 0 && s == "watch" && i+1 < len(parts) {
				forms = append(forms, asEnum) // as old versions have it
				out = append(out, s...)
				continue
			}
			if n == 0 && s == "namespaces" && i+2 < len(parts) && parts[i+2] != "status" && parts[i+2] != "finalize" {
				namespaced = true
			}
			if namespaced {
				f = [...]form{asResource, asName, asResource, asName, asResource}[min(n, 4)]
				if n > 4 {
					f = asToken
				}
			} else {
				f = [...]form{asResource, asName, asResource, asToken}[min(n, 3)]
			}
			if f == asResource && n > 0 && n != 2 && !sets["subresources"][s] || !namespaced && n == 2 && !sets["subresources"][s] {
				f = asToken
			}
		}
		switch {
		case f == asEnum:
			out = append(out, s...)
		case !f.looks(text, nil):
			out = r.escapedToken(out, text)
		case f == asName && r.o.Names:
			out = r.tokens.appendName(out, text)
		default:
			out = append(out, s...)
		}
	}
	return out
}

// selector appends a selector of labels with the tokens of its names: app=web, tier in (a,b), !x.
func (r *Redactor) selector(out, s []byte) []byte {
	value, list := false, false // the next word is a value, and one of a list
	for len(s) > 0 {
		n := 0
		for n < len(s) && bytes.IndexByte([]byte("=!,() "), s[n]) < 0 {
			n++
		}
		if n == 0 {
			switch s[0] {
			case '=':
				value = true
			case '(':
				value, list = true, true
			case ')':
				list = false
			case ',':
				value = list
			}
			out, s = append(out, s[0]), s[1:]
			continue
		}
		switch word := s[:n]; {
		case string(word) == "in" || string(word) == "notin":
			out = append(out, word...)
		case value:
			out = r.renamedLabel(out, word)
		default:
			out = r.renamedLabelKey(out, word)
		}
		s = s[n:]
	}
	return out
}

// fieldSelector appends a selector of fields. The values of those that the list keeps stay.
func (r *Redactor) fieldSelector(out, s []byte) []byte {
	for i, one := range bytes.Split(s, []byte{','}) {
		if i > 0 {
			out = append(out, ',')
		}
		n := bytes.IndexAny(one, "=!")
		if n < 0 {
			out = r.escapedToken(out, one)
			continue
		}
		field := string(one[:n])
		value := bytes.TrimLeft(one[n:], "=!")
		if selectable[field] == asToken {
			out = r.escapedToken(out, one[:n])
		} else {
			out = append(out, field...)
		}
		out = append(out, one[n:len(one)-len(value)]...)
		switch f := selectable[field]; {
		case len(value) == 0:
		case f == asName && f.looks(value, nil) && r.o.Names:
			out = r.tokens.appendName(out, value)
		case f == asName && f.looks(value, nil), f == asKind && f.looks(value, nil):
			out = append(out, value...)
		default:
			out = r.escapedToken(out, value)
		}
	}
	return out
}

// metric appends the name of a time series: the metric stays if it is one of Kubernetes' components', and of its
// labels the names.
func (r *Redactor) metric(out, s []byte) []byte {
	name, labels, has := bytes.Cut(s, []byte{'{'})
	family, _, _ := bytes.Cut(name, []byte{'_'})
	if !madeOf(name, "_:", 120) || !sets["metric families"][string(family)] {
		out = r.tokens.append(out, name, spelled(name))
		r.counts.tokens++
	} else {
		out = append(out, name...)
	}
	if !has {
		return out
	}
	out = append(out, '{')
	for len(labels) > 0 {
		key, rest, ok := bytes.Cut(labels, []byte(`="`))
		end := 0
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		sep := len(key) - len(bytes.TrimLeft(key, ", "))
		if !ok || end >= len(rest) || !madeOf(key[sep:], "_", 60) || !words[strings.ReplaceAll(string(key[sep:]), "_", "-")] && !sets["metric labels"][string(key[sep:])] {
			if !bytes.Equal(labels, []byte{'}'}) {
				out = r.tokens.append(out, labels, spelled(labels))
				r.counts.tokens++
			}
			break
		}
		out = append(append(out, key...), `="`...)
		out = r.tokens.append(out, rest[:end], end)
		r.counts.tokens++
		out, labels = append(out, '"'), rest[end+1:]
	}
	return append(out, '}')
}

// scriptLine appends a line of script with what may stay of it: words that may be names, numbers, times and verbs.
func (r *Redactor) scriptLine(out, s []byte) []byte {
	for i, word := range bytes.Split(s, []byte{' '}) {
		if i > 0 {
			out = append(out, ' ')
		}
		switch {
		case len(word) == 0:
		case !madeOf(word, "-./=:_,%*", 512):
			r.counts.tokens++
			out = r.tokens.appendName(out, word)
		case i < 2 || !r.o.Names:
			out = append(out, word...)
		default:
			out = r.renamedWord(out, word)
		}
	}
	return out
}

// renamedWord appends a word of a script's line with the tokens of its names: KEY, OPTION=KEY or LABEL=VALUE.
func (r *Redactor) renamedWord(out, word []byte) []byte {
	name, value, both := bytes.Cut(word, []byte{'='})
	switch {
	case !both && (sets["script words"][string(word)] || word[0]-'0' < 10):
		return append(out, word...)
	case !both:
		return r.renamedKey(out, word)
	case string(name) == "key":
		return r.renamedKey(append(out, "key="...), value)
	case sets["script words"][string(name)]:
		return append(out, word...)
	}
	return r.renamedLabel(append(r.renamedLabelKey(out, name), '='), value)
}
