package controllercmd

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/report/controller"
	"github.com/informerscope/informerscope/replay/triggers"
)

// mostRows is how many things of a kind are printed.
const mostRows = 20

// writeReport prints a report as text.
func writeReport(out *bufio.Writer, r *controller.Report) {
	for i := range r.Controllers {
		if i > 0 {
			out.WriteByte('\n')
		}
		writeController(out, &r.Controllers[i], r.LeftOut)
	}
	writeWaiting(out, r)
	if r.Unowned > 0 {
		fmt.Fprintf(out, "\n%s sent outside of all reconciles, or while several were under way without their context\n", plain.Plural64(r.Unowned, "write was", "writes were"))
	}
	if r.LeftOut {
		out.WriteString("\nthe recorder had no room for some of it, so more may have happened\n")
	}
}

// writeWaiting prints what had not ended when the recording did.
func writeWaiting(out *bufio.Writer, r *controller.Report) {
	if len(r.Waiting) > 0 && len(r.Controllers) > 0 {
		out.WriteByte('\n')
	}
	for i := range r.Waiting {
		if i == mostRows {
			fmt.Fprintf(out, "  and %s more; -o json lists all\n", plain.Count(int64(len(r.Waiting)-i)))
			break
		}
		fmt.Fprintf(out, "%-12s %s\n", cli.Title("at the end", i), waitingText(&r.Waiting[i]))
	}
}

// waitingText says what had not ended, and what that means.
func waitingText(w *controller.Waiting) string {
	since := fmt.Sprintf("since %s, for %s", report.Moment(w.Since), plain.Duration(w.Duration))
	if w.Unknown {
		since += ", as far as was recorded: the recorder had no room for some ends"
	}
	name := cli.Printable(w.Resource)
	switch w.Kind {
	case controller.AList:
		return fmt.Sprintf("the list of %s has not ended %s", name, since)
	case controller.AStreamingList:
		return fmt.Sprintf("the streaming list of %s has not ended %s: %s came, and not the bookmark that ends it, so the informer never syncs", name, since, plain.Plural(w.Events, "object"))
	case controller.ACall:
		return fmt.Sprintf("%s of the handler %s, of %s, has not returned %s; %s came since, and wait", w.Fn, cli.Printable(w.Handler), cli.Printable(w.Key), since, plain.Plural(w.Behind, "event"))
	case controller.AReconcile:
		return fmt.Sprintf("the reconcile of %s by %s has not returned %s", cli.Printable(w.Key), cli.Printable(w.Handler), since)
	}
	text := fmt.Sprintf("the watch of %s is open and silent since %s", name, report.Moment(w.Last))
	if u := w.Unseen; u != nil {
		text += fmt.Sprintf(", though the API server accepted the %s of %s at %s: what should bring it is cut off", u.Verb, cli.Printable(u.Object), report.Moment(u.Answered))
	}
	return text
}

// writeController prints a controller. Where the recorder had no room for something, each number may be larger.
func writeController(out *bufio.Writer, c *controller.Controller, leftOut bool) {
	least := ""
	if leftOut {
		least = "at least "
	}
	fmt.Fprintf(out, "controller %s\n", cli.Printable(c.Name))
	line := cli.Lines(out)
	rs := &c.Reconciles
	line("reconciles", "%s%s, of %s; %s", least, plain.Count(rs.Count), plain.Plural(c.Keys, "key"), outcomes(rs))
	if rs.LongestKey != "" {
		line("", "the longest took %s, of %s", plain.Duration(rs.Longest), cli.Printable(rs.LongestKey))
	}
	line("writes", "%s%s", least, writesText(&c.Writes))
	if came := echoTimes(c); came != "" {
		line("", "%s", came)
	}
	line("stale", "%s", staleText(c, least))
	for i := range c.Stale {
		if i == mostRows {
			line("", "and %s more; -o json lists all", plain.Count(int64(len(c.Stale)-i)))
			break
		}
		s := &c.Stale[i]
		line("", "%s  %s  before %s", report.Moment(s.Began), cli.Printable(s.Key), lastText(s))
	}
	line("duplicates", "%s%s", least, plain.Count(int64(len(c.Duplicates))))
	for i := range c.Duplicates {
		if i == mostRows {
			line("", "and %s more; -o json lists all", plain.Count(int64(len(c.Duplicates)-i)))
			break
		}
		d := &c.Duplicates[i]
		came := "never came"
		if d.Received != 0 {
			came = "came at " + report.Moment(d.Received)
		}
		if d.Lost {
			came = "was created by a request whose answer was lost, and " + came
		}
		line("", "%s  %s  created %s %s beside %s, which %s", report.Moment(d.Time), cli.Printable(d.Key), cli.Printable(d.Resource), cli.Printable(d.Second), cli.Printable(d.First), came)
	}
	writePutOff(line, c.PutOff, leftOut)
	writeLoops(line, c, least)
	if q := c.Queue; q != nil {
		line("workqueue", "%s%s, %s; %s of a key that was waiting already, at least", least, plain.Plural(q.Adds, "add"), plain.Plural(q.Gets, "get"), plain.Plural(q.Deduplicated, "add"))
		if q.LongestKey != "" {
			line("", "the longest wait was %s, of %s", plain.Duration(q.Longest), cli.Printable(q.LongestKey))
		}
	}
}

// writeLoops prints the keys that fail, those that were reconciled very often, and those whose writes meet conflicts.
func writeLoops(line func(name, format string, args ...any), c *controller.Controller, least string) {
	for i := range c.Failing[:min(len(c.Failing), mostRows)] {
		f := &c.Failing[i]
		next := ""
		if f.Next != 0 {
			next = "; it is tried again at " + report.Moment(f.Next)
		}
		line(cli.Title("failing", i), "%s  %s%s in a row, from %s to %s%s; last with %s: %s", cli.Printable(f.Key), least, plain.Plural(f.Times, "time"), report.Moment(f.From), report.Moment(f.Last), next, cli.Printable(f.Error), cli.Printable(f.Message))
	}
	for i := range c.Hot[:min(len(c.Hot), mostRows)] {
		if h := &c.Hot[i]; h.Reconciles > c.Reconciles.Count/10 && h.Reconciles >= busy {
			line(cli.Title("hottest", i), "%s  %s%s within a minute from %s; %s of them by %s", cli.Printable(h.Key), least, plain.Plural(h.Reconciles, "reconcile"), report.Moment(h.From), plain.Count(h.Fed), h.Cause)
		}
	}
	for i := range c.Conflicts[:min(len(c.Conflicts), mostRows)] {
		if f := &c.Conflicts[i]; f.Times > 1 {
			line(cli.Title("conflicts", i), "%s  %s%s within ten minutes from %s, the last for %s %s", cli.Printable(f.Key), least, plain.Plural(f.Times, "write"), report.Moment(f.From), cli.Printable(f.Resource), cli.Printable(f.Object))
		}
	}
}

// busy is from how many reconciles of a key within a minute on the key is printed.
const busy = 60

// outcomes says how reconciles ended.
func outcomes(r *controller.Reconciles) string {
	parts := []string{plain.Count(r.Done) + " done"}
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, plain.Count(n)+" "+what)
		}
	}
	add(r.Requeue, "requeue")
	add(r.RequeueAfter, "requeueAfter")
	for _, e := range r.Errors {
		add(e.Count, cli.Printable(e.Error))
	}
	add(r.Panics, "panicked")
	add(r.Open, "not ended")
	return strings.Join(parts, ", ")
}

func writesText(w *controller.Writes) string {
	parts := []string{plain.Count(w.Accepted) + " accepted"}
	for _, e := range w.Refused {
		parts = append(parts, plain.Count(e.Count)+" "+cli.Printable(e.Error))
	}
	for _, p := range []struct {
		n    int64
		kind string
	}{
		{w.Unanswered, "without an answer"}, {w.DryRun, "dry runs"}, {w.NoChange, "changed nothing"},
		{w.Unwatched, "of resources that nobody watches"}, {w.Guessed, "without the reconcile's context"},
	} {
		if p.n > 0 {
			parts = append(parts, plain.Count(p.n)+" "+p.kind)
		}
	}
	return strings.Join(parts, ", ")
}

// echoTimes says how long writes took to come back.
func echoTimes(c *controller.Controller) string {
	var took []int64
	never := 0
	for i := range c.Writes.Echoes {
		if b := &c.Writes.Echoes[i]; b.Received == 0 {
			never++
		} else {
			took = append(took, b.Duration)
		}
	}
	text := ""
	if len(took) > 0 {
		slices.Sort(took)
		text = fmt.Sprintf("%s came back: half of them within %s, the last within %s", plain.Count(int64(len(took))), plain.Duration(took[(len(took)-1)/2]), plain.Duration(took[len(took)-1]))
	}
	if never > 0 {
		if text != "" {
			text += "; "
		}
		text += plain.Count(int64(never)) + " never came back"
	}
	return text
}

func staleText(c *controller.Controller, least string) string {
	if len(c.Stale) == 0 && least != "" {
		return "no reconcile that was recorded is known to have begun before the cache had the controller's last write for its key"
	}
	if len(c.Stale) == 0 {
		return "no reconcile began before the cache had the controller's last write for its key"
	}
	return fmt.Sprintf("%s%s before the cache had the controller's last write for its key", least, plain.Plural(len(c.Stale), "reconcile")+" began")
}

// lastText returns the write that a stale reconcile didn't wait for, and what came of the reconcile.
func lastText(s *controller.StaleReconcile) string {
	text := fmt.Sprintf("%s of %s %s", s.Last.Verb, cli.Printable(s.Last.Resource), cli.Printable(s.Last.Object))
	if s.Last.RV != "" {
		text += " @" + cli.Printable(s.Last.RV)
	}
	switch {
	case s.Last.Received == 0:
		text += ", which never came"
	case s.Queued():
		text += ", which had come " + plain.Duration(s.Began-s.Last.Received) + " before, and the informer had not put it into its cache"
	default:
		text += ", which came " + plain.Duration(s.Last.Received-s.Began) + " later"
	}
	if s.Unseen > 1 {
		text += fmt.Sprintf("; %s more were to come", plain.Count(int64(s.Unseen-1)))
	}
	for _, r := range s.Refused {
		text += "; " + cli.Printable(r.Error)
	}
	return text
}

// writePutOff prints the keys that were put off, those with the longest time first.
func writePutOff(line func(name, format string, args ...any), all []controller.PutOff, leftOut bool) {
	type delays struct {
		key, method          string
		times, dropped, till int64
	}
	var sums []*delays
	by := map[[2]string]*delays{}
	for i := range all {
		p := &all[i]
		id := [2]string{p.Key, p.Method}
		s := by[id]
		if s == nil {
			s = &delays{key: p.Key, method: p.Method}
			by[id], sums = s, append(sums, s)
		}
		s.times++
		if p.Until == 0 {
			s.dropped++
		} else {
			s.till += p.Until - p.Time
		}
	}
	slices.SortStableFunc(sums, func(a, b *delays) int { return int(min(max(b.till-a.till, -1), 1)) })
	switch {
	case len(sums) == 0 && leftOut:
		line("put off", "nothing that was recorded")
	case len(sums) == 0:
		line("put off", "nothing")
	}
	for i, s := range sums {
		if i == mostRows {
			line("", "and %s; -o json lists all", plain.Plural(len(sums)-i, "more key"))
			break
		}
		text := fmt.Sprintf("%s  by %s, %s, for %s in all", cli.Printable(s.key), cli.Printable(s.method), plain.Plural(s.times, "time"), plain.Duration(s.till))
		if s.dropped > 0 {
			text += fmt.Sprintf("; %s until the end", plain.Count(s.dropped))
		}
		line(cli.Title("put off", i), "%s", text)
	}
}

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
			fmt.Fprintf(out, "  %s of %s: %s of %s added a key\n", cli.Printable(c.Handler), cli.Printable(c.Resource), plain.Count(c.Added), plain.Plural(c.Calls, "call"))
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
		fmt.Fprintf(out, "  %s%s. What triggered them is unknown: the calls of its workqueue were not recorded, by Queue or PriorityQueue of replay/record under the controller's name\n", least, plain.Plural(c.Reconciles, "reconcile"))
		return
	}
	fmt.Fprintf(out, "  %s%s; one may have several triggers\n", least, plain.Plural(c.Reconciles, "reconcile"))
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
		fmt.Fprintf(out, "  %3s %%  %s: %s%s\n", percent(n.Certain, c.Reconciles), cli.Printable(n.Text()), least, count)
	}
	if c.Unknown > 0 {
		fmt.Fprintf(out, "  %3s %%  unknown: %s\n", percent(c.Unknown, c.Reconciles), plain.Count(c.Unknown))
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

// percent returns how many of a hundred n is of all. Something is never 0.
func percent(n, all int64) string {
	p := (100*n + all/2) / max(all, 1)
	if p == 0 && n > 0 {
		return "<1"
	}
	return strconv.FormatInt(p, 10)
}
