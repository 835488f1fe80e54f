// Package recordcmd is "informerscope record".
package recordcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/record/cluster"
	"github.com/informerscope/informerscope/replay/record/follow"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/serve/kubectl"
	"github.com/informerscope/informerscope/replay/trace"
)

// usual are the resources that are recorded if none is named. Those that the server
// lacks are left out.
var usual = []string{
	"pods", "nodes", "namespaces", "services", "configmaps", "events", "persistentvolumeclaims", "persistentvolumes",
	"deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps",
	"jobs.batch", "cronjobs.batch", "endpointslices.discovery.k8s.io", "leases.coordination.k8s.io",
}

// recordOptions are record's flags and arguments.
type recordOptions struct {
	cli.Cluster
	namespace, selector, fieldSelector  string
	out                                 string
	duration                            time.Duration
	all, namespaces, streaming, secrets bool
	keep                                string
	resources                           []string
}

// startProxy starts kubectl proxy. Once the proxy runs, only stop ends it: if ctx
// did, the requests under way would seem to have failed.
func startProxy(ctx context.Context, o kubectl.Options) (dial cluster.Dialer, stop func(), err error) {
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	starting := context.AfterFunc(ctx, end)
	socket, stop, err := kubectl.Start(running, o)
	if starting() && err == nil {
		return kubectl.Dial(socket), stop, nil
	}
	end()
	if stop != nil {
		stop()
	}
	if errors.Is(err, kubectl.ErrNotInstalled) {
		err = fmt.Errorf("%w: install it, or name a running proxy with --server URL", err)
	}
	return nil, nil, cmp.Or(ctx.Err(), err)
}

// run records from a live cluster until ctx is done.
func (o *recordOptions) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o.resources = cli.ResourceNames(args)
	if err := o.check(); err != nil {
		return cli.Exit(cli.ExitUsage, err)
	}
	redactor, err := o.redactor()
	if err != nil {
		return cli.Exit(cli.ExitUsage, err)
	}
	server, dial := o.Server, cluster.Dialer(nil)
	if server == "" {
		socket, stop, err := startProxy(ctx, kubectl.Options{
			Program: o.Kubectl, Context: o.Context, Kubeconfig: o.Kubeconfig, NoSecrets: !o.secrets, Messages: stderr,
			Lost: func(err error) { fmt.Fprintf(stderr, "%s; it is started again\n", cli.Printable(err.Error())) },
		})
		if err != nil {
			return err
		}
		defer stop()
		server, dial = kubectl.Address, socket
	}
	client, err := cluster.NewClient(server, dial, cli.Agent())
	if err != nil {
		return err
	}
	found, err := client.Discover(ctx, func(text string) { fmt.Fprintf(stderr, "discovery: %s\n", cli.Printable(text)) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("the cluster can't be reached: %s", cli.Printable(err.Error()))
	}
	chosen, err := o.choose(found)
	if err != nil {
		return err
	}
	o.announce(redactor, stderr)
	file, err := cluster.Create(o.out, stdout)
	if err != nil {
		return err
	}
	if redactor != nil {
		file.Redact = redactor.Line
	}
	recording, err := cluster.NewRecording(client, file, file.Flush, trace.Header{
		Recorder: "informerscope " + cli.Version(), Server: client.Version(ctx), Level: trace.AtTransport,
	})
	if err != nil {
		file.Close()
		return writeError(o.out, file, err)
	}
	for _, r := range chosen {
		recording.Add(r.Name(), follow.Options{
			Path: r.Path(o.namespace), LabelSelector: o.selector, FieldSelector: o.fieldSelector, Streaming: o.streaming,
		})
	}
	return o.record(ctx, recording, file, redactor, stderr)
}

// record runs the recording, and shows its progress.
func (o *recordOptions) record(ctx context.Context, recording *cluster.Recording, file *cluster.File, redactor *redact.Redactor, stderr io.Writer) error {
	if o.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.duration)
		defer cancel()
	}
	shown := newProgress(stderr, o.out, recording)
	shownUntil, stopShowing := context.WithCancel(context.Background())
	showing := make(chan struct{})
	go func() {
		defer close(showing)
		shown.run(shownUntil)
	}()
	err := recording.Run(ctx)
	stopShowing()
	<-showing
	if err == nil && redactor != nil {
		file.Redact = nil
		_, err = file.Write(append(redactor.Summary(int64(recording.Elapsed())), '\n'))
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return writeError(o.out, file, err)
	}
	shown.summary(file.Size())
	if redactor != nil {
		for _, c := range redactor.Counts() {
			if c.N > 0 {
				fmt.Fprintf(stderr, "taken out: %s\n", c)
			}
		}
	}
	return o.gotNothing(recording.Progress())
}

// gotNothing returns an error if no resource got an object.
func (o *recordOptions) gotNothing(now []cluster.Progress) error {
	var why []string
	for _, r := range now {
		if r.Received {
			return nil
		}
		text := "no answer has come"
		if r.Err != nil {
			text = cli.Printable(r.Err.Error())
		}
		if !slices.Contains(why, text) {
			why = append(why, text)
		}
	}
	const most = 3
	if more := len(why) - most; more > 0 {
		why = append(why[:most], fmt.Sprintf("and %d other reasons", more))
	}
	where := "; " + o.out + " holds only the requests and how they ended"
	if o.out == files.Stdin {
		where = ""
	}
	return fmt.Errorf("nothing was recorded: %s%s", strings.Join(why, "; "), where)
}

// writeError adds to err what a recording that failed still holds.
func writeError(name string, file *cluster.File, err error) error {
	return fmt.Errorf("%s could not be written: %w; it holds what was recorded before, up to the last whole line (%s)", name, err, plain.Size(file.Size()))
}

// Command returns "informerscope record".
func Command() *cobra.Command {
	o := &recordOptions{}
	c, flags := cli.New("record [RESOURCE…]", "list and watch resources of a cluster, and write a trace", nil, o.run)
	c.ValidArgsFunction = cli.OneOf(usual...)
	flags.StringVarP(&o.namespace, "namespace", "n", "", "record one `namespace` only (and what is in none)")
	flags.BoolVarP(&o.namespaces, "all-namespaces", "A", false, "record all namespaces, as is done without --namespace")
	flags.StringVarP(&o.selector, "selector", "l", "", "record what has these labels only: a label `selector`")
	flags.StringVar(&o.fieldSelector, "field-selector", "", "record what has these fields only: a field `selector`")
	flags.StringVarP(&o.out, "out", "o", "", "the `file` to write: NAME.trace.jsonl, or with .gz or .zst at the end to compress; - is the standard output (default informerscope-DATE-TIME.trace.jsonl.gz)")
	flags.DurationVar(&o.duration, "duration", 0, "stop after this `time`, such as 90s or 10m; by default Ctrl-C stops")
	flags.BoolVar(&o.all, "all", false, "record everything that can be watched; Secrets only with --secrets")
	flags.BoolVar(&o.secrets, "secrets", false, "record Secrets, too: their names and keys, and their data only with --keep secrets; naming secrets as a RESOURCE does the same")
	flags.BoolVar(&o.streaming, "streaming", false, "ask for streaming lists (sendInitialEvents), where the server has them")
	flags.StringVar(&o.keep, "keep", "", "a `list` of what is not taken out: "+strings.Join(redact.Default.Words(), ", ")+"; or all")
	o.Flags(c, "the `URL` of an API server or a running kubectl proxy, instead of one's own")
	c.RegisterFlagCompletionFunc("keep", cli.OneOf(append(redact.Default.Words(), "all")...))
	return c
}

// check finds mistakes, and fills in what follows from the flags.
func (o *recordOptions) check() error {
	switch {
	case o.all && len(o.resources) > 0:
		return errors.New("either --all or resources")
	case o.namespaces && o.namespace != "":
		return errors.New("either --namespace or --all-namespaces")
	case o.duration < 0:
		return fmt.Errorf("invalid --duration %q; want more than 0", o.duration)
	}
	o.secrets = o.secrets || slices.ContainsFunc(o.resources, isSecrets)
	if o.out == "" {
		o.out = "informerscope-" + time.Now().Format("20060102-150405") + ".trace.jsonl.gz"
	}
	return cmp.Or(o.Check(), cli.NoFormat(o.out))
}

// isSecrets reports whether name, as the user wrote it, names Secrets.
func isSecrets(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	return name == "secrets" || name == "secret"
}

// redactor makes what takes out what is not to be kept. It is nil if everything is.
func (o *recordOptions) redactor() (*redact.Redactor, error) {
	rules, err := redact.Default.Without(o.keep)
	if err != nil {
		return nil, fmt.Errorf("--keep: %w", err)
	}
	if rules == 0 {
		return nil, nil
	}
	return redact.New(redact.Options{Values: true, Rules: rules})
}

// announce says what is taken out, and what is not.
func (o *recordOptions) announce(redactor *redact.Redactor, stderr io.Writer) {
	if redactor == nil {
		fmt.Fprintln(stderr, "nothing is taken out: the trace will hold whatever secrets the cluster shows")
	} else {
		fmt.Fprintf(stderr, "taken out before anything is written: %s (--keep keeps some of it)\n", strings.Join(redactor.Listed()[1:], ", "))
	}
}

// choose returns the resources to record, out of those that the server has.
func (o *recordOptions) choose(found []follow.Resource) ([]follow.Resource, error) {
	if !o.secrets {
		found = slices.DeleteFunc(slices.Clone(found), func(r follow.Resource) bool { return isSecrets(r.Name()) })
	}
	if o.all {
		return found, nil
	}
	asked := o.resources
	if len(asked) == 0 {
		asked = usual
	}
	var out []follow.Resource
	for _, name := range asked {
		r, ok := follow.Find(found, name)
		switch {
		case !ok && len(o.resources) > 0:
			return nil, fmt.Errorf("unknown resource %q; the server can watch %s", name, names(found))
		case ok && !slices.ContainsFunc(out, func(other follow.Resource) bool { return other.Path("") == r.Path("") }):
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the server has none of the usual resources; name some: it has %s", names(found))
	}
	return out, nil
}

func names(found []follow.Resource) string {
	var out []string
	for _, r := range found {
		out = append(out, cli.Printable(r.Name()))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

// How often progress is shown: on a terminal, and as lines elsewhere.
const (
	redrawEvery = 250 * time.Millisecond
	lineEvery   = 10 * time.Second
)

// recordProgress shows how far a recording is. On a terminal it redraws a table;
// elsewhere it prints a line now and then, and a line for each failure.
type recordProgress struct {
	out       io.Writer
	screen    *os.File // nil where out is no terminal
	name      string
	recording *cluster.Recording

	drawn   int // lines that the last table took
	samples []progressSample
	errorAt map[string]int64 // when the last printed error happened, by resource
}

// progressSample is how many events each resource had at a time, for its rate.
type progressSample struct {
	elapsed time.Duration
	events  map[string]int64
}

func newProgress(out io.Writer, name string, r *cluster.Recording) *recordProgress {
	p := &recordProgress{out: out, name: name, recording: r, errorAt: map[string]int64{}}
	if f, ok := terminal(out); ok {
		p.screen = f
	}
	return p
}

// run shows progress until ctx is done.
func (p *recordProgress) run(ctx context.Context) {
	tick := time.NewTicker(redrawEvery)
	defer tick.Stop()
	line := lineEvery
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		elapsed, now := p.recording.Elapsed(), p.recording.Progress()
		p.sample(elapsed, now)
		if p.screen != nil {
			width, height, err := term.GetSize(int(p.screen.Fd()))
			if err != nil {
				width, height = 80, 24
			}
			p.draw(p.table(elapsed, now, height-2), width)
			continue
		}
		p.failures(now)
		if elapsed >= line {
			line += lineEvery
			fmt.Fprintln(p.out, p.line(elapsed, now))
		}
	}
}

// sample keeps the counts of the last few seconds.
func (p *recordProgress) sample(at time.Duration, now []cluster.Progress) {
	const window = 3 * time.Second
	events := map[string]int64{}
	for _, r := range now {
		events[r.Name] = r.Events
	}
	p.samples = append(p.samples, progressSample{at, events})
	for len(p.samples) > 2 && at-p.samples[1].elapsed >= window {
		p.samples = p.samples[1:]
	}
}

// rate returns a resource's events per second over the last few seconds.
func (p *recordProgress) rate(r cluster.Progress, at time.Duration) float64 {
	first := p.samples[0]
	if at <= first.elapsed {
		return 0
	}
	return float64(r.Events-first.events[r.Name]) / (at - first.elapsed).Seconds()
}

// table returns what the terminal shows, in at most so many lines.
func (p *recordProgress) table(at time.Duration, now []cluster.Progress, most int) []string {
	total := p.total(at, now)
	out := []string{
		fmt.Sprintf("recording to %s for %s (Ctrl-C stops)", p.name, at.Round(time.Second)),
		fmt.Sprintf("%-36s %9s %8s %9s %7s  %s", "RESOURCE", "EVENTS", "/S", "SIZE", "LISTS", "STATE"),
	}
	row := func(name string, events int64, rate float64, bytes, lists int64, state string) {
		out = append(out, fmt.Sprintf("%-36s %9d %8.1f %9s %7d  %s", name, events, rate, plain.Size(bytes), lists, state))
	}
	room := max(most-len(out)-1, 1)
	for i, r := range now {
		if i == room-1 && len(now) > room {
			out = append(out, fmt.Sprintf("… and %d more", len(now)-i))
			break
		}
		row(cli.Printable(r.Name), r.Events, p.rate(r, at), r.Bytes, r.Lists, stateOf(r.Status, at))
	}
	row("all", total.events, total.rate, total.bytes, total.lists, "")
	return out
}

// draw replaces the lines that are on the screen.
func (p *recordProgress) draw(lines []string, width int) {
	var b strings.Builder
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\r", p.drawn)
	}
	for _, l := range lines {
		if r := []rune(l); len(r) >= width {
			l = string(r[:max(width-1, 0)])
		}
		b.WriteString(l + "\x1b[K\n")
	}
	if p.drawn > len(lines) { // the terminal has become smaller
		b.WriteString("\x1b[J")
	}
	p.drawn = len(lines)
	io.WriteString(p.out, b.String())
}

// failures prints new errors.
func (p *recordProgress) failures(now []cluster.Progress) {
	for _, r := range now {
		if r.Err != nil && p.errorAt[r.Name] != r.WhyAt {
			p.errorAt[r.Name] = r.WhyAt
			fmt.Fprintf(p.out, "%s %s: %s\n", time.Duration(r.WhyAt).Round(time.Second), cli.Printable(r.Name), cli.Printable(r.Err.Error()))
		}
	}
}

// line returns the progress in one line.
func (p *recordProgress) line(at time.Duration, now []cluster.Progress) string {
	t := p.total(at, now)
	s := fmt.Sprintf("%s: %d events, %.1f/s, %s;", at.Round(time.Second), t.events, t.rate, plain.Size(t.bytes))
	for _, r := range now {
		if r.Events > 0 {
			s += fmt.Sprintf(" %s %d", cli.Printable(r.Name), r.Events)
		}
	}
	return strings.TrimSuffix(s, ";")
}

// totals are sums over all resources.
type totals struct {
	events, bytes, lists, relists int64
	rate                          float64
}

func (p *recordProgress) total(at time.Duration, now []cluster.Progress) (t totals) {
	for _, r := range now {
		t.events += r.Events
		t.bytes += r.Bytes
		t.lists += r.Lists
		t.relists += r.Relists
		if len(p.samples) > 0 {
			t.rate += p.rate(r, at)
		}
	}
	return t
}

// summary prints what was recorded. written is the file's size in bytes.
func (p *recordProgress) summary(written int64) {
	at, now := p.recording.Elapsed(), p.recording.Progress()
	if p.screen == nil {
		p.failures(now)
	}
	t := p.total(at, now)
	fmt.Fprintf(p.out, "%s: %s, %s (%s), %s in %s; %s in the file\n",
		p.name, plain.Plural(len(now), "resource"), plain.Plural(t.lists, "list"), plain.Plural(t.relists, "relist"), plain.Plural(t.events, "event"), at.Round(time.Second), plain.Size(written))
}

// stateOf says what a resource's follower does.
func stateOf(s follow.Status, at time.Duration) string {
	if s.State != follow.Waiting || s.Reason == follow.None {
		return s.State.String()
	}
	left := max(0, time.Duration(s.Until)-at).Round(time.Second)
	return fmt.Sprintf("tries again in %s: %s", left, cli.Printable(s.Err.Error()))
}

// terminal returns w as a file if it is a terminal.
func terminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}
