package play

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/findings"
)

// CountAssert is an --assert that compares a count of a whole capture with a number, such as stale() == 0 or
// finding("hot-key") < 3.
type CountAssert struct {
	Text, Name string
	Arg        string // within the parentheses; "" for nothing
	sign       string
	number     int64
}

// signs are those of comparisons, the longer ones first.
var signs = []string{"==", "!=", "<=", ">=", "<", ">"}

// ParseCounted reads NAME() OPERATOR NUMBER, or NAME("ARGUMENT") OPERATOR NUMBER, with one of the names. The error is an
// *ask.Error with the place.
func ParseCounted(text string, names []string) (*CountAssert, error) {
	fail := func(at int, why string) error { return &ask.Error{At: at, End: len(text), Why: errors.New(why)} }
	name, rest, ok := strings.Cut(text, "(")
	c := &CountAssert{Text: text, Name: strings.TrimSpace(name)}
	if !slices.Contains(names, c.Name) {
		return nil, fail(0, fmt.Sprintf("unknown function %q; want %s()", c.Name, strings.Join(names, "(), ")))
	}
	arg, rest, closed := strings.Cut(rest, ")")
	if !ok || !closed {
		return nil, fail(len(name), "a function has parentheses")
	}
	if arg = strings.TrimSpace(arg); arg != "" {
		quoted, err := strconv.Unquote(arg)
		if err != nil {
			return nil, fail(len(name)+1, "what stands in the parentheses needs quotation marks")
		}
		c.Arg = quoted
	}
	at := len(text) - len(rest)
	rest = strings.TrimSpace(rest)
	for _, sign := range signs {
		if number, ok := strings.CutPrefix(rest, sign); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
			if err != nil {
				return nil, fail(len(text)-len(number), "a whole number is missing")
			}
			c.sign, c.number = sign, n
			return c, nil
		}
	}
	return nil, fail(at, "a comparison such as == 0 is missing")
}

// IsTrue reports whether the comparison is true of a count.
func (c *CountAssert) IsTrue(count int64) bool {
	switch c.sign {
	case "==":
		return count == c.number
	case "!=":
		return count != c.number
	case "<=":
		return count <= c.number
	case ">=":
		return count >= c.number
	case "<":
		return count < c.number
	}
	return count > c.number
}

// FindingID returns an error unless there is a rule of replay/findings with that ID.
func FindingID(id string) error {
	var ids []string
	for _, r := range findings.Rules {
		ids = append(ids, r.ID)
	}
	if !slices.Contains(ids, id) {
		return cli.UsageError("unknown finding %q; want %s", id, strings.Join(ids, ", "))
	}
	return nil
}
