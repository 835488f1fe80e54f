// Package changescmd is "informerscope changes".
package changescmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
)

// Command returns "informerscope changes".
func Command() *cobra.Command {
	var o cli.Output
	c, _ := cli.New("changes FROM [TO]", "say what a release of client-go changes for a program that uses informers",
		cli.Args(2, "one release or two are wanted, such as v0.32 v0.37"), func(_ context.Context, args []string, stdout, _ io.Writer) error {
			from, to, err := Releases(args[0], append(args, "")[1])
			if err != nil {
				return err
			}
			return o.Print(stdout, document(from, to), func(out *bufio.Writer) { text(out, from, to) })
		})
	c.ValidArgsFunction = complete
	cli.OutputFlag(c, &o)
	return c
}

// Releases returns the releases that two names mean. Without the second one, that is the newest.
func Releases(from, to string) (string, string, error) {
	if to == "" {
		_, to = world.VersionsKnown()
	}
	a, err := release(from)
	if err != nil {
		return "", "", err
	}
	b, err := release(to)
	return a, b, err
}

func release(name string) (string, error) {
	r, ok := world.Release(name)
	if !ok {
		first, last := world.VersionsKnown()
		return "", cli.UsageError("unknown release %q of client-go; want one from %s to %s, or %s", name, first, last, world.Beta.Name)
	}
	return r, nil
}

// complete offers the last patch release of each minor.
func complete(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var minors []string
	for _, r := range world.Releases() {
		if minor, zero := strings.CutSuffix(r, ".0"); zero && r != world.Beta.Name {
			minors = append(minors, minor)
		}
	}
	return cli.OneOf(append(minors, world.Beta.Name)...)(c, args, begun)
}

// text prints the changes for a person to read.
func text(w io.Writer, from, to string) {
	list := changes.Between(from, to)
	takenBack := ""
	if all := world.Releases(); slices.Index(all, from) > slices.Index(all, to) {
		takenBack = " of the way up, taken back on the way down"
	}
	fmt.Fprintf(w, "client-go %s to %s: %s%s\n", from, to, plain.Plural(len(list), "change"), takenBack)
	for _, c := range list {
		fmt.Fprintln(w)
		Write(w, c)
	}
}

// Write prints a change for a person to read.
func Write(w io.Writer, c changes.Change) {
	fmt.Fprintf(w, "%s  %s\n", strings.Join(c.Since, ", "), c.Name)
	fmt.Fprint(w, cli.Wrap("  ", c.Difference, cli.TextWidth), cli.Wrap("  To do: ", c.Advice, cli.TextWidth))
	if c.Refs != "" {
		fmt.Fprintf(w, "  See: %s\n", strings.ReplaceAll(c.Refs, " ", ", "))
	}
	if c.Script == "" {
		fmt.Fprint(w, cli.Wrap("  No script shows it: ", c.Reason, cli.TextWidth))
		return
	}
	shown := c.Show()
	fmt.Fprintf(w, "  Script:\n")
	lines(w, strings.Split(strings.TrimSuffix(c.Script, "\n"), "\n"))
	fmt.Fprintf(w, "  %s (%s):\n", shown.Before, c.Shows)
	lines(w, shown.Old)
	fmt.Fprintf(w, "  with the change:\n")
	lines(w, shown.New)
}

func lines(w io.Writer, names []string) {
	if len(names) == 0 {
		names = []string{"(nothing)"}
	}
	for _, l := range names {
		fmt.Fprintf(w, "    %s\n", l)
	}
}

type changed struct {
	From    string   `json:"from" yaml:"from"`
	To      string   `json:"to" yaml:"to"`
	Changes []change `json:"changes" yaml:"changes"`
}

type change struct {
	Name       string   `json:"name" yaml:"name"`
	Since      []string `json:"since" yaml:"since"`
	Difference string   `json:"says" yaml:"says"`
	Advice     string   `json:"do" yaml:"do"`
	Refs       []string `json:"refs" yaml:"refs"`
	Part       string   `json:"part" yaml:"part"`
	Shown      *effect  `json:"shown,omitempty" yaml:"shown,omitempty"`
}

// effect is what a script shows of a change.
type effect struct {
	Script []string `json:"script" yaml:"script"`
	Before string   `json:"before" yaml:"before"`
	Old    []string `json:"was" yaml:"was"`
	New    []string `json:"is" yaml:"is"`
}

func document(from, to string) changed {
	doc := changed{From: from, To: to, Changes: []change{}}
	for _, c := range changes.Between(from, to) {
		d := change{Name: c.Name, Since: c.Since, Difference: c.Difference, Advice: c.Advice, Refs: strings.Fields(c.Refs), Part: c.Shows.String()}
		if c.Script != "" {
			s := c.Show()
			d.Shown = &effect{strings.Split(strings.TrimSuffix(c.Script, "\n"), "\n"), s.Before, append([]string{}, s.Old...), append([]string{}, s.New...)}
		}
		doc.Changes = append(doc.Changes, d)
	}
	return doc
}
