package controllercmd

import (
	"bufio"
	"fmt"
	"text/tabwriter"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/report/controller"
)

// writeGuards prints which guards would have helped each controller.
func writeGuards(out *bufio.Writer, all []controller.Guarded) {
	say := func(l findings.Line) string { return said.Sentence(&l, said.English) }
	for i := range all {
		if i > 0 {
			out.WriteByte('\n')
		}
		t := findings.NewGuardTable(&all[i])
		fmt.Fprintln(out, say(t.Title))
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		row := func(cells ...findings.Line) {
			for _, c := range cells[:len(cells)-1] {
				fmt.Fprintf(w, "%s\t", say(c))
			}
			fmt.Fprintln(w, say(cells[len(cells)-1]))
		}
		for j, r := range t.Rows {
			if j == 0 {
				fmt.Fprint(w, "  ")
				row(findings.GuardHeads...)
			}
			fmt.Fprint(w, "  ")
			row(r.Name, r.Stale.Line, r.Duplicates.Line, r.Wait)
		}
		w.Flush()
	}
}
