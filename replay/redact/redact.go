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
	"encoding/base64"
	"encoding/binary"
	"io"
	"math/bits"
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
	// Shape is how the header calls a trace whose shape is left.
	Shape = trace.RedactedShape
	// managedFields is how the counts call them.
	managedFields = "managed fields"
)

// Redactor takes out of the lines of one trace what is not to leave. It must be given all of them, in their order. It
// is not safe for concurrent use.
type Redactor struct {
	o       Options
	tokens  tokens
	tape    jsonscan.Tape
	out     []byte
	written int32 // how much of the line is in out
	last    int64 // the time of the last line
	noted   []string

	keys                   keys
	items                  *key
	line, log, object      *node // what stays of a line, of a mark that a process logged, and of an object
	kinds                  map[string]*node
	parameters, selectable map[string]*form // of requests, and of field selectors, by the forms of their values
	labelKey, quantity     *node            // of the names of fields

	removed, retained []*Count
	counts            struct{ tokens, names, words, enums, times, managed, cut, dropped *Count }
	plain, buf        []byte

	rules   Rules
	ruled   [len(ruleNames)]*Count
	secrets map[string]string // the kinds of Secrets that requests under way ask for, by the JSON of their ids
	texts   texts
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
	r := &Redactor{o: o, tokens: newTokens(o.Key), rules: o.Rules, kinds: map[string]*node{}, secrets: map[string]string{}}
	r.parameters, r.selectable = formsIn("parameters"), formsIn("selectable")
	r.keys = keys{known: map[string]*key{}, last: &key{}}
	r.items = r.keys.named("items")
	if o.Rules == 0 && len(o.Paths) == 0 {
		r.rules = Default
	}
	if r.has(Env) || len(o.Paths) > 0 {
		r.rules |= LastApplied
	}
	r.counts.tokens, r.counts.managed, r.counts.names = &Count{Name: Tokened}, &Count{Name: managedFields}, &Count{Name: "names"}
	switch {
	case o.Values:
		for i, w := range ruleNames {
			if r.ruled[i] = (&Count{Name: w.name}); r.rules&(1<<i) != 0 {
				r.removed = append(r.removed, r.ruled[i])
			}
		}
	case o.Names:
		r.removed = append(r.removed, r.counts.tokens, r.counts.managed, r.counts.names)
	default:
		r.removed = append(r.removed, r.counts.tokens, r.counts.managed)
	}
	if err := r.readList(); err != nil {
		return nil, err
	}
	r.counts.cut, r.counts.dropped = count(&r.removed, CutEvents), count(&r.removed, Dropped)
	r.counts.words = count(&r.retained, "words of messages")
	r.counts.enums, r.counts.times = count(&r.retained, "words of the API's enumerations"), count(&r.retained, "times")
	r.labelKey = &node{form: asLabelKey, n: count(&r.retained, "keys of labels")}
	r.quantity = &node{form: asQuantityKey, n: &Count{}}
	return r, nil
}

// Line returns what is left of a line, without its newline. It returns line itself if nothing changes, and nil if
// the line must be left out. Any other result is valid until the next call.
func (r *Redactor) Line(line []byte) []byte {
	if len(bytes.TrimSpace(line)) == 0 {
		return line
	}
	if !r.tape.Parse(line) || r.tape.First(0) != '{' {
		r.counts.dropped.N++
		return nil
	}
	r.out, r.written = r.out[:0], 0
	if v := r.named(0, "t"); v >= 0 {
		if t, err := strconv.ParseInt(string(r.tape.Text(v)), 10, 64); err == nil {
			r.last = max(r.last, t)
		}
	}
	list := r.named(0, "redacted")
	header := r.named(0, "informerscope") >= 0
	if header {
		r.note(list)
	}
	id := "0"
	if v := r.named(0, "id"); v >= 0 && r.o.Values {
		id = string(r.tape.Text(v))
	}
	for k := int32(1); k < r.tape.Nodes[0].Next; k = r.tape.Nodes[k+1].Next {
		switch name := r.keys.find(r.tape.Text(k)); {
		case header && name.name == "redacted":
			r.put(k+1, "")
			r.out = r.appendNoted(r.out)
		case name.name == "redacted" || name.name == "kept": // the counts of an earlier redaction
			if !r.o.Values {
				r.put(k+1, "{}")
			}
		case r.o.Values:
			r.applyRules(k, name, id)
		case name.name == "mark" && r.named(k+1, "log") >= 0:
			r.value(k+1, spot{place: r.log, name: name})
		default:
			r.field(k, spot{place: r.line})
		}
	}
	end := int32(bytes.LastIndexByte(line, '}'))
	if header && list < 0 {
		r.out = append(r.out, line[r.written:end]...)
		if r.tape.Nodes[0].Next > 1 {
			r.out = append(r.out, ',')
		}
		r.out, r.written = r.appendNoted(append(r.out, `"redacted":`...)), end
	}
	if len(r.out) == 0 {
		return line
	}
	return append(r.out, line[r.written:]...)
}

// Drop counts a line that can't be given to Line because it is too long to hold.
func (r *Redactor) Drop() { r.counts.dropped.N++ }

// Listed returns what the header says of the trace.
func (r *Redactor) Listed() []string {
	if r.noted == nil {
		r.noted = r.headerNotes(nil)
	}
	return r.noted
}

// headerNotes returns what the header says, where it said before.
func (r *Redactor) headerNotes(before []string) (all []string) {
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
	for _, c := range r.removed {
		if c != r.counts.cut && c != r.counts.dropped {
			before = append(before, c.Name) // a rule or a path
		}
	}
	for _, s := range before {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// note takes in the list of a header at v, if it has one, and makes the one that it gets.
func (r *Redactor) note(v int32) {
	var before []string
	if v >= 0 {
		list := jsonscan.NewReader(r.tape.Text(v))
		for range list.Elements() {
			before = append(before, "")
			list.Text(&before[len(before)-1])
		}
	}
	r.noted = r.headerNotes(before)
}

func (r *Redactor) appendNoted(out []byte) []byte {
	out = append(out, '[')
	for i, s := range r.noted {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonscan.AppendString(out, s)
	}
	return append(out, ']')
}

// Count is how often something was taken out, or kept.
type Count struct {
	Name string // a rule's name, a path, Tokened, CutEvents or Dropped
	N    int64
}

// String returns the Count as the end of a trace has it.
func (c Count) String() string { return c.Name + ": " + strconv.FormatInt(c.N, 10) }

// count returns the Count of a name, which it adds if it isn't there.
func count(all *[]*Count, what string) *Count {
	i := slices.IndexFunc(*all, func(c *Count) bool { return c.Name == what })
	if i < 0 {
		i = len(*all)
		*all = append(*all, &Count{Name: what})
	}
	return (*all)[i]
}

// Counts returns how much was taken out.
func (r *Redactor) Counts() (all []Count) {
	for _, c := range r.removed {
		if c.N > 0 || c != r.counts.cut && c != r.counts.dropped {
			all = append(all, *c)
		}
	}
	return all
}

// KeptFields returns how much of the list is in the lines that the shape was made of, by path. The paths lead from an
// object, or from a line; a path that begins with * is found at any depth, and the path of one kind begins with it.
func (r *Redactor) KeptFields() (all []Count) {
	for _, c := range r.retained {
		if c.N > 0 {
			all = append(all, *c)
		}
	}
	slices.SortFunc(all, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Name, b.Name)) })
	return all
}

// Last returns the time of the last line, in nanoseconds since the start.
func (r *Redactor) Last() int64 { return r.last }

// Summary returns a last line with the counts. t is the time since the start, in nanoseconds. Readers skip the line.
func (r *Redactor) Summary(t int64) []byte {
	out := appendCounts(append(strconv.AppendInt([]byte(`{"t":`), t, 10), `,"redacted":`...), r.Counts())
	if kept := r.KeptFields(); len(kept) > 0 {
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
		out = append(jsonscan.AppendString(out, c.Name), ':')
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

// tokens make what stands in the place of a text. The same text has the same token under the same key, and
// nobody can tell the text of its token without the key.
type tokens struct{ k0, k1 uint64 }

func newTokens(key []byte) tokens {
	return tokens{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])}
}

// The brackets of a token, and the digits of a name's.
const (
	opening     = "‹"
	closing     = "›"
	hexDigits   = "0123456789abcdef"
	dots        = "................................................................"
	nameDigits  = "abcdefghijkmnpqrstuvwxyz23456789"
	namePrefix  = "n-"
	nameLength  = 10
	leastDigits = 6
	mostDigits  = 16
)

// class returns the length class of a text of n bytes, which is how long its token is. Classes are an eighth of
// a power of two apart, and no less than 4. A text's class is no longer than the text, unless that is shorter than any
// token: so the lengths of many texts nearly keep their sum.
func class(n int) int {
	const least = len(opening) + leastDigits + len(closing)
	step := max(1<<max(bits.Len(uint(max(n, 0)))-4, 0), 4)
	return max(n/step*step, least)
}

// append appends the token of a text that has n bytes as JSON.
func (t *tokens) append(out, text []byte, n int) []byte {
	h := t.hash(text)
	n = class(n) - len(opening) - len(closing)
	out = append(out, opening...)
	for i := range min(n, mostDigits) {
		out = append(out, hexDigits[h>>(4*i)&15])
	}
	for n -= mostDigits; n > 0; n -= len(dots) {
		out = append(out, dots[:min(n, len(dots))]...)
	}
	return append(out, closing...)
}

// appendBase64 appends the token of a text in base64, so that what was base64 can still be decoded.
func (t *tokens) appendBase64(out, text []byte, n int) []byte {
	return base64.StdEncoding.AppendEncode(out, t.append(nil, text, n*3/4))
}

// appendName appends the token of a name, which is a valid name of an object or a label's value.
func (t *tokens) appendName(out, name []byte) []byte {
	if len(name) == 0 {
		return out
	}
	name, generates := bytes.CutSuffix(name, []byte{'-'})
	h := t.hash(name)
	out = append(out, namePrefix...)
	for i := range nameLength {
		out = append(out, nameDigits[h>>(5*i)&31])
	}
	if generates {
		out = append(out, '-')
	}
	return out
}

// hash is SipHash-1-3, whose results can't be guessed without the key.
func (t *tokens) hash(b []byte) uint64 {
	v0, v1, v2, v3 := t.k0^0x736f6d6570736575, t.k1^0x646f72616e646f6d, t.k0^0x6c7967656e657261, t.k1^0x7465646279746573
	last := uint64(len(b)) << 56
	for ; len(b) >= 8; b = b[8:] {
		m := binary.LittleEndian.Uint64(b)
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3^m)
		v0 ^= m
	}
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3^last)
	v0, v2 = v0^last, v2^0xff
	for range 3 {
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	}
	return v0 ^ v1 ^ v2 ^ v3
}

func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v2 += v3
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v1
	v0 += v3
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	return v0, v1, bits.RotateLeft64(v2, 32), v3
}

// unquoted returns what a string of JSON says, and how many bytes it has as JSON, without quotes, as most programs write
// it. The text is a part of quoted where nothing is escaped, and otherwise written over room.
func unquoted(room, quoted []byte) (text []byte, size int) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], len(quoted) - 2
	}
	text = jsonscan.AppendUnquoted(room[:0], quoted)
	return text, spelled(text)
}

// spelled returns how many bytes a text has as JSON, without quotes.
func spelled(text []byte) int {
	n := len(text)
	for _, c := range text {
		if c == '"' || c == '\\' || c < ' ' {
			n++
		}
	}
	return n
}
