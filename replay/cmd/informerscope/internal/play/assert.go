package play

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/evidence"
)

// Expression reads the expression of a flag. It must be a bool, and for --plot anything
// but a string.
func Expression(flag, text string) (*ask.Expr, error) {
	x, err := ask.Parse(text)
	if err == nil && flag != "plot" && x.Type() != ask.Bool {
		err = &ask.Error{At: 0, End: len(text), Why: ask.Mistyped(ask.Bool, x.Type())}
	}
	if err == nil && flag == "plot" && x.Type() == ask.String {
		err = &ask.Error{At: 0, End: len(text), Why: errors.New("cannot plot a string")}
	}
	return x, Pointed(flag, text, err)
}

// Pointed returns a mistake in the expression of a flag with a caret at its place, and any other error as it is.
func Pointed(flag, text string, err error) error {
	var at *ask.Error
	if !errors.As(err, &at) {
		return err
	}
	return cli.UsageError("--%s: %s\n  %s\nFor the language: informerscope help expressions", flag, at.Why, strings.ReplaceAll(at.Caret(text), "\n", "\n  "))
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
