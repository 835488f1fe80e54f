package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/trace"
)

// reportCommand plays captures to handlers, and prints what can be said of them
// and of what the handlers were called with.
func reportCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := reportFlags(args, stderr)
	if o == nil {
		return err
	}
	b := newBar(stderr, o.quiet)
	c, err := openCaptures(ctx, o.names, os.Stdin, b)
	if err != nil {
		return err
	}
	run, got, err := o.play(c)
	defer run.close()
	if err != nil {
		return interrupted(ctx, err)
	}
	tellProblems(stderr, o.names, got.trace)
	played := run.played()
	if len(played) == 0 {
		return fmt.Errorf("%s: there is nothing of that in it to play", shownNames(o.names))
	}
	out := bufio.NewWriterSize(stdout, 64<<10)
	switch {
	case o.notifications:
		for _, m := range got.trace.Remarks {
			fmt.Fprintln(stderr, printable(convert.Sentence(m.ID, m.Count, m.Detail)))
		}
		for _, p := range played {
			name := ""
			if len(played) > 1 {
				name = p.feed.Resource.Name()
			}
			if err := p.calls.writeTo(out, name); err != nil {
				return err
			}
		}
	case o.asJSON:
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(run.report(got)); err != nil {
			return err
		}
	default:
		writeReport(out, run.report(got))
	}
	return out.Flush()
}

// play plays captures while they are read. What it returns must be closed, after
// an error, too.
func (o *reportOptions) play(c *captures) (run *reporting, got *captured, err error) {
	got, err = c.read(func(t *trace.Trace) func() error {
		run.close()
		run = &reporting{o: o, ctx: c.ctx, trace: t}
		return run.grown
	})
	return run, got, err
}

// reporting is a capture being played while it is read.
type reporting struct {
	o       *reportOptions
	ctx     context.Context
	trace   *trace.Trace
	players []*player       // by resource of the trace; nil for what is not played
	skipped []*feed.Passing // by resource, too
	playing int             // how many players there are
}

// maxPlaying is how many resources are played at once. A cluster has some
// hundreds; each takes a machine of its own.
const maxPlaying = 1000

// grown plays what has been read.
func (r *reporting) grown() error {
	for i, resource := range r.trace.Resources {
		if i == len(r.players) {
			r.players = append(r.players, nil)
			r.skipped = append(r.skipped, &feed.Passing{Feed: feed.Feed{Trace: r.trace, Resource: resource}, Keys: r.o.how.keys})
		}
		if len(resource.Records) == 0 || r.o.resource != "" && r.o.resource != resource.Resource && r.o.resource != resource.Name() {
			r.skipped[i].Skip()
			for _, h := range resource.Handlers {
				h.Calls = h.Calls[:0]
			}
			continue
		}
		if r.players[i] == nil {
			if r.playing++; r.playing > maxPlaying {
				return fmt.Errorf("there are more than %d resources in it, which is the limit: name one with --resource", maxPlaying)
			}
			p, err := newPlayer(r.trace, resource, r.o.how)
			if err != nil {
				return err
			}
			if r.o.notifications {
				p.calls = newCalls()
			}
			r.players[i] = p
		}
		if err := r.players[i].play(r.ctx); err != nil {
			return err
		}
	}
	return nil
}

// played are those of which there is something.
func (r *reporting) played() []*player {
	return slices.DeleteFunc(slices.Clone(r.players), func(p *player) bool { return p == nil })
}

func (r *reporting) close() {
	if r == nil {
		return
	}
	for _, p := range r.played() {
		p.calls.close()
	}
}

// report is what there is to say when all has been played.
func (r *reporting) report(got *captured) *reportDoc {
	t := r.trace
	h := t.Header
	doc := &reportDoc{
		Inputs: r.o.names, Format: t.Format, Start: h.Start, Recorder: h.Recorder, Server: h.Server, Note: h.Note,
		TimesMadeUp: t.NoTimes, Truncated: h.Truncated, Redacted: h.Redacted, Bytes: got.bytes,
		Profile: r.o.how.profile.Name, Versions: r.o.how.profile.Versions, ProblemCount: t.ProblemCount,
	}
	var first, last int64
	for i, p := range r.played() {
		one := p.recorded.report(t.NoTimes)
		one.Informer = p.observed.finish(p.w, r.o.how.handlers)
		doc.Resources = append(doc.Resources, one)
		doc.Records += int64(p.recorded.seen)
		if i == 0 || one.First < first {
			first = one.First
		}
		last = max(last, one.Last)
	}
	doc.Duration = last - first
	for _, m := range t.Remarks {
		doc.Remarks = append(doc.Remarks, remarkReport{m.ID, m.Count, m.Detail, convert.Sentence(m.ID, m.Count, m.Detail)})
	}
	for _, p := range t.Problems {
		doc.Problems = append(doc.Problems, problemReport{string(p.Kind), p.Line, p.Offset, p.Reason})
	}
	for _, m := range t.Marks {
		doc.Marks = append(doc.Marks, markReport{m.At, m.Text})
	}
	return doc
}

// shownNames are inputs as people know them.
func shownNames(names []string) string {
	names = slices.Clone(names)
	for i := range names {
		if names[i] == stdinName {
			names[i] = "the standard input"
		}
	}
	return strings.Join(names, ", ")
}

// tellProblems says which places could not be read.
func tellProblems(stderr io.Writer, names []string, t *trace.Trace) {
	prefix := ""
	if len(names) == 1 { // else the problems say it
		prefix = shownNames(names) + ": "
	}
	for _, p := range t.Problems {
		fmt.Fprintf(stderr, "%s%s\n", prefix, printable(p.Error()))
	}
	if more := t.ProblemCount - int64(len(t.Problems)); more > 0 {
		fmt.Fprintf(stderr, "%sand %d more problems\n", prefix, more)
	}
}

var errInterrupted = errors.New("interrupted")

// interrupted says of an error in plain words that it is only ctx's end.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return errInterrupted
	}
	return err
}
