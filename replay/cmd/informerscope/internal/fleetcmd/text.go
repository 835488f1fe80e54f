package fleetcmd

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/informerscope/informerscope/engine/fleet"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
)

// write prints the modes side by side.
func (o *options) write(out *bufio.Writer, d *document) {
	resource := ""
	if o.resource != "" {
		resource = " of " + cli.Printable(o.resource)
	}
	fmt.Fprintf(out, "%s%s, %s of %s, client-go %s%s\n", plain.Plural(d.Replicas, "informer"), resource, plain.Plural64(d.Objects, "object", "objects"), plain.Size(d.Size), d.Profile, o.newer())
	fmt.Fprintf(out, "kube-apiserver %s, %s, %s a second\n", d.Server, plain.Plural(o.cfg.Server.Seats, "seat"), plain.Size(o.cfg.Server.Bytes))
	switch o.cfg.Happens {
	case fleet.Start:
		fmt.Fprintf(out, "all start at once, and nobody can connect for %v\n", o.down)
	case fleet.Restart:
		fmt.Fprintf(out, "the server restarts: nobody can connect for %v, and the watch cache takes %v more\n", o.down, o.warm)
	default:
		fmt.Fprintf(out, "all connections are cut, and nobody can connect for %v\n", o.down)
	}
	out.WriteByte('\n')
	row := func(what string, cell func(m *mode) string) {
		line := fmt.Sprintf("%-38s", what)
		for i := range d.Modes {
			line += fmt.Sprintf(" %14s", cell(&d.Modes[i]))
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
	count := func(what string, n func(r *fleet.Result) int64) {
		for i := range d.Modes {
			if n(d.Modes[i].Result) != 0 {
				row(what, func(m *mode) string { return plain.Count(n(m.Result)) })
				return
			}
		}
	}
	row("lists", func(m *mode) string { return m.Name })
	count("requests for a list", func(r *fleet.Result) int64 { return r.Lists })
	count("  for a further page", func(r *fleet.Result) int64 { return r.Pages })
	count("  for a streaming list", func(r *fleet.Result) int64 { return r.Streaming })
	count("  for a watch", func(r *fleet.Result) int64 { return r.Watches })
	count("  in the busiest second", busiest)
	count("lists and pages from the watch cache", func(r *fleet.Result) int64 { return r.FromCache })
	count("  from etcd", func(r *fleet.Result) int64 { return r.FromEtcd })
	row("bytes of them", func(m *mode) string { return plain.Size(m.Result.Bytes) })
	count("connections refused", func(r *fleet.Result) int64 { return r.Refused })
	count("requests broken off", func(r *fleet.Result) int64 { return r.Broken })
	count("410: the watch cache is too young", func(r *fleet.Result) int64 { return r.Expired })
	count("422: no streaming lists", func(r *fleet.Result) int64 { return r.Invalid })
	count("429: the watch cache begins", func(r *fleet.Result) int64 { return r.Beginning })
	count("429: the queues are full", func(r *fleet.Result) int64 { return r.Full })
	count("429: waited too long", func(r *fleet.Result) int64 { return r.TimedOut })
	count("back-offs", func(r *fleet.Result) int64 { return r.Backoffs })
	count("seats taken at most", func(r *fleet.Result) int64 { return int64(r.SeatsMost) })
	count("requests waiting at most", func(r *fleet.Result) int64 { return int64(r.WaitingMost) })
	count("answers under way at most", func(r *fleet.Result) int64 { return int64(r.AnswersMost) })
	count("objects in lists under way at most", func(r *fleet.Result) int64 { return r.ObjectsMost })
	row("up to date: the first after", func(m *mode) string { return formatTime(m.Result.FirstAt, m.Result.Synced > 0) })
	row("  half of them after", func(m *mode) string { return formatTime(m.Result.MedianAt, m.Result.MedianAt >= 0) })
	row("  all after", func(m *mode) string { return formatTime(m.Result.LastAt, m.Result.LastAt >= 0) })
	for i := range d.Modes {
		m := &d.Modes[i]
		if missing := d.Replicas - m.Result.Synced; missing > 0 {
			fmt.Fprintf(out, "\n%s: %s not up to date within %v\n", m.Name, countAre(missing), o.limit)
		}
		if m.Name == "pages" && m.Result.Expired > int64(d.Replicas) {
			out.WriteString(loop)
		}
	}
}

// loop says why lists in pages may take so long.
const loop = `
pages: a list with a resourceVersion and a limit is of just that revision. If the watch cache is younger,
the watch that follows is too old again, until etcd has forgotten the revision after 5 to 10 minutes.
`

// countAre returns "1 informer is", or "2 informers are".
func countAre(n int) string {
	if n == 1 {
		return "1 informer is"
	}
	return plain.Plural(n, "informer") + " are"
}

// formatTime returns a time, or a dash if it didn't come to it.
func formatTime(ns int64, came bool) string {
	if !came {
		return "–"
	}
	return plain.Duration(ns)
}

// busiest returns how many requests and connections came in the busiest second.
func busiest(r *fleet.Result) (most int64) {
	for _, s := range r.PerSecond {
		most = max(most, s.Lists+s.Streaming+s.Watches)
	}
	return most
}
