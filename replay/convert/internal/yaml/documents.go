// Package yaml reads captures that are YAML: as documents of JSON, which package objects
// knows. Nearly any text is YAML.
package yaml

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/convert/internal/objects"
	"github.com/informerscope/informerscope/replay/trace"
)

// Documents calls each for one document of YAML after the other. Each gets the
// document as JSON, in memory that is used again after it returns. Its error is
// a problem of that document, unless capture.Fatal made the error.
func Documents(c *capture.Conversion, each func(b []byte) error) error {
	end := &lastByte{r: c.In}
	c.In = capture.NewReader(end)
	d := documents{c: c, visit: each}
	c.Empty = 0
	if err := c.Lines(d.line); err != nil {
		return err
	}
	d.empty()
	if end.last == '\n' || len(d.text) == 0 {
		return d.end()
	}
	if err := c.Problem(trace.Cut, d.number, d.offset, fault.Plain("documentCut")); err != nil || d.count > 0 {
		return err
	}
	return d.end()
}

// documents splits YAML into documents, and a list into its items, without parsing.
// So only one item at a time is held as a tree.
type documents struct {
	c     *capture.Conversion
	visit func(b []byte) error

	text           []byte // the piece being gathered
	number, offset int64  // the line and the byte at which the piece began
	last           int64  // the number of the line before
	bad            bool   // the document can't be read, and its rest is skipped
	count          int    // documents before this one

	json   []byte // the document so far
	part   part
	indent int // how far the list's items are indented
	tree   tree
}

// part is a part of a document that holds a list.
type part uint8

const (
	leading   part = iota // before the items, or in a document without items
	opened                // after "items:"
	inItem                // in an item
	inElement             // in an element of a document that is a sequence
	trailing              // after the items
)

// maxEmpty is how many empty lines in a row may be a part of a document. They count in texts of several lines only.
const maxEmpty = 1 << 16

// empty adds the empty lines that were passed over.
func (d *documents) empty() {
	if len(d.text) > 0 {
		d.text = append(d.text, bytes.Repeat([]byte{'\n'}, int(min(d.c.Empty, maxEmpty)))...)
	}
}

func (d *documents) line(line []byte, offset, number int64) error {
	if number != d.last+1+d.c.Empty {
		d.bad = true // a line before this one was too long
	}
	d.empty()
	d.last = number
	marker := bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || line[3] == ' ' || line[3] == '\t')
	switch {
	case marker:
		if err := d.end(); err != nil {
			return capture.Fatal(err)
		}
		if line = line[3:]; len(line) == 0 {
			return nil
		}
	case string(line) == "...":
		return capture.Fatal(d.end())
	case len(d.text) == 0 && d.part == leading && bytes.HasPrefix(line, []byte{'%'}):
		return nil // a directive
	}
	if d.bad {
		return nil
	}
	if err := d.place(line); err != nil {
		return capture.Fatal(d.fail(trace.Damaged, number, offset, err))
	}
	if len(d.text) == 0 {
		d.number, d.offset = number, offset
	}
	if d.part == opened {
		return nil
	}
	if max(len(d.text)+len(line), len(d.json)) >= d.c.From.Limits.MaxLine {
		return capture.Fatal(d.fail(trace.TooLong, d.number, d.offset, fault.Number("longDocument max", int64(d.c.From.Limits.MaxLine))))
	}
	d.text = append(append(d.text, line...), '\n')
	return nil
}

// place finds out in which part of a list a line is. It ends the piece before the
// line if the line begins a new piece.
func (d *documents) place(line []byte) error {
	text := bytes.TrimLeft(line, " ")
	if len(text) == 0 || text[0] == '#' {
		return nil
	}
	indent := len(line) - len(text)
	dash := text[0] == '-' && (len(text) == 1 || text[1] == ' ')
	switch d.part {
	case leading:
		if dash && len(bytes.TrimSpace(d.text)) == 0 {
			d.part, d.indent = inElement, indent
			return nil
		}
		if string(bytes.TrimRight(line, " \t")) != "items:" {
			return nil
		}
		if err := d.fields(); err != nil {
			return err
		}
		d.json = append(d.json, `"items":[`...)
		d.part = opened
	case opened:
		switch {
		case dash:
			d.part, d.indent = inItem, indent
		case indent > 0:
			return fault.Plain("itemsNoList")
		default:
			d.json = append(d.json, ']')
			d.part = trailing
		}
	case inElement:
		if indent == d.indent && dash {
			return d.element()
		}
	case inItem:
		switch {
		case indent > d.indent:
			return nil
		case indent == d.indent && dash:
			return d.item()
		case indent > 0:
			return fault.Plain("itemsIndented")
		}
		err := d.item()
		d.json = append(d.json, ']')
		d.part = trailing
		return err
	}
	return nil
}

// fields parses the fields before or after a list's items, if there are any.
func (d *documents) fields() error {
	b, err := d.parse()
	if err != nil {
		return err
	}
	switch {
	case b == nil:
		if len(d.json) == 0 {
			d.json = append(d.json, '{')
		}
		return nil
	case b[0] != '{':
		return fault.Plain("noMapping")
	}
	b = b[1 : len(b)-1]
	switch {
	case len(d.json) == 0:
		d.json = append(append(d.json, '{'), b...)
		if len(b) > 0 {
			d.json = append(d.json, ',')
		}
	case len(b) > 0:
		d.json = append(append(d.json, ','), b...)
	}
	return nil
}

// item parses one item of a list.
func (d *documents) item() error {
	b, err := d.parse()
	if err != nil || b == nil {
		return err
	}
	if d.json[len(d.json)-1] != '[' {
		d.json = append(d.json, ',')
	}
	d.json = append(d.json, b[1:len(b)-1]...)
	return nil
}

// element reads an element of a sequence, which is taken as a document of its own.
func (d *documents) element() error {
	b, err := d.parse()
	if err != nil || b == nil || len(b) < 2 || b[0] != '[' {
		return err
	}
	d.count++
	return d.take(b[1 : len(b)-1])
}

// take hands over a document.
func (d *documents) take(b []byte) error {
	err := d.visit(b)
	if d.c.Passes(err, d.number, d.offset) {
		return nil
	}
	return err
}

// parse turns the text gathered into JSON. It returns nil if the text is empty.
func (d *documents) parse() ([]byte, error) {
	b, err := d.tree.json(d.text, d.c.From.Limits.MaxLine)
	d.text = d.text[:0]
	return b, err
}

// end ends a document.
func (d *documents) end() error {
	defer d.reset()
	if d.bad || len(d.text) == 0 && d.part == leading {
		return nil
	}
	b, err := d.encode()
	if err != nil {
		return d.fail(trace.Damaged, d.number, d.offset, err)
	}
	if b == nil {
		return nil
	}
	d.count++
	err = d.take(b)
	if f := (capture.FatalError{}); errors.As(err, &f) || err == nil {
		return f.Err
	}
	return d.fail(trace.Damaged, d.number, d.offset, err)
}

// encode returns the document as JSON, or nil if the document is empty.
func (d *documents) encode() ([]byte, error) {
	switch d.part {
	case leading:
		return d.parse()
	case inElement:
		return nil, d.element()
	case inItem:
		if err := d.item(); err != nil {
			return nil, err
		}
		d.json = append(d.json, ']')
	case opened:
		d.json = append(d.json, ']')
	case trailing:
		if err := d.fields(); err != nil {
			return nil, err
		}
	}
	return append(d.json, '}'), nil
}

// fail reports a problem of the document. The rest of the document is skipped.
func (d *documents) fail(kind trace.ProblemKind, number, offset int64, err error) error {
	d.bad = true
	var at lineError
	if errors.As(err, &at) {
		number = d.number + at.line - 1
	}
	return d.c.Report(trace.Problem{Kind: kind, Line: number, Offset: offset, Err: err, Lost: d.lostEvents()})
}

// lostEvents returns how many watch events are lost with the document: one where it holds a
// part of an object and is no list.
func (d *documents) lostEvents() int64 {
	if d.part != leading {
		return 0
	}
	for _, field := range []string{"object:", "metadata:", "resourceVersion:"} {
		if bytes.Contains(d.text, []byte(field)) {
			return 1
		}
	}
	return 0
}

func (d *documents) reset() {
	d.text, d.json, d.part, d.bad = d.text[:0], d.json[:0], leading, false
}

// lastByte remembers the last byte read.
type lastByte struct {
	r    io.Reader
	last byte
}

func (l *lastByte) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	if n > 0 {
		l.last = b[n-1]
	}
	return n, err
}

// Forms are the formats in YAML. Each differs from a format in JSON by its syntax
// only, so it has the same ID.
var Forms = []capture.Form{
	{
		ID: "kubectl", Convert: read,
		Matches: func(head []byte) bool { return hasKeys(head, "object", "type") || FirstKey(head) == "object" },
	},
	{
		ID: "list", Convert: read,
		Matches: func(head []byte) bool { return hasKeys(head, "apiVersion", "items") },
	},
	{
		ID: "objects", Convert: read,
		Suffixes: []string{".yaml", ".yml"},
		Matches: func(head []byte) bool {
			head = element(head)
			return hasKeys(head, "apiVersion", "kind") || hasKeys(head, "apiVersion", "metadata") ||
				hasKeys(head, "metadata", "spec") || hasKeys(head, "metadata", "status") || hasKeys(head, "metadata", "data")
		},
	},
}

// element returns the first element of the sequence that head begins with, or head where it begins with none.
func element(head []byte) []byte {
	rest := head
	for line := range bytes.Lines(head) {
		text := bytes.TrimLeft(line, " ")
		if len(bytes.TrimSpace(text)) > 0 && text[0] != '#' && !bytes.HasPrefix(line, []byte("---")) {
			if text[0] != '-' || len(text) < 2 || text[1] != ' ' {
				return head
			}
			indent := len(line) - len(text)
			dash, within := []byte("\n"+strings.Repeat(" ", indent)+"- "), []byte("\n"+strings.Repeat(" ", indent+2))
			first, _, _ := bytes.Cut(append([]byte{'\n'}, rest...)[indent+3:], dash)
			return bytes.ReplaceAll(first, within, []byte{'\n'})
		}
		rest = rest[len(line):]
	}
	return head
}

// FirstKey returns the first key of the first document of YAML, or "" if the
// document doesn't begin with a mapping.
func FirstKey(head []byte) string {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimRight(line, " \t\r\n"); len(line) == 0 || line[0] == '#' || line[0] == '%' || string(line) == "---" {
			continue
		}
		key, _, ok := bytes.Cut(line, []byte{':'})
		if ok && isWord(key) {
			return string(key)
		}
		return ""
	}
	return ""
}

// hasKeys reports whether the first document of YAML is a mapping with both keys.
func hasKeys(head []byte, a, b string) bool {
	first := FirstKey(head)
	if first == "" {
		return false
	}
	head = append([]byte{'\n'}, head...)
	head = head[bytes.Index(head, []byte("\n"+first+":")):]
	head, _, _ = bytes.Cut(head, []byte("\n---"))
	return bytes.Contains(head, []byte("\n"+a+":")) && bytes.Contains(head, []byte("\n"+b+":"))
}

func isWord(b []byte) bool {
	return len(b) > 0 && strings.Trim(string(b), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// read reads watch events, lists and bare objects, each in a document of YAML.
func read(c *capture.Conversion) error {
	r := objects.ReaderOf(c)
	v := &objects.Value{}
	return Documents(c, func(b []byte) error {
		if err := v.Decode(b); err != nil {
			return err
		}
		return r.Object(v, b)
	})
}
