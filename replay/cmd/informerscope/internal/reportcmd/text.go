package main

import (
	"bufio"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/replay/report"
)

// textWidth is how many columns a report takes, unless names are long.
const textWidth = 100

// writeReport prints a report as text. versions are the two that are compared, as the
// user has named them, or none.
func writeReport(out *bufio.Writer, d *report.Report, versions []string) {
	writeCapture(out, d)
	for i := range d.Resources {
		out.WriteByte('\n')
		if r := &d.Resources[i]; r.Against != nil {
			writeAgainst(out, r, versions)
		} else {
			writeResource(out, r)
		}
	}
}

// writeCapture prints what all resources have in common.
func writeCapture(out *bufio.Writer, d *report.Report) {
	line := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	line("%s", printable(shownNames(d.Inputs)))
	line("  %-10s %s, %s records of %s, %s of JSON, %s", "capture", d.Format, count(d.Records), plural(len(d.Resources), "resource"), size(d.Bytes), took(d.Duration))
	var from []string
	for _, s := range []string{d.Start, d.Recorder, d.Server, d.Note} {
		if s != "" && s != "informerscope convert" {
			from = append(from, printable(s))
		}
	}
	if len(from) > 0 {
		line("  %-10s %s", "recorded", strings.Join(from, ", "))
	}
	line("  %-10s client-go %s (profile %s)", "played as", d.Versions, d.Profile)
	if a := d.Against; a != nil {
		line("  %-10s client-go %s (profile %s)", "and as", a.Versions, a.Profile)
		if a.Profile == d.Profile && a.Versions == d.Versions {
			line("  %-10s the engine knows no difference between the two", "")
		}
	}
	if d.TimesMadeUp {
		line("  %-10s %s", "times", "made up: the format has none, so events are evenly spaced")
	}
	if d.Truncated {
		line("  %-10s %s", "truncated", "something is missing, says the recorder")
	}
	if len(d.Redacted) > 0 {
		line("  %-10s %s", "redacted", printable(strings.Join(d.Redacted, ", ")))
	}
	for _, m := range d.Remarks {
		wrapped(out, "note", printable(m.Text))
	}
	if d.ProblemCount > 0 {
		lost := ""
		if d.Lost > 0 {
			lost = ", with about " + plural(int(d.Lost), "watch event")
		}
		where := damage{places: d.ProblemCount - d.Gaps, gaps: d.Gaps}.where()
		wrapped(out, "problems", where+lost+"; the rest was read")
	}
	const most = 10
	for i, p := range d.Problems {
		if i == most {
			line("  %-10s and %s more", "", count(d.ProblemCount-most))
			break
		}
		wrapped(out, "", printable(fmt.Sprintf("line %d, byte %d: %s", p.Line, p.Offset, p.Reason)))
	}
	for i, m := range d.Marks {
		if i == most {
			line("  %-10s and %d more", "", len(d.Marks)-most)
			break
		}
		line("  %-10s %s  %s", title("marks", i), report.Moment(m.T), printable(m.Text))
	}
}

func writeResource(out *bufio.Writer, r *report.Resource) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "  %-10s "+format+"\n", append([]any{name}, args...)...)
	}
	fmt.Fprintf(out, "%s\n", printable(r.Name))
	e, q := r.Events, r.Requests
	line("events", "%s in %s: %s added, %s modified, %s deleted", count(e.All()), took(r.Last-r.First), count(e.Added), count(e.Modified), count(e.Deleted))
	line("", "%s, %s (%s with code 410), %s of unknown types; %s of JSON",
		plural(int(e.Bookmarks), "bookmark"), plural(int(e.Errors), "error"), count(e.Expired), count(e.Unknown), size(r.Bytes))
	if e.Changes() > 0 {
		line("rate", "%s", sparkline(r.Rate.Counts))
		if r.Rate.MadeUp {
			line("", "times are made up, and so is the rate")
		} else {
			line("", "peak %s/s at %s, mean %s/s; each column is %s", count(r.Rate.Peak), report.Moment(r.Rate.PeakAt), decimal(r.Rate.Mean), took(column(r.Rate)))
		}
	}
	if r.Gap != nil {
		line("gap", "the longest time without a change is %s, from %s to %s", took(r.Gap.Duration), report.Moment(r.Gap.From), report.Moment(r.Gap.To))
	}
	line("requests", "%s of %s in %s, %d failed", plural(int(q.Lists), "list"), plural(int(q.ListItems), "object"), plural(int(q.ListPages), "page"), q.ListsFailed)
	line("", "%s (%d streaming): %d closed, %d broken, %d refused", plural64(q.Watches, "watch", "watches"), q.Streaming, q.WatchesClosed, q.WatchesBroken, q.WatchesRefused)
	for i, h := range r.Hottest {
		line(title("hottest", i), "%8s  %5.1f %%  %s", count(h.Changes), 100*h.Share, printable(h.Key))
	}
	for i, h := range r.Handlers {
		longest := "without their durations"
		if h.Longest > 0 {
			longest = fmt.Sprintf("the longest took %s, at %s", took(h.Longest), report.Moment(h.At))
		}
		line(title("calls", i), "%s: %s recorded, %s", printable(h.Name), count(h.Calls), longest)
		writeComparison(out, h.Compared)
	}
	writeInformer(out, r)
}

// writeInformer prints the engine's part.
func writeInformer(out *bufio.Writer, r *report.Resource) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "  %-10s "+format+"\n", append([]any{name}, args...)...)
	}
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
			what = append(what, printable(f.Message))
		}
		line("lists", "%s failed, the last at %s: %s", count(x.ListFailures), report.Moment(f.T), strings.Join(what, ", "))
	}
	if x.Synced == nil {
		line("synced", "never: HasSynced stays false, and WaitForCacheSync waits")
	}
	var why []string
	for _, reason := range slices.Sorted(maps.Keys(x.RelistsBy)) {
		why = append(why, fmt.Sprintf("%d %s", x.RelistsBy[reason], reasons[reason]))
	}
	text := "none"
	if x.RelistCount > 0 {
		text = fmt.Sprintf("%d: %s", x.RelistCount, strings.Join(why, ", "))
	}
	line("relists", "%s", text)
	const most = 5
	for i, l := range x.Relists {
		if i == most {
			line("", "and %d more", x.RelistCount-most)
			break
		}
		what := plural(int(l.Items), "object")
		if l.Items < 0 {
			what = "it never arrived"
		}
		line("", "at %s, %s: %s", report.Moment(l.T), reasons[l.Reason], what)
	}
	line("queue", "deepest at %s, with %s; at most %s", report.Moment(x.Queue.At), plural64(int64(x.Queue.Deepest), "entry", "entries"), plural(int(x.Queue.Deltas), "delta"))
	inAll := "in all"
	if r.KeysAtMost {
		inAll = "in all, or fewer: a key that came back may be counted twice"
	}
	line("cache", "%s at the end, %s at most; %s %s", plural(x.Cache, "object"), count(int64(x.CacheMax)), plural(r.Keys, "key"), inAll)
	width := len("HANDLER")
	for _, h := range x.Listeners {
		width = max(width, len([]rune(printable(h.Name))))
	}
	line("handlers", "%-*s %8s %8s %8s %6s  %8s %-10s %9s %s", width, "HANDLER", "OnAdd", "OnUpdate", "OnDelete", "TOMBS", "BEHIND", "AT", "LATE", "AT")
	for _, h := range x.Listeners {
		fmt.Fprintf(out, "  %-10s %s\n", "", strings.TrimRight(fmt.Sprintf("%-*s %8s %8s %8s %6s  %8s %-10s %9s %-10s", width, printable(h.Name),
			count(h.OnAdd), count(h.OnUpdate), count(h.OnDelete), count(h.Tombstones), count(int64(h.Behind)), report.Moment(h.BehindAt), took(h.Late), report.Moment(h.LateAt)), " "))
	}
	stations := []string{"reflector", "cache"}
	stale := []*report.Staleness{&x.Reflector, &x.Store}
	for i := range x.Listeners {
		stations = append(stations, printable(x.Listeners[i].Name))
		stale = append(stale, &x.Listeners[i].Stale)
	}
	width = max(width, len("reflector"))
	line("staleness", "%-*s %9s %8s %-10s %9s  %9s %-10s %9s", width, "AT WORST", "REVISIONS", "CHANGES", "AT", "STEP", "TIME", "AT", "STEP")
	for i, s := range stale {
		line("", "%-*s %9s %8s %-10s %9s  %9s %-10s %9s", width, stations[i], count(s.Revisions), count(s.Changes), report.Moment(s.RevisionsAt), count(s.RevisionsStep), took(s.Time), report.Moment(s.TimeAt), count(s.TimeStep))
	}
	for _, h := range x.Listeners {
		if h.Left > 0 {
			line("", "%s has %s left when the capture ends", printable(h.Name), plural(h.Left, "notification"))
		}
	}
}

// reasons are the words for a Relist's Reason.
var reasons = map[string]string{
	report.Expired:        "expired (410)",
	report.WatchError:     "error on the watch",
	report.VeryShortWatch: "very short watch",
	report.WatchRefused:   "watch refused",
	report.WatchClosed:    "watch closed",
	report.ListedAgain:    "listed again, and the recording doesn't say why",
}

// title returns name for the first of several lines, and "" for the others.
func title(name string, i int) string {
	if i == 0 {
		return name
	}
	return ""
}

// wrapped prints text over as many lines as it takes.
func wrapped(out *bufio.Writer, name, text string) {
	out.WriteString(wrap(fmt.Sprintf("  %-10s ", name), text, textWidth))
}

// columns is how many columns a sparkline may have.
const columns = 60

// group returns how many buckets make a column.
func group(buckets int) int { return (buckets + columns - 1) / columns }

// column returns how long a column of r's sparkline is, in nanoseconds.
func column(r report.Rate) int64 { return r.Bucket * int64(group(len(r.Counts))) }

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

// count formats a number with its digits in groups of three.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

func plural(n int, one string) string { return plural64(int64(n), one, one+"s") }

func plural64(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

func decimal(f float64) string {
	if f >= 100 {
		return count(int64(math.Round(f)))
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}

// took formats a duration, in nanoseconds, with about three digits.
func took(ns int64) string {
	d := time.Duration(ns)
	switch {
	case d < time.Microsecond:
		return d.String()
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g µs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
