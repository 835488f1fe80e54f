package reportcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// paces say by what two captures are in step.
var paces = map[report.Pace]string{
	report.ByRevision: "by resourceVersion, because the captures have versions of objects in common; resyncs are not compared",
	report.ByTime:     "by the time since each beginning, because the captures have no version of an object in common; neither resourceVersions nor resyncs are compared",
	report.ByEvent:    "by the number of watch events, because the captures have no version of an object in common, and one has no times; neither resourceVersions nor resyncs are compared",
}

// runAgainst compares the captures with another one.
func (o *reportOptions) runAgainst(ctx context.Context, stdout, stderr io.Writer) error {
	var traces [2]*trace.Trace
	names := [2]string{files.Shown(o.names), o.against}
	if a, b := filepath.Base(names[0]), filepath.Base(names[1]); len(o.names) == 1 && a != b {
		names = [2]string{a, b} // they head columns
	}
	var damaged error
	for i, inputs := range [][]string{o.names, {o.against}} {
		c, err := files.Open(ctx, inputs, os.Stdin, files.NewBar(stderr, o.quiet))
		if err != nil {
			return err
		}
		got, err := c.Read(func(*trace.Trace) func() error { return func() error { return nil } })
		if err != nil {
			return cli.Interrupted(ctx, err)
		}
		traces[i] = got.Trace
		files.TellProblems(stderr, inputs, got.Trace)
		if err := cli.Damage(got.Trace.ProblemCount, got.Trace.Gaps, got.Trace.Lost, o.strict); err != nil {
			damaged = err
		}
	}
	if o.strict && damaged != nil {
		return damaged
	}
	how := o.How
	how.Stopped = ctx.Err
	all, err := compareCaptures(traces, how)
	if err != nil {
		return cli.Interrupted(ctx, err)
	}
	if len(all) == 0 {
		return fmt.Errorf("%s and %s have no resource in common to play", names[0], names[1])
	}
	out := bufio.NewWriterSize(stdout, 64<<10)
	if o.output != cli.AsText {
		err = cli.NewDocuments(out, o.output, true).Print(all)
	} else {
		for i := range all {
			if i > 0 {
				out.WriteByte('\n')
			}
			writeAgainst(out, &all[i].Resource, names[:])
			fmt.Fprintf(out, "  %-10s %s\n", "in step", paces[all[i].Pace])
		}
	}
	if err := errors.Join(err, out.Flush()); err != nil {
		return err
	}
	var resources []report.Resource
	for i := range all {
		resources = append(resources, all[i].Resource)
	}
	return worse(stderr, contrasted(resources, names[:]), damaged)
}

// TwoCaptures is how a resource of two captures compares.
type TwoCaptures struct {
	Pace report.Pace `json:"pace"`
	report.Resource
}

// compareCaptures compares the resources that both captures have.
func compareCaptures(of [2]*trace.Trace, how report.Options) (all []TwoCaptures, err error) {
	for _, first := range of[0].Resources {
		for _, second := range of[1].Resources {
			if first.Name() != second.Name() || len(first.Records) == 0 || len(second.Records) == 0 || how.Resource != "" && how.Resource != first.Name() && how.Resource != first.Resource {
				continue
			}
			c := report.NewCaptures(first, second, of[0].NoTimes || of[1].NoTimes)
			r, err := c.Play(of, how)
			if err != nil {
				return nil, err
			}
			all = append(all, TwoCaptures{c.Pace, r})
			break
		}
	}
	return all, nil
}
