package files

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/trace"
)

// Shown joins the names of inputs for a message.
func Shown(names []string) string {
	names = slices.Clone(names)
	for i := range names {
		if names[i] == Stdin {
			names[i] = "the standard input"
		}
	}
	return strings.Join(names, ", ")
}

// TellProblems prints which places could not be read.
func TellProblems(stderr io.Writer, names []string, t *trace.Trace) {
	prefix := ""
	if len(names) == 1 { // with several inputs, each problem names its input
		prefix = Shown(names) + ": "
	}
	for _, p := range t.Problems {
		fmt.Fprintf(stderr, "%s%s\n", prefix, cli.Printable(p.Error()))
	}
	if more := t.ProblemCount - int64(len(t.Problems)); more > 0 {
		fmt.Fprintf(stderr, "%sand %d more problems\n", prefix, more)
	}
}

// TellSummary prints what was converted, and which places could not be read.
func TellSummary(stderr io.Writer, names []string, out string, sum *convert.Summary) {
	formats := slices.Compact(slices.Sorted(slices.Values(sum.Formats)))
	into := ""
	if out != Stdin {
		into = " to " + out
	}
	fmt.Fprintf(stderr, "%s%s: %s, from %s\n", cli.Plural(len(names), "file"), into, cli.Plural64(sum.Lines, "line", "lines"), strings.Join(formats, ", "))
	for _, m := range sum.Remarks {
		fmt.Fprintln(stderr, cli.Printable(remarks.Sentence(m.ID, m.Count, m.Detail)))
	}
	for _, p := range sum.Problems {
		text := p.Error()
		if len(names) == 1 {
			text = Shown(names) + ": " + text
		}
		fmt.Fprintln(stderr, cli.Printable(text))
	}
	if more := sum.Problem - int64(len(sum.Problems)); more > 0 {
		fmt.Fprintf(stderr, "and %s more\n", cli.Plural64(more, "problem", "problems"))
	}
}
