// Package redact decides what of a trace others may see. It works on the lines of informerscope's own format, one at
// a time.
//
// A trace that is to be shared is reduced to its shape: what is on a list of paths stays (list.txt), and every other
// text becomes a token. Equal texts have equal tokens of about their length, so the tree, its differences and its
// sizes stay. Options.Values is for a trace that its owner goes on with: values stay, without what the owner's rules
// know to be a secret (owner.go). RULES.md has both on one page.
//
// A line that can't be read is left out and counted.
package redact

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Options of a Redactor.
type Options struct {
	// Values keeps what the owner's Rules don't take out. Without it, the shape is made.
	Values bool
	Rules  Rules // with Values; 0 is Default, or no rules if there are Paths

	// Keep are paths of objects whose values the shape keeps, such as spec.template.spec.containers.image. A path goes
	// through lists, and its fields are written as they are in JSON.
	Keep []string
	// Names puts tokens in the place of names, namespaces and labels, too. Such a token is a valid name. It has no
	// meaning with Values, where names may stand in texts.
	Names bool

	// Paths are fields that are taken out of each object, whatever else says that they stay.
	Paths []string

	// Report is for the lines of a report that the page makes of a problem, which are none of a trace.
	Report bool

	// Key makes the tokens. It has 16 bytes that nobody can guess: anyone who knows them can try texts until one gives
	// a certain token. Without it, each Redactor has a random one. Redactors with one Key have the same tokens.
	Key []byte
}

// What else is counted, beside the rules and the paths.
const (
	// Dropped counts lines that were left out because they are no JSON, too deep or too long.
	Dropped = "lines left out"
	// CutEvents counts events that were cut short, because nobody can tell what they hold.
	CutEvents = "cut events"
	// Tokened counts texts that have become tokens.
	Tokened = "texts"
	// Shape is how the header calls a trace of which the shape is left.
	Shape = trace.RedactedShape
	// ManagedField is how the counts call managedFields.
	managedFields = "managed fields"
)

// Redactor takes out of the lines of one trace what is not to leave. It must be given all of them, in their order. It
// is not safe for concurrent use.
type Redactor struct {
	o      Options
	tokens tokens
	tape   jsonscan.Tape
	out    []byte
	at     int32 // how much of the line is in out
	last   int64 // the time of the last line
	header bool  // the line is the header

	keys  keys
	list  *list
	items *key

	enumerated, timed, logged, labelKey *node // what stays without a row of its own

	renamed node // of names that have become tokens

	counts struct{ tokens, names, words, managed, cut, dropped int64 }
	owner  owner

	plain, buf, lower []byte
}

const errKey = fault.Plain("pseudonymKey")

// New makes a Redactor. It fails if a path can't be read, or if there is a Key that doesn't have 16 bytes.
func New(o Options) (*Redactor, error) {
	switch len(o.Key) {
	case 0:
		o.Key = make([]byte, 16)
		rand.Read(o.Key) // never fails
	case 16:
	default:
		return nil, errKey
	}
	keep, err := parsePaths(o.Keep)
	if err != nil {
		return nil, err
	}
	remove, err := parsePaths(o.Paths)
	if err != nil {
		return nil, err
	}
	r := &Redactor{o: o, tokens: newTokens(o.Key)}
	r.keys = keys{known: map[string]*key{}, last: &key{}}
	r.items = r.keys.named("items")
	r.list = newList(&r.keys, keep, remove, o.Report)
	r.enumerated = &node{form: asEnum, path: "words of the API's enumerations"}
	r.timed = &node{form: asTime, path: "times"}
	r.logged = &node{form: asText, path: "mark.text of a log"}
	r.labelKey = &node{form: asLabelKey, path: "keys of labels"}
	r.list.rows = append(r.list.rows, r.enumerated, r.timed, r.logged, r.labelKey)
	r.owner.rules = o.Rules
	if o.Rules == 0 && len(o.Paths) == 0 {
		r.owner.rules = Default
	}
	return r, nil
}

func parsePaths(texts []string) (all []path, err error) {
	for _, text := range texts {
		p, err := parsePath(text)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Line returns what is left of a line, without its newline. It returns line itself if nothing changes, and nil if
// the line must be left out. Any other result is valid until the next call.
func (r *Redactor) Line(line []byte) []byte {
	if len(bytes.TrimSpace(line)) == 0 {
		return line
	}
	if !r.tape.Parse(line) || r.tape.First(0) != '{' {
		r.counts.dropped++
		return nil
	}
	r.out, r.at = r.out[:0], 0
	header := false
	for k := int32(1); k < r.tape.Nodes[0].Next; k = r.tape.Nodes[k+1].Next {
		switch string(r.tape.Text(k)) {
		case `"informerscope"`:
			header = true
		case `"t"`:
			if t, err := strconv.ParseInt(string(r.tape.Text(k+1)), 10, 64); err == nil {
				r.last = max(r.last, t)
			}
		}
	}
	r.header = header
	if header {
		r.note()
	}
	if r.o.Values {
		r.applyOwner()
	} else {
		r.shape()
	}
	if header && r.named(0, "redacted") < 0 {
		r.out = append(r.out, line[r.at:bytes.LastIndexByte(line, '}')]...)
		if r.tape.Nodes[0].Next > 1 {
			r.out = append(r.out, ',')
		}
		r.out = r.appendNoted(append(r.out, `"redacted":`...))
		r.at = int32(bytes.LastIndexByte(line, '}'))
	}
	if r.at == 0 && len(r.out) == 0 {
		return line
	}
	r.out = append(r.out, line[r.at:]...)
	return r.out
}

// upTo writes the line up to the node n, which something else takes the place of.
func (r *Redactor) upTo(n int32) {
	x := r.tape.Nodes[n]
	r.out = append(r.out, r.tape.B[r.at:x.From]...)
	r.at = x.To
}

// Drop counts a line that can't be given to Line because it is too long to hold.
func (r *Redactor) Drop() { r.counts.dropped++ }

// Listed returns what the header says of the trace.
func (r *Redactor) Listed() []string {
	if r.owner.noted != nil {
		return r.owner.noted
	}
	return r.says(nil)
}

// says returns what the header says, where it said before.
func (r *Redactor) says(before []string) (all []string) {
	switch {
	case !r.o.Values:
		all = append(all, Shape)
		if r.o.Names {
			all = append(all, "names")
		}
		for _, p := range r.o.Keep {
			all = append(all, "kept "+p)
		}
		return append(all, r.o.Paths...)
	case slices.Contains(before, Shape):
		return append(before, r.o.Paths...)
	}
	all = append(all, trace.ValuesKept)
	for _, s := range before {
		if s != trace.ValuesKept {
			all = append(all, s)
		}
	}
	for _, name := range append(r.owner.rules.names(), r.o.Paths...) {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// note takes in the list of a header, and makes the one that it gets.
func (r *Redactor) note() {
	var before []string
	if v := r.named(0, "redacted"); v >= 0 && r.tape.First(v) == '[' {
		for x := v + 1; x < r.tape.Nodes[v].Next; x = r.tape.Nodes[x].Next {
			if text, _ := r.textOf(x); r.tape.First(x) == '"' {
				before = append(before, string(text))
			}
		}
	}
	r.owner.noted = r.says(before)
}

// redacted takes in the field of a header that says what was taken out, or the counts of an earlier redaction.
func (r *Redactor) redacted(v int32) {
	r.upTo(v)
	if !r.header {
		r.out = append(r.out, "{}"...)
		return
	}
	r.out = r.appendNoted(r.out)
}

func (r *Redactor) appendNoted(out []byte) []byte {
	out = append(out, '[')
	for i, s := range r.owner.noted {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonscan.AppendString(out, s)
	}
	return append(out, ']')
}

// Count is how often something was taken out, or kept.
type Count struct {
	What string // a rule's name, a path, Tokened, CutEvents or Dropped
	N    int64
}

// String returns the Count as the end of a trace has it.
func (c Count) String() string { return c.What + ": " + strconv.FormatInt(c.N, 10) }

// Counts returns how much was taken out.
func (r *Redactor) Counts() (all []Count) {
	if r.o.Values {
		all = r.owner.counted()
	} else {
		all = []Count{{Tokened, r.counts.tokens}, {managedFields, r.counts.managed}}
		if r.o.Names {
			all = append(all, Count{"names", r.counts.names})
		}
	}
	for _, x := range r.list.rows {
		if x.form == asNothing {
			all = append(all, Count{x.path, x.n})
		}
	}
	all = summed(all)
	for _, c := range []Count{{CutEvents, r.counts.cut}, {Dropped, r.counts.dropped}} {
		if c.N > 0 {
			all = append(all, c)
		}
	}
	return all
}

// Kept returns how much of the list is in the lines that the shape was made of, by path. The paths lead from an
// object, or from a line; those that begin with * are found at any depth, and those of one kind begin with it.
func (r *Redactor) Kept() (all []Count) {
	if r.o.Values {
		return nil
	}
	for _, x := range r.list.rows {
		if x.n > 0 && x.form != asNothing {
			all = append(all, Count{x.path, x.n})
		}
	}
	if r.counts.words > 0 {
		all = append(all, Count{"words of messages", r.counts.words})
	}
	all = summed(all)
	slices.SortFunc(all, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.What, b.What)) })
	return all
}

// summed adds up the counts of one name, in the order of the first of each.
func summed(all []Count) (out []Count) {
	for _, c := range all {
		i := slices.IndexFunc(out, func(x Count) bool { return x.What == c.What })
		if i < 0 {
			out = append(out, c)
		} else {
			out[i].N += c.N
		}
	}
	return out
}

// Last returns the time of the last line, in nanoseconds since the start.
func (r *Redactor) Last() int64 { return r.last }

// Summary returns a last line with the counts. t is the time since the start, in nanoseconds. Readers skip the line.
func (r *Redactor) Summary(t int64) []byte {
	out := appendCounts(append(strconv.AppendInt([]byte(`{"t":`), t, 10), `,"redacted":`...), r.Counts())
	if kept := r.Kept(); len(kept) > 0 {
		out = appendCounts(append(out, `,"kept":`...), kept)
	}
	return append(out, '}')
}

func appendCounts(out []byte, all []Count) []byte {
	out = append(out, '{')
	for i, c := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(jsonscan.AppendString(out, c.What), ':')
		out = strconv.AppendInt(out, c.N, 10)
	}
	return append(out, '}')
}

// Rewrite writes to w what is left of a trace, and at its end what was taken out and what was kept. write must write one
// line with each Write.
func Rewrite(w io.Writer, o Options, write func(io.Writer) error) error {
	r, err := New(o)
	if err != nil {
		return err
	}
	to := lines(func(line []byte) error {
		kept := r.Line(line)
		if kept == nil {
			return nil
		}
		r.out = append(append(r.out[:0], kept...), '\n')
		_, err := w.Write(r.out)
		return err
	})
	if err := write(to); err != nil {
		return err
	}
	_, err = w.Write(append(r.Summary(r.last), '\n'))
	return err
}

// lines is called with each line, without its end.
type lines func([]byte) error

func (f lines) Write(b []byte) (int, error) {
	return len(b), f(bytes.TrimSuffix(b, []byte{'\n'}))
}
