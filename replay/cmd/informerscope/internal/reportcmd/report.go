// Package reportcmd is "informerscope report".
package reportcmd

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// Command returns "informerscope report".
func Command() *cobra.Command {
	_, c := newReport()
	return c
}

func (o *reportOptions) run(ctx context.Context, stdout, stderr io.Writer) error {
	b := files.NewBar(stderr, o.quiet)
	c, err := files.Open(ctx, o.names, os.Stdin, b)
	if err != nil {
		return err
	}
	if o.perfetto != "" {
		if o.spans, err = newSpans(ctx, o.perfetto, o.force); err != nil {
			return err
		}
		o.How.Stepped = o.spans.step
	}
	if o.metrics != "" {
		if o.exported, err = newExported(ctx, o.metrics, o.scrape, o.force); err != nil {
			return err
		}
		o.How.Stepped = both(o.How.Stepped, o.exported.step)
	}
	run, err := o.play(c)
	defer run.close()
	defer o.ask.close()
	if o.spans != nil {
		err = o.spans.close(cli.Interrupted(ctx, err))
	}
	if o.exported != nil {
		err = o.exported.close(cli.Interrupted(ctx, err), stderr)
	}
	if err != nil {
		return cli.Interrupted(ctx, err)
	}
	damaged, err := o.judge(stderr, run.got.Trace)
	if err != nil {
		return err
	}
	played := run.Played()
	if len(played) == 0 {
		return fmt.Errorf("%s: it holds no resource to play%s", files.Shown(o.names), otherResources(run.got.Trace))
	}
	out := bufio.NewWriterSize(stdout, 64<<10)
	switch {
	case o.chain != nil:
		if err := run.writeWhy(out, o.chain, played); err != nil {
			return err
		}
	case o.notifications:
		for _, m := range run.got.Trace.Remarks {
			fmt.Fprintln(stderr, cli.Printable(remarks.Sentence(m.ID, m.Count, m.Detail)))
		}
		for _, r := range played {
			name := ""
			if len(played) > 1 {
				name = r.Name()
			}
			if c := run.calls[r]; c != nil {
				if err := c.writeTo(out, name); err != nil {
					return err
				}
			}
		}
	case o.ask.find != "" || o.ask.plot != "":
		if err := o.ask.print(out, stderr, run.Fronts()); err != nil {
			return err
		}
	case o.output != cli.AsText:
		if err := cli.NewDocuments(out, o.output, true).Print(run.report()); err != nil {
			return err
		}
	default:
		writeReport(out, run.report(), o.compare)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	verdicts := o.ask.verdicts(played)
	for i := range verdicts {
		if v := &verdicts[i]; v.step > 0 {
			v.link = o.link(v.of, v.step)
		}
	}
	if err := o.verdicts.tell(verdicts, o.names, stderr); err != nil {
		return err
	}
	differs := run.compared()
	if len(o.compare) > 0 {
		differs = contrasted(run.Report().Resources, o.compare)
	}
	return worse(stderr, differs, damaged)
}

// read reads the captures for a report that plays nothing. Begin is called with each trace before its records come, and
// what it returns is called as they do. Recent is kept meanwhile, unless it is nil. Damaged is as judge returns it.
func (o *reportOptions) read(ctx context.Context, stderr io.Writer, recent *files.Recent, begin func(*trace.Trace) func() error) (t *trace.Trace, damaged, err error) {
	c, err := files.Open(ctx, o.names, os.Stdin, files.NewBar(stderr, o.quiet))
	if err != nil {
		return nil, nil, err
	}
	c.Recent = recent
	got, err := c.Read(begin)
	if err != nil {
		return nil, nil, cli.Interrupted(ctx, err)
	}
	damaged, err = o.judge(stderr, got.Trace)
	return got.Trace, damaged, err
}

// judge tells the problems of a capture. Damaged is the error with which the command exits if it is damaged. With
// --strict err is that, too, and nothing is to be printed of the capture.
func (o *reportOptions) judge(stderr io.Writer, t *trace.Trace) (damaged, err error) {
	files.TellProblems(stderr, o.names, t)
	damaged = cli.Damage(t.ProblemCount, t.Gaps, t.Lost, o.strict)
	if o.strict {
		return damaged, damaged
	}
	return damaged, nil
}

// both calls two functions at each step. The first may be nil.
func both(f, g func(*trace.Resource, *world.World) error) func(*trace.Resource, *world.World) error {
	if f == nil {
		return g
	}
	return func(r *trace.Resource, w *world.World) error { return cmp.Or(f(r, w), g(r, w)) }
}

// worse returns the error with which the command exits. If calls differ and the capture is damaged
// as well, worse prints the damage and returns the difference.
func worse(stderr io.Writer, differs, damaged error) error {
	if differs != nil && damaged != nil {
		fmt.Fprintln(stderr, damaged)
	}
	return cmp.Or(differs, damaged)
}

// reporting is a capture that is played for a report.
type reporting struct {
	*report.Playing
	names []string
	got   *files.Captured
	calls map[*trace.Resource]*calls // nil unless --notifications is set

	chains map[*trace.Resource]*chains // nil unless --why is set
}

// play plays captures while they are read. Its result must be closed, even after
// an error.
func (o *reportOptions) play(c *files.Captures) (run *reporting, err error) {
	run = &reporting{names: o.names}
	how := o.How
	how.Stopped = c.Ctx.Err
	if how.Recorded, how.Controllers, err = recorded(c); err != nil {
		return run, err
	}
	o.recorded = len(how.Recorded)+len(how.Controllers) > 0
	if err := o.ask.known(&how); err != nil {
		return run, err
	}
	o.ask.into(&how)
	if o.notifications {
		how.Called = run.add
	}
	if o.chain != nil {
		how.Why = &report.Why{Key: o.chain.key, Chain: run.askWhy(o.chain)}
	}
	run.got, err = c.Read(func(t *trace.Trace) func() error {
		run.close()
		o.ask.begin(t)
		if o.spans != nil {
			if err := o.spans.begin(); err != nil {
				return func() error { return err }
			}
		}
		if o.exported != nil {
			o.exported.begin(t)
		}
		run.calls, run.chains = map[*trace.Resource]*calls{}, map[*trace.Resource]*chains{}
		run.Playing = report.Play(t, how)
		return run.Grown
	})
	return run, err
}

// compared fails if a handler's recorded calls are not those that the engine made.
func (r *reporting) compared() error {
	var names []string
	for _, one := range r.Report().Resources {
		for _, h := range one.Handlers {
			if h.Compared != nil && !h.Compared.Equal {
				names = append(names, cli.Printable(h.Name))
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return cli.Exit(cli.ExitDiffers, fmt.Errorf("the engine's calls differ from the recorded ones: %s", strings.Join(names, ", ")))
}

func (r *reporting) add(of *trace.Resource, call report.Call) error {
	c := r.calls[of]
	if c == nil {
		c = newCalls()
		r.calls[of] = c
	}
	return c.add(call)
}

// close removes temporary files.
func (r *reporting) close() {
	for _, c := range r.calls {
		c.close()
	}
	for _, c := range r.chains {
		c.text.close()
	}
}

// report returns the report, with names, sizes and texts filled in.
func (r *reporting) report() *report.Report {
	out := r.Report()
	out.Inputs, out.Bytes = r.names, r.got.Bytes
	for i := range out.Remarks {
		m := &out.Remarks[i]
		m.Text = remarks.Sentence(m.ID, m.Count, m.Detail)
	}
	return out
}

// otherResources says which resources a trace has, where --resource names none of them.
func otherResources(t *trace.Trace) string {
	var names []string
	for _, r := range t.Resources {
		names = append(names, r.Name())
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	const most = 10
	more := ""
	if names = slices.Compact(names); len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return "; it has " + cli.Printable(strings.Join(names, ", ")) + more
}
