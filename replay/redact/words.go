package redact

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// Where words end: in free text, selectors of labels and of fields, and lines of script. What else is no letter is part
// of a word of free text: an address is one.
var (
	textEnds = func() (is [256]bool) {
		is = bytesOf(" \"'()[]{}<>,;=|`")
		for c := range ' ' {
			is[c] = true
		}
		return is
	}()
	selectorEnds = bytesOf("=!,() ")
	fieldEnds    = bytesOf("=!,")
	scriptEnds   = bytesOf(" ")
	metricEnds   = bytesOf(`{}=", `)
)

// eachWord appends s, with each of its words as f appends it. Before is what stands between the word and the one before
// it, all of it ends.
func eachWord(out, s []byte, ends *[256]bool, f func(out, before, word []byte) []byte) []byte {
	for len(s) > 0 {
		n := 0
		for ; n < len(s) && ends[s[n]]; n++ {
			if s[n] >= ' ' || s[n] == '\n' || s[n] == '\t' {
				out = append(out, s[n])
			}
		}
		before := s[:n]
		s = s[n:]
		for n = 0; n < len(s) && !ends[s[n]]; n++ {
		}
		if n > 0 {
			out = f(out, before, s[:n])
		}
		s = s[n:]
	}
	return out
}

// text appends free text in which the words stay that Kubernetes' components use, with counts of at most three digits.
// Every other word becomes its token. With numbers, they stay, too, unless they are in quotes.
func (r *Redactor) text(out, s []byte, numbers bool) []byte {
	quoted := false // what is in quotes is a name
	return eachWord(out, s, &textEnds, func(out, before, word []byte) []byte {
		quoted = quoted != (bytes.Count(before, []byte{'"'})%2 == 1)
		bare := bytes.TrimRight(word, ".:!?…")
		if len(bare) == 0 || isPlain(bare, numbers && !quoted) || isPlain(word, numbers && !quoted) {
			r.counts.words.N++
			return append(out, word...)
		}
		r.counts.tokens.N++
		return append(r.tokens.append(out, bare, spelled(bare)), word[len(bare):]...)
	})
}

// isPlain reports whether a word of free text stays.
func isPlain(word []byte, numbers bool) bool {
	if slashes := bytes.Count(word, []byte{'/'}); slashes < len(word) && len(bytes.Trim(word, decimals+"/")) == 0 {
		return len(word)-slashes <= 3 || numbers && slashes == 0 && len(word) <= 20
	}
	var room [40]byte
	if len(word) > len(room) {
		return false
	}
	lower := room[:0]
	for _, c := range word {
		if c-'A' < 26 {
			c |= 0x20
		}
		lower = append(lower, c)
	}
	return words[string(lower)]
}

// url appends the URL of a request: its path, and the parameters that the API server knows.
func (r *Redactor) url(out, url []byte) []byte {
	path, query, asks := bytes.Cut(url, []byte{'?'})
	if scheme, rest, ok := bytes.Cut(path, []byte("://")); ok {
		host, _, _ := bytes.Cut(rest, []byte{'/'})
		if path = rest[len(host):]; string(scheme) != "https" {
			scheme = []byte("http")
		}
		out = r.part(append(append(out, scheme...), "://"...), host, asToken)
	}
	out = r.path(out, string(path))
	if !asks {
		return out
	}
	out = append(out, '?')
	for i, field := range bytes.Split(query, []byte{'&'}) {
		if i > 0 {
			out = append(out, '&')
		}
		name, value, has := bytes.Cut(field, []byte{'='})
		f := r.parameters[trace.Unescape(string(name))]
		if f != nil {
			out = append(out, name...)
		} else {
			out = r.part(out, name, asToken)
		}
		if has {
			out = r.part(append(out, '='), value, cmp.Or(f, asToken))
		}
	}
	return out
}

// part appends a part of a URL that has a form.
func (r *Redactor) part(out, raw []byte, f *form) []byte {
	text := []byte(trace.Unescape(string(raw)))
	switch {
	case len(text) == 0:
		return out
	case f.writes != nil:
		return trace.AppendEscaped(out, string(f.writes(r, nil, text)))
	case f.looks == nil || !f.looks(text):
		r.counts.tokens.N++
		return r.tokens.appendName(out, text)
	case f.renames != nil && r.o.Names:
		return trace.AppendEscaped(out, string(f.renames(r, nil, text)))
	}
	return append(out, raw...)
}

// path appends a URL's path. What is none of the API server's becomes tokens.
func (r *Redactor) path(out []byte, path string) []byte {
	parts := strings.Split(path, "/")
	from := slices.IndexFunc(parts, func(s string) bool { return s == "api" || s == "apis" }) // a proxy may have put something before
	var is []*form                                                                            // the parts from there on
	if from >= 0 {
		if is = []*form{asIs, asGroup}; parts[from] == "apis" {
			is = append(is, asGroup)
		}
		rest := func() []string { return parts[min(from+len(is), len(parts)):] }
		if s := rest(); len(s) > 1 && s[0] == "watch" { // as old versions have it
			is = append(is, asIs)
		}
		if s := rest(); len(s) > 2 && s[0] == "namespaces" && s[2] != "status" && s[2] != "finalize" {
			is = append(is, asIs, asName)
		}
		is = append(is, asResource, asName, asSubresource)
	}
	for i, s := range parts {
		if i > 0 {
			out = append(out, '/')
		}
		switch {
		case from < 0 || i < from:
			out = r.part(out, []byte(s), asServerPath)
		case i-from < len(is):
			out = r.part(out, []byte(s), is[i-from])
		default:
			out = r.part(out, []byte(s), asToken)
		}
	}
	return out
}

// fieldSelector appends a selector of fields. The values of those that the list keeps stay.
func (r *Redactor) fieldSelector(out, s []byte) []byte {
	is := asToken // what the next word is, which is a value
	return eachWord(out, s, &fieldEnds, func(out, before, word []byte) []byte {
		if len(before) > 0 && bytes.IndexByte(before, ',') < 0 {
			out, is = r.part(out, word, is), asToken
			return out
		}
		if f := r.selectable[string(word)]; f != nil {
			is = f
			return append(out, word...)
		}
		is = asToken
		return r.part(out, word, asToken)
	})
}

// metric appends the name of a time series: the metric stays if it is one of Kubernetes' components', and of its
// labels the names.
func (r *Redactor) metric(out, s []byte) []byte {
	quoted := false
	return eachWord(out, s, &metricEnds, func(out, before, word []byte) []byte {
		quoted = quoted != (bytes.Count(before, []byte{'"'})%2 == 1)
		family, _, _ := strings.Cut(string(word), "_")
		if first := len(before) == 0; quoted || first && (!sets["metric families"][family] || !metricName(word)) ||
			!first && !sets["metric labels"][string(word)] && !words[strings.ReplaceAll(string(word), "_", "-")] {
			r.counts.tokens.N++
			return r.tokens.append(out, word, spelled(word))
		}
		return append(out, word...)
	})
}

var metricName, scriptWord = madeOf(120, "_:"), madeOf(512, "-./=:_,%*")

// scriptLine appends a line of script with what may stay of it: words that may be names, numbers, times and verbs.
func (r *Redactor) scriptLine(out, s []byte) []byte {
	i := 0
	return eachWord(out, s, &scriptEnds, func(out, before, word []byte) []byte {
		i += len(before)
		switch {
		case !scriptWord(word):
			return r.part(out, word, asToken)
		case i < 2 || !r.o.Names:
			return append(out, word...)
		}
		return r.renamedWord(out, word)
	})
}

// renamedWord appends a word of a script's line with the tokens of its names: KEY, OPTION=KEY or LABEL=VALUE.
func (r *Redactor) renamedWord(out, word []byte) []byte {
	name, value, both := bytes.Cut(word, []byte{'='})
	switch {
	case string(name) == "key" && both:
		return r.renamedKey(append(out, "key="...), value)
	case sets["script words"][string(name)], word[0]-'0' < 10 && !both:
		return append(out, word...)
	case !both:
		return r.renamedKey(out, word)
	}
	return r.renamedLabel(append(r.renamedLabelKey(out, name), '='), value)
}

// selector appends a selector of labels with the tokens of its names: app=web, tier in (a,b), !x.
func (r *Redactor) selector(out, s []byte) []byte {
	list := false // the next word may be one of a list
	return eachWord(out, s, &selectorEnds, func(out, before, word []byte) []byte {
		value := list && bytes.IndexByte(before, ')') < 0 || bytes.ContainsAny(before, "=(")
		list = value && (list || bytes.IndexByte(before, '(') >= 0)
		switch {
		case string(word) == "in" || string(word) == "notin":
			return append(out, word...)
		case value:
			return r.renamedLabel(out, word)
		}
		return r.renamedLabelKey(out, word)
	})
}

func (r *Redactor) renamed(out, name []byte) []byte { return r.tokens.appendName(out, name) }

// renamedKey appends an object's key with the tokens of its names.
func (r *Redactor) renamedKey(out, key []byte) []byte {
	namespace, name, both := bytes.Cut(key, []byte{'/'})
	out = r.tokens.appendName(out, namespace)
	if both {
		out = r.tokens.appendName(append(out, '/'), name)
	}
	return out
}

// renamedLabel appends the token of a label's value. Flags and numbers are no names.
func (r *Redactor) renamedLabel(out, value []byte) []byte {
	if isDigits(value, 3) || string(value) == "true" || string(value) == "false" {
		return append(out, value...)
	}
	return r.tokens.appendName(out, value)
}

// renamedLabelKey appends the token of a label's key, unless it is one of Kubernetes itself.
func (r *Redactor) renamedLabelKey(out, key []byte) []byte {
	if publicKeys[string(key)] {
		return append(out, key...)
	}
	return r.tokens.appendName(out, key)
}

// ownWord appends a name that the recorded program has chosen. Of a path, such as a caller's file's, the last
// element stays.
func ownWord(_ *Redactor, out, s []byte) []byte {
	if s[0] == '/' || bytes.Contains(s, []byte(".go:")) {
		s = s[bytes.LastIndexByte(s, '/')+1:]
	}
	return append(out, s...)
}
