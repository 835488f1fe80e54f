package controllercmd

import (
	"bufio"
	"fmt"
	"io"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/triggers"
)

// printTriggers prints what triggered the reconciles of each controller, and which handlers have added keys.
func (o *options) printTriggers(stdout io.Writer, all []triggers.Controller, callers []triggers.Caller) error {
	report := struct {
		Controllers []triggers.Controller `json:"controllers"`
		Handlers    []triggers.Caller     `json:"handlers,omitempty"`
	}{all, callers}
	return o.Output.Print(stdout, report, func(out *bufio.Writer) {
		if len(all) == 0 {
			out.WriteString("No worker has taken a key, and no reconcile began, so there is nothing that was triggered.\n")
		}
		for i := range all {
			if i > 0 {
				out.WriteByte('\n')
			}
			writeTriggers(out, &all[i])
		}
		for i, c := range callers {
			if i == 0 {
				out.WriteString("\nhandlers\n")
			}
			fmt.Fprintf(out, "  %s of %s: %s of %s added a key\n", cli.Printable(c.Handler), cli.Printable(c.Resource), plain.Count(c.Added), plain.Plural64(c.Calls, "call", "calls"))
		}
	})
}

func writeTriggers(out *bufio.Writer, c *triggers.Controller) {
	least := ""
	if c.AtLeast {
		least = "at least "
	}
	fmt.Fprintf(out, "controller %s\n", cli.Printable(c.Name))
	if c.NoQueue {
		fmt.Fprintf(out, "  %s%s. What triggered them is unknown: the calls of its workqueue were not recorded, by Queue or PriorityQueue of replay/record under the controller's name\n", least, plain.Plural64(c.Reconciles, "reconcile", "reconciles"))
		return
	}
	fmt.Fprintf(out, "  %s%s; one may have several triggers\n", least, plain.Plural64(c.Reconciles, "reconcile", "reconciles"))
	for i := range c.Causes {
		n := &c.Causes[i]
		count := plain.Count(n.Certain)
		switch {
		case n.Certain == 0:
			count = "perhaps " + plain.Count(n.Possible)
		case n.Possible > 0:
			count += ", perhaps " + plain.Count(n.Possible) + " more"
		}
		if c.Quiet >= 0 && n.Quiet > 0 {
			count += "; " + plain.Count(n.Quiet) + " changed nothing"
		}
		fmt.Fprintf(out, "  %3d %%  %s: %s%s\n", percent(n.Certain, c.Reconciles), cli.Printable(n.Text()), least, count)
	}
	if c.Unknown > 0 {
		fmt.Fprintf(out, "  %3d %%  unknown: %s\n", percent(c.Unknown, c.Reconciles), plain.Count(c.Unknown))
	}
	if c.Unnamed {
		out.WriteString("  no Add of the recording says in which call it was made: the handlers were not recorded, by Handler of replay/record,\n  or the recorder is older than that\n")
	}
	if c.Quiet >= 0 {
		fmt.Fprintf(out, "  %s of all reconciles changed nothing\n", plain.Count(c.Quiet))
	}
	if c.AtLeast {
		out.WriteString("  the recorder had no room for some of it, so more may have happened\n")
	}
}

// percent returns how many of a hundred n is of all.
func percent(n, all int64) int64 {
	if all == 0 {
		return 0
	}
	return (100*n + all/2) / all
}
