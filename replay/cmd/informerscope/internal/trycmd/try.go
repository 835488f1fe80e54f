// Package trycmd is "informerscope try".
package trycmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/try"
)

// options are try's flags.
type options struct {
	try.Options
	apply  []string // files
	shows  bool     // what the command prints
	output cli.Output
}

// document is what -o json prints.
type document struct {
	*try.Report
	Traces []traced `json:"traces,omitempty"`
}

// traced is a trace that was written, and what is found in it.
type traced struct {
	File     string  `json:"file"`
	Process  string  `json:"process"`
	Findings []found `json:"findings,omitempty"`
}

type found struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Link string `json:"link"` // to its step
}

// Command returns "informerscope try".
func Command() *cobra.Command {
	o := &options{}
	c, flags := cli.New("try [flags] -- COMMAND…", "start a client on a server that misbehaves, and say whether it recovers",
		cli.Args(math.MaxInt, "a command is missing, such as try -- ./my-controller"), o.run)
	flags.SetInterspersed(false) // the command has flags of its own
	var ids []string
	for _, f := range try.Faults() {
		ids = append(ids, f[0])
	}
	flags.StringSliceVar(&o.Faults, "only", nil, "play these `faults` only, with commas between: "+strings.Join(ids, ", "))
	flags.BoolVar(&o.Fast, "fast", false, "shorten the rests, and give a client 20 s to recover")
	flags.DurationVar(&o.Within, "within", 0, "give a client this `time` to recover (default 1m, and 1m15s from half-open silence)")
	flags.StringSliceVar(&o.Resources, "resource", nil, "write objects of these `resources` only, by default of all that the command lists and watches")
	flags.StringArrayVar(&o.apply, "apply", nil, "a `file` with objects, in YAML or JSON, that are there when the command starts: definitions of custom resources, and what the objects of the script are made like")
	flags.Uint64Var(&o.Seed, "seed", 0, "decides the random parts of uids and names")
	flags.StringVar(&o.Folder, "traces", "", "write what went over the wire as traces to this `folder`, which is made")
	flags.BoolVarP(&o.shows, "verbose", "v", false, "print what the command prints, on standard error")
	cli.OutputFlag(c, &o.output)
	c.RegisterFlagCompletionFunc("only", cli.OneOf(ids...))
	return c
}

// check finds mistakes, and reads the objects.
func (o *options) check() error {
	for _, id := range o.Faults {
		if !slices.ContainsFunc(try.Faults(), func(f [2]string) bool { return f[0] == id }) {
			return cli.UsageError("unknown fault %q; informerscope help try lists them", id)
		}
	}
	if o.Within < 0 || o.Within != 0 && o.Within < time.Second || o.Within > try.Limit {
		return cli.UsageError("invalid --within %q; want 1s to %s", o.Within, try.Limit)
	}
	for _, name := range o.apply {
		b, err := os.ReadFile(name)
		if err != nil {
			return cli.Exit(cli.ExitUsage, err)
		}
		for d := yaml.NewDecoder(bytes.NewReader(b)); ; {
			var answer map[string]any
			if err := d.Decode(&answer); err == io.EOF {
				break
			} else if err != nil {
				return cli.UsageError("%s: %v", name, err)
			}
			if answer != nil {
				o.Objects = append(o.Objects, answer)
			}
		}
	}
	return nil
}

// run tries the command, and prints what came of it.
func (o *options) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o.Command = args
	if err := o.check(); err != nil {
		return err
	}
	if o.Folder != "" {
		if err := os.Mkdir(o.Folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	if o.shows {
		o.Output = stderr
	}
	o.Progress = func(text string) { fmt.Fprintln(stderr, cli.Printable(text)) }
	r, err := try.Run(ctx, o.Options)
	if r == nil || len(r.Verdicts) == 0 {
		return err
	}
	d := document{Report: r}
	if o.Folder != "" {
		d.Traces = o.traces(r)
	}
	err = errors.Join(err, o.output.Print(stdout, d, func(out *bufio.Writer) { out.WriteString(o.text(&d)) }))
	if err == nil && answer(r) != well {
		err = cli.Exit(cli.ExitFailed, errors.New(answer(r)))
	}
	return err
}

const well = "nothing is wrong"

// answer says what came of all faults.
func answer(r *try.Report) string {
	var bad, left []string
	for i := range r.Verdicts {
		switch v := &r.Verdicts[i]; {
		case v.Bad():
			bad = append(bad, v.Fault)
		case v.Result == try.NotPlayed:
			left = append(left, v.Fault)
		}
	}
	s := well
	if len(bad) > 0 {
		s = fmt.Sprintf("something is wrong in %s of %d: %s", plain.Plural(len(bad), "fault"), len(r.Verdicts), strings.Join(bad, ", "))
	}
	if len(left) > 0 {
		s += "; not played: " + strings.Join(left, ", ")
	}
	return s
}

// ofTheCommand are the rules whose findings tell of the command alone. What others find, the faults bring about.
var ofTheCommand = []string{"undone-writes", "hot-key", "no-op-updates", "reordered", "no-op-writes"}

// traces reads the traces that were written.
func (o *options) traces(r *try.Report) (all []traced) {
	for i := range r.Verdicts {
		process := r.Verdicts[i].Process
		if slices.ContainsFunc(all, func(t traced) bool { return t.Process == process }) {
			continue
		}
		t := traced{File: filepath.Join(o.Folder, process+".trace.jsonl"), Process: process}
		text, err := os.ReadFile(t.File)
		if err != nil {
			continue // it had nothing to do
		}
		if s, err := evidence.Summarize(text, filepath.Base(t.File), int64(len(text))); err == nil {
			for _, row := range s.Failed() {
				if !slices.Contains(ofTheCommand, row.ID) {
					continue
				}
				t.Findings = append(t.Findings, found{row.ID, strings.TrimSpace(row.Title + ": " + row.Text), row.Link.String()})
			}
		}
		all = append(all, t)
	}
	return all
}

// text prints a table for people.
func (o *options) text(d *document) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s follows %s\n\n", answer(d.Report), cli.Printable(strings.Join(d.Command, " ")), cli.Printable(strings.Join(d.Readers, ", ")))
	fmt.Fprintf(&b, "%-9s %-60s %9s %8s  %s\n", "FAULT", "WHAT HAPPENED", "REQUESTS", "SENT ALL", "THE CLIENT")
	for i := range d.Verdicts {
		v := &d.Verdicts[i]
		requests, all := "-", "-"
		if v.Result == try.Recovered || v.Result == try.NotWithin {
			requests, all = fmt.Sprint(v.Requests), map[bool]string{true: "yes", false: "no"}[v.SentAll]
		}
		fmt.Fprintf(&b, "%-9s %-60s %9s %8s  %s\n", v.Fault, v.Resource, requests, all, cli.Printable(v.Text()))
	}
	head := "\nwhat is wrong, by the wire\n"
	say := func(what, text string) {
		b.WriteString(head + cli.Wrap(fmt.Sprintf("  %-9s ", what), cli.Printable(text), cli.TextWidth))
		head = ""
	}
	for i := range d.Verdicts {
		v := &d.Verdicts[i]
		for _, p := range v.Problems {
			say(v.Fault, p.String())
		}
		if len(v.Lacks) > 0 && len(v.Problems) == 0 {
			say(v.Fault, fmt.Sprintf("%s, and was not sent %s", v.Text(), someOf(v.Lacks)))
		}
		if v.Helps != "" {
			say(v.Fault, "what a client has to do: "+v.Helps)
		}
	}
	head = "\nwhat was not played, and why\n"
	for i := range d.Verdicts {
		if v := &d.Verdicts[i]; v.Result == try.NotPlayed {
			say(v.Fault, v.Reason)
		}
	}
	if head = ""; d.Writes > 0 {
		fmt.Fprintf(&b, "\nthe command wrote %s\n", plain.Plural(d.Writes, "time"))
		say("compared", map[bool]string{true: "nothing, because it wrote nothing in a run without faults, or wasn't in step then",
			false: fmt.Sprintf("%s, with three runs without faults", plain.Plural(d.Compared, "object"))}[d.Compared == 0])
		for _, what := range d.Unknown {
			say("refused", what+", which this server can't do, and a real one can")
		}
		if len(d.Varies) > 0 {
			say("left out", "those runs differ in "+strings.Join(d.Varies[:min(len(d.Varies), mostVaries)], ", "))
		}
	}
	open := func(t *traced, what string, at time.Duration) {
		fmt.Fprintf(&b, "%s  %-9s informerscope open %s --find '%s'\n", head, what, cli.Printable(t.File), evidence.Since(int64(at.Truncate(time.Millisecond))))
		head = ""
	}
	head = "\nto see it at its step\n"
	for i := range d.Traces {
		t := &d.Traces[i]
		for i := range d.Verdicts {
			v := &d.Verdicts[i]
			if v.Process != t.Process {
				continue
			}
			open(t, v.Fault, v.Time)
			for _, p := range v.Problems {
				if p.Time != v.Time {
					open(t, string(p.ID), p.Time)
				}
			}
		}
		for _, f := range t.Findings {
			say("found", f.Text)
		}
	}
	return b.String()
}

// someOf returns the first of some keys, and says whether there are more.
func someOf(keys []string) string {
	if len(keys) == 1 {
		return keys[0]
	}
	return fmt.Sprintf("%s and %s", keys[0], plain.Plural(len(keys)-1, "other"))
}

// mostVaries is how many things are named in which runs without faults differ.
const mostVaries = 10
