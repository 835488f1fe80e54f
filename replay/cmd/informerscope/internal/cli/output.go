package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/informerscope/informerscope/replay/plain"
)

// Output is how a command prints what it has found out: kubectl's -o.
type Output string

const (
	AsText Output = "text"
	AsJSON Output = "json"
	AsYAML Output = "yaml"

	// These are for report alone.
	AsMarkdown Output = "markdown"
	AsGitHub   Output = "github"
)

// OutputFlag gives c the flag -o, and --json as another word for -o json. More are formats beside text, json and yaml.
func OutputFlag(c *cobra.Command, o *Output, more ...Output) {
	*o = AsText
	once := &oneOutput{Output: o, names: []string{string(AsText), string(AsJSON), string(AsYAML)}}
	for _, m := range more {
		once.names = append(once.names, string(m))
	}
	c.Flags().VarP(once, "output", "o", "print as this `format`: "+once.list())
	c.RegisterFlagCompletionFunc("output", OneOf(once.names...))
	c.Flags().BoolFunc("json", "the same as -o json", func(string) error { return once.Set("json") })
}

// oneOutput is an Output that can't be set to two formats.
type oneOutput struct {
	*Output
	names []string
	set   bool
}

func (o *oneOutput) String() string {
	if o.Output == nil { // pflag asks a zero value
		return ""
	}
	return string(*o.Output)
}

func (o *oneOutput) Type() string { return "format" }

// list returns the names of the formats.
func (o *oneOutput) list() string {
	last := len(o.names) - 1
	return strings.Join(o.names[:last], ", ") + " or " + o.names[last]
}

// Set sets the Output.
func (o *oneOutput) Set(s string) error {
	if !slices.Contains(o.names, s) {
		return errors.New("unknown format; want " + o.list())
	}
	if before := *o.Output; o.set && string(before) != s {
		return fmt.Errorf("it is %s already", before)
	}
	*o.Output, o.set = Output(s), true
	return nil
}

// Documents prints values one after the other: as JSON, one on each line unless
// they are indented, or as YAML documents.
type Documents struct {
	json *json.Encoder
	yaml *yaml.Encoder // nil for JSON
}

// NewDocuments returns documents that are written to w.
func NewDocuments(w io.Writer, o Output, indented bool) *Documents {
	d := &Documents{}
	if o == AsYAML {
		d.yaml = yaml.NewEncoder(w)
		d.yaml.SetIndent(2)
		return d
	}
	d.json = json.NewEncoder(w)
	d.json.SetEscapeHTML(false)
	if indented {
		d.json.SetIndent("", "  ")
	}
	return d
}

// Print prints v, whose fields have the names that they have in JSON.
func (d *Documents) Print(v any) error {
	if d.yaml == nil {
		return d.json.Encode(v)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	// JSON is YAML, and its nodes keep the order of the fields.
	var n yaml.Node
	if err := yaml.Unmarshal(b, &n); err != nil {
		return err
	}
	inBlocks(&n)
	return d.yaml.Encode(&n)
}

// Print prints one document. Text is called for text.
func (o Output) Print(w io.Writer, document any, text func(*bufio.Writer)) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var err error
	if o != AsText {
		err = NewDocuments(out, o, true).Print(document)
	} else {
		text(out)
	}
	return errors.Join(err, out.Flush())
}

// inBlocks takes from n and from all below it that they were written as JSON.
func inBlocks(n *yaml.Node) {
	n.Style = 0
	for _, c := range n.Content {
		inBlocks(c)
	}
}

// TextWidth is how many columns a report takes, unless names are long.
const TextWidth = 100

// Title returns name for the first of several lines, and "" for the others.
func Title(name string, i int) string {
	if i == 0 {
		return name
	}
	return ""
}

// Lines returns a function that prints a line with a title before it, as reports have them.
func Lines(out io.Writer) func(title, format string, args ...any) {
	return func(title, format string, args ...any) {
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("  %-10s "+format, append([]any{title}, args...)...), " "))
	}
}

// Printable replaces what a terminal would act on in text from outside.
func Printable(s string) string { return plain.Text(s) }

// Wrap breaks text into lines of at most width columns. The first line begins
// with first, and the others are indented as far.
func Wrap(first, text string, width int) string {
	var b strings.Builder
	indent := len([]rune(first))
	b.WriteString(first)
	at := indent
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	b.WriteByte('\n')
	return b.String()
}
