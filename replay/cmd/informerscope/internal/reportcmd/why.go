package reportcmd

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// why is what --why asks for: the chains of a key, or those of them that were on their
// way at one step or at one moment.
type why struct {
	key  string
	step int64 // 0 for any
	at   int64 // nanoseconds since the capture's start; -1 for any
}

// parseWhy reads the value of --why: KEY, KEY@STEP or KEY@TIME.
func parseWhy(text string) (why, error) {
	w := why{key: text, at: -1}
	key, when, ok := cutLast(text, "@")
	if !ok {
		return w, nil
	}
	if n, err := strconv.ParseInt(when, 10, 64); err == nil {
		if n <= 0 {
			return w, fmt.Errorf("%s: steps are counted from 1", text)
		}
		return why{key, n, -1}, nil
	}
	if d, err := time.ParseDuration(when); err == nil {
		return why{key, 0, int64(d)}, nil
	}
	if ns, ok := parseMoment(when); ok {
		return why{key, 0, ns}, nil
	}
	return w, nil // an @ of the key's own
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// parseMoment reads what report.Moment prints: 1:23.456 or 1:02:03.
func parseMoment(text string) (ns int64, ok bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	seconds := 0.0
	for i, part := range parts {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil || f < 0 || i > 0 && f >= 60 || i < len(parts)-1 && strings.Contains(part, ".") {
			return 0, false
		}
		seconds = 60*seconds + f
	}
	if seconds > 1e9 {
		return 0, false
	}
	return int64(seconds*1e9 + 0.5), true
}

// matches reports whether the chain that begins with n was asked for.
func (w *why) matches(n *cause.Node) bool {
	if w.step == 0 && w.at < 0 {
		return true
	}
	first, last, hit := int64(-1), int64(-1), false
	n.Each(func(c *cause.Node) bool {
		for _, l := range c.Links {
			hit = hit || l.Step == w.step
			if first < 0 || l.At < first {
				first = l.At
			}
			last = max(last, l.At)
		}
		return true
	})
	return hit || w.at >= 0 && first <= w.at && (w.at <= last || !n.Done())
}

// chains are the chains of one resource as text, and how many there were.
type chains struct {
	text         spool
	seen, picked int
	before       string // the last chain that began before the moment that was asked for
}

// addChain adds a chain to the chains of its resource.
func (r *run) addChain(w *why) func(*report.Chain) error {
	return func(c *report.Chain) error {
		of := r.chains[c.Resource]
		if of == nil {
			of = &chains{}
			r.chains[c.Resource] = of
		}
		if of.seen++; !w.matches(c.Begins) {
			if c.Begins.First().At <= w.at {
				of.before = chainText(c)
			}
			return nil
		}
		of.picked++
		_, err := io.WriteString(&of.text, chainText(c))
		return err
	}
}

// writeWhy prints the chains of all resources. It fails if there is none.
func (r *run) writeWhy(out *bufio.Writer, w *why, played []*trace.Resource) error {
	worlds, err := r.Ended()
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
		fmt.Fprintf(out, "%s in %s\n", cli.Printable(w.key), cli.Printable(res.Name()))
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
		k, _ := res.Table.LookupKey(w.key)
		if o, ok := worlds[i].Informers[0].Indexer.GetByKey(k); ok {
			fmt.Fprintf(out, "\nat the end the cache holds resourceVersion %s\n", cli.Printable(res.Table.RVText(res.Table.RVOf(o))))
		} else {
			out.WriteString("\nat the end the cache does not hold it\n")
		}
	}
	switch {
	case seen == 0:
		return fmt.Errorf("no list and no watch event of the capture has the key %q: a key is NAMESPACE/NAME, or NAME for an object without a namespace", w.key)
	case picked == 0:
		return fmt.Errorf("none of the %d chains of %q has anything at that step, or by that time", seen, w.key)
	}
	return nil
}
