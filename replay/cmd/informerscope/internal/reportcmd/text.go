package reportcmd

import (
	"bufio"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/why"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
)

// writeReport prints a report as text.
func writeReport(out *bufio.Writer, d *report.Report) {
	play.WriteCapture(out, d)
	for i := range d.Resources {
		out.WriteByte('\n')
		writeResource(out, &d.Resources[i])
	}
}

func writeResource(out *bufio.Writer, r *report.Resource) {
	line := cli.Lines(out)
	fmt.Fprintf(out, "%s\n", cli.Printable(r.Name))
	e, q := r.Events, r.Requests
	line("events", "%s in %s: %s added, %s modified, %s deleted", plain.Count(e.All()), plain.Duration(r.Last-r.First), plain.Count(e.Added), plain.Count(e.Modified), plain.Count(e.Deleted))
	line("", "%s, %s (%s with code 410), %s of unknown types; %s of JSON",
		plain.Plural(e.Bookmarks, "bookmark"), plain.Plural(e.Errors, "error"), plain.Count(e.Expired), plain.Count(e.Unknown), plain.Size(r.Bytes))
	if e.Changes() > 0 {
		line("rate", "%s", sparkline(r.Rate.Counts))
		if r.Rate.MadeUp {
			line("", "times are made up, and so is the rate")
		} else {
			line("", "peak %s/s at %s, mean %s/s; each column is %s", plain.Count(r.Rate.Peak), report.Moment(r.Rate.PeakAt), decimal(r.Rate.Mean), plain.Duration(column(r.Rate)))
		}
	}
	if r.Gap != nil {
		line("gap", "the longest time without a change is %s, from %s to %s", plain.Duration(r.Gap.Duration), report.Moment(r.Gap.From), report.Moment(r.Gap.To))
	}
	line("requests", "%s of %s in %s, %d failed", plain.Plural(q.Lists, "list"), plain.Plural(q.ListItems, "object"), plain.Plural(q.ListPages, "page"), q.ListsFailed)
	line("", "%s (%d streaming): %d closed, %d broken; %d more refused", plain.Plural64(q.Watches, "watch", "watches"), q.Streaming, q.WatchesClosed, q.WatchesBroken, q.WatchesRefused)
	play.WriteConverted(out, &r.Informer, "this version")
	for i, h := range r.Hottest {
		line(cli.Title("hottest", i), "%8s  %5.1f %%  %s", plain.Count(h.Changes), 100*h.Share, cli.Printable(h.Key))
	}
	for i, h := range r.Handlers {
		longest := "without their durations"
		if h.Longest > 0 {
			longest = fmt.Sprintf("the longest took %s, at %s", plain.Duration(h.Longest), report.Moment(h.LongestAt))
		}
		line(cli.Title("calls", i), "%s: %s recorded, %s", cli.Printable(h.Name), plain.Count(h.Calls), longest)
		writeComparison(out, h.Compared)
	}
	writeInformer(out, r)
}

// writeInformer prints the engine's part.
func writeInformer(out *bufio.Writer, r *report.Resource) {
	line := cli.Lines(out)
	x := r.Informer
	if f := x.ListFailure; f != nil {
		var what []string
		if f.Code != 0 {
			what = append(what, strconv.Itoa(f.Code))
		}
		if f.Reason != apiserver.OtherFailure.String() {
			what = append(what, f.Reason)
		}
		if f.Message != "" {
			what = append(what, cli.Printable(f.Message))
		}
		line("lists", "%s failed, the last at %s: %s", plain.Count(x.ListFailures), report.Moment(f.T), strings.Join(what, ", "))
	}
	if x.Synced == nil {
		line("synced", "never: HasSynced stays false, and WaitForCacheSync waits")
	}
	var each []string
	for _, reason := range slices.Sorted(maps.Keys(x.RelistsBy)) {
		each = append(each, fmt.Sprintf("%d %s", x.RelistsBy[reason], why.Reasons[reason]))
	}
	text := "none"
	if x.RelistCount > 0 {
		text = fmt.Sprintf("%d: %s", x.RelistCount, strings.Join(each, ", "))
	}
	line("relists", "%s", text)
	const most = 5
	for i, l := range x.Relists {
		if i == most {
			line("", "and %d more", x.RelistCount-most)
			break
		}
		what := plain.Plural(l.Items, "object")
		switch {
		case l.Failed:
			what = "it failed"
		case l.Items < 0:
			what = "the recording ends before it came"
		}
		line("", "at %s, %s: %s", report.Moment(l.T), why.Reasons[l.Reason], what)
	}
	line("queue", "deepest at %s, with %s; at most %s", report.Moment(x.Queue.DeepestAt), plain.Plural64(int64(x.Queue.Deepest), "entry", "entries"), plain.Plural(x.Queue.Deltas, "delta"))
	inAll := "in all"
	if r.KeysAtMost {
		inAll = "in all, or fewer: a key that came back may be counted twice"
	}
	line("cache", "%s at the end, %s at most; %s %s", plain.Plural(x.Cache, "object"), plain.Count(int64(x.CacheMax)), plain.Plural(r.Keys, "key"), inAll)
	if f := x.Controller; f != nil {
		play.WriteFollowed(out, f, "")
	}
	var known []report.Listener // that were recorded or named
	for _, h := range x.Listeners {
		if h.Name != report.DefaultHandler {
			known = append(known, h)
			continue
		}
		line("handlers", "none is known; %s, which takes no time, got %s OnAdd, %s OnUpdate, %s OnDelete (%s)", h.Name,
			plain.Count(h.OnAdd), plain.Count(h.OnUpdate), plain.Count(h.OnDelete), plain.Plural(h.Tombstones, "tombstone"))
	}
	width := len("HANDLER")
	for _, h := range known {
		width = max(width, len([]rune(cli.Printable(h.Name))))
	}
	if len(known) > 0 {
		line("handlers", "%-*s %8s %8s %8s %6s  %8s %-10s %9s %s", width, "HANDLER", "OnAdd", "OnUpdate", "OnDelete", "TOMBS", "BEHIND", "AT", "LATE", "AT")
	}
	for _, h := range known {
		fmt.Fprintf(out, "  %-10s %s\n", "", strings.TrimRight(fmt.Sprintf("%-*s %8s %8s %8s %6s  %8s %-10s %9s %-10s", width, cli.Printable(h.Name),
			plain.Count(h.OnAdd), plain.Count(h.OnUpdate), plain.Count(h.OnDelete), plain.Count(h.Tombstones), plain.Count(int64(h.Behind)), report.Moment(h.BehindAt), plain.Duration(h.Late), report.Moment(h.LateAt)), " "))
	}
	stations := []string{"reflector", "cache"}
	stale := []*report.Staleness{&x.Reflector, &x.Store}
	for i := range known {
		stations = append(stations, cli.Printable(known[i].Name))
		stale = append(stale, &known[i].Stale)
	}
	width = max(width, len("reflector"))
	line("staleness", "%-*s %9s %8s %-10s %9s  %9s %-10s %9s", width, "AT WORST", "REVISIONS", "CHANGES", "AT", "STEP", "TIME", "AT", "STEP")
	for i, s := range stale {
		line("", "%-*s %9s %8s %-10s %9s  %9s %-10s %9s", width, stations[i], plain.Count(s.Revisions), plain.Count(s.Changes), report.Moment(s.RevisionsAt), plain.Count(s.RevisionsStep), plain.Duration(s.Time), report.Moment(s.TimeAt), plain.Count(s.TimeStep))
	}
	for _, h := range known {
		if h.Left > 0 {
			line("", "%s has %s left when the capture ends", cli.Printable(h.Name), plain.Plural(h.Left, "notification"))
		}
	}
}

// writeComparison prints how the calls of a recorded handler compare with the calls
// of the engine's handler.
func writeComparison(out *bufio.Writer, c *report.Comparison) {
	if c == nil {
		return
	}
	lines := cli.Lines(out)
	line := func(format string, args ...any) { lines("", "  "+format, args...) }
	when := ""
	if c.From > 0 {
		when += ", added at " + report.Moment(c.From)
	}
	if c.Until > 0 {
		when += ", removed at " + report.Moment(c.Until)
	}
	if c.Equal {
		if c.Passed > 0 {
			when += fmt.Sprintf("; %s of one side alone, at the moment of a change or at the end, not counted", plain.Plural(c.Passed, "resync"))
		}
		line("equal to the recorded calls%s", when)
		return
	}
	line("the engine makes %s%s", plain.Plural(c.Calls, "call"), when)
	if c.Differing > 0 {
		line("the calls of %s differ", plain.Plural(c.Differing, "key"))
	}
	for _, d := range c.Differences {
		line("%s: recorded %s", cli.Printable(d.Key), play.CallText(d.Recorded))
		line("%s  the engine %s", blank(d.Key), play.CallText(d.Played))
	}
	if d := c.Order; d != nil {
		line("the order of the keys differs: recorded %s of %s", play.CallText(d.Recorded), cli.Printable(d.Recorded.Key))
		line("the engine %s of %s", play.CallText(d.Played), cli.Printable(d.Played.Key))
	}
}

// blank returns blanks that are as wide as a printed name.
func blank(name string) string { return fmt.Sprintf("%*s", len([]rune(cli.Printable(name))), "") }

// columns is how many columns a sparkline may have.
const columns = 60

// group returns how many buckets make a column.
func group(buckets int) int { return (buckets + columns - 1) / columns }

// column returns how long a column of r's sparkline is, in nanoseconds.
func column(r findings.Rate) int64 { return r.Bucket * int64(group(len(r.Counts))) }

// sparkline draws counts in one line. A column is blank only if its count is 0.
func sparkline(counts []int64) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	by := group(len(counts))
	var sums []int64
	for i, n := range counts {
		if i%by == 0 {
			sums = append(sums, 0)
		}
		sums[len(sums)-1] += n
	}
	most := slices.Max(sums)
	var b strings.Builder
	for _, n := range sums {
		if n == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(levels[(n*int64(len(levels))-1)/most])
	}
	return "|" + b.String() + "|"
}

// decimal formats a number with one decimal, and one from 100 on without.
func decimal(f float64) string {
	if f >= 100 {
		return plain.Count(int64(math.Round(f)))
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}
