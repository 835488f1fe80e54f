package convert

import (
	"bytes"
	"errors"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
)

// yamls are the formats in YAML. Each differs from a format in JSON by its syntax
// only, so it has the same id. Nearly any text is YAML, so these come last.
var yamls = []form{
	{
		id: "kwok", title: "a recording of kwokctl", knows: isKwok, convert: (*conversion).kwok,
	},
	{
		id: "kubectl", title: "the output of kubectl get -w -o yaml", convert: (*conversion).yaml,
		knows: func(head []byte) bool { return hasKeys(head, "object", "type") || firstKey(head) == "object" },
	},
	{
		id: "list", title: "a list in YAML (kubectl get -o yaml)", convert: (*conversion).yaml,
		knows: func(head []byte) bool { return hasKeys(head, "apiVersion", "items") },
	},
	{
		id: "objects", title: "the output of kubectl get -w -o yaml", convert: (*conversion).yaml,
		suffixes: []string{".yaml", ".yml"},
		knows: func(head []byte) bool {
			return hasKeys(head, "apiVersion", "kind") || hasKeys(head, "apiVersion", "metadata")
		},
	},
}

// firstKey returns the first key of the first document of YAML, or "" if the
// document doesn't begin with a mapping.
func firstKey(head []byte) string {
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
	first := firstKey(head)
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

// yaml reads watch events, lists and bare objects, each in a document of YAML. The
// method objects does the same for JSON.
func (c *conversion) yaml() error {
	v := c.newValue()
	return c.documents(func(b []byte) error {
		if err := v.decode(b); err != nil {
			return err
		}
		return c.object(v, b)
	})
}

// documents calls each for one document of YAML after the other. Each gets the
// document as JSON, in memory that is used again after it returns. Its error is
// a problem of that document, unless fatal made the error.
func (c *conversion) documents(each func(b []byte) error) error {
	end := &lastByte{r: c.in}
	c.in = newReader(end)
	d := documents{c: c, each: each}
	if err := c.lines(d.line); err != nil {
		return err
	}
	if end.last == '\n' || len(d.text) == 0 {
		return d.end()
	}
	if err := c.problem(trace.Cut, d.number, d.offset, "it ends inside a line, so the last document may be cut"); err != nil || d.count > 0 {
		return err
	}
	return d.end()
}

// documents splits YAML into documents, and a list into its items, without parsing.
// So only one item at a time is held as a tree.
type documents struct {
	c    *conversion
	each func(b []byte) error

	text           []byte // the piece being gathered
	number, offset int64  // the line and the byte at which the piece began
	last           int64  // the number of the line before
	bad            bool   // the document can't be read, and its rest is skipped
	count          int    // documents before this one

	json   []byte // the document so far
	part   part
	indent int // how far the list's items are indented
	tree   yamlTree
}

// part is a part of a document that holds a list.
type part uint8

const (
	leading  part = iota // before the items, or in a document without items
	opened               // after "items:"
	inItem               // in an item
	trailing             // after the items
)

func (d *documents) line(line []byte, offset, number int64) error {
	if number != d.last+1 {
		d.bad = true // a line before this one was too long
	}
	d.last = number
	marker := bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || line[3] == ' ' || line[3] == '\t')
	switch {
	case marker:
		if err := d.end(); err != nil {
			return fatal(err)
		}
		if line = line[3:]; len(line) == 0 {
			return nil
		}
	case string(line) == "...":
		return fatal(d.end())
	case len(d.text) == 0 && d.part == leading && bytes.HasPrefix(line, []byte{'%'}):
		return nil // a directive
	}
	if d.bad {
		return nil
	}
	if err := d.place(line); err != nil {
		return fatal(d.fail(trace.Damaged, number, offset, err))
	}
	if len(d.text) == 0 {
		d.number, d.offset = number, offset
	}
	if d.part == opened {
		return nil
	}
	if max(len(d.text)+len(line), len(d.json)) >= d.c.o.MaxLine {
		return fatal(d.fail(trace.TooLong, d.number, d.offset, errors.New("a document longer than "+itoa(int64(d.c.o.MaxLine))+" bytes")))
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
			return errors.New("its items aren't a list")
		default:
			d.json = append(d.json, ']')
			d.part = trailing
		}
	case inItem:
		switch {
		case indent > d.indent:
			return nil
		case indent == d.indent && dash:
			return d.item()
		case indent > 0:
			return errors.New("its items are not indented as one list")
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
		return errors.New("it isn't a mapping")
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

// parse turns the text gathered into JSON. It returns nil if the text is empty.
func (d *documents) parse() ([]byte, error) {
	b, err := d.tree.json(d.text, d.c.o.MaxLine)
	d.text = d.text[:0]
	return b, err
}

// end ends a document.
func (d *documents) end() error {
	defer d.reset()
	if d.bad || len(d.text) == 0 && d.part == leading {
		return nil
	}
	b, err := d.whole()
	if err != nil {
		return d.fail(trace.Damaged, d.number, d.offset, err)
	}
	if b == nil {
		return nil
	}
	d.count++
	err = d.each(b)
	if f := (fatalError{}); errors.As(err, &f) || err == nil {
		return f.error
	}
	return d.fail(trace.Damaged, d.number, d.offset, err)
}

// whole returns the document as JSON, or nil if the document is empty.
func (d *documents) whole() ([]byte, error) {
	switch d.part {
	case leading:
		return d.parse()
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
	return d.c.report(trace.Problem{Kind: kind, Line: number, Offset: offset, Reason: err.Error(), Lost: d.lost()})
}

// lost returns how many watch events are lost with the document: one, unless the
// document is a list.
func (d *documents) lost() int64 {
	if d.part != leading {
		return 0
	}
	return 1
}

func (d *documents) reset() {
	d.text, d.json, d.part, d.bad = d.text[:0], d.json[:0], leading, false
}
