package redact

import (
	"bytes"
	"slices"
	"strings"
)

// arguments is the state of reading the arguments of a command.
type arguments struct {
	letters string // flags of one letter that take passwords
	flag    string // the flag before, whose value is to come
}

// take applies the rules to a string of an array that may hold the arguments of a
// command or a list of variables. It returns false if the string must still be
// searched.
func (a *arguments) take(r *Redactor, n int32, p place) bool {
	b := r.sheet.Text(n)
	if p.envList && r.rules&Env != 0 {
		return r.variable(n)
	}
	flag := a.flag
	a.flag = ""
	if r.rules&Tokens == 0 || len(b) < 4 && flag == "" {
		return false
	}
	s := b[1 : len(b)-1]
	if bytes.IndexByte(s, '\\') >= 0 {
		s = bytes.Clone(r.sheet.unquoted(n))
	}
	switch {
	case len(s) == 0:
		return false
	case flag != "" && s[0] != '-':
		from, ok := r.texts.flagged(a.letters, []byte(flag), s)
		return ok && r.rest(n, s, from, "value of -"+flag)
	case s[0] == '-':
		return a.takeFlag(r, n, s)
	case s[0] == '/':
		if name, value, ok := bytes.Cut(s[1:], []byte{':'}); ok && len(name) > 0 && isName(string(name)) && !portLike(value) {
			h := r.texts.names.of(name)
			if len(name) < 3 && strings.IndexByte(a.letters, lower(name[len(name)-1])) >= 0 {
				h = password
			}
			if h >= aSecret && h.isSecret(value) {
				return r.rest(n, s, len(name)+2, "value of /"+string(name))
			}
		}
	}
	if l, ok := programs[string(s[bytes.LastIndexByte(s, '/')+1:])]; ok {
		a.letters = l
		return false
	}
	name, value, ok := bytes.Cut(s, []byte{'='})
	if ok && isName(string(name)) && bytes.IndexByte(value, ' ') < 0 && bytes.IndexByte(value, '\n') < 0 && r.texts.names.of(name).isSecret(value) {
		return r.rest(n, s, len(name)+1, "value of "+string(name))
	}
	return false
}

// placed is a secret in an array: all from an index on in the string of a node.
type placed struct {
	node int32
	from int
}

// positionedArguments returns the secrets that have a place of their own in the command
// whose words are the array at n: see positions.
func (s *sheet) positionedArguments(n int32) (found []placed) {
	first := n + 1
	if first >= s.Nodes[n].Next || s.First(first) != '"' {
		return nil
	}
	name := s.unquoted(first)
	name = name[bytes.LastIndexByte(name, '/')+1:]
	rules := positionsBy[string(name)]
	if rules == nil && string(name) != "htpasswd" {
		return nil
	}
	var text []byte
	var words []piece
	var nodes []int32
	for v := first; v < s.Nodes[n].Next && len(words) < maxWordsOf; v = s.Nodes[v].Next {
		if s.First(v) != '"' {
			return nil
		}
		from := len(text)
		text = append(text, s.unquoted(v)...)
		words, nodes = append(words, piece{from, len(text)}), append(nodes, v)
		text = append(text, ' ')
	}
	if rules == nil {
		if at := htpasswd(text, words); at >= 0 && password.isSecret(text[words[at].from:words[at].to]) {
			found = append(found, placed{nodes[at], 0})
		}
	}
	for _, rule := range rules {
		at, sign := rule.find(text, words)
		if at < 0 {
			continue
		}
		from := 0
		if sign != 0 {
			from = 1 + bytes.IndexByte(text[words[at].from:words[at].to], sign) // what follows the password goes, too
		}
		value := text[words[at].from+from : words[at].to]
		if password.isSecret(value) && value[0] != '-' && string(value) != redacted && !slices.Contains(found, placed{nodes[at], from}) {
			found = append(found, placed{nodes[at], from})
		}
	}
	slices.SortFunc(found, func(a, b placed) int { return int(a.node - b.node) })
	return slices.CompactFunc(found, func(a, b placed) bool { return a.node == b.node })
}

// takeFlag does what take does, for a string that begins with a dash.
func (a *arguments) takeFlag(r *Redactor, n int32, s []byte) bool {
	name, value, ok := bytes.Cut(s, []byte{'='})
	dashes := len(name) - len(bytes.TrimLeft(name, "-"))
	if bytes.HasPrefix(s, []byte("-----BEGIN")) || dashes > 2 {
		return false
	}
	bare := name[dashes:]
	if dashes == 1 && len(bare) > 1 {
		if from := r.texts.attached(a.letters, s[1:]); from > 0 {
			return r.rest(n, s, 1+from, "value of -"+string(bare[:1]))
		}
	}
	if !isName(string(bare)) {
		return false
	}
	if !ok {
		a.flag = string(bare)
		return false
	}
	if from, ok := r.texts.flagged("", bare, value); ok {
		return r.rest(n, s, len(name)+1+from, "value of -"+string(bare))
	}
	return false
}

// rest takes out all from index from on of s, which is the text of the string n.
func (r *Redactor) rest(n int32, s []byte, from int, why string) bool {
	if string(s[from:]) == redacted {
		return true
	}
	if r.report != nil {
		r.finding(n, why, s[from:])
	}
	r.sheet.edit(n, string(appendQuoted(nil, append(bytes.Clone(s[:from]), redacted...))))
	r.counts.add("tokens", 1)
	return true
}

// variable takes out the value of a variable, "NAME=value".
func (r *Redactor) variable(n int32) bool {
	s := bytes.Clone(r.sheet.unquoted(n))
	name, value, ok := bytes.Cut(s, []byte{'='})
	if !ok || !isName(string(name)) || len(value) == 0 {
		return false
	}
	if string(value) != redacted {
		if r.report != nil {
			r.finding(n, "env value", value)
		}
		r.sheet.edit(n, string(appendQuoted(nil, append(s[:len(name)+1:len(name)+1], redacted...))))
		r.counts.add("env values", 1)
	}
	return true
}

// program returns the letters of the program that the container at n runs.
func (s *sheet) program(n int32) (letters string) {
	s.each(n, func(key []byte, _, v int32) {
		switch {
		case string(key) == "command" && s.First(v) == '[':
			for c := v + 1; c < s.Nodes[v].Next; c = s.Nodes[c].Next {
				if l := program(s.unquoted(c)); s.First(c) == '"' && l != "" {
					letters = l
				}
			}
		case string(key) == "image" && s.First(v) == '"' && letters == "":
			image, _, _ := strings.Cut(string(s.unquoted(v)), "@")
			image = image[strings.LastIndexByte(image, '/')+1:]
			image, _, _ = strings.Cut(image, ":")
			letters = programs[image]
		}
	})
	return letters
}
