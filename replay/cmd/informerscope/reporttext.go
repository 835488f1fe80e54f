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

// textWidth is how wide a report is at most, but for long names.
const textWidth = 100

// writeReport prints a report for people.
func writeReport(out *bufio.Writer, d *report.Report) {
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
		line("  %-10s %s could not be read%s; the rest was", "problems", plural(int(d.ProblemCount), "place"), lost)
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
	for i := range d.Resources {
		out.WriteByte('\n')
		writeResource(out, &d.Resources[i])
	}
}

func writeResource(out *bufio.Writer, r *report.Resource) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "  %-10s "+format+"\n", append([]any{name}, args...)...)
	}
	fmt.Fprintf(out, "%s\n", printable(r.Name))
	e, q := r.Events, r.Requests
	line("events", "%s in %s: %s added, %s modified, %s deleted", count(e.All()), took(r.Last-r.First), count(e.Added), count(e.Modified), count(e.Deleted))
	line("", "%s, %s (%s of them 410), %s of an unknown type; %s of JSON",
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
		line("gap", "the longest without a change is %s, from %s to %s", took(r.Gap.Duration), report.Moment(r.Gap.From), report.Moment(r.Gap.To))
	}
	line("requests", "%s of %s in %s, %d failed", plural(int(q.Lists), "list"), plural(int(q.ListItems), "object"), plural(int(q.ListPages), "page"), q.ListsFailed)
	line("", "%s (%d streaming): %d closed, %d broken, %d refused", plural64(q.Watches, "watch", "watches"), q.Streaming, q.WatchesClosed, q.WatchesBroken, q.WatchesRefused)
	for i, h := range r.Hottest {
		line(title("hottest", i), "%8s  %5.1f %%  %s", count(h.Changes), 100*h.Share, printable(h.Key))
	}
	for i, h := range r.Handlers {
		longest := "how long they took was not recorded"
		if h.Longest > 0 {
			longest = fmt.Sprintf("the longest %s, at %s", took(h.Longest), report.Moment(h.At))
		}
		line(title("was called", i), "%s: %s, %s", printable(h.Name), plural(int(h.Calls), "call"), longest)
	}
	writeInformer(out, r)
}

// writeInformer prints the machine's part.
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
	line("queue", "deepest at %s: %d, with %s in it at most", report.Moment(x.Queue.At), x.Queue.Deepest, plural(int(x.Queue.Deltas), "delta"))
	inAll := "in all"
	if r.KeysAtMost {
		inAll = "in all, or fewer, as names may have come back"
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
	for _, h := range x.Listeners {
		if h.Left > 0 {
			line("", "%s has %s left when the capture ends", printable(h.Name), plural(h.Left, "notification"))
		}
	}
}

// reasons are why an informer lists again.
var reasons = map[string]string{
	report.Expired:        "expired (410)",
	report.WatchError:     "error on the watch",
	report.VeryShortWatch: "very short watch",
	report.WatchRefused:   "watch refused",
	report.WatchClosed:    "watch closed",
	report.ListedAgain:    "listed again, and the recording doesn't say why",
}

// title names the first of several lines.
func title(name string, i int) string {
	if i == 0 {
		return name
	}
	return ""
}

// wrapped prints words over as many lines as they take.
func wrapped(out *bufio.Writer, name, text string) {
	const indent = 13
	at := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case at == 0:
			fmt.Fprintf(out, "  %-10s %s", name, word)
			at = indent
		case at+1+n > textWidth:
			fmt.Fprintf(out, "\n%*s%s", indent, "", word)
			at = indent
		default:
			out.WriteString(" " + word)
			at++
		}
		at += n
	}
	out.WriteByte('\n')
}

// columns is how wide a sparkline is at most.
const columns = 60

// group is how many buckets make a column.
func group(buckets int) int { return (buckets + columns - 1) / columns }

// column is how long a column of r's sparkline is.
func column(r report.Rate) int64 { return r.Bucket * int64(group(len(r.Counts))) }

// sparkline draws counts in one line. Where something came there is always
// something to see.
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

// count groups a number's digits by three.
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

// took is a duration with about three digits.
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
