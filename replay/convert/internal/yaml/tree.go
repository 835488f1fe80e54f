package yaml

import (
	"bytes"
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// maxAliased is how many nodes the aliases of a document may stand for.
const maxAliased = 100_000

// tree turns YAML into JSON with the types of YAML 1.1, as Kubernetes
// does. So yes and off are booleans.
type tree struct {
	out     []byte
	limit   int
	aliased int
}

// json parses one document and returns it as JSON of at most limit bytes, or nil if
// the document is empty. The next call uses the same memory again.
func (y *tree) json(text []byte, limit int) ([]byte, error) {
	if !shallow(text, 2*jsonscan.MaxDepth) { // brackets within texts count here, so the bound is wider than the one below
		return nil, api.ErrTooDeep
	}
	var n yaml.Node
	if err := yaml.Unmarshal(text, &n); err != nil {
		return nil, placed(err)
	}
	if n.Kind != yaml.DocumentNode || len(n.Content) != 1 || n.Content[0].Tag == "!!null" {
		return nil, nil
	}
	y.out, y.limit, y.aliased = y.out[:0], limit, 0
	if err := y.node(n.Content[0], 0, false); err != nil {
		return nil, err
	}
	return y.out, nil
}

// lineError is an error of the parser with its line in the text.
type lineError struct {
	line int64
	error
}

// Fault returns the error with an id.
func (e lineError) Fault() error { return e.error }

// placed finds the line in the message of the parser's error.
func placed(err error) error {
	says := strings.TrimPrefix(err.Error(), "yaml: ")
	rest, ok := strings.CutPrefix(says, "line ")
	number, rest, found := strings.Cut(rest, ": ")
	line, bad := strconv.ParseInt(number, 10, 64)
	if !ok || !found || bad != nil {
		return errors.New(says)
	}
	return lineError{line, errors.New(rest)}
}

// node appends n; aliased says that an alias stands for it.
func (y *tree) node(n *yaml.Node, depth int, aliased bool) error {
	if aliased {
		if y.aliased++; y.aliased > maxAliased {
			return fault.Number("manyAliases max", maxAliased)
		}
	}
	switch {
	case depth > jsonscan.MaxDepth:
		return api.ErrTooDeep
	case len(y.out) > y.limit:
		return fault.Number("longAsJSON max", int64(y.limit))
	}
	switch n.Kind {
	case yaml.AliasNode:
		return y.node(n.Alias, depth+1, true)
	case yaml.SequenceNode:
		y.out = append(y.out, '[')
		for i, x := range n.Content {
			if i > 0 {
				y.out = append(y.out, ',')
			}
			if err := y.node(x, depth+1, aliased); err != nil {
				return err
			}
		}
		y.out = append(y.out, ']')
	case yaml.MappingNode:
		y.out = append(y.out, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				y.out = append(y.out, ',')
			}
			if err := y.key(n.Content[i]); err != nil {
				return err
			}
			y.out = append(y.out, ':')
			if err := y.node(n.Content[i+1], depth+1, aliased); err != nil {
				return err
			}
		}
		y.out = append(y.out, '}')
	case yaml.ScalarNode:
		return y.scalar(n)
	}
	return nil
}

// key appends a mapping's key as a string, since JSON has no other keys.
func (y *tree) key(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n.Kind != yaml.ScalarNode:
		return lineError{int64(n.Line), fault.Plain("keyNoText")}
	case n.Tag == "!!merge":
		return lineError{int64(n.Line), fault.Plain("mergeKey")}
	case n.Tag == "!!str" && n.Style != 0:
		y.out = jsonscan.AppendString(y.out, n.Value)
		return nil
	}
	from := len(y.out)
	if err := y.scalar(n); err != nil {
		return err
	}
	if y.out[from] != '"' {
		y.out = jsonscan.AppendString(y.out[:from], string(y.out[from:]))
	}
	return nil
}

// scalar appends a value.
func (y *tree) scalar(n *yaml.Node) error {
	plain := n.Style&^yaml.TaggedStyle == 0
	switch n.Tag {
	case "!!null":
		y.out = append(y.out, "null"...)
	case "!!bool":
		y.out = strconv.AppendBool(y.out, n.Value[0] == 't' || n.Value[0] == 'T' || n.Value[0] == 'y' || n.Value[0] == 'Y' || strings.EqualFold(n.Value, "on"))
	case "!!int", "!!float":
		return y.number(n)
	case "!!binary":
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
		if err != nil {
			return lineError{int64(n.Line), fault.Plain("notBase64")}
		}
		y.out = jsonscan.AppendString(y.out, string(b))
	default:
		if plain && n.Style == 0 {
			switch n.Value {
			case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON":
				y.out = append(y.out, "true"...)
				return nil
			case "n", "N", "no", "No", "NO", "off", "Off", "OFF":
				y.out = append(y.out, "false"...)
				return nil
			}
		}
		y.out = jsonscan.AppendString(y.out, n.Value)
	}
	return nil
}

// number appends a number. It keeps the spelling if that is JSON, too.
func (y *tree) number(n *yaml.Node) error {
	if isNumber(n.Value) {
		y.out = append(y.out, n.Value...)
		return nil
	}
	text := strings.ReplaceAll(n.Value, "_", "")
	if i, err := strconv.ParseInt(text, 0, 64); err == nil {
		y.out = strconv.AppendInt(y.out, i, 10)
		return nil
	}
	if u, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 0, 64); err == nil {
		y.out = strconv.AppendUint(y.out, u, 10)
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return lineError{int64(n.Line), fault.Quoted("noJSONNumber text", n.Value)}
	}
	y.out = strconv.AppendFloat(y.out, f, 'g', -1, 64)
	return nil
}

// isNumber reports whether s is a number in JSON.
func isNumber(s string) bool {
	return s != "" && (s[0] == '-' || s[0]-'0' < 10) && jsonscan.Valid([]byte(s))
}

// shallow reports whether a YAML parser, which calls itself for each level, can go
// to the bottom of text. The stack of a browser's worker is small, and nothing can be
// done when it is full. shallow allows most open brackets, and as many columns of
// indentation. A sequence in a mapping needs no indentation, so two levels may share a
// column. Brackets within strings count as well.
func shallow(text []byte, most int) bool {
	open := 0
	for line := range bytes.Lines(text) {
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
