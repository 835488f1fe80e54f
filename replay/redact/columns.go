package redact

import "bytes"

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
