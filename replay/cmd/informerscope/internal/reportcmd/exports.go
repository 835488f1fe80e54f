package reportcmd

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/report/openmetrics"
	"github.com/informerscope/informerscope/replay/report/perfetto"
	"github.com/informerscope/informerscope/replay/trace"
)

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
		to, err := s.to.Anew()
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
	to     *files.Target
	every  time.Duration
	trace  *trace.Trace
	of     *openmetrics.Recording
	worlds map[*trace.Resource]*openmetrics.World
	last   map[*trace.Resource]int64 // the time of the last step
}

// newMetrics creates the file.
func newMetrics(ctx context.Context, name string, every time.Duration, force bool) (*metrics, error) {
	to, err := files.Create(ctx, name, force, nil)
	return &metrics{to: to, every: every}, err
}

// begin begins anew, as it does when the capture turned out to need converting.
func (x *metrics) begin(t *trace.Trace) {
	x.trace, x.of = t, openmetrics.New(int64(x.every))
	x.worlds, x.last = map[*trace.Resource]*openmetrics.World{}, map[*trace.Resource]int64{}
}

// step takes in a step of the informer that plays a resource.
func (x *metrics) step(r *trace.Resource, w *world.World) error {
	of := x.worlds[r]
	if of == nil {
		own := openmetrics.Labels{Name: r.Name(), Group: r.Group, Version: r.Version, Resource: r.Resource}
		labels := make([]openmetrics.Labels, len(w.Informers))
		for i := range labels {
			labels[i] = own
		}
		of = x.of.World(w, labels)
		x.worlds[r] = of
	}
	of.Step(w)
	x.last[r] = w.Now()
	return nil
}

// close writes the file. After a failure the file is removed.
func (x *metrics) close(failed error, stderr io.Writer) error {
	if failed == nil && x.of != nil {
		for r, of := range x.worlds {
			of.End(x.last[r])
		}
		if every := time.Duration(x.of.Every()); every > x.every {
			fmt.Fprintf(stderr, "--metrics has a sample for each %v, because one for each %v would be too many\n", every, x.every)
		}
		start, err := time.Parse(time.RFC3339, x.trace.Header.Start)
		if err != nil { // it is not known
			start = time.Unix(0, 0)
		}
		failed = x.of.Write(start.UnixNano(), func(b []byte) error { _, err := x.to.Write(b); return err })
	}
	return x.to.Close(failed, 0)
}
