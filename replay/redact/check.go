package redact

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/trace"
)

// Finding is something in a trace that looks like a secret.
type Finding struct {
	Path string // where in the line, as .event.object.data["app.yaml"].password
	Why  string // what it was taken for, in English
	Mask string // its first and last characters and its length, and no more
}

// finding reports a secret in the string n, or n itself.
func (r *Redactor) finding(n int32, why string, secret []byte) {
	if len(secret) > 1 && secret[0] == '"' {
		secret = jsonscan.AppendUnquoted(nil, secret)
	}
	var path []byte
	for i := range r.sheet.outer {
		path = appendPath(path, &r.sheet.outer[i], r.sheet.within[i])
	}
	r.report(Finding{plain.Text(string(appendPath(path, &r.sheet.Tape, n))), plain.Text(why), mask(secret)})
}

// appendPath appends the path of the node n of t.
func appendPath(out []byte, t *jsonscan.Tape, n int32) []byte {
	for at := int32(0); at != n; {
		next := int32(-1)
		object, index := t.B[t.Nodes[at].From] == '{', 0
		for v := at + 1; v < t.Nodes[at].Next; index++ {
			key := v
			if object {
				v++
			}
			if n >= v && n < t.Nodes[v].Next {
				next = v
				if object {
					out = appendField(out, jsonscan.AppendUnquoted(nil, t.B[t.Nodes[key].From:t.Nodes[key].To]))
				} else {
					out = append(strconv.AppendInt(append(out, '['), int64(index), 10), ']')
				}
				break
			}
			v = t.Nodes[v].Next
		}
		if next < 0 {
			return out
		}
		at = next
	}
	return out
}

// appendField appends a field's name as Options.Paths takes it.
func appendField(out, name []byte) []byte {
	for _, c := range name {
		if !isWord(c) && c != '-' {
			return append(append(append(out, '['), appendQuoted(nil, name)...), ']')
		}
	}
	return append(append(out, '.'), name...)
}

// mask returns enough of a secret to find it, and too little to use it.
func mask(s []byte) string {
	s = bytes.TrimSpace(s)
	length := strconv.Itoa(utf8.RuneCount(s)) + " characters"
	switch {
	case len(s) < 12:
		return length
	case len(s) < 24:
		return plain.Text(string(bytes.ToValidUTF8(s[:2], nil))) + "…, " + length
	}
	head, tail := bytes.ToValidUTF8(s[:3], nil), bytes.ToValidUTF8(s[len(s)-2:], nil)
	return plain.Text(string(head)+"…"+string(tail)) + ", " + length
}

// Check looks at the lines of a trace for what looks like a secret, and changes
// nothing. It finds all that Default takes out, and also shorter runs of random
// characters and long hexadecimal numbers. A finding may be no secret, and a secret
// that looks like a word is not found.
type Check struct {
	r    *Redactor
	list []Found
	at   map[string]int
	more int64
	line int64
}

// Found stands for all findings of one kind with the same path in all lines.
type Found struct {
	Finding       // the first of them
	Line    int64 // the line of the first of them, from 1
	Count   int64
}

// maxFound is how many places a Check lists. It counts the rest.
const maxFound = 1000

// NewCheck makes a Check.
func NewCheck() *Check {
	r, err := New(Options{})
	if err != nil {
		panic(err) // nothing in these options can be wrong
	}
	c := &Check{r: r, at: map[string]int{}}
	r.report = c.found
	return c
}

// Line looks at a line, without its newline.
func (c *Check) Line(line []byte) {
	c.line++
	if c.r.Line(line) == nil && len(bytes.TrimSpace(line)) > 0 {
		c.found(Finding{Why: lineNoJSON, Mask: strconv.Itoa(len(line)) + " bytes"})
	}
}

// Drop counts a line that is too long to hold.
func (c *Check) Drop() {
	c.line++
	c.found(Finding{Why: lineTooLong})
}

func (c *Check) found(f Finding) {
	// The same field of another event is the same place.
	place := make([]byte, 0, len(f.Path)+len(f.Why)+1)
	for i := 0; i < len(f.Path); i++ {
		place = append(place, f.Path[i])
		if f.Path[i] == '[' && i+1 < len(f.Path) && '0' <= f.Path[i+1] && f.Path[i+1] <= '9' {
			for i+1 < len(f.Path) && f.Path[i+1] != ']' {
				i++
			}
		}
	}
	place = append(append(place, 0), f.Why...)
	if at, ok := c.at[string(place)]; ok {
		c.list[at].Count++
		return
	}
	if len(c.list) == maxFound {
		c.more++
		return
	}
	c.at[string(place)] = len(c.list)
	c.list = append(c.list, Found{f, c.line, 1})
}

// Found returns the findings in the order of the lines, and how many more there are.
func (c *Check) Found() (list []Found, more int64) { return slices.Clone(c.list), c.more }

// AppendText appends the findings as text, one to a line.
func (c *Check) AppendText(out []byte) []byte {
	for _, f := range c.list {
		out = strconv.AppendInt(append(out, "line "...), f.Line, 10)
		if f.Path != "" {
			out = append(append(out, "  "...), f.Path...)
		}
		if out = append(append(out, ": "...), f.Why...); f.Mask != "" {
			out = append(append(append(out, " ("...), f.Mask...), ')')
		}
		if f.Count > 1 {
			out = append(strconv.AppendInt(append(out, ", and "...), f.Count-1, 10), " more like it"...)
		}
		out = append(out, '\n')
	}
	if c.more > 0 {
		out = append(strconv.AppendInt(append(out, "and "...), c.more, 10), " more in other places\n"...)
	}
	return out
}

// What a line was taken for that can't be looked at.
const (
	lineNoJSON  = "a line that is no JSON"
	lineTooLong = "a line that is too long to be looked at"
)

// takenFor are the faults that say what secrets are taken for. The others have a name that
// is the same in every language, such as "GitLab token".
var takenFor = map[string]fault.Plain{
	lineNoJSON:                               fault.Plain("lineNoJSON"),
	lineTooLong:                              fault.Plain("lineTooLong"),
	"PEM block":                              fault.Plain("pemBlock"),
	"address of a webhook":                   fault.Plain("webhookAddress"),
	"authorization":                          fault.Plain("authorization"),
	"base64 of a secret":                     fault.Plain("secretBase64"),
	"bootstrap token":                        fault.Plain("bootstrapToken"),
	"copy of the object":                     fault.Plain("objectCopy"),
	"cut event":                              fault.Plain("cutEvent"),
	"data of a Secret":                       fault.Plain("secretData"),
	"env value":                              fault.Plain("envValue"),
	"managed fields":                         fault.Plain("managedFields"),
	"maybe a key: a long hexadecimal number": fault.Plain("maybeHexKey"),
	"maybe a key: random characters":         fault.Plain("maybeRandomKey"),
	"part of a secret":                       fault.Plain("secretPart"),
	"password before a host":                 fault.Plain("hostPassword"),
	"password of a netrc":                    fault.Plain("netrcPassword"),
	"password of a statement":                fault.Plain("statementPassword"),
	"quoted input":                           fault.Plain("quotedInput"),
	"random characters":                      fault.Plain("randomCharacters"),
	"user and password of an address":        fault.Plain("addressUser"),
	"webhook secret":                         fault.Plain("webhookSecret"),
}

// Said returns what the Finding was taken for, as an error that can be said in any language.
func (f Finding) Said() error {
	if name, ok := strings.CutPrefix(f.Why, "value of "); ok {
		return fault.Of("secretValue name", shortened(name))
	}
	if p, ok := takenFor[f.Why]; ok {
		return p
	}
	return errors.New(shortened(f.Why))
}

// maxListed is how many findings Rewrite tells apart.
const maxListed = 60

// Rewrite writes a trace to w without what o takes out. write must write the same
// trace each time, one line with each Write. It is called twice, because the header
// has the counts, and because a message may hold a name whose object comes later.
//
// Unless anyway is set, Rewrite checks the result first. If something in it still looks
// like a secret, Rewrite doesn't write the trace but the findings, as one line of JSON:
// {"informerscope":"findings","found":[…],"more":0,"redacted":["tokens: 3"]}.
func Rewrite(w io.Writer, o Options, anyway bool, write func(io.Writer) error) error {
	counting, err := New(o)
	if err != nil {
		return err
	}
	taking, err := New(o)
	if err != nil {
		return err
	}
	check := NewCheck()
	err = write(lines(func(line []byte) error {
		taking.Learn(line)
		if kept := counting.Line(line); !anyway {
			check.Line(kept)
		}
		return nil
	}))
	if err != nil {
		return err
	}
	if list, more := check.Found(); len(list) > 0 {
		_, err := w.Write(appendFindings(nil, list, more, counting.Counts()))
		return err
	}
	header := true
	return write(lines(func(line []byte) error {
		if header {
			header = false
			line = counting.Counted(line)
		} else {
			line = taking.Line(line)
		}
		if line == nil {
			return nil // the line must be left out
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
		_, err := w.Write([]byte{'\n'})
		return err
	}))
}

// lines is called with each line, without its end.
type lines func([]byte) error

func (f lines) Write(b []byte) (int, error) {
	return len(b), f(bytes.TrimSuffix(b, []byte{'\n'}))
}

func appendFindings(out []byte, list []Found, more int64, taken []Count) []byte {
	if len(list) > maxListed {
		more += int64(len(list) - maxListed)
		list = list[:maxListed]
	}
	out = append(out, `{"informerscope":"findings","found":[`...)
	for i, f := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(append(out, `{"line":`...), f.Line, 10)
		out = strconv.AppendInt(append(out, `,"count":`...), f.Count, 10)
		out = appendQuoted(append(out, `,"path":`...), []byte(shortened(f.Path)))
		out = appendQuoted(append(out, `,"why":`...), []byte(shortened(f.Why)))
		if said := trace.AppendFault(nil, f.Said()); said != nil {
			out = append(append(out, `,"said":`...), said...)
		}
		out = append(appendQuoted(append(out, `,"mask":`...), []byte(f.Mask)), '}')
	}
	out = append(strconv.AppendInt(append(out, `],"more":`...), more, 10), `,"redacted":[`...)
	for i, c := range taken {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendQuoted(out, []byte(c.String()))
	}
	return append(out, "]}\n"...)
}

// shortened returns s. If s is long, its middle is left out.
func shortened(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most/2]) + "…" + string(r[len(r)-most/2:])
	}
	return s
}
