package reportcmd

import (
	"bufio"
	"fmt"
	"io"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/why"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// chains are the chains of one resource as text, and how many there were.
type chains struct {
	text         spool
	seen, picked int
	before       string // the last chain that began before the moment that was asked for
}

// addChain adds a chain to the chains of its resource.
func (r *run) addChain(w *why.Query, held bool) func(*report.Chain) error {
	return func(c *report.Chain) error {
		kept := r.chains[c.Resource]
		if kept == nil {
			kept = &chains{text: spool{inMemory: held}}
			r.chains[c.Resource] = kept
		}
		if kept.seen++; !w.Matches(c.Begins) {
			if w.Follows(c.Begins) {
				kept.before = why.Text(c)
			}
			return nil
		}
		kept.picked++
		_, err := io.WriteString(&kept.text, why.Text(c))
		return err
	}
}

// writeWhy prints the chains of all resources. It fails if there is none.
func (r *run) writeWhy(out *bufio.Writer, w *why.Query, played []*trace.Resource) error {
	worlds, err := r.Finish()
	if err != nil {
		return err
	}
	seen, picked := 0, 0
	for i, res := range played {
		c := r.chains[res]
		if c == nil {
			continue
		}
		seen, picked = seen+c.seen, picked+c.picked
		if c.picked == 0 && c.before == "" {
			continue
		}
		fmt.Fprintf(out, "%s in %s\n", cli.Printable(w.Key), cli.Printable(res.Name()))
		if c.picked == 0 {
			picked++
			fmt.Fprintf(out, "nothing of it was on its way then; this was before:\n%s", c.before)
		}
		in, err := c.text.read()
		if err != nil {
			return err
		}
		if _, err := io.Copy(out, in); err != nil {
			return err
		}
		k, _ := res.Table.LookupKey(w.Key)
		if o, ok := worlds[i].Informers[0].Indexer.GetByKey(k); ok {
			fmt.Fprintf(out, "\nat the end the cache holds resourceVersion %s\n", cli.Printable(res.Table.RVText(res.Table.RVOf(o))))
		} else {
			out.WriteString("\nat the end the cache does not hold it\n")
		}
	}
	switch {
	case seen == 0:
		return fmt.Errorf("unknown key %q, which no list and no watch event of the capture has; want NAMESPACE/NAME, or NAME for an object without a namespace", w.Key)
	case picked == 0:
		return w.NothingFound(seen)
	}
	return nil
}
