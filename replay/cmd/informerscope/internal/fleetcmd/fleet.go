// Package fleetcmd is "informerscope fleet".
package fleetcmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/fleet"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report/costs"
	"github.com/informerscope/informerscope/replay/trace"
)

// options are the flags and arguments.
type options struct {
	cfg        fleet.Config
	names      []string // a capture, for the number of objects and their size
	resource   string
	profile    string
	server     string
	happens    string
	down, warm time.Duration
	limit      time.Duration
	megabytes  int64 // that the server writes in a second
	seed       int64
	output     cli.Output
}

// What can happen.
var happenings = map[string]fleet.Happening{"start": fleet.Start, "restart": fleet.Restart, "cut": fleet.Cut}

// Bounds of what is played.
const (
	mostReplicas = 5000
	mostObjects  = 1_000_000
	leastSize    = 100
	mostSize     = 10 << 20
	mostRate     = 1_000_000 // writes in a second
)

// Command returns "informerscope fleet".
func Command() *cobra.Command {
	o := &options{}
	c, flags := cli.New("fleet [FILE]", "say what many informers ask of one API server when it restarts, or when they all start", cli.Args(1, ""), o.run)
	cli.OutputFlag(c, &o.output)
	flags.IntVar(&o.cfg.Replicas, "replicas", 100, "how many informers there are")
	flags.Int64Var(&o.cfg.Objects, "objects", 5000, "how many objects each of them lists")
	flags.Int64Var(&o.cfg.Size, "size", 3000, "how many bytes an object takes on the wire")
	flags.StringVar(&o.resource, "resource", "", "take the objects from this `resource` of the capture, such as pods")
	flags.StringVar(&o.happens, "event", "restart", "what happens: start, restart or cut")
	flags.DurationVar(&o.down, "down", 5*time.Second, "for how long nobody can connect then")
	flags.DurationVar(&o.warm, "warm", time.Second, "how long the watch cache takes to begin after a restart")
	flags.Float64Var(&o.cfg.Writes, "writes", 1, "writes of the resource in a second")
	flags.Float64Var(&o.cfg.OtherWrites, "others", 10, "writes of other resources in a second")
	flags.Float64Var(&o.cfg.Selects, "selects", 1, "the share of the writes that an informer hears of, because of its selector")
	flags.StringVar(&o.profile, "profile", "current", "play as this `version` of client-go, or as this profile")
	flags.StringVar(&o.server, "server", "v1.37", "the `version` of kube-apiserver, from v1.22 on")
	flags.IntVar(&o.cfg.Server.Seats, "seats", fleet.WorkloadLow, "the seats of the informers' priority level")
	flags.IntVar(&o.cfg.Server.Flows, "accounts", 1, "how many service accounts the informers have, each of which is a flow")
	flags.Int64Var(&o.megabytes, "rate", 200, "how many megabytes the server writes in a second")
	flags.BoolVar(&o.cfg.Server.NoBookmarks, "no-bookmarks", false, "the server sends no bookmarks but those that end streaming lists")
	flags.DurationVar(&o.limit, "limit", 10*time.Minute, "how long to look on at most")
	flags.Int64Var(&o.seed, "seed", 1, "of all that is random")
	c.RegisterFlagCompletionFunc("profile", cli.CompleteProfiles)
	c.RegisterFlagCompletionFunc("event", cli.OneOf("start", "restart", "cut"))
	return c
}

// check finds mistakes, and fills in what follows from the flags.
func (o *options) check() (err error) {
	f := &o.cfg
	if f.Profile, err = cli.ProfileFor(o.profile); err != nil {
		return err
	}
	minor := 0
	if _, err := fmt.Sscanf(o.server, "v1.%d", &minor); err != nil || minor < 22 || o.server != fmt.Sprintf("v1.%d", minor) {
		return cli.UsageError("invalid --server %q; want a version such as v1.37, from v1.22 on", o.server)
	}
	f.Server.Minor = minor
	happens, ok := happenings[o.happens]
	if !ok {
		return cli.UsageError("unknown --event %q; want start, restart or cut", o.happens)
	}
	f.Happens, f.Seed, f.Server.Bytes = happens, uint64(o.seed), o.megabytes*1_000_000
	f.Downtime, f.Warm, f.Limit = int64(o.down), int64(o.warm), int64(o.limit)
	for _, b := range []struct {
		flag               string
		value, least, most float64
	}{
		{"replicas", float64(f.Replicas), 1, mostReplicas}, {"objects", float64(f.Objects), 0, mostObjects}, {"size", float64(f.Size), leastSize, mostSize},
		{"down", o.down.Seconds(), 0, 3600}, {"warm", o.warm.Seconds(), 0, 3600}, {"limit", o.limit.Seconds(), 1, 3600},
		{"writes", f.Writes, 0, mostRate}, {"others", f.OtherWrites, 0, mostRate}, {"selects", f.Selects, 0, 1},
		{"seats", float64(f.Server.Seats), 1, 1e6}, {"accounts", float64(f.Server.Flows), 1, mostReplicas}, {"rate", float64(o.megabytes), 1, 1e6},
	} {
		if !(b.value >= b.least && b.value <= b.most) {
			return cli.UsageError("invalid --%s %q; want a number from %s to %s", b.flag, number(b.value), number(b.least), number(b.most))
		}
	}
	return nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// mode is a way in which informers list.
type mode struct {
	Name   string        `json:"name"` // whole, pages or streaming
	Result *fleet.Result `json:"result"`
}

// document is what -o json prints.
type document struct {
	Event    string `json:"event"`
	Replicas int    `json:"replicas"`
	Objects  int64  `json:"objects"`
	Size     int64  `json:"size"`
	Profile  string `json:"profile"`
	Server   string `json:"server"`
	Modes    []mode `json:"modes"`
}

func (o *options) run(ctx context.Context, names []string, stdout, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.names = names; len(names) > 0 {
		if err := o.measure(ctx, stderr); err != nil {
			return err
		}
	}
	d := document{Event: o.happens, Replicas: o.cfg.Replicas, Objects: o.cfg.Objects, Size: o.cfg.Size, Profile: o.cfg.Profile.Versions, Server: o.server}
	done := make(chan []mode, 1)
	go func() { done <- o.modes() }()
	select {
	case d.Modes = <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	return o.output.Print(stdout, d, func(out *bufio.Writer) { o.write(out, &d) })
}

// modes plays the fleet once for each way to list.
func (o *options) modes() (all []mode) {
	for _, name := range []string{"whole", "pages", "streaming"} {
		cfg := o.cfg
		r := &cfg.Profile.Reflector
		if name == "streaming" && !r.StreamingList && !r.FallsBack { // older ones have none
			continue
		}
		r.StreamingList = name == "streaming"
		if name == "pages" {
			r.PageSize = pageSize
		}
		all = append(all, mode{name, fleet.Run(&cfg)})
	}
	return all
}

// pageSize is WatchListPageSize where lists are paged: the pager's own default.
const pageSize = 500

// measure takes the number of objects and their size from a capture.
func (o *options) measure(ctx context.Context, stderr io.Writer) error {
	c, err := files.Open(ctx, o.names, os.Stdin, files.NewBar(stderr, false))
	if err != nil {
		return err
	}
	c.Recent = &format.Recent{}
	var meter *costs.Meter
	got, err := c.Read(func(t *trace.Trace) func() error {
		meter = costs.New(t, costs.Options{Resource: o.resource, Bytes: c.Recent.Bytes})
		return func() error { meter.Grown(); return nil }
	})
	if err != nil {
		return err
	}
	files.TellProblems(stderr, o.names, got.Trace)
	var largest costs.Resource
	for _, r := range meter.Report().Resources {
		if r.Largest.Bytes > largest.Largest.Bytes {
			largest = r
		}
	}
	if largest.Largest.Objects == 0 {
		return fmt.Errorf("%s: it holds no objects of such a resource", files.JoinNames(o.names))
	}
	o.resource = largest.Name
	o.cfg.Objects = min(largest.Largest.Objects, mostObjects)
	o.cfg.Size = max(largest.Largest.Bytes/largest.Largest.Objects, leastSize)
	return nil
}

// newer returns a note on a version that is newer than all that are known.
func (o *options) newer() string {
	if played, newer := world.Newer(o.profile); newer {
		return fmt.Sprintf("; client-go %s is newer than what is known, and is played as %s", cli.Printable(o.profile), played)
	}
	return ""
}

// write prints the modes side by side.
func (o *options) write(out *bufio.Writer, d *document) {
	resource := ""
	if o.resource != "" {
		resource = " of " + cli.Printable(o.resource)
	}
	fmt.Fprintf(out, "%s%s, %s of %s, client-go %s%s\n", plain.Plural(d.Replicas, "informer"), resource, plain.Plural(d.Objects, "object"), plain.Size(d.Size), d.Profile, o.newer())
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
			fmt.Fprintf(out, "\n%s: %s not up to date within %v\n", m.Name, plain.Plural64(int64(missing), "informer is", "informers are"), o.limit)
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
