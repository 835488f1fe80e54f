// Package comparecmd is "informerscope compare".
package comparecmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// options are compare's flags and arguments.
type options struct {
	play.Input
	play.Options
	second  string       // the second capture; "" if two versions are compared
	exports play.Exports // of the first of two versions
}

// Command returns "informerscope compare".
func Command() *cobra.Command {
	o := &options{}
	var flags *pflag.FlagSet
	c, flags := cli.New("compare VERSION,VERSION FILE…", "play captures as two versions of client-go, and list the handler calls that differ", cli.Files(math.MaxInt), func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if o.second != "" {
			o.Names = args
			for _, name := range []string{"perfetto", "metrics"} {
				if flags.Changed(name) {
					return cli.UsageError("--%s writes the steps of a version, and two captures are compared with --against", name)
				}
			}
			if err := o.Check(); err != nil {
				return err
			}
			play.TellNewer(stderr, o.Profile)
			return o.captures(ctx, stdout, stderr)
		}
		first, second, _ := strings.Cut(args[0], ",")
		switch {
		case second == "" || strings.Contains(second, ","):
			return cli.UsageError("invalid versions %q; want two, such as v0.32,v0.37, or another capture with --against", args[0])
		case flags.Changed("profile"):
			return cli.UsageError("--profile says as which version two captures are compared, with --against")
		case len(args) == 1:
			return cli.Files(math.MaxInt)(nil, nil)
		}
		o.Names, o.Profile = args[1:], first
		if err := o.Check(); err != nil {
			return err
		}
		if err := o.exports.Check(); err != nil {
			return err
		}
		against, err := cli.ProfileFor(second)
		if err != nil {
			return err
		}
		o.Report.Against = &against
		play.TellNewer(stderr, first, second)
		return o.versions(ctx, [2]string{first, second}, stdout, stderr)
	})
	flags.StringVar(&o.second, "against", "", "compare with this other `capture` instead of comparing two versions")
	o.exports.Flags(flags)
	o.Options.Flags(c)
	o.Input.Flags(c)
	return c
}

// versions compares two versions.
func (o *options) versions(ctx context.Context, names [2]string, stdout, stderr io.Writer) error {
	c, err := o.Open(ctx, stderr)
	if err != nil {
		return err
	}
	how := o.Report
	how.Stopped = ctx.Err
	if how.Recorded, how.Controllers, err = play.Recorded(c); err != nil {
		return cli.Interrupted(ctx, err)
	}
	if err := o.exports.Create(ctx); err != nil {
		return err
	}
	how.Stepped = o.exports.Stepped()
	var playing *report.Playing
	got, err := c.Read(func(t *trace.Trace) func() error {
		if err := o.exports.Begin(t); err != nil {
			return func() error { return err }
		}
		playing = report.Play(t, how)
		return playing.Grown
	})
	if err = o.exports.Close(cli.Interrupted(ctx, err), stderr); err != nil {
		return err
	}
	damaged, err := o.Judge(stderr, got.Trace)
	if err != nil {
		return err
	}
	if len(playing.Played()) == 0 {
		return play.NoResource("play", o.Names, o.Report.Resource, got.Trace)
	}
	r := play.Document(playing.Report(), o.Names, got)
	err = o.Output.Print(stdout, r, func(out *bufio.Writer) {
		play.WriteCapture(out, r)
		for i := range r.Resources {
			out.WriteByte('\n')
			writeResource(out, &r.Resources[i], names)
		}
	})
	if err != nil {
		return err
	}
	return play.ExitError(stderr, differences(r.Resources, names), damaged)
}

// paces say by what two captures are in step.
var paces = map[report.Pace]string{
	report.ByRevision: "by resourceVersion, because the captures have versions of objects in common; resyncs are not compared",
	report.ByTime:     "by the time since each beginning, because the captures have no version of an object in common; neither resourceVersions nor resyncs are compared",
	report.ByEvent:    "by the number of watch events, because the captures have no version of an object in common, and one has no times; neither resourceVersions nor resyncs are compared",
}

// captures compares the captures with another one.
func (o *options) captures(ctx context.Context, stdout, stderr io.Writer) error {
	var traces [2]*trace.Trace
	names := [2]string{files.JoinNames(o.Names), o.second}
	if a, b := filepath.Base(names[0]), filepath.Base(names[1]); len(o.Names) == 1 && a != b {
		names = [2]string{a, b} // they head columns
	}
	other := o.Input
	other.Names = []string{o.second}
	var damaged error
	for i, in := range []*play.Input{&o.Input, &other} {
		t, bad, err := in.Read(ctx, stderr, nil, func(*trace.Trace) func() error { return func() error { return nil } })
		if err != nil {
			return err
		}
		if traces[i] = t; bad != nil {
			damaged = bad
		}
	}
	how := o.Report
	how.Stopped = ctx.Err
	all, err := compareCaptures(traces, how)
	if err != nil {
		return cli.Interrupted(ctx, err)
	}
	if len(all) == 0 {
		return fmt.Errorf("%s and %s have no resource in common to play", names[0], names[1])
	}
	var resources []report.Resource
	for i := range all {
		resources = append(resources, all[i].Resource)
	}
	err = o.Output.Print(stdout, all, func(out *bufio.Writer) {
		for i := range all {
			if i > 0 {
				out.WriteByte('\n')
			}
			writeResource(out, &resources[i], names)
			fmt.Fprintf(out, "  %-10s %s\n", "in step", paces[all[i].Pace])
			if beside := all[i].Beside; beside != all[i].Name {
				fmt.Fprintf(out, "  %-10s %s\n", "beside", cli.Printable(beside))
			}
			if only := all[i].Namespace; only != "" {
				fmt.Fprintf(out, "  %-10s objects in %s alone\n", "compared", cli.Printable(only))
			}
		}
	})
	if err != nil {
		return err
	}
	return play.ExitError(stderr, differences(resources, names), damaged)
}

// TwoCaptures is how a resource of two captures compares.
type TwoCaptures struct {
	Pace      report.Pace `json:"pace"`
	Beside    string      `json:"beside"`              // the other capture's resource
	Namespace string      `json:"namespace,omitempty"` // whose objects alone are compared
	report.Resource
}

// compareCaptures compares the resources that both captures have.
func compareCaptures(traces [2]*trace.Trace, how report.Options) (all []TwoCaptures, err error) {
	for _, first := range traces[0].Resources {
		second := report.Counterpart(first, traces[1].Resources)
		if second == nil || len(first.Records) == 0 || how.Resource != "" && how.Resource != first.Name() && how.Resource != first.Resource {
			continue
		}
		c := report.NewCaptures(first, second, traces[0].NoTimes || traces[1].NoTimes)
		r, err := c.Play(traces, how)
		if err != nil {
			return nil, err
		}
		all = append(all, TwoCaptures{c.Pace, second.Name(), c.Namespace, r})
	}
	return all, nil
}

// mostPartings is how many differences of a handler are printed.
const mostPartings = 100

// differences returns an error if handlers get other calls from the second version, or capture.
func differences(resources []report.Resource, names [2]string) error {
	found, unfinished := int64(0), false
	for k := range resources {
		for i := range resources[k].Against.Handlers {
			h := &resources[k].Against.Handlers[i]
			found += h.Differing
			unfinished = unfinished || h.Unfinished
		}
	}
	switch {
	case found > 0:
		return fmt.Errorf("%s and %s call handlers differently in %s", cli.Printable(names[0]), cli.Printable(names[1]), plain.Plural(found, "place"))
	case unfinished:
		return fmt.Errorf("the calls of %s and %s could not be compared to the end", cli.Printable(names[0]), cli.Printable(names[1]))
	}
	return nil
}

// writeResource prints how the handlers of a resource fare with two versions, or captures.
func writeResource(out *bufio.Writer, r *report.Resource, names [2]string) {
	fmt.Fprintf(out, "%s\n", cli.Printable(r.Name))
	line := cli.Lines(out)
	line("events", "%s in %s", plain.Count(r.Events.All()), plain.Duration(r.Last-r.First))
	width := 0
	for i := range names {
		names[i] = cli.Printable(names[i])
		width = max(width, len([]rune(names[i])))
	}
	play.WriteConverted(out, &r.Informer, names[0])
	play.WriteConverted(out, &r.Against.Informer, names[1])
	for i, x := range []*report.Informer{&r.Informer, &r.Against.Informer} {
		if f := x.Controller; f != nil {
			play.WriteFollowed(out, f, names[i])
		}
	}
	for i := range r.Against.Handlers {
		h := &r.Against.Handlers[i]
		calls := fmt.Sprintf("%s from each", plain.Plural(h.Calls[0], "call"))
		if h.Calls[0] != h.Calls[1] {
			calls = fmt.Sprintf("%s from %s, %s from %s", plain.Plural(h.Calls[0], "call"), names[0], plain.Count(h.Calls[1]), names[1])
		}
		differs := "the same"
		if h.Differing > 0 {
			differs = fmt.Sprintf("different in %s, of %s", plain.Plural(h.Differing, "place"), plain.Plural(h.Keys, "key"))
			if h.Resyncs > 0 {
				differs += fmt.Sprintf("; %s are about resyncs alone", plain.Count(h.Resyncs))
			}
		}
		line(cli.Title("calls", i), "%s: %s; %s", cli.Printable(h.Handler), calls, differs)
		for by, not := range h.NotRemoved {
			if not {
				line("", "  %s has no RemoveEventHandler, so the handler stays", names[by])
			}
		}
		for j := range h.Differences {
			if j == mostPartings {
				line("", "  and %s more; -o json lists the first thousand", plain.Count(h.Differing-mostPartings))
				break
			}
			d := &h.Differences[j]
			line("", "  %s", cli.Printable(d.Key))
			for by, calls := range d.Calls {
				if len(calls) == 0 {
					line("", "    %-*s  no such call", width, names[by])
				}
				for k := range calls {
					line("", "    %-*s  %s", width, cli.Title(names[by], k), callAtText(&calls[k]))
				}
				if more := d.Counts[by] - len(calls); more > 0 {
					line("", "    %-*s  and %s more", width, "", plain.Count(int64(more)))
				}
			}
		}
		if h.Unfinished {
			line("", "  the rest was not compared, because one of the two was too far ahead of the other")
		}
	}
	writeCosts(out, r, names)
}

// callAtText says what a handler was called with, when, and at which step.
func callAtText(c *report.Call) string {
	return fmt.Sprintf("%s, step %s", play.CallText(c), plain.Count(c.Step))
}

// writeCosts prints what two versions cost, side by side.
func writeCosts(out *bufio.Writer, r *report.Resource, names [2]string) {
	a, b := &r.Against.Costs[0], &r.Against.Costs[1]
	width := 18
	for _, name := range names {
		width = max(width, len([]rune(name)))
	}
	name := "costs"
	row := func(what, first, second string) {
		text := fmt.Sprintf("  %-10s %-34s %*s %*s", name, what, width, first, width, second)
		fmt.Fprintln(out, strings.TrimRight(text, " "))
		name = ""
	}
	numbers := func(what string, first, second int64) { row(what, plain.Count(first), plain.Count(second)) }
	row("", names[0], names[1])
	numbers("requests for a list", a.ListRequests, b.ListRequests)
	numbers("requests for a watch", a.WatchRequests, b.WatchRequests)
	numbers("lists decoded, streaming or not", a.Lists, b.Lists)
	numbers("objects decoded", a.Objects, b.Objects)
	numbers("objects in the cache at the end", a.Copies, b.Copies)
	numbers("objects in the cache at most", int64(r.Informer.CacheMax), int64(r.Against.Informer.CacheMax))
	numbers("deltas queued", a.Deltas, b.Deltas)
	numbers("deltas in the queue at most", r.Informer.Queue.Deltas, r.Against.Informer.Queue.Deltas)
	numbers("notifications", a.Notifications, b.Notifications)
	for i := range a.Locks {
		l, m := &a.Locks[i], &b.Locks[i]
		if l.Acquired+m.Acquired > 0 {
			row(l.Name+": held", lockText(l.Acquired, l.Held), lockText(m.Acquired, m.Held))
			row("  longest", plain.Duration(l.Longest), plain.Duration(m.Longest))
		}
		if l.Waits+m.Waits > 0 {
			row("  waited for", lockText(l.Waits, l.Waited), lockText(m.Waits, m.Waited))
		}
	}
}

// lockText says how often something happened, and how long it took in all.
func lockText(times, all int64) string {
	return fmt.Sprintf("%s ×, %s", plain.Count(times), plain.Duration(all))
}
