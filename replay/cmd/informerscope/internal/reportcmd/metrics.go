package reportcmd

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/report/openmetrics"
	"github.com/informerscope/informerscope/replay/trace"
)

// exported collects what --metrics writes, while a capture is played.
type exported struct {
	to     *files.Target
	every  time.Duration
	trace  *trace.Trace
	of     *openmetrics.Recording
	worlds map[*trace.Resource]*openmetrics.World
	last   map[*trace.Resource]int64 // the time of the last step
}

// newExported creates the file.
func newExported(ctx context.Context, name string, every time.Duration, force bool) (*exported, error) {
	to, err := files.Create(ctx, name, force, nil)
	return &exported{to: to, every: every}, err
}

// begin begins anew, as it does when the capture turned out to need converting.
func (x *exported) begin(t *trace.Trace) {
	x.trace, x.of = t, openmetrics.New(int64(x.every))
	x.worlds, x.last = map[*trace.Resource]*openmetrics.World{}, map[*trace.Resource]int64{}
}

// step takes in a step of the informer that plays a resource.
func (x *exported) step(r *trace.Resource, w *world.World) error {
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
func (x *exported) close(failed error, stderr io.Writer) error {
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
