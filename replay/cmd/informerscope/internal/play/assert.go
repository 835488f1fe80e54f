package play

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/findings"
)

// Expression reads the expression of a flag. It must be a bool, and for --plot anything
// but a string.
func Expression(flag, text string) (*ask.Expr, error) {
	x, err := ask.Parse(text)
	if err == nil && flag != "plot" && x.Type() != ask.Bool {
		err = &ask.Error{Pos: 0, End: len(text), Err: ask.Mistyped(ask.Bool, x.Type())}
	}
	if err == nil && flag == "plot" && x.Type() == ask.String {
		err = &ask.Error{Pos: 0, End: len(text), Err: errors.New("cannot plot a string")}
	}
	return x, Pointed(flag, text, err)
}

// Pointed returns a mistake in the expression of a flag with a caret at its place, and any other error as it is.
func Pointed(flag, text string, err error) error {
	var at *ask.Error
	if !errors.As(err, &at) {
		return err
	}
	return cli.UsageError("--%s: %s\n  %s\nFor the language: informerscope help expressions", flag, at.Err, strings.ReplaceAll(at.Caret(text), "\n", "\n  "))
}

// Verdicts is where the verdicts of --assert go beside the standard error.
type Verdicts struct {
	junit  string // a file
	github bool
}

// Flags adds the flags to a command.
func (v *Verdicts) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&v.junit, "junit", "", "also write what came of each --assert to this `file`, as JUnit's XML; without --assert, the findings")
	f.BoolVar(&v.github, "annotations", os.Getenv("GITHUB_ACTIONS") == "true", "also print each --assert that fails as an annotation of GitHub Actions (the default within one)")
	f.Lookup("annotations").DefValue = "false" // man pages are made within one, too
	c.MarkFlagFilename("junit", "xml")
}

// Write writes what came of the asserts, which are the first rows of s, and returns an error if one of them is false. The
// findings are the rows behind them.
func (v *Verdicts) Write(s *evidence.Summary, asserts int, stderr io.Writer) error {
	judged := &evidence.Summary{Name: s.Name, Rows: s.Rows[:asserts]}
	if v.github {
		if err := judged.WriteGitHub(stderr); err != nil {
			return err
		}
	}
	if v.junit != "" {
		if asserts == 0 {
			judged = s
		}
		var b bytes.Buffer
		err := judged.WriteJUnit(&b)
		if err == nil {
			err = os.WriteFile(v.junit, b.Bytes(), 0o644)
		}
		if err != nil {
			return files.Unwritten(v.junit, err)
		}
	}
	var failed []string
	for _, r := range s.Rows[:asserts] {
		if r.Text != "" {
			failed = append(failed, r.Text)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return errors.New(strings.Join(failed, "\n"))
}

// CountAssert is an --assert that compares a count of a whole capture with a number, such as stale() == 0 or
// finding("hot-key") < 3.
type CountAssert struct {
	Text, Name string
	Arg        string // within the parentheses; "" for nothing
	sign       string
	number     int64
}

// signs are the signs of comparisons, the longer ones first.
var signs = []string{"==", "!=", "<=", ">=", "<", ">"}

// ParseCounted reads NAME() OPERATOR NUMBER, or NAME("ARGUMENT") OPERATOR NUMBER, with one of the names. The error is an
// *ask.Error with the place.
func ParseCounted(text string, names []string) (*CountAssert, error) {
	fail := func(at int, why string) error { return &ask.Error{Pos: at, End: len(text), Err: errors.New(why)} }
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
