package redact

import "bytes"

// The functions of this file find where names and values begin and end in a text.

// nameBefore returns the name that ends at i. It begins at low or later.
func nameBefore(s []byte, low, i int) []byte {
	from := i
	for low = max(low, i-maxName); from > low && (isWord(s[from-1]) || s[from-1] == '-' || s[from-1] == '.' || s[from-1] == '%' || s[from-1] >= 0x80); {
		from--
	}
	return s[from:i]
}

// word returns the value at from. It is in quotes, or ends at a blank or at what parts
// parameters.
func (x *texts) word(s []byte, from int, coded bool) (_, to int) {
	if from < len(s) && s[from] == '\\' && from+1 < len(s) && (s[from+1] == '"' || s[from+1] == '\'') {
		if to := bytes.IndexByte(s[from+2:], '\\'); to >= 0 {
			return from + 2, from + 2 + to
		}
		return from + 2, len(s)
	}
	if from < len(s) && (s[from] == '"' || s[from] == '\'' || s[from] == '`') {
		return quoted(s, from)
	}
	for to = from; to < len(s); to++ {
		switch c := s[to]; {
		case c <= ' ', c == '&', c == '"', c == '\'', c == '<', c == '>', c == '#', c == '`':
			return from, to
		case c == '\\' && to+1 < len(s) && (s[to+1] == '"' || s[to+1] == 'n'):
			return from, to
		case (c == ';' || c == ',') && anotherFollows(s[to+1:]):
			return from, to
		case (c == ')' || c == '}' || c == ']') && (to+1 == len(s) || s[to+1] <= ' ' || s[to+1] == ',' || s[to+1] == ';') && bytes.IndexByte(s[from:to], closes(c)) < 0:
			return from, to
		case coded && c == '%' && to+2 < len(s) && s[to+1] == '2' && (s[to+2] == '6' || s[to+2] == '0'):
			return from, to
		}
	}
	return from, to
}

func closes(c byte) byte {
	switch c {
	case ')':
		return '('
	case '}':
		return '{'
	}
	return '['
}

// anotherFollows reports whether s is empty or begins with another assignment.
func anotherFollows(s []byte) bool {
	s = bytes.TrimLeft(s, " ")
	for i, c := range s[:min(len(s), 40)] {
		switch {
		case c == '=' || c == ':':
			return i > 0
		case !isWord(c) && c != ' ' && c != '.' && c != '-':
			return false
		}
	}
	return len(s) == 0
}

// quoted returns the text between quotes. s[i] is the opening one.
func quoted(s []byte, i int) (from, to int) {
	for to = i + 1; to < len(s) && s[to] != s[i]; to++ {
		if s[to] == '\\' {
			to++
		}
	}
	return i + 1, min(to, len(s))
}

// fieldValue returns the value of a field of JSON: a string, perhaps within another
// string, or a number.
func fieldValue(s []byte, from int) (_, to int) {
	if from < len(s) && s[from] == '\\' {
		if from++; from >= len(s) {
			return from, from
		}
		to := bytes.IndexByte(s[from+1:], '\\')
		if to < 0 {
			to = len(s) - from - 1
		}
		return from + 1, from + 1 + to
	}
	if from < len(s) && (s[from] == '"' || s[from] == '\'') {
		return quoted(s, from)
	}
	for to = from; to < len(s) && isTokenChar(s[to]); {
		to++
	}
	return from, to
}

// lineBefore returns where the line begins that i is in. starts tells that only blanks
// and marks of lists and comments stand before i in it.
func lineBefore(s []byte, low, i int) (begin int, starts bool) {
	for begin = i; begin > low && begin > i-maxName; begin-- {
		switch s[begin-1] {
		case '\n':
			return begin, true
		case ' ', '\t', '-', '#', '?':
		default:
			return begin, false
		}
	}
	return begin, begin == 0
}

// lineValue returns the value that follows a name in a line of YAML. The line begins
// at begin and the value at from. The value may be a block of lines, which ends where a
// line is indented less than its first.
func lineValue(s []byte, begin, from int) (_, to int) {
	end := from + lineLength(s[from:])
	value := bytes.TrimRight(s[from:end], " \t\r")
	if len(value) > 0 && value[0] != '|' && value[0] != '>' {
		if value[0] == '"' || value[0] == '\'' {
			return quoted(s, from)
		}
		if note := bytes.Index(value, []byte(" #")); note > 0 {
			value = bytes.TrimRight(value[:note], " \t")
		}
		return from, from + len(value)
	}
	if len(value) == 0 {
		return from, from // its fields are judged by their own names
	}
	margin, first := -1, 0
	for at := end + 1; at < len(s); {
		n := lineLength(s[at:])
		if line := s[at : at+n]; len(bytes.TrimSpace(line)) > 0 {
			if margin < 0 {
				margin, first = indent(line), at+indent(line)
				if margin <= indent(s[begin:]) {
					break
				}
			}
			if indent(line) < margin {
				break
			}
			to = at + n
		}
		at += n + 1
	}
	if to <= first {
		return from, from
	}
	return first, to
}

func lineLength(s []byte) int {
	if n := bytes.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// indent returns how far a line is indented.
func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// columns takes out the cells of a table in a text, whose first line has the names of its
// columns with commas, semicolons or tabs between: those of columns with a secret's name.
// It returns nil where there are none.
func (x *texts) columns(s []byte) (out []byte, n int) {
	head, rest, ok := bytes.Cut(s, []byte{'\n'})
	if !ok || len(head) > 10*maxName || len(rest) == 0 {
		return nil, 0
	}
	var sign byte
	for _, c := range []byte(",;\t") {
		if bytes.IndexByte(head, c) > 0 {
			sign = c
			break
		}
	}
	if sign == 0 || bytes.ContainsAny(head, "{}[]():=") {
		return nil, 0
	}
	var secret []hides
	found := false
	names := bytes.Split(bytes.TrimRight(head, "\r"), []byte{sign})
	for _, name := range names {
		name = bytes.Trim(name, ` "'`)
		h := nothing
		if len(name) > 0 && bytes.IndexByte(name, ' ') < 0 {
			h = x.names.of(name)
		}
		secret = append(secret, h)
		found = found || h >= aSecret
	}
	if !found {
		return nil, 0
	}
	out = append(out, head...)
	for line := range bytes.SplitSeq(rest, []byte{'\n'}) {
		out = append(out, '\n')
		cells := bytes.Split(line, []byte{sign})
		if len(cells) != len(names) {
			out = append(out, line...)
			continue
		}
		for i, cell := range cells {
			if i > 0 {
				out = append(out, sign)
			}
			value := bytes.Trim(cell, " \"'\r")
			if secret[i] < aSecret || !secret[i].isSecret(value) || string(value) == redacted {
				out = append(out, cell...)
				continue
			}
			if x.found != nil {
				x.found(value, "value of "+string(bytes.Trim(names[i], ` "'`)))
			}
			at := bytes.Index(cell, value)
			out = append(append(append(out, cell[:at]...), redacted...), cell[at+len(value):]...)
			n++
		}
	}
	if n == 0 {
		return nil, 0
	}
	return out, n
}
