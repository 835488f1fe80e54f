package scriptcmd

import (
	"context"

	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/report/openmetrics"
)

// metrics is the file with what client-go would have exported during the run of a script.
type metrics struct {
	name  string // "" for none
	force bool
	to    *files.Target
}

// create creates the file, if there is to be one.
func (m *metrics) create(ctx context.Context) (err error) {
	if m.name != "" {
		m.to, err = files.Create(ctx, m.name, m.force, nil)
	}
	return err
}

// close writes the file of a run, which is nil if nothing has moved. After a failure the file is removed.
func (m *metrics) close(h *history.History, failed error) error {
	if m.to == nil {
		return failed
	}
	if failed == nil {
		failed = m.write(h)
	}
	return m.to.Close(failed, 0)
}

// write plays the run again, and writes what is exported after each step. A script's clock begins in 1970.
func (m *metrics) write(h *history.History) error {
	to := func(b []byte) error { _, err := m.to.Write(b); return err }
	if h == nil || h.Steps() == 0 {
		return openmetrics.New(1).Write(0, to)
	}
	of := openmetrics.New(openmetrics.Interval(h.End()))
	var labels []openmetrics.Labels
	for _, x := range h.Front().Informers {
		labels = append(labels, openmetrics.Named(x.Config().Name))
	}
	w := of.World(h.SeekTo(1), labels)
	for step := int64(1); step <= h.Steps(); step++ {
		w.Step(h.SeekTo(step))
	}
	w.End(h.End())
	return of.Write(0, to)
}
