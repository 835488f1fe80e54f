package costscmd

import (
	"bufio"
	"fmt"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/report/costs"
)

// writeCache prints what the informers of a process hold.
func writeCache(out *bufio.Writer, c *costs.Cache) {
	say := func(l findings.Line) string { return said.Sentence(&l, said.English) }
	s := c.Sentences()
	fmt.Fprintf(out, "%s\n\n", say(s.Title))
	for _, x := range s.Informers {
		fmt.Fprintln(out, cli.Printable(x.Resource))
		before := ""
		for _, l := range x.Lines {
			name := say(l[0])
			if name == before {
				name = ""
			} else {
				before = name
			}
			out.WriteString(cli.Wrap(fmt.Sprintf("  %-10s ", name), say(l[1]), cli.TextWidth))
		}
		out.WriteByte('\n')
	}
	for _, note := range s.Notes {
		out.WriteString(cli.Wrap("", say(note), cli.TextWidth))
	}
}
