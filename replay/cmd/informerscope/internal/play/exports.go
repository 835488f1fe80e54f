package play

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/report/openmetrics"
	"github.com/informerscope/informerscope/replay/report/perfetto"
	"github.com/informerscope/informerscope/replay/trace"
)

// Exports are the files that a command writes beside its own output, of the steps that the engine makes
// while captures are played.
type Exports struct {
	perfetto, openMetrics string // the files' names; "" for none
	scrape                time.Duration
	force                 bool

	spans   *spans
	metrics *metrics
}

// Flags adds the flags.
func (e *Exports) Flags(flags *pflag.FlagSet) {
	flags.StringVar(&e.perfetto, "perfetto", "", "also write what each actor did, and when, to this `file`, for ui.perfetto.dev or chrome://tracing; it is compressed if the name ends in .gz")
	flags.StringVar(&e.openMetrics, "metrics", "", "also write to this `file`, as OpenMetrics text, what client-go would have exported about the informer (from v0.36) and its workqueue; it is compressed if the name ends in .gz")
	flags.DurationVar(&e.scrape, "scrape", time.Second, "how often the file of --metrics has a sample; in a long capture less often, as the standard error then says")
	flags.BoolVar(&e.force, "force", false, "replace such a file if it is there already, once all is written")
}

// Check finds mistakes in the flags.
func (e *Exports) Check() error {
	switch {
	case e.perfetto == files.Stdin:
		return cli.UsageError("--perfetto needs a file: the report is on the standard output")
	case e.openMetrics == files.Stdin:
		return cli.UsageError("--metrics needs a file: the report is on the standard output")
	case e.scrape < time.Millisecond:
		return cli.UsageError("--scrape %v is too short: 1ms is the shortest", e.scrape)
	}
	return nil
}

// Create creates the files. Whoever calls it calls Close, unless it fails.
func (e *Exports) Create(ctx context.Context) (err error) {
	if e.perfetto != "" {
		if e.spans, err = newSpans(ctx, e.perfetto, e.force); err != nil {
			return err
		}
	}
	if e.openMetrics != "" {
		e.metrics, err = newMetrics(ctx, e.openMetrics, e.scrape, e.force)
	}
	return err
}

// Stepped returns what is to be told of each step, for report.Options; nil if no file is written.
func (e *Exports) Stepped() func(*trace.Resource, *world.World) error {
	s, m := e.spans, e.metrics
	switch {
	case s != nil && m != nil:
		return func(r *trace.Resource, w *world.World) error { return cmp.Or(s.step(r, w), m.step(r, w)) }
	case s != nil:
		return s.step
	case m != nil:
		return m.step
	}
	return nil
}

// Begin is called when captures are about to be played, and again if they turned out to need converting.
func (e *Exports) Begin(t *trace.Trace) error {
	if e.metrics != nil {
		e.metrics.begin(t)
	}
	if e.spans != nil {
		return e.spans.begin()
	}
	return nil
}

// Close ends the files, or removes them if the playing has failed. It returns the failure, or its own.
func (e *Exports) Close(failed error, stderr io.Writer) error {
	if e.spans != nil {
		failed = e.spans.close(failed)
	}
	if e.metrics != nil {
		failed = e.metrics.close(failed, stderr)
	}
	return failed
}

// spans writes the file of --perfetto while a capture is played.
type spans struct {
	ctx       context.Context
	name      string
	to        *files.Target
	w         *perfetto.Writer
	processes map[*trace.Resource]*perfetto.Process
}

// newSpans creates the file.
func newSpans(ctx context.Context, name string, force bool) (*spans, error) {
	to, err := files.Create(ctx, name, force, nil)
	if err != nil {
		return nil, err
	}
	return &spans{ctx: ctx, name: name, to: to}, nil
}

// begin begins the trace. If the capture turned out to need converting, it is played
// again, and the trace begins anew.
func (s *spans) begin() error {
	if len(s.processes) > 0 {
		if !s.to.Removable() {
			return fmt.Errorf("%s can't be written for the second time, and the capture has to be converted first: see informerscope convert", s.name)
		}
		to, err := s.to.Reopen()
		if err != nil {
			return err
		}
		s.to = to
	}
	s.w, s.processes = nil, map[*trace.Resource]*perfetto.Process{}
	return nil
}

// step writes a step of the informer that plays a resource.
func (s *spans) step(r *trace.Resource, w *world.World) error {
	p := s.processes[r]
	if p == nil {
		p = s.writer().Process(r.Name(), 0)
		s.processes[r] = p
	}
	p.Step(w)
	return s.w.Err()
}

func (s *spans) writer() *perfetto.Writer {
	if s.w == nil {
		s.w = perfetto.New(func(b []byte) error { _, err := s.to.Write(b); return err })
	}
	return s.w
}

// close ends the file. After a failure the file is removed.
func (s *spans) close(failed error) error {
	if err := s.writer().End(); failed == nil {
		failed = err
	}
	return s.to.Close(failed, 0)
}

// metrics collects what --metrics writes, while a capture is played.
type metrics struct {
	to        *files.Target
	interval  time.Duration
	trace     *trace.Trace
	recording *openmetrics.Recording
	worlds    map[*trace.Resource]*openmetrics.World
	last      map[*trace.Resource]int64 // the time of the last step
}

// newMetrics creates the file.
func newMetrics(ctx context.Context, name string, every time.Duration, force bool) (*metrics, error) {
	to, err := files.Create(ctx, name, force, nil)
	return &metrics{to: to, interval: every}, err
}

// begin begins anew, as it does when the capture turned out to need converting.
func (x *metrics) begin(t *trace.Trace) {
	x.trace, x.recording = t, openmetrics.New(int64(x.interval))
	x.worlds, x.last = map[*trace.Resource]*openmetrics.World{}, map[*trace.Resource]int64{}
}

// step takes in a step of the informer that plays a resource.
func (x *metrics) step(r *trace.Resource, w *world.World) error {
	worlds := x.worlds[r]
	if worlds == nil {
		resource := openmetrics.Labels{Name: r.Name(), Group: r.Group, Version: r.Version, Resource: r.Resource}
		labels := make([]openmetrics.Labels, len(w.Informers))
		for i := range labels {
			labels[i] = resource
		}
		worlds = x.recording.World(w, labels)
		x.worlds[r] = worlds
	}
	worlds.Step(w)
	x.last[r] = w.Now()
	return nil
}

// close writes the file. After a failure the file is removed.
func (x *metrics) close(failed error, stderr io.Writer) error {
	if failed == nil && x.recording != nil {
		for r, worlds := range x.worlds {
			worlds.End(x.last[r])
		}
		if every := time.Duration(x.recording.Interval()); every > x.interval {
			fmt.Fprintf(stderr, "--metrics has a sample for each %v, because one for each %v would be too many\n", every, x.interval)
		}
		start, err := time.Parse(time.RFC3339, x.trace.Header.Start)
		if err != nil { // it is not known
			start = time.Unix(0, 0)
		}
		failed = x.recording.Write(start.UnixNano(), func(b []byte) error { _, err := x.to.Write(b); return err })
	}
	return x.to.Close(failed, 0)
}
