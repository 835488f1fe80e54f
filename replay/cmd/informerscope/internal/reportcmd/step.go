package reportcmd

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/why"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// moment is what --step asks for: the machine of each resource after a step, or after the first step that is not before a time.
type moment struct {
	step, time int64
	texts      map[*trace.Resource]string // the machines in words
}

// parseMoment reads the value of --step.
func parseMoment(text string) (*moment, error) {
	step, at, err := why.Moment(text)
	if err != nil {
		return nil, cli.UsageError("--step: %w", err)
	}
	return &moment{step: step, time: at}, nil
}

// look describes a machine that has come to the moment.
func (m *moment) look(r *trace.Resource, w *world.World) error {
	if m.texts[r] != "" || m.time < 0 && w.Steps() != m.step || m.time >= 0 && w.Now() < m.time {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s at step %d, %s\n", cli.Printable(r.Name()), w.Steps(), report.Moment(w.Now()))
	b.WriteString(cli.Wrap("  the step    ", cli.Printable(stepText(w)), cli.TextWidth))
	for _, line := range script.State(w) {
		name, text, _ := strings.Cut(line, ": ")
		b.WriteString(cli.Wrap(fmt.Sprintf("  %-10s  ", cli.Printable(name)), cli.Printable(text), cli.TextWidth))
	}
	m.texts[r] = b.String()
	return nil
}

// write prints the machines of the resources.
func (m *moment) write(out *bufio.Writer, played []*report.Front) error {
	var ends []string
	for _, p := range played {
		out.WriteString(m.texts[p.Resource])
		ends = append(ends, fmt.Sprintf("%s has %d steps, the last at %s", cli.Printable(p.Resource.Name()), p.Steps, report.Moment(p.Now)))
	}
	if len(m.texts) == 0 {
		return errors.New("--step: unknown step; " + strings.Join(ends, "; "))
	}
	return nil
}
