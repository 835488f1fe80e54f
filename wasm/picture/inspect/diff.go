package inspect

import (
	"slices"
	"sort"
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/wasm/link"
)

// Diff lists the lines of after. New lines are marked "+", and the lines that
// before had in their place come ahead of them, marked "-". Where before is ""
// nothing is marked. It reports whether the list was cut, because a page shows
// no more.
//
// Of JSON, as IndentJSON writes it, it compares values: a comma after a value, the
// order of an object's fields and the spelling of a string make no difference. Of
// other texts it compares lines.
func Diff(before, after string) (lines []link.DiffLine, cut bool) {
	d := differ{ids: map[string]int32{}}
	b := d.read(after)
	if before == "" {
		d.add("", b.lines)
		return d.out, d.cut
	}
	a := d.read(before)
	if a.root == nil || b.root == nil {
		d.sequences(a.plain(&d), b.plain(&d), false)
	} else {
		d.pair(a.root, b.root)
	}
	return d.out, d.cut
}

// differ compares two texts.
type differ struct {
	ids map[string]int32 // values that are equal have one number
	out []link.DiffLine
	cut bool
}

// value is a JSON value, or a field of an object with its value.
type value struct {
	lines    []string // all of it
	name     string   // the field's, with its quotes; "" for an element of an array
	kind     byte     // '{' or '[' if it has values inside, else 0
	inside   []*value
	identity string // the field by which people tell it from others in an array, if there is one
	id       int32  // equal values have the same, and fields that have the same name as well
}

// text is one of the two texts. Its root is nil if it is no JSON.
type text struct {
	lines []string
	root  *value
}

// read reads a text that IndentJSON has written.
func (d *differ) read(s string) text {
	t := text{lines: strings.Split(s, "\n")}
	var open []*value // from the root to where we are
	var starts []int
	for i, line := range t.lines {
		line = strings.TrimSuffix(strings.TrimLeft(line, " "), ",")
		if line == "}" || line == "]" {
			if len(open) == 0 {
				return text{lines: t.lines}
			}
			v, from := open[len(open)-1], starts[len(open)-1]
			open, starts = open[:len(open)-1], starts[:len(open)-1]
			v.lines = t.lines[from : i+1]
			d.number(v, "")
			continue
		}
		if t.root != nil && len(open) == 0 {
			return text{lines: t.lines} // two values
		}
		v := &value{lines: t.lines[i : i+1]}
		rest := line
		if n := quoted(line); n > 0 && strings.HasPrefix(line[n:], ": ") {
			v.name, rest = line[:n], line[n+2:]
		}
		if len(open) == 0 {
			t.root = v
		} else {
			parent := open[len(open)-1]
			parent.inside = append(parent.inside, v)
			if parent.identity == "" && slices.Contains(identities, v.name) {
				parent.identity = line
			}
		}
		if rest == "{" || rest == "[" {
			v.kind = rest[0]
			open, starts = append(open, v), append(starts, i)
			continue
		}
		d.number(v, rest)
	}
	if len(open) > 0 {
		t.root = nil
	}
	return t
}

// identities are the fields by which an element of an array is found again.
// Strategic merge patches of common types go by the same fields.
var identities = []string{`"name"`, `"type"`, `"manager"`, `"uid"`}

// quoted returns the length of the string with which a line begins, 0 if it begins with
// none.
func quoted(line string) int {
	if !strings.HasPrefix(line, `"`) {
		return 0
	}
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// number gives v the number of its value. For a value with nothing inside, rest is its text.
func (d *differ) number(v *value, rest string) {
	if strings.HasPrefix(rest, `"`) && strings.Contains(rest, `\`) {
		if s, ok := jsonscan.Unquote([]byte(rest)); ok {
			rest = `"` + s // no other value begins with a quote
		}
	} else if n := quoted(rest); n > 0 && n == len(rest) {
		rest = rest[:n-1]
	}
	key := append([]byte(v.name), 0, v.kind)
	key = append(key, rest...)
	ids := make([]int32, 0, len(v.inside))
	for _, c := range v.inside {
		ids = append(ids, c.id)
	}
	if v.kind == '{' {
		sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	}
	for _, id := range ids {
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	v.id = d.idOf(string(key))
}

func (d *differ) idOf(key string) int32 {
	id, ok := d.ids[key]
	if !ok {
		id = int32(len(d.ids))
		d.ids[key] = id
	}
	return id
}

// plain makes each line a value of its own.
func (t text) plain(d *differ) []*value {
	var all []*value
	for i, line := range t.lines {
		all = append(all, &value{lines: t.lines[i : i+1], id: d.idOf(line)})
	}
	return all
}

func (d *differ) add(mark string, texts []string) {
	for _, text := range texts {
		if len(d.out) == maxInspectLines {
			d.cut = true
			return
		}
		d.out = append(d.out, link.DiffLine{Mark: mark, Text: text})
	}
}

// pair writes b, which stands where a stood.
func (d *differ) pair(a, b *value) {
	switch {
	case a.id == b.id:
		d.add("", b.lines)
	case a.kind != 0 && a.kind == b.kind && a.name == b.name:
		d.add("", b.lines[:1])
		d.sequences(a.inside, b.inside, a.kind == '{')
		d.add("", b.lines[len(b.lines)-1:])
	default:
		d.add("-", a.lines)
		d.add("+", b.lines)
	}
}

// sequences writes the values of b in the place of the values of a: fields of an object,
// or elements of an array.
func (d *differ) sequences(a, b []*value, fields bool) {
	if fields {
		d.fields(a, b)
		return
	}
	i, j := 0, 0
	for _, m := range matches(idsOf(a), idsOf(b)) {
		d.elements(a[i:m.a], b[j:m.b])
		for _, v := range b[m.b : m.b+m.n] {
			d.add("", v.lines)
		}
		i, j = m.a+m.n, m.b+m.n
	}
	d.elements(a[i:], b[j:])
}

// elements writes the elements b of an array, which stand where a stood. No
// element of b is equal to one of a. Two elements of the same identity are
// compared further.
func (d *differ) elements(a, b []*value) {
	i, j := 0, 0
	for _, m := range matches(d.identities(a), d.identities(b)) {
		for n := range m.n {
			d.removed(a[i:m.a+n], b[j:m.b+n])
			d.pair(a[m.a+n], b[m.b+n])
			i, j = m.a+n+1, m.b+n+1
		}
	}
	d.removed(a[i:], b[j:])
}

func (d *differ) removed(a, b []*value) {
	for _, v := range a {
		d.add("-", v.lines)
	}
	for _, v := range b {
		d.add("+", v.lines)
	}
}

// identities numbers elements by their identities, or else by their kinds. Values with
// nothing inside are never paired, except in their order.
func (d *differ) identities(all []*value) []int32 {
	ids := make([]int32, 0, len(all))
	for _, v := range all {
		ids = append(ids, d.idOf("\x01"+string(rune(v.kind))+v.identity))
	}
	return ids
}

// fields writes the fields b of an object. Where a field stood in a makes no
// difference, but one that is gone is shown where it stood.
func (d *differ) fields(a, b []*value) {
	before := map[string]*value{}
	for _, v := range a {
		before[v.name] = v
	}
	now := map[string]bool{}
	for _, v := range b {
		now[v.name] = true
	}
	i := 0
	removed := func(until string) {
		for ; i < len(a) && a[i].name != until; i++ {
			if !now[a[i].name] {
				d.add("-", a[i].lines)
			}
		}
	}
	for _, v := range b {
		old := before[v.name]
		if old == nil {
			d.add("+", v.lines)
			continue
		}
		if slices.Contains(a[i:], old) {
			removed(v.name)
		}
		d.pair(old, v)
	}
	removed("\x00")
}

func idsOf(all []*value) []int32 {
	ids := make([]int32, 0, len(all))
	for _, v := range all {
		ids = append(ids, v.id)
	}
	return ids
}

// match is n items that two sequences have in common, from item a of the first one
// and item b of the second one on.
type match struct{ a, b, n int }

// maxEdits is how many items may differ. Sequences that differ in more are treated as
// if they had only their beginning and end in common. So matches needs a few
// megabytes at most.
const maxEdits = 1000

// matches returns the longest common subsequence, in order. It is Myers' greedy
// algorithm: for each number of edits d, it keeps how far along a each diagonal
// comes. (The libraries that we know would bring fmt, log or regexp
// into the page's program.)
func matches[T comparable](a, b []T) []match {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	out := []match{{0, 0, start}}
	for _, m := range middle(a[start:len(a)-end], b[start:len(b)-end]) {
		out = append(out, match{m.a + start, m.b + start, m.n})
	}
	return append(out, match{len(a) - end, len(b) - end, end})
}

// middle returns matches for sequences whose first items differ, and whose last items do.
func middle[T comparable](a, b []T) []match {
	limit := min(len(a)+len(b), maxEdits)
	v := make([]int, 2*limit+2) // v[limit+k] is how far diagonal k has come
	var trace [][]int           // v before each d
	for d := 0; d <= limit; d++ {
		trace = append(trace, slices.Clone(v[limit-d:limit+d+2]))
		for k := -d; k <= d; k += 2 {
			x := v[limit+k+1]
			if k > -d && (k == d || v[limit+k-1] >= v[limit+k+1]) {
				x = v[limit+k-1] + 1
			}
			for x < len(a) && x-k < len(b) && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			v[limit+k] = x
			if x >= len(a) && x-k >= len(b) {
				return backtrack(trace, len(a), len(b))
			}
		}
	}
	return nil
}

// backtrack follows the edits from the end to the beginning, and collects the matches
// between them.
func backtrack(trace [][]int, x, y int) []match {
	var out []match
	for d := len(trace) - 1; d >= 0; d-- {
		at := func(k int) int { return trace[d][k+d] }
		k := x - y
		down := k == -d || k != d && at(k-1) < at(k+1)
		px, py := 0, 0
		if d > 0 {
			if down {
				px, py = at(k+1), at(k+1)-(k+1)
			} else {
				px, py = at(k-1), at(k-1)-(k-1)
			}
		}
		sx, sy := px, py // where the common lines after the edit begin
		if d > 0 && down {
			sy++
		} else if d > 0 {
			sx++
		}
		if x > sx {
			out = append(out, match{sx, sy, x - sx})
		}
		x, y = px, py
	}
	slices.Reverse(out)
	return out
}
