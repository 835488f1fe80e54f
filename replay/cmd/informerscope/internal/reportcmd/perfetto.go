package reportcmd

import (
	"context"
	"fmt"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
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
