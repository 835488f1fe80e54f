package costscmd

import (
	"bufio"
	"fmt"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/informers"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/report/costs"
	"github.com/informerscope/informerscope/replay/trace"
)

// mostSites is how many handlers and how many reads of an informer are printed.
const mostSites = 10

// cacheFootnote has the errors of TestCacheOfAProcess in replay/record/clients/v037.
const cacheFootnote = `Heap is estimated from the sizes of the objects. On caches of small pods, of large custom resources and
of metadata only, it was between the least and the most. A transform changes what a cache holds, and isn't
recorded. What would be left is no advice: the recording doesn't tell which other objects the program needs.
`

// writeCache prints what the informers of a process hold.
func writeCache(out *bufio.Writer, c *costs.Cache) {
	fmt.Fprintf(out, "%s, %s, %s of heap", plain.Plural(len(c.Informers), "informer"), plain.Plural64(c.Objects, "object", "objects"), heapText(&c.Heap))
	if c.Unknown > 0 {
		fmt.Fprintf(out, ", without %s of unknown heap", plain.Plural(c.Unknown, "informer"))
	}
	out.WriteString("\n\n")
	for i := range c.Informers {
		writeInformer(out, c, &c.Informers[i])
		out.WriteByte('\n')
	}
	say := func(text string) { out.WriteString(cli.Wrap("", text, cli.TextWidth)) }
	if !c.Sites {
		say("Who started the informers, and who is called by them, is not recorded: package replay/record writes it within the process.")
	}
	if !c.Reads {
		say("Who reads the caches is not recorded: replay/record/controllerruntime sees the reads of controller-runtime's cache, and nothing sees those of listers.")
	}
	if c.LeftOut {
		say("The recorder left something out, so calls and reads are the least.")
	}
	out.WriteString(cacheFootnote)
}

func writeInformer(out *bufio.Writer, of *costs.Cache, x *costs.CacheOf) {
	line := func(name, format string, args ...any) {
		out.WriteString(cli.Wrap(fmt.Sprintf("  %-10s ", name), fmt.Sprintf(format, args...), cli.TextWidth))
	}
	fmt.Fprintf(out, "%s\n", cli.Printable(x.Resource))
	if x.Started != nil {
		line("started", "%s", started(x.Started))
	}
	switch {
	case x.Before:
		line("synced", "it ran before the recording begins")
	case x.Synced == 0:
		line("synced", "not yet; it asks since %s", report.Moment(x.Asked))
	default:
		line("synced", "at %s, %s after its first request", report.Moment(x.Synced), plain.Duration(x.Synced-x.Asked))
	}
	holds := plain.Plural64(x.Objects, "object", "objects")
	if x.Bytes > 0 {
		in := "JSON"
		if x.Protobuf {
			in = "protobuf"
		}
		holds += fmt.Sprintf(", %s of %s", plain.Size(x.Bytes), in)
	}
	switch x.Form {
	case "":
		holds += ", of a type that is not recorded"
	case trace.MetadataOnly:
		holds += ", metadata only"
	default:
		holds += ", " + string(x.Form)
	}
	if x.Objects == 0 {
		holds = "nothing"
	}
	line("holds", "%s", holds)
	switch {
	case x.Heap == nil:
		line("heap", "not known: the recording has the objects' metadata alone")
	case x.Objects > 0:
		line("heap", "%s", heapText(x.Heap))
	}
	least := ""
	if of.LeftOut {
		least = "at least "
	}
	for i, h := range x.Handlers[:min(len(x.Handlers), mostSites)] {
		at := ""
		if h.Site != (trace.Site{}) {
			at = " of " + cli.Printable(h.Site.String())
		}
		line(cli.Title("calls", i), "the handler %s%s: %s%s", cli.Printable(h.Name), at, least, plain.Plural64(h.Calls, "call", "calls"))
	}
	for i, c := range x.Reads[:min(len(x.Reads), mostSites)] {
		at := cli.Printable(c.Site.String())
		if at == "" {
			at = "code that is not known"
		}
		line(cli.Title("read by", i), "%s: %s, at least %s", at, cli.Printable(c.Fn), plain.Plural64(c.N, "time", "times"))
	}
	if of.Reads && len(x.Reads) == 0 {
		line("read by", "nobody, as far as the recorder sees it")
	}
	if more := max(len(x.Handlers)-mostSites, 0) + max(len(x.Reads)-mostSites, 0); more > 0 {
		line("", "and %s more; -o json lists all", plain.Count(int64(more)))
	}
	for i, s := range x.Saved {
		what := "metadata only"
		if s.Only != "metadata" {
			what = fmt.Sprintf("only the %s %s: %s", s.Only, cli.Printable(s.Name), plain.Plural64(s.Objects, "object", "objects"))
		}
		line(cli.Title("saved", i), "%7s  %s, about %s are left", change(s.Heap, x.Heap.Bytes), what, plain.Size(s.Heap))
	}
}

// started says who started an informer.
func started(s *trace.Started) string {
	at := cli.Printable(s.Site.String())
	switch {
	case at == "":
		return "by code that is not known"
	case s.Library:
		return "by " + at + ", which is a library's; the goroutine that called it was not found"
	case s.Near:
		return "by a goroutine that was at " + at + " when the informer first asked"
	}
	return "by " + at
}

// heapText formats an estimate.
func heapText(h *informers.Heap) string {
	return fmt.Sprintf("about %s (%s to %s)", plain.Size(h.Bytes), plain.Size(h.Min), plain.Size(h.Max))
}
