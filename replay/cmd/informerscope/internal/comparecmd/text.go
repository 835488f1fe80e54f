package comparecmd

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
)

// mostPartings is how many differences of a handler are printed.
const mostPartings = 100

// differences returns an error if handlers get other calls from the second version, or capture.
func differences(resources []report.Resource, names [2]string) error {
	found, unfinished := int64(0), false
	for k := range resources {
		for i := range resources[k].Against.Handlers {
			h := &resources[k].Against.Handlers[i]
			found += h.Differing
			unfinished = unfinished || h.Unfinished
		}
	}
	switch {
	case found > 0:
		return fmt.Errorf("%s and %s call handlers differently in %s", cli.Printable(names[0]), cli.Printable(names[1]), plain.Plural64(found, "place", "places"))
	case unfinished:
		return fmt.Errorf("the calls of %s and %s could not be compared to the end", cli.Printable(names[0]), cli.Printable(names[1]))
	}
	return nil
}

// writeResource prints how the handlers of a resource fare with two versions, or captures.
func writeResource(out *bufio.Writer, r *report.Resource, names [2]string) {
	fmt.Fprintf(out, "%s\n", cli.Printable(r.Name))
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "  %-10s "+format+"\n", append([]any{name}, args...)...)
	}
	line("events", "%s in %s", plain.Count(r.Events.All()), plain.Duration(r.Last-r.First))
	width := 0
	for i := range names {
		names[i] = cli.Printable(names[i])
		width = max(width, len([]rune(names[i])))
	}
	play.WriteConverted(out, &r.Informer, names[0])
	play.WriteConverted(out, &r.Against.Informer, names[1])
	for i, x := range []*report.Informer{&r.Informer, &r.Against.Informer} {
		if f := x.Controller; f != nil {
			play.WriteFollowed(out, f, names[i])
		}
	}
	for i := range r.Against.Handlers {
		h := &r.Against.Handlers[i]
		calls := fmt.Sprintf("%s from each", plain.Plural64(h.Calls[0], "call", "calls"))
		if h.Calls[0] != h.Calls[1] {
			calls = fmt.Sprintf("%s from %s, %s from %s", plain.Plural64(h.Calls[0], "call", "calls"), names[0], plain.Count(h.Calls[1]), names[1])
		}
		differs := "the same"
		if h.Differing > 0 {
			differs = fmt.Sprintf("different in %s, of %s", plain.Plural64(h.Differing, "place", "places"), plain.Plural(h.Keys, "key"))
			if h.Resyncs > 0 {
				differs += fmt.Sprintf("; %s are about resyncs alone", plain.Count(h.Resyncs))
			}
		}
		line(cli.Title("calls", i), "%s: %s; %s", cli.Printable(h.Handler), calls, differs)
		for by, not := range h.NotRemoved {
			if not {
				line("", "  %s has no RemoveEventHandler, so the handler stays", names[by])
			}
		}
		for j := range h.Differences {
			if j == mostPartings {
				line("", "  and %s more; -o json lists the first thousand", plain.Count(h.Differing-mostPartings))
				break
			}
			d := &h.Differences[j]
			line("", "  %s", cli.Printable(d.Key))
			for by, calls := range d.Calls {
				if len(calls) == 0 {
					line("", "    %-*s  no such call", width, names[by])
				}
				for k := range calls {
					line("", "    %-*s  %s", width, cli.Title(names[by], k), callAtText(&calls[k]))
				}
				if more := d.Counts[by] - len(calls); more > 0 {
					line("", "    %-*s  and %s more", width, "", plain.Count(int64(more)))
				}
			}
		}
		if h.Unfinished {
			line("", "  the rest was not compared, because one of the two was too far ahead of the other")
		}
	}
	writeCosts(out, r, names)
}

// callAtText says what a handler was called with, when, and at which step.
func callAtText(c *report.Call) string {
	return fmt.Sprintf("%s, step %s", play.CallText(c), plain.Count(c.Step))
}

// writeCosts prints what two versions cost, side by side.
func writeCosts(out *bufio.Writer, r *report.Resource, names [2]string) {
	a, b := &r.Against.Costs[0], &r.Against.Costs[1]
	width := 18
	for _, name := range names {
		width = max(width, len([]rune(name)))
	}
	name := "costs"
	row := func(what, first, second string) {
		text := fmt.Sprintf("  %-10s %-34s %*s %*s", name, what, width, first, width, second)
		fmt.Fprintln(out, strings.TrimRight(text, " "))
		name = ""
	}
	numbers := func(what string, first, second int64) { row(what, plain.Count(first), plain.Count(second)) }
	row("", names[0], names[1])
	numbers("requests for a list", a.ListRequests, b.ListRequests)
	numbers("requests for a watch", a.WatchRequests, b.WatchRequests)
	numbers("lists decoded, streaming or not", a.Lists, b.Lists)
	numbers("objects decoded", a.Objects, b.Objects)
	numbers("objects in the cache at the end", a.Copies, b.Copies)
	numbers("objects in the cache at most", int64(r.Informer.CacheMax), int64(r.Against.Informer.CacheMax))
	numbers("deltas queued", a.Deltas, b.Deltas)
	numbers("deltas in the queue at most", r.Informer.Queue.Deltas, r.Against.Informer.Queue.Deltas)
	numbers("notifications", a.Notifications, b.Notifications)
	for i := range a.Locks {
		l, m := &a.Locks[i], &b.Locks[i]
		if l.Acquired+m.Acquired > 0 {
			row(l.Name+": held", lockText(l.Acquired, l.Held), lockText(m.Acquired, m.Held))
			row("  longest", plain.Duration(l.Longest), plain.Duration(m.Longest))
		}
		if l.Waits+m.Waits > 0 {
			row("  waited for", lockText(l.Waits, l.Waited), lockText(m.Waits, m.Waited))
		}
	}
}

// lockText says how often something happened, and how long it took in all.
func lockText(times, all int64) string {
	return fmt.Sprintf("%s ×, %s", plain.Count(times), plain.Duration(all))
}
