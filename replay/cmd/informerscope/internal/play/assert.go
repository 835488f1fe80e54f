package play

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
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

// Verdict is what came of an --assert of one resource, or of the recorded controllers.
type Verdict struct {
	Of, Assert string
	Why        string // why it is false, "" where it holds
	Step       int64  // at which it is false; 0 for no step
	Link       string // to that step; "" where there is no link to it
}

// Flags adds the flags to a command.
func (v *Verdicts) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&v.junit, "junit", "", "also write what came of each --assert to this `file`, as JUnit's XML")
	f.BoolVar(&v.github, "annotations", os.Getenv("GITHUB_ACTIONS") == "true", "also print each --assert that fails as an annotation of GitHub Actions (the default within one)")
	f.Lookup("annotations").DefValue = "false" // man pages are made within one, too
	c.MarkFlagFilename("junit", "xml")
}

// Check finds mistakes. Asserts is how many there are.
func (v *Verdicts) Check(asserts int) error {
	if v.junit != "" && asserts == 0 {
		return cli.UsageError("--junit writes what came of --assert; give one")
	}
	return nil
}

// PrintVerdicts writes the verdicts on what was read of names, and returns an error if one assert is false.
func (v *Verdicts) PrintVerdicts(all []Verdict, names []string, stderr io.Writer) error {
	var failed []string
	for _, x := range all {
		if x.Why == "" {
			continue
		}
		failed = append(failed, x.Why)
		if v.github {
			fmt.Fprintf(stderr, "::error title=%s::%s\n", property.Replace(x.Assert), message.Replace(strings.TrimSpace(x.Why+"\n"+x.Link)))
		}
	}
	if v.junit != "" {
		if err := writeJUnit(v.junit, all, files.JoinNames(names), len(failed)); err != nil {
			return err
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return errors.New(strings.Join(failed, "\n"))
}

// How GitHub Actions wants the text of a command, and the value of a command's property.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// The elements of JUnit's XML, as far as there is something to say.
type (
	testSuites struct {
		XMLName xml.Name  `xml:"testsuites"`
		Suite   testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Failure *failure `xml:"failure"`
	}
	failure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

func writeJUnit(file string, all []Verdict, suite string, failed int) error {
	s := testSuite{Name: suite, Tests: len(all), Failures: failed}
	for _, x := range all {
		c := testCase{Class: x.Of, Name: x.Assert}
		if x.Why != "" {
			c.Failure = &failure{x.Why, "assert", strings.TrimSpace(x.Why + "\n" + x.Link)}
		}
		s.Cases = append(s.Cases, c)
	}
	b, err := xml.MarshalIndent(testSuites{Suite: s}, "", "  ")
	if err == nil {
		err = os.WriteFile(file, append([]byte(xml.Header), append(b, '\n')...), 0o644)
	}
	if err != nil {
		return files.Unwritten(file, err)
	}
	return nil
}
