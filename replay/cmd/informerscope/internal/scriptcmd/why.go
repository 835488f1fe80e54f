package scriptcmd

import (
	"bufio"
	"fmt"

	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/why"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// writeWhy goes over a script's run once more for each informer that knows the key, and prints its chains. It fails if there are none.
func writeWhy(out *bufio.Writer, w *why.Query, h *history.History) error {
	seen, picked := 0, 0
	for i := 0; h != nil && i < len(h.Front().Informers); i++ {
		cfg := h.Front().Informers[i].Config()
		key, ok := cfg.Table.LookupKey(w.Key)
		if !ok {
			continue
		}
		resource := &trace.Resource{Table: cfg.Table}
		title := fmt.Sprintf("%s in %s\n", cli.Printable(w.Key), cli.Printable(cfg.Name))
		for _, n := range chainsOf(h, i, cause.New(i, key)) {
			if n.Key != key { // it stands for a whole list
				continue
			}
			if seen++; w.Matches(n) {
				picked++
				out.WriteString(title + why.Text(&report.Chain{Resource: resource, Handlers: cfg.Handlers, Begins: n}))
				title = ""
			}
		}
	}
	switch {
	case seen == 0:
		return fmt.Errorf("unknown key %q, of which nothing was listed, watched or queued; want NAMESPACE/NAME, or NAME for an object without a namespace", w.Key)
	case picked == 0:
		return w.NothingFound(seen)
	}
	return nil
}

// chainsOf lets a Tracker look at each step of a run, and returns where chains begin.
func chainsOf(h *history.History, informer int, t *cause.Tracker) []*cause.Node {
	for step := int64(1); step <= h.Steps(); step++ {
		if w := h.SeekTo(step); informer < len(w.Informers) {
			t.Look(w)
		}
	}
	return t.Roots(true)
}
