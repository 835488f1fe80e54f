package controllercmd

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report/controller"
)

// writeGuards prints which guards would have helped each controller.
func writeGuards(out *bufio.Writer, all []controller.Guarded, leftOut bool) {
	for i := range all {
		if i > 0 {
			out.WriteByte('\n')
		}
		writeGuarded(out, &all[i], leftOut)
	}
}

// writeGuarded prints which guards would have helped a controller. Those that help most come first.
func writeGuarded(out *bufio.Writer, g *controller.Guarded, leftOut bool) {
	stale, duplicates := len(g.Stale), len(g.Duplicates)
	name := cli.Printable(g.Controller)
	if stale+duplicates == 0 {
		fmt.Fprintf(out, "guards for %s: nothing was read too early or created twice\n", name)
		return
	}
	least := ""
	if leftOut {
		least = "at least "
	}
	fmt.Fprintf(out, "guards for %s, against %s%s and %s%s:\n", name, least, plain.Plural(stale, "stale read"), least, plain.Plural(duplicates, "duplicate"))
	guards := slices.Clone(g.Guards)
	slices.SortStableFunc(guards, func(a, b controller.Guard) int {
		return cmp.Or(cmp.Compare(b.Duplicates.Yes, a.Duplicates.Yes), cmp.Compare(b.Stale.Yes, a.Stale.Yes))
	})
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  \tstale reads prevented\tduplicates prevented\treconciles wait")
	for _, k := range guards {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", k.Name, helpedText(k.Stale, stale), helpedText(k.Duplicates, duplicates), heldText(&k))
	}
	w.Flush()
}

// helpedText says how many of n a guard would have prevented.
func helpedText(h controller.Helped, n int) string {
	if n == 0 {
		return "–"
	}
	text := fmt.Sprintf("%s of %s", plain.Count(h.Yes), plain.Count(int64(n)))
	if h.Unknown > 0 {
		text += fmt.Sprintf(", %s unknown", plain.Count(h.Unknown))
	}
	return text
}

// heldText says how long a guard would have held reconciles back.
func heldText(k *controller.Guard) string {
	switch {
	case k.Requests > 0:
		return "not at all; " + plain.Plural64(k.Requests, "list", "lists") + " more"
	case k.Held+k.Never == 0:
		return "not at all"
	}
	text := ""
	if k.Held > 0 {
		text = fmt.Sprintf("%s: half of them up to %s, 99 %% up to %s", plain.Count(k.Held), plain.Duration(k.Median), plain.Duration(k.P99))
	}
	if k.Never > 0 {
		if text != "" {
			text += "; "
		}
		text += plain.Count(k.Never) + " to the end of the recording"
	}
	return text
}
