// Package redact takes secrets out of a trace before others see it. It works on
// the lines of informerscope's own format, one at a time, and cuts in their
// bytes: what it doesn't take out stays as it was, byte for byte.
//
// It would rather lose something than give something away. A line that it can't
// make sense of is left out and counted, and where a rule may or may not be
// meant, it is. What it cannot know of are secrets in places that no rule names:
// a password within a ConfigMap's data, say. Options.Paths is for those.
package redact

import (
	"bytes"
	"errors"
	"maps"
	"strconv"
	"strings"
)

// Rules say what is taken out.
type Rules uint

// The rules there are.
const (
	// SecretData takes out the values of data and stringData of Secrets, wherever
	// they stand, and keeps their keys.
	SecretData Rules = 1 << iota
	// Env takes out the values of containers' environment variables.
	Env
	// LastApplied takes out the annotations in which kubectl and others keep the
	// whole object once more. Env, Names and Paths bring it with them, because
	// those copies hold what they are about; and SecretData does for Secrets.
	LastApplied
	// Tokens takes out what opens doors wherever text is: tokens and passwords in
	// URLs' queries, in HTTP headers, after "Bearer", in fields named so (as a
	// TokenRequest's status.token), and whatever looks like a JSON Web Token.
	Tokens
	// ManagedFields empties metadata.managedFields. Names brings it along.
	ManagedFields
	// Names maps the names of objects and namespaces to pseudonyms, and with them
	// hosts and domains, IP addresses, images and their registries, providerIDs, and
	// what identifies machines, clusters and runs: the same to the same one under the
	// same Options.Key, in the same form. It knows them by the fields that hold them,
	// in URLs, selectors and handlers' keys, too; in other text, as messages, it finds
	// addresses, what has the look of a domain, and the names that it has met by then
	// (see Learn). It doesn't find names in the keys of maps, nor parts of names by
	// themselves. UIDs and resourceVersions stay, because a trace is played by them.
	Names

	// Default is what is right for a trace that strangers will see, as long as
	// they may know what things are called.
	Default = SecretData | Env | LastApplied | Tokens
)

// ruleNames are the rules as the header and the counts call them.
var ruleNames = []struct {
	rule Rules
	name string
}{
	{SecretData, "secret data"},
	{Env, "env values"},
	{LastApplied, "last-applied annotations"},
	{Tokens, "tokens"},
	{ManagedFields, "managed fields"},
	{Names, "names"},
}

// words are the rules as a command line calls them.
var words = []struct {
	rule Rules
	word string
}{
	{SecretData, "secrets"},
	{Env, "env"},
	{LastApplied, "last-applied"},
	{Tokens, "tokens"},
	{ManagedFields, "managed-fields"},
	{Names, "names"},
}

// Words are the names of rules for a command line, such as last-applied.
func Words(rules Rules) []string {
	var out []string
	for _, w := range words {
		if rules&w.rule != 0 {
			out = append(out, w.word)
		}
	}
	return out
}

// Without takes the rules of a list of Words, with commas between, out of rules;
// "all" takes out all of them. Rules that bring others along keep those: who keeps
// last-applied annotations must keep env values, too, because the annotations hold
// them.
func Without(rules Rules, list string) (Rules, error) {
	left := rules
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		known := word == "all"
		if known {
			left = 0
		}
		for _, w := range words {
			if w.word == word && rules&w.rule != 0 {
				left, known = left&^w.rule, true
			}
		}
		if !known {
			return 0, errors.New("there is no " + strconv.Quote(word) + " to keep; there is " + strings.Join(Words(rules), ", ") + ", and all")
		}
	}
	return left, nil
}

// What else is counted, beside the rules and the paths.
const (
	// Dropped counts lines that were left out: no JSON, nested too
	// deep, or too long.
	Dropped = "lines left out"
	// CutEvents counts events that were cut short, of which nobody can tell what
	// they hold.
	CutEvents = "cut events"
	// Quoted counts what is quoted of damaged input, in what is said about it.
	Quoted = "quoted input"
)

// Options of a Redactor.
type Options struct {
	Rules Rules // 0 is Default, unless there are Paths: then it is none but those
	// Paths are fields to take out of each object: ".spec.foo.bar", ".spec.list[*].x",
	// `.metadata.annotations["example.com/x"]`.
	Paths []string
	// Key makes the pseudonyms of Names. It has 16 bytes that nobody can guess:
	// who knows it can find out which name a pseudonym stands for by trying.
	Key []byte
}

// Redactor takes secrets out of the lines of one trace. It must be given all of
// them, in their order. It is not safe for concurrent use.
type Redactor struct {
	rules  Rules
	names  []string // of what is at work
	listed []string // what a header gets: names, or with their counts
	paths  []path
	counts counts
	pseudo pseudonyms

	// secretIDs are the requests under way that ask for Secrets, by their JSON.
	secretIDs map[string]struct{}
	learning  bool // the line is not the next one of the trace

	texts   texts
	columns []hides       // see readColumns
	report  func(Finding) // see Check
	within  []int32       // the texts that what is looked at stands in: see finding
	outer   []tape        // and what these texts stand in
	spare   []tape

	tape   tape
	edits  []edit
	out    []byte
	folded []byte // the key that is looked at
	plain  []byte // the text that is looked at, without its escapes
	clean  []byte // what becomes of that
	active []step // see path.go
}

// edit replaces a piece of the line.
type edit struct {
	from, to int32
	by       string
}

var errKey = errors.New("pseudonyms need a key of 16 bytes")

// New makes a Redactor. It fails if a path makes no sense, or if Names has no
// key of 16 bytes.
func New(o Options) (*Redactor, error) {
	if o.Rules == 0 && len(o.Paths) == 0 {
		o.Rules = Default
	}
	if o.Rules&(Env|Names) != 0 || len(o.Paths) > 0 {
		o.Rules |= LastApplied
	}
	if o.Rules&Names != 0 {
		o.Rules |= ManagedFields
		if len(o.Key) != 16 {
			return nil, errKey
		}
	}
	r := &Redactor{rules: o.Rules, secretIDs: map[string]struct{}{}}
	for _, n := range ruleNames {
		if o.Rules&n.rule != 0 {
			r.names = append(r.names, n.name)
		}
	}
	for _, text := range o.Paths {
		p, err := parsePath(text)
		if err != nil {
			return nil, err
		}
		r.paths = append(r.paths, p)
		if steps := p.inObject(); len(steps) > 0 {
			r.paths = append(r.paths, path{text, steps})
		}
		r.names = append(r.names, text)
	}
	r.listed = r.names
	if o.Rules&Names != 0 {
		r.pseudo = newPseudonyms(o.Key)
	}
	return r, nil
}

// Rules is what the header says is taken out: the rules' names, and the paths.
func (r *Redactor) Rules() []string { return r.names }

// Line takes out of a line, without its newline, what the rules say. Where there
// is nothing to take out it returns line itself; else what it returns holds only
// until the next call. It returns nil for a line that must be left out. A header
// gets the list of what is taken out.
func (r *Redactor) Line(line []byte) []byte {
	if len(bytes.TrimSpace(line)) == 0 {
		return line
	}
	r.edits, r.active, r.outer, r.within = r.edits[:0], r.active[:0], r.outer[:0], r.within[:0]
	if !r.tape.parse(line) || line[r.tape.nodes[0].from] != '{' {
		r.counts.add(Dropped, 1)
		return nil
	}
	r.line()
	if len(r.edits) == 0 {
		return line
	}
	r.out = r.appendEdited(r.out[:0], line)
	return r.out
}

// appendEdited appends b with the edits made.
func (r *Redactor) appendEdited(out, b []byte) []byte {
	at := int32(0)
	for _, e := range r.edits {
		out = append(append(out, b[at:e.from]...), e.by...)
		at = e.to
	}
	return append(out, b[at:]...)
}

// Drop counts a line that cannot be given to Line: one that is too long to hold.
func (r *Redactor) Drop() { r.counts.add(Dropped, 1) }

// Counts is what was taken out so far, in the order of the rules: how often what
// was.
func (r *Redactor) Counts() []Count {
	var out []Count
	for _, name := range r.names {
		out = append(out, Count{name, r.counts[name]})
	}
	for _, name := range []string{CutEvents, Quoted, Dropped} {
		if n := r.counts[name]; n > 0 {
			out = append(out, Count{name, n})
		}
	}
	return out
}

// Count is how often something was taken out.
type Count struct {
	What string // a rule's name, a path, CutEvents, Quoted or Dropped
	N    int64
}

// String is the Count as the header has it.
func (c Count) String() string { return c.What + ": " + strconv.FormatInt(c.N, 10) }

type counts map[string]int64

func (c *counts) add(name string, n int64) {
	if *c == nil {
		*c = counts{}
	}
	(*c)[name] += n
}

// Summary is a last line for a trace that is written as it comes: the header was
// gone before anybody could count. t is the time since the start, in nanoseconds.
// Readers pass over it.
func (r *Redactor) Summary(t int64) []byte {
	out := append(strconv.AppendInt([]byte(`{"t":`), t, 10), `,"redacted":{`...)
	for i, c := range r.Counts() {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendQuoted(out, []byte(c.What)), ':')
		out = strconv.AppendInt(out, c.N, 10)
	}
	return append(out, "}}"...)
}

// Counted is Line for the header of a trace whose other lines have been seen: the
// list of what was taken out has the counts.
func (r *Redactor) Counted(header []byte) []byte {
	before := maps.Clone(r.counts)
	for _, c := range r.Counts() {
		r.listed = append(r.listed, c.String())
	}
	r.listed = r.listed[len(r.names):]
	out := r.Line(header)
	r.counts, r.listed = before, r.names
	return out
}

// Learn lets r know the names in a line before the lines come to Line: a message
// can then be rid of a name whose object comes only later in the trace. Whoever
// can read a trace twice should, where Names is among the rules.
func (r *Redactor) Learn(line []byte) {
	if r.rules&Names == 0 {
		return
	}
	before := maps.Clone(r.counts)
	r.learning = true
	r.Line(line)
	r.counts, r.learning = before, false
}
