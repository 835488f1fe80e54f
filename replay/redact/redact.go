// Package redact takes secrets out of a trace before others see it. It works on
// the lines of informerscope's own format, one at a time, and cuts in their
// bytes: what it doesn't take out stays as it was, byte for byte.
//
// In doubt it takes a value out. It drops and counts a line that it can't read.
// RULES.md lists the rules, and says what no rule can find. Options.Paths is
// for such values, and Check lists what still looks like a secret.
package redact

import (
	"bytes"
	"maps"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

// Rules say what is taken out.
type Rules uint

// The rules there are.
const (
	// SecretData takes out the values of the data and stringData of Secrets, and of
	// objects that make Secrets, such as a SealedSecret. The keys stay.
	SecretData Rules = 1 << iota
	// Env takes out the values of environment variables: those of containers, and
	// those in fields that charts name after them.
	Env
	// LastApplied takes out the annotations in which kubectl and others keep a copy
	// of the whole object. Env, Names and Paths turn it on, because the copies hold
	// what these rules take out. In a Secret, SecretData does the same.
	LastApplied
	// Tokens takes out passwords, tokens and keys. It finds them by the names of
	// fields, headers, flags, variables and parameters, and by what they look like.
	// It looks into the JSON, YAML and base64 that texts hold.
	Tokens
	// ManagedFields empties metadata.managedFields. Names turns it on.
	ManagedFields
	// Names maps the names of objects and namespaces to pseudonyms, and so hosts and
	// domains, IP addresses, images and their registries, providerIDs, and what
	// identifies machines, clusters and runs. The same name always gets the same
	// pseudonym under the same Options.Key, and a pseudonym has the form of what it
	// stands for. Names are found by the fields that hold them, in URLs, affinities,
	// selectors and handlers' keys, as the values of labels and taints, and as the
	// domains of their keys. In other text, such as messages and base64, addresses,
	// domains and paths of people are found by their form, and names if they have been
	// met by then (see Learn). In annotations that no product is known to write, and in
	// fields that say who somebody is, each word may be a name. Parts of names are not
	// found. UIDs and resourceVersions stay, because a trace can't be played without
	// them.
	Names

	// Default is right for a trace that strangers will see, if they may know the
	// names of things.
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

// Words returns the names of rules for a command line, such as last-applied.
func Words(rules Rules) []string {
	var out []string
	for _, w := range words {
		if rules&w.rule != 0 {
			out = append(out, w.word)
		}
	}
	return out
}

// Without returns rules without those that are listed: Words with commas between, or
// "all". Env turns LastApplied on, so last-applied annotations are kept only together
// with env values.
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
			return 0, fault.New("noneToKeep name names", strconv.Quote(word), strings.Join(Words(rules), ", "))
		}
	}
	return left, nil
}

// What else is counted, beside the rules and the paths.
const (
	// Dropped counts lines that were left out because they are no JSON, too deep or
	// too long.
	Dropped = "lines left out"
	// CutEvents counts events that were cut short, because nobody can tell what they hold.
	CutEvents = "cut events"
	// Quoted counts quotations of damaged input in the reasons of problems.
	Quoted = "quoted input"
)

// Options of a Redactor.
type Options struct {
	Rules Rules // 0 is Default, or no rules if there are Paths
	// Paths are fields to take out of each object: ".spec.foo.bar", ".spec.list[*].x",
	// `.metadata.annotations["example.com/x"]`.
	Paths []string
	// Key makes the pseudonyms of Names. It has 16 bytes that nobody can guess: anyone
	// who knows them can try names until one gives a certain pseudonym.
	Key []byte
}

// Redactor takes secrets out of the lines of one trace. It must be given all of
// them, in their order. It is not safe for concurrent use.
type Redactor struct {
	rules  Rules
	names  []string // the rules and paths at work
	listed []string // names for a header, with or without counts
	ways   ways
	counts counts
	pseudo pseudonyms

	forSecrets requests // the requests for Secrets under way
	learning   bool     // Learn is at work, so that the line is not the next one

	texts   texts
	keys    fieldNames
	plain   seen
	columns []hides       // see readColumns
	report  func(Finding) // see Check

	sheet sheet
	out   []byte
	clean []byte // a text without its secrets
}

const errKey = fault.Plain("pseudonymKey")

// New makes a Redactor. It fails if a path can't be read, or if Names is among the
// rules and Key doesn't have 16 bytes.
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
	r := &Redactor{rules: o.Rules, forSecrets: requests{}}
	r.plain.on = o.Rules&Names == 0 && len(o.Paths) == 0
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
		r.ways.paths = append(r.ways.paths, p)
		if steps := p.inObject(); len(steps) > 0 {
			r.ways.paths = append(r.ways.paths, path{text, steps})
		}
		r.names = append(r.names, text)
	}
	r.listed = r.names
	if o.Rules&Names != 0 {
		r.pseudo = newPseudonyms(o.Key)
	}
	return r, nil
}

// Rules returns the names of the rules, and the paths, as the header lists them.
func (r *Redactor) Rules() []string { return r.names }

// Line applies the rules to a line without its newline. It returns line itself if
// there is nothing to take out, and nil if the line must be left out. Any other
// result is valid until the next call. A header gets the list of the rules.
func (r *Redactor) Line(line []byte) []byte {
	if len(bytes.TrimSpace(line)) == 0 {
		return line
	}
	r.sheet.begin()
	r.ways.active = r.ways.active[:0]
	if !r.plain.parse(r, line) || line[r.sheet.Nodes[0].From] != '{' {
		r.counts.add(Dropped, 1)
		return nil
	}
	r.line()
	if len(r.sheet.edits) == 0 {
		return line
	}
	r.out = r.sheet.edits.appendTo(r.out[:0], line)
	return r.out
}

// Drop counts a line that can't be given to Line because it is too long to hold.
func (r *Redactor) Drop() { r.counts.add(Dropped, 1) }

// Counts returns how often each rule has taken something out, in the order of the
// rules.
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

// String returns the Count as the header has it.
func (c Count) String() string { return c.What + ": " + strconv.FormatInt(c.N, 10) }

type counts map[string]int64

func (c *counts) add(name string, n int64) {
	if *c == nil {
		*c = counts{}
	}
	(*c)[name] += n
}

// Summary returns a last line with the counts, for a trace whose header was written
// before anything could be counted. t is the time since the start, in nanoseconds.
// Readers skip the line.
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

// Counted does what Line does, for the header of a trace whose other lines have been seen. The
// list of the rules then has the counts.
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

// Learn reads the names in a line before the lines come to Line, so that Line finds
// a name in a message that stands before the name's object. Call it with all lines
// first if Names is among the rules and the trace can be read twice.
func (r *Redactor) Learn(line []byte) {
	if r.rules&Names == 0 {
		return
	}
	before := maps.Clone(r.counts)
	r.learning = true
	r.Line(line)
	r.counts, r.learning = before, false
}
