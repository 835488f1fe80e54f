// Package costscmd is "informerscope costs".
package costscmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/report/costs"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// options are costs' flags and arguments.
type options struct {
	play.Input
	resource string
	drop     []string
	cache    bool
}

// Command returns "informerscope costs".
func Command() *cobra.Command {
	o := &options{}
	c, flags := cli.New("costs FILE…", "say what the objects of captures cost in bytes, by field, and what would be left of them", cli.Files(math.MaxInt), o.run)
	flags.StringArrayVar(&o.drop, "drop", nil, "say what would be left without this `field`; may be given several times")
	flags.BoolVar(&o.cache, "cache", false, "say what the informers of the process hold")
	flags.StringVar(&o.resource, "resource", "", "weigh only this `resource` of the captures, such as pods")
	o.Flags(c)
	return c
}

func (o *options) run(ctx context.Context, names []string, stdout, stderr io.Writer) error {
	o.Names = names
	if o.cache && len(o.drop) > 0 {
		return cli.UsageError("--cache goes without --drop: a recording doesn't tell how much heap a field takes")
	}
	var drop []costs.Path
	for _, text := range o.drop {
		p, ok := costs.ParsePath(text)
		if !ok {
			return cli.UsageError(`invalid field %q; want, for example, spec.containers.env or metadata.annotations["example.com/note"]`, text)
		}
		drop = append(drop, p)
	}
	var meter *costs.Meter
	recent, log := &format.Recent{}, &worker.Log{}
	got, damaged, err := o.Read(ctx, stderr, recent, func(t *trace.Trace) func() error {
		meter = costs.New(t, costs.Options{Drop: drop, Cache: o.cache, Resource: o.resource, Bytes: recent.Bytes})
		if o.cache {
			t.OtherLine = log.Line
		}
		return func() error { meter.Grown(); log.Forget(); return nil }
	})
	if err != nil {
		return err
	}
	if o.cache {
		c := meter.Cache()
		if c.Inputs, c.LeftOut = o.Names, log.LeftOut != (trace.Omitted{}); len(c.Informers) == 0 {
			return play.NoResource("cache", o.Names, o.resource, got)
		}
		return errors.Join(o.Output.Print(stdout, c, func(out *bufio.Writer) { writeCache(out, c) }), damaged)
	}
	r := meter.Report()
	if r.Inputs = o.Names; len(r.Resources) == 0 {
		return play.NoResource("weigh", o.Names, o.resource, got)
	}
	return errors.Join(o.Output.Print(stdout, r, func(out *bufio.Writer) { writeReport(out, r) }), damaged)
}

// The fields that are printed are at least one in leastField of all bytes, and at most mostFields.
const leastField, mostFields = 100, 24

// footnote has the numbers of TestHeapOfObjects in replay/testserver/clientgo.
const footnote = `Sizes are those of JSON without white space. In a process, typed objects take 1.3 to 2.2 times as
much, and unstructured ones 4.4 to 6.2 times. On the wire, protobuf takes 0.6 to 0.7 times as much,
and gzip less. A transform changes the cache alone, a client for metadata also what is sent.
`

// writeReport prints what objects cost.
func writeReport(out *bufio.Writer, r *costs.Report) {
	for i := range r.Resources {
		writeResource(out, r, &r.Resources[i])
		out.WriteByte('\n')
	}
	for _, path := range r.Unknown {
		fmt.Fprintf(out, "No object has %s.\n", cli.Printable(path))
	}
	out.WriteString(footnote)
}

func writeResource(out *bufio.Writer, whole *costs.Report, r *costs.Resource) {
	line := cli.Lines(out)
	fmt.Fprintf(out, "%s\n", cli.Printable(r.Name))
	q := &r.Requests
	line("requests", "%s in %s, %s (%s streaming); %s failed", plain.Plural(q.Lists, "list"), plain.Plural(q.Pages, "page"),
		plain.Plural64(q.Watches, "watch", "watches"), plain.Count(q.Streaming), plain.Count(q.Failed))
	line("lists", "%s", sentText(&r.Lists))
	events := sentText(&r.Watches)
	if s := r.Duration / 1e9; s > 0 && !whole.TimesMadeUp {
		events += fmt.Sprintf(" in %s, %s/s", plain.Duration(r.Duration), plain.Size(r.Watches.Bytes/s))
	}
	line("watches", "%s", events)
	if r.Watches.Objects > 0 && !whole.TimesMadeUp {
		line("", "busiest second %s at %s, busiest minute %s at %s",
			plain.Size(r.Second.Bytes), report.Moment(r.Second.Time), plain.Size(r.Minute.Bytes), report.Moment(r.Minute.Time))
	}
	if r.NotWeighed > 0 {
		line("", "%s more could not be weighed", plain.Plural(r.NotWeighed, "object"))
	}
	largest := &r.Largest
	when := " at " + report.Moment(largest.Time)
	if whole.TimesMadeUp {
		when = ""
	}
	line("cache", "%s%s, when it was largest; %s at the end", heldText(largest), when, heldText(&r.End))
	if largest.Bytes == 0 {
		return
	}
	managed, some, more := false, 0, 0
	for i := range r.Fields {
		f := &r.Fields[i]
		managed = managed || f.Path == "metadata.managedFields"
		switch {
		case f.Bytes*leastField < largest.Bytes:
		case some == mostFields:
			more++
		default:
			line(cli.Title("by field", some), "%9s %6s  %s%s", plain.Size(f.Bytes), share(f.Bytes, largest.Bytes), strings.Repeat("  ", f.Depth()), cli.Printable(f.Path))
			some++
		}
	}
	if more > 0 {
		line("", "and %s more; -o json lists all", plain.Count(int64(more)))
	}
	rows := 0
	row := func(what string, left int64) {
		line(cli.Title("saved", rows), "%7s  %s: %s are left", change(left, largest.Bytes), what, plain.Size(left))
		rows++
	}
	if managed {
		row("without managedFields", largest.Unmanaged)
	}
	if len(whole.Drop) > 0 {
		row("without "+cli.Printable(strings.Join(whole.Drop, ", ")), largest.Dropped)
	}
	row("metadata only", largest.Metadata)
	if managed {
		row("metadata only, without managedFields", largest.Trimmed)
	}
	all, metadata := r.Lists.Bytes+r.Watches.Bytes, r.Lists.Metadata+r.Watches.Metadata
	line("", "%7s  of what is sent, metadata only: %s of %s are left", change(metadata, all), plain.Size(metadata), plain.Size(all))
	if !managed {
		line("", "no object has managedFields. A client of the API gets them, unless it leaves them out;")
		line("", "kubectl prints them with --show-managed-fields")
	}
}

func sentText(s *costs.Sent) string {
	return plain.Plural(s.Objects, "object") + ", " + plain.Size(s.Bytes)
}

func heldText(h *costs.CacheSize) string {
	return plain.Plural(h.Objects, "object") + ", " + plain.Size(h.Bytes)
}

// share formats a part as a percentage.
func share(part, total int64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(total, 1)))
}

// change formats how much less is left than there was.
func change(left, before int64) string {
	percent := 100 * float64(left-before) / float64(max(before, 1))
	return strings.Replace(fmt.Sprintf("%+.0f %%", percent), "-", "−", 1)
}

// writeCache prints what the informers of a process hold.
func writeCache(out *bufio.Writer, c *costs.Cache) {
	say := func(l findings.Line) string { return said.Sentence(&l, said.English) }
	s := c.Sentences()
	fmt.Fprintf(out, "%s\n\n", say(s.Title))
	for _, x := range s.Informers {
		fmt.Fprintln(out, cli.Printable(x.Resource))
		before := ""
		for _, l := range x.Lines {
			name := say(l[0])
			if name == before {
				name = ""
			} else {
				before = name
			}
			out.WriteString(cli.Wrap(fmt.Sprintf("  %-10s ", name), say(l[1]), cli.TextWidth))
		}
		out.WriteByte('\n')
	}
	for _, note := range s.Notes {
		out.WriteString(cli.Wrap("", say(note), cli.TextWidth))
	}
}
