package redact

import (
	"bytes"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/informerscope/informerscope/replay/trace"
)

// maxYAML is how long the YAML within a string may be that is read as such. What
// is longer is read line by line, as any text.
const maxYAML = 1 << 20

// looksYAML tells whether a text has the look of YAML: several lines, with a name
// and a colon in one of the first.
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

// yaml looks at the YAML of the string n. It returns what becomes of it, with its
// comments kept, or nil if nothing is taken out or it can't be read.
func (r *Redactor) yaml(n int32, s []byte, p place) []byte {
	if !shallowYAML(s) {
		return nil
	}
	var documents []*yaml.Node
	changed := false
	for d := yaml.NewDecoder(bytes.NewReader(s)); ; {
		document := &yaml.Node{}
		err := d.Decode(document)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil
		}
		documents = append(documents, document)
	}
	for _, document := range documents {
		if len(document.Content) == 1 && document.Content[0].Kind != yaml.ScalarNode {
			changed = r.document(n, document.Content[0], p) || changed
		}
	}
	if !changed {
		return nil
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	for _, document := range documents {
		if e.Encode(document) != nil {
			return nil
		}
	}
	if e.Close() != nil {
		return nil
	}
	return out.Bytes()
}

// document looks at one document, as the JSON that it stands for, and makes what
// is taken out of that what is taken out of the document.
func (r *Redactor) document(n int32, top *yaml.Node, p place) (changed bool) {
	j := yamlJSON{at: map[int32]*yaml.Node{}}
	if !j.node(top, 0) {
		return false
	}
	r.enter(n)
	defer r.leave()
	if !r.tape.parse(j.out) {
		return false
	}
	edits := r.edits
	r.edits = nil
	r.value(0, p)
	for _, e := range r.edits {
		node := j.at[e.from]
		if node == nil {
			continue
		}
		by := yaml.Node{Kind: yaml.ScalarNode, Value: e.by, Line: node.Line}
		switch e.by[0] {
		case '"':
			by.Tag, by.Value = "!!str", string(appendUnquoted(nil, []byte(e.by)))
			if bytes.IndexByte([]byte(by.Value), '\n') >= 0 {
				by.Style = yaml.LiteralStyle
			} else {
				by.Style = node.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)
			}
		case '{':
			by.Kind, by.Value, by.Style = yaml.MappingNode, "", yaml.FlowStyle
		case '[':
			by.Kind, by.Value, by.Style = yaml.SequenceNode, "", yaml.FlowStyle
		}
		by.Anchor, by.HeadComment, by.LineComment, by.FootComment = node.Anchor, node.HeadComment, node.LineComment, node.FootComment
		*node = by
		changed = true
	}
	r.edits = edits
	return changed
}

// yamlJSON writes a document as JSON, and remembers where which node stands.
type yamlJSON struct {
	out []byte
	at  map[int32]*yaml.Node
}

// node appends n. It returns false where n is nested too deep. An alias of a
// text is that text, and any other is null: what it stands for is looked at where it
// is written.
func (j *yamlJSON) node(n *yaml.Node, depth int) bool {
	if depth >= trace.MaxDepth {
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

// shallowYAML tells whether the parser, which calls itself for each level, can go
// to the bottom of s: a browser's worker has a small stack. It counts brackets
// that are open, and columns of indentation, of which each level but every other
// takes one.
func shallowYAML(s []byte) bool {
	const most = trace.MaxDepth
	open := 0
	for line := range bytes.Lines(s) {
		rest := bytes.TrimLeft(line, " ")
		for len(rest) > 1 && (rest[0] == '-' || rest[0] == '?') && rest[1] == ' ' {
			rest = bytes.TrimLeft(rest[2:], " ")
		}
		if len(line)-len(rest) > most {
			return false
		}
		for _, b := range rest {
			switch b {
			case '[', '{':
				if open++; open > most {
					return false
				}
			case ']', '}':
				open = max(open-1, 0)
			}
		}
	}
	return true
}
