package redact

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// maxYAML is how long YAML within a string may be. What is longer is searched as a
// text.
const maxYAML = 1 << 20

// looksYAML reports whether a text may be YAML: it has several lines, and one of the
// first has a name and a colon.
func looksYAML(s []byte) bool {
	if len(s) > maxYAML || bytes.IndexByte(s, '\n') < 0 {
		return false
	}
	for range 20 {
		line, rest, _ := bytes.Cut(s, []byte{'\n'})
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			colon := bytes.IndexByte(line, ':')
			if colon > 0 && (colon == len(line)-1 || line[colon+1] == ' ') && bytes.IndexByte(bytes.TrimPrefix(line[:colon], []byte("- ")), ' ') < 0 {
				return true
			}
		}
		if s = rest; len(s) == 0 {
			return false
		}
	}
	return false
}

// yaml applies the rules to s, the YAML in the string n. What is not taken out stays as
// it was written. It returns nil if nothing is taken out or s can't be read.
func (r *Redactor) yaml(n int32, s []byte, p place) []byte {
	r.plain.changes++ // what is found is counted, even if the text is then read line by line
	if !trace.ShallowYAML(s, jsonscan.MaxDepth) {
		return nil
	}
	lines := []int32{0}
	for i, c := range s {
		if c == '\n' {
			lines = append(lines, int32(i+1))
		}
	}
	var made edits
	for d := yaml.NewDecoder(bytes.NewReader(s)); ; {
		var document yaml.Node
		err := d.Decode(&document)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil
		}
		if len(document.Content) == 1 && document.Content[0].Kind != yaml.ScalarNode {
			found, ok := r.document(n, document.Content[0], p, s, lines)
			if !ok {
				return nil // then it is read line by line
			}
			made = append(made, found...)
		}
	}
	if len(made) == 0 {
		return nil
	}
	made.sort()
	// What an alias stands for may have been found twice.
	made = slices.CompactFunc(made, func(a, b edit) bool { return a.from == b.from })
	return made.appendTo(nil, s)
}

// document applies the rules to a document of s, read as JSON, and returns the edits
// of s. ok is false if it can't tell where in s a value stands.
func (r *Redactor) document(n int32, top *yaml.Node, p place, s []byte, lines []int32) (edits []edit, ok bool) {
	j := yamlJSON{at: map[int32]*yaml.Node{}}
	if !j.node(top, 0) {
		return nil, false
	}
	r.sheet.enter(n)
	defer r.sheet.leave()
	if !r.sheet.Parse(j.out) {
		return nil, false
	}
	kept := r.sheet.edits
	r.sheet.edits = nil
	r.value(0, p)
	found := r.sheet.edits
	r.sheet.edits = kept
	for _, e := range found {
		node := j.at[e.from]
		if node == nil {
			return nil, false
		}
		if edits, ok = appendYAMLEdit(edits, s, lines, node, e.by); !ok {
			return nil, false
		}
	}
	return edits, true
}

// appendYAMLEdit appends the edits that replace a node of s by JSON. In a mapping or a
// sequence, each value is replaced by a placeholder.
func appendYAMLEdit(edits []edit, s []byte, lines []int32, n *yaml.Node, by string) (_ []edit, ok bool) {
	if n.Kind != yaml.ScalarNode {
		for i, c := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 0 || c.Kind == yaml.AliasNode {
				continue
			}
			if edits, ok = appendYAMLEdit(edits, s, lines, c, placeholder); !ok {
				return edits, false
			}
		}
		return edits, true
	}
	from := scalarStart(s, lines, n)
	if from < 0 {
		return edits, false
	}
	to := scalarEnd(s, from, n)
	if to < 0 {
		return edits, false
	}
	switch {
	case by == placeholder && n.Style&yaml.DoubleQuotedStyle == 0:
		by = redacted
		if n.Style&yaml.SingleQuotedStyle != 0 {
			by = "'" + redacted + "'"
		}
	case by[0] == '"' && n.Style&yaml.LiteralStyle != 0: // a text within the text
		text := bytes.TrimSuffix(jsonscan.AppendUnquoted(nil, []byte(by)), []byte{'\n'})
		head := from + lineLength(s[from:]) + 1
		for head < to && s[head] == '\n' {
			head++
		}
		margin := string(s[head : head+indent(s[head:])])
		by = string(s[from:head]) + margin + strings.ReplaceAll(string(text), "\n", "\n"+margin)
	}
	return append(edits, edit{int32(from), int32(to), by}), true
}

// scalarStart returns where a scalar begins in s, after its anchor and its tag. lines
// are the beginnings of the lines of s. It returns -1 if s has no such place.
func scalarStart(s []byte, lines []int32, n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(lines) {
		return -1
	}
	at := int(lines[n.Line-1])
	for range n.Column - 1 { // which counts characters
		_, size := utf8.DecodeRune(s[at:])
		at += size
	}
	for at < len(s) && (s[at] == '&' || s[at] == '!') {
		for at < len(s) && s[at] > ' ' {
			at++
		}
		for at < len(s) && s[at] == ' ' {
			at++
		}
	}
	if at >= len(s) {
		return -1
	}
	return at
}

// scalarEnd returns where the scalar ends that begins at from in s. It returns -1 if s
// doesn't have the scalar there.
func scalarEnd(s []byte, from int, n *yaml.Node) int {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0 && s[from] == '"':
		_, to := quoted(s, from)
		return min(to+1, len(s))
	case n.Style&yaml.SingleQuotedStyle != 0 && s[from] == '\'':
		to := from + 1
		for to < len(s) && (s[to] != '\'' || to+1 < len(s) && s[to+1] == '\'') {
			if s[to] == '\'' {
				to++
			}
			to++
		}
		return min(to+1, len(s))
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && (s[from] == '|' || s[from] == '>'):
		first, to := lineValue(s, lineOf(s, from), from)
		if first == from { // nothing stands in the block
			return from + lineLength(s[from:])
		}
		return to
	case n.Style&^yaml.TaggedStyle == 0 && bytes.HasPrefix(s[from:], []byte(n.Value)):
		return from + len(n.Value)
	}
	return -1
}

// lineOf returns where the line begins that i is in.
func lineOf(s []byte, i int) int {
	return bytes.LastIndexByte(s[:i], '\n') + 1
}

// yamlJSON writes a document as JSON, and remembers where it has written each node.
type yamlJSON struct {
	out []byte
	at  map[int32]*yaml.Node
}

// node appends n. It returns false if n is nested too deep. An alias of a scalar is
// written as the scalar, and any other alias as null, because its anchor is written
// where it stands.
func (j *yamlJSON) node(n *yaml.Node, depth int) bool {
	if depth >= jsonscan.MaxDepth {
		return false
	}
	if n.Kind == yaml.AliasNode && n.Alias != nil && n.Alias.Kind == yaml.ScalarNode {
		n = n.Alias
	}
	j.at[int32(len(j.out))] = n
	switch n.Kind {
	case yaml.MappingNode:
		j.out = append(j.out, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				j.out = append(j.out, ',')
			}
			j.out = append(appendQuoted(j.out, []byte(n.Content[i].Value)), ':')
			if !j.node(n.Content[i+1], depth+1) {
				return false
			}
		}
		j.out = append(j.out, '}')
	case yaml.SequenceNode:
		j.out = append(j.out, '[')
		for i, c := range n.Content {
			if i > 0 {
				j.out = append(j.out, ',')
			}
			if !j.node(c, depth+1) {
				return false
			}
		}
		j.out = append(j.out, ']')
	case yaml.ScalarNode:
		switch n.ShortTag() {
		case "!!null":
			j.out = append(j.out, "null"...)
		case "!!bool":
			j.out = append(j.out, "true"...) // which of them doesn't matter
		case "!!int":
			if number := []byte(n.Value); isPort(number) && (number[0] != '0' || len(number) == 1) {
				j.out = append(j.out, number...)
				break
			}
			fallthrough
		default:
			j.out = appendQuoted(j.out, []byte(n.Value))
		}
	default:
		j.out = append(j.out, "null"...)
	}
	return true
}
