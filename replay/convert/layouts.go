package convert

import (
	"bytes"

	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/yaml"
)

// maxAbove is how many lines may stand above the first value.
const maxAbove = 100

// withLayout finds the format of an input that no form knows by its beginning. It tries
// what is left when a layout is taken away.
func withLayout(head []byte) (*capture.Form, capture.Layout) {
	var l capture.Layout
	if f := within(head, &l); f != nil {
		return f, l
	}
	if f := stamped(head); f != nil {
		return f, capture.Layout{Stamps: true}
	}
	for at := 0; l.Lines < maxAbove; {
		n := bytes.IndexByte(head[at:], '\n')
		if n < 0 {
			break
		}
		cut := l.Cut || bytes.Contains(head[at:at+n], []byte(`":`)) || bytes.HasSuffix(bytes.TrimRight(head[at:at+n], "\r"), []byte{'}'})
		at += n + 1
		l = capture.Layout{Above: int64(at), Lines: l.Lines + 1, Cut: cut}
		if rest := head[at:]; begins(rest) {
			if f := formOf(rest); f != nil {
				return f, l
			}
			if f := within(rest, &l); f != nil {
				return f, l
			}
		}
	}
	return nil, capture.Layout{}
}

// begins reports whether b may begin with JSON or YAML.
func begins(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch yaml.FirstKey(b[:min(len(b), 40)]) {
	case "apiVersion", "items", "kind", "object":
		return true
	}
	return b[0] == '{' || b[0] == '['
}

// within returns the format of the elements of the array that head begins with, and sets l
// to the layout of that array. It returns nil where head doesn't begin with one.
func within(head []byte, l *capture.Layout) *capture.Form {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 || head[0] != '[' {
		return nil
	}
	f := formOf(bytes.TrimLeft(capture.Unarray(head, true), " \n"))
	compact := f != nil && f.ByLine
	if !compact {
		f = formOf(bytes.TrimLeft(capture.Unarray(head, false), " \t\r\n"))
	}
	if f == nil {
		return nil
	}
	l.Array, l.Compact = true, compact
	return f
}

// stamped returns the format of head without the times before its lines, nil where
// there are none.
func stamped(head []byte) *capture.Form {
	b, ok := capture.Unstamp(head)
	if !ok {
		return nil
	}
	if f := formOf(bytes.TrimLeft(b, " \r\n\t")); f != nil && !f.ByLine {
		return f
	}
	return nil
}
