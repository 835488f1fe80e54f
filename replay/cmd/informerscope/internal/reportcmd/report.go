// Package reportcmd is "informerscope report".
package reportcmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/redactcmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/why"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// options are report's flags and arguments.
type options struct {
	play.Input
	play.Options
	notifications bool
	asks          expressions
	verdicts      play.Verdicts
	recorded      bool // the capture has calls or reconciles of its own process
	why           string
	chain         *why.Query // what why says; nil if it is empty
	step          string
	moment        *moment // what step says; nil if it is empty
	file          string  // the only capture, if it is a file
	size          int64   // of the file; 0 for none
	exports       play.Exports
}

// Command returns "informerscope report".
func Command() *cobra.Command {
	_, c := newReport()
	return c
}

// newReport returns report's options, and the command that fills them in.
func newReport() (*options, *cobra.Command) {
	o := &options{}
	c, flags := cli.New("report FILE…", "play captures to an informer, and say what they hold and how its handlers fared", cli.Files(math.MaxInt), o.run)
	flags.BoolVar(&o.notifications, "notifications", false, "print every call of every handler as a JSON line, and nothing else")
	o.exports.Flags(flags)
	o.Options.Flags(c)
	o.asks.flags(c)
	o.verdicts.Flags(c)
	flags.StringVar(&o.why, "why", "", "print what came of each event and list of this `key`, and what each call of a handler came of")
	flags.StringVar(&o.step, "step", "", "print in words what the machine of each resource is like at this `moment`, a step or a time, and nothing else")
	o.Input.Flags(c, cli.AsMarkdown, cli.AsGitHub)
	flags.Var(flags.Lookup("output").Value, "format", "the same as -o")
	return o, c
}

// check finds mistakes, and fills in what follows from the flags.
func (o *options) check() error {
	if o.notifications && o.Output != cli.AsText && o.Output != cli.AsJSON {
		return cli.UsageError("--notifications prints JSON lines, and no %s", o.Output)
	}
	if o.notifications && o.asks.find+o.asks.plot != "" {
		return cli.UsageError("--notifications prints calls, and nothing that is found or plotted")
	}
	if o.step != "" {
		if o.notifications || o.why+o.asks.find+o.asks.plot != "" || o.Output != cli.AsText {
			return cli.UsageError("--step prints text, and nothing else: leave out --notifications, --why, --find, --plot and --output")
		}
		var err error
		if o.moment, err = parseMoment(o.step); err != nil {
			return err
		}
	}
	if o.why != "" {
		if o.notifications || o.Output != cli.AsText {
			return cli.UsageError("--why prints text: leave out --notifications and --output")
		}
		w, err := why.Parse(o.why)
		if err != nil {
			return cli.UsageError("--why %w", err)
		}
		o.chain = &w
	}
	if err := o.exports.Check(); err != nil {
		return err
	}
	if err := o.asks.check(o.Output); err != nil {
		return err
	}
	return o.Check()
}

func (o *options) run(ctx context.Context, names []string, stdout, stderr io.Writer) error {
	o.Names = names
	if err := o.check(); err != nil {
		return err
	}
	play.TellNewer(stderr, o.Profile)
	c, err := o.Open(ctx, stderr)
	if err != nil {
		return err
	}
	if err := o.exports.Create(ctx); err != nil {
		return err
	}
	run, err := o.play(c)
	defer run.close()
	defer o.asks.close()
	if err = o.exports.Close(cli.Interrupted(ctx, err), stderr); err != nil {
		return err
	}
	damaged, err := o.Judge(stderr, run.captured.Trace)
	if err != nil {
		return err
	}
	played := run.Played()
	if len(played) == 0 && run.saysNothing() {
		return play.NoResource("play", o.Names, o.Report.Resource, run.captured.Trace)
	}
	summary, asserts := o.summary(run, played)
	if err := o.print(ctx, run, summary, played, stdout, stderr); err != nil {
		return err
	}
	if err := o.verdicts.Write(summary, asserts, stderr); err != nil {
		return err
	}
	return play.ExitError(stderr, run.compared(), damaged)
}

// saysNothing reports whether nothing was found in a capture that holds nothing to play: an informer may have had no answer at all.
func (r *run) saysNothing() bool {
	return r.captured.Trace.Records > 0 || len(r.Report().Card.Found) == 0
}

// summary returns what came of the asserts, and behind them the findings.
func (o *options) summary(run *run, played []*trace.Resource) (summary *evidence.Summary, asserts int) {
	summary = &evidence.Summary{Name: files.JoinNames(o.Names), Link: o.link("", "view", "card")}
	summary.Rows = o.asks.verdicts(played, func(resource string, step int64) evidence.Link {
		return o.link(resource, "step", strconv.FormatInt(step, 10))
	})
	card := run.Report().Card
	summary.Rows = append(summary.Rows, o.asks.judge(card.Found, o.findingLinks)...)
	asserts = len(summary.Rows)
	summary.AddCard(card, func(f *findings.Finding) evidence.Link {
		_, step := o.findingLinks(f)
		return step
	})
	return summary, asserts
}

// print prints what was asked for.
func (o *options) print(ctx context.Context, run *run, summary *evidence.Summary, played []*trace.Resource, stdout, stderr io.Writer) error {
	out := bufio.NewWriterSize(stdout, 64<<10)
	switch {
	case o.moment != nil:
		if err := o.moment.write(out, run.Fronts()); err != nil {
			return err
		}
	case o.chain != nil:
		if err := run.writeWhy(out, o.chain, played); err != nil {
			return err
		}
	case o.notifications:
		for _, m := range run.captured.Trace.Remarks {
			fmt.Fprintln(stderr, cli.Printable(remarks.Sentence(m.ID, m.Count, m.Detail)))
		}
		for _, r := range played {
			name := ""
			if len(played) > 1 {
				name = r.Name()
			}
			if c := run.calls[r]; c != nil {
				if err := c.writeTo(out, name); err != nil {
					return err
				}
			}
		}
	case o.asks.find != "" || o.asks.plot != "":
		if err := o.asks.print(out, stderr, run.Fronts()); err != nil {
			return err
		}
	case o.Output == cli.AsMarkdown:
		if err := o.hold(ctx, summary); err != nil {
			return err
		}
		return summary.WriteMarkdown(stdout)
	case o.Output == cli.AsGitHub:
		return summary.WriteGitHub(stdout)
	default:
		r := run.report(o.Names)
		return o.Output.Print(stdout, r, func(out *bufio.Writer) { writeReport(out, r) })
	}
	return out.Flush()
}

// run is a capture that is played for a report.
type run struct {
	*report.Playing
	captured *files.Captured
	calls    map[*trace.Resource]*calls  // nil unless --notifications is set
	chains   map[*trace.Resource]*chains // nil unless --why is set
}

// play plays captures while they are read. Its result must be closed, even after an error.
func (o *options) play(c *files.Captures) (r *run, err error) {
	r = &run{}
	how := o.Report
	how.Stopped = c.Ctx.Err
	c.Recent = &format.Recent{}
	how.Bytes = c.Recent.Bytes
	if how.Recorded, how.Controllers, err = play.Recorded(c); err != nil {
		return r, err
	}
	o.recorded = len(how.Recorded)+len(how.Controllers) > 0
	if err := o.asks.checkNames(&how); err != nil {
		return r, err
	}
	o.asks.addTo(&how)
	if o.notifications {
		how.Called = r.addCall
	}
	if o.chain != nil {
		how.Chains = &report.ChainsOf{Key: o.chain.Key, Chain: r.addChain(o.chain, files.IsGiven(c.Ctx))}
	}
	how.Stepped = o.exports.Stepped()
	if o.moment != nil {
		if how.Stepped != nil {
			return r, cli.UsageError("--step is for itself, and the steps of --perfetto and --metrics are all steps")
		}
		how.Stepped = o.moment.look
	}
	if in := c.Inputs[0]; len(c.Inputs) == 1 && in.Name == o.Names[0] {
		o.file, o.size = filepath.Base(in.Name), in.Size
	}
	o.asks.held = files.IsGiven(c.Ctx)
	r.captured, err = c.Read(func(t *trace.Trace) func() error {
		r.close()
		o.asks.begin(t)
		if o.moment != nil {
			o.moment.texts = map[*trace.Resource]string{}
		}
		if err := o.exports.Begin(t); err != nil {
			return func() error { return err }
		}
		r.calls, r.chains = map[*trace.Resource]*calls{}, map[*trace.Resource]*chains{}
		r.Playing = report.Play(t, how)
		return r.Grown
	})
	return r, err
}

// compared returns an error if a handler's recorded calls are not those that the engine made.
func (r *run) compared() error {
	var names []string
	for _, resource := range r.Report().Resources {
		for _, h := range resource.Handlers {
			if h.Compared != nil && !h.Compared.Equal {
				names = append(names, cli.Printable(h.Name))
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return cli.Exit(cli.ExitDiffers, fmt.Errorf("the engine's calls differ from the recorded ones: %s", strings.Join(names, ", ")))
}

// addCall adds a call of a handler to the calls of its resource.
func (r *run) addCall(resource *trace.Resource, call report.Call) error {
	c := r.calls[resource]
	if c == nil {
		c = newCalls(false)
		r.calls[resource] = c
	}
	return c.add(call)
}

// close removes temporary files.
func (r *run) close() {
	for _, c := range r.calls {
		c.close()
	}
	for _, c := range r.chains {
		c.text.close()
	}
}

// report returns the report on the captures of these names.
func (r *run) report(names []string) *report.Report {
	return play.Document(r.Report(), names, r.captured)
}

// Reading is what report says of a capture that a caller has opened.
type Reading struct {
	*report.Report
	Summary *evidence.Summary // a row for each of the card's findings, in their order

	// Link returns the link to where the page finds a value in a resource: a step, or an expression to search.
	Link func(resource, where, value string) evidence.Link
}

// Read plays the capture of a context made by files.WithInput, as the command does without flags.
func Read(ctx context.Context) (*Reading, error) {
	o, _ := newReport()
	if err := o.check(); err != nil {
		return nil, err
	}
	c, err := files.Open(ctx, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	o.Names = []string{c.Inputs[0].Name}
	run, err := o.play(c)
	defer run.close()
	if err != nil {
		return nil, err
	}
	played := run.Played()
	if len(played) == 0 && run.saysNothing() {
		return nil, play.NoResource("play", o.Names, o.Report.Resource, run.captured.Trace)
	}
	summary, _ := o.summary(run, played)
	return &Reading{run.report(o.Names), summary, o.link}, nil
}

// link returns the address of the page that shows a report's run, with a parameter that says where: a step, an expression that is
// looked for, or the capture's card. It is the zero Link where the page can't play what the report plays: several captures, the
// standard input, or a handler that is removed. A page that opens it asks for the capture, which stays with whoever has it.
func (o *options) link(resource, where, value string) (l evidence.Link) {
	if o.size == 0 || o.Report.Streaming {
		return l
	}
	to := evidence.ToFile(o.file, o.size).Add("informer", resource).Add("profile", o.Profile).Add("lists", "recorded")
	if to, ok := o.addSetup(to); ok {
		return to.Add(where, value)
	}
	return l
}

// addSetup adds the process that the capture is played to. The page finds out by itself which
// handlers were recorded. ok is false for what a link can't say.
func (o *options) addSetup(l evidence.Link) (to evidence.Link, ok bool) {
	handlers, resync, workers := o.Report.Handlers, o.Report.Resync, 0
	if len(handlers) == 0 {
		if o.recorded {
			return l.Add("handlers", "recorded"), true
		}
		handlers = []report.Handler{{Name: report.DefaultHandler}}
	}
	for _, h := range handlers {
		if h.Until != 0 || o.recorded {
			return l, false
		}
		if h.Workqueue {
			workers = 1
		}
		if o.Report.Resync == 0 {
			resync = max(resync, h.Resync)
		}
	}
	l = l.Add("workers", strconv.Itoa(workers)).Add("resync", evidence.Millis(resync)).Add("work", evidence.Millis(o.Report.WorkTime))
	for _, h := range handlers {
		options := ""
		for _, x := range []struct {
			name string
			ns   int64
		}{{"takes", h.Duration}, {"resync", h.Resync}, {"from", h.From}} {
			if x.ns != 0 {
				options += x.name + "=" + evidence.Millis(x.ns) + ","
			}
		}
		if h.Workqueue {
			options += "workqueue,"
		}
		l = l.Add("handler", strings.TrimSuffix(options, ",")+":"+h.Name)
	}
	return l, true
}

// findingLinks returns the links to the card and to the step at which a finding begins; that is the zero Link where no resource is known.
func (o *options) findingLinks(f *findings.Finding) (card, step evidence.Link) {
	if f.Resource != "" {
		step = o.link(f.Resource, "search", evidence.Since(f.From.Time))
	}
	return o.link(f.Resource, "view", "card"), step
}

// mostHeld is how many bytes of a capture, and of its shape, a link may be tried to hold. What is longer is longer packed, too.
const mostHeld = 8 << 20

// hold has the links of a summary hold the shape of the capture, if that is short.
func (o *options) hold(ctx context.Context, summary *evidence.Summary) error {
	if summary.Link == (evidence.Link{}) {
		return nil
	}
	if o.size > mostHeld {
		return nil
	}
	c, err := files.Open(ctx, o.Names, nil, files.NewBar(io.Discard, true))
	if err != nil {
		return err
	}
	in := redactcmd.Redaction{Captures: c, Name: o.Names[0]}
	if err := in.Detect(); err != nil {
		return err
	}
	var shape bytes.Buffer
	err = redact.Rewrite(&shape, redact.Options{}, func(w io.Writer) error {
		return in.Each(func(line []byte) {
			if shape.Len() < mostHeld {
				w.Write(line)
			}
		})
	})
	if err == nil && shape.Len() < mostHeld {
		summary.EmbedRecording(shape.Bytes(), evidence.MaxHeld)
	}
	return err
}

// moment is what --step asks for: the machine of each resource after a step, or after the first step that is not before a time.
type moment struct {
	step, time int64
	texts      map[*trace.Resource]string // the machines in words
}

// parseMoment reads the value of --step.
func parseMoment(text string) (*moment, error) {
	step, at, err := why.Moment(text)
	if err != nil {
		return nil, cli.UsageError("--step: %w", err)
	}
	return &moment{step: step, time: at}, nil
}

// look describes a machine that has come to the moment.
func (m *moment) look(r *trace.Resource, w *world.World) error {
	if m.texts[r] != "" || m.time < 0 && w.Steps() != m.step || m.time >= 0 && w.Now() < m.time {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s at step %d, %s\n", cli.Printable(r.Name()), w.Steps(), report.Moment(w.Now()))
	b.WriteString(cli.Wrap("  the step    ", cli.Printable(stepText(w)), cli.TextWidth))
	for _, line := range script.State(w) {
		name, text, _ := strings.Cut(line, ": ")
		b.WriteString(cli.Wrap(fmt.Sprintf("  %-10s  ", cli.Printable(name)), cli.Printable(text), cli.TextWidth))
	}
	m.texts[r] = b.String()
	return nil
}

// write prints the machines of the resources.
func (m *moment) write(out *bufio.Writer, played []*report.Front) error {
	var ends []string
	for _, p := range played {
		out.WriteString(m.texts[p.Resource])
		ends = append(ends, fmt.Sprintf("%s has %d steps, the last at %s", cli.Printable(p.Resource.Name()), p.Steps, report.Moment(p.Now)))
	}
	if len(m.texts) == 0 {
		return errors.New("--step: unknown step; " + strings.Join(ends, "; "))
	}
	return nil
}

// chains are the chains of one resource as text, and how many there were.
type chains struct {
	text         spool
	seen, picked int
	before       string // the last chain that began before the moment that was asked for
}

// addChain adds a chain to the chains of its resource.
func (r *run) addChain(w *why.Query, held bool) func(*report.Chain) error {
	return func(c *report.Chain) error {
		kept := r.chains[c.Resource]
		if kept == nil {
			kept = &chains{text: spool{inMemory: held}}
			r.chains[c.Resource] = kept
		}
		if kept.seen++; !w.Matches(c.Begins) {
			if w.Follows(c.Begins) {
				kept.before = why.Text(c)
			}
			return nil
		}
		kept.picked++
		_, err := io.WriteString(&kept.text, why.Text(c))
		return err
	}
}

// writeWhy prints the chains of all resources. It fails if there is none.
func (r *run) writeWhy(out *bufio.Writer, w *why.Query, played []*trace.Resource) error {
	worlds, err := r.Finish()
	if err != nil {
		return err
	}
	seen, picked := 0, 0
	for i, res := range played {
		c := r.chains[res]
		if c == nil {
			continue
		}
		seen, picked = seen+c.seen, picked+c.picked
		if c.picked == 0 && c.before == "" {
			continue
		}
		fmt.Fprintf(out, "%s in %s\n", cli.Printable(w.Key), cli.Printable(res.Name()))
		if c.picked == 0 {
			picked++
			fmt.Fprintf(out, "nothing of it was on its way then; this was before:\n%s", c.before)
		}
		in, err := c.text.read()
		if err != nil {
			return err
		}
		if _, err := io.Copy(out, in); err != nil {
			return err
		}
		k, _ := res.Table.LookupKey(w.Key)
		if o, ok := worlds[i].Informers[0].Indexer.GetByKey(k); ok {
			fmt.Fprintf(out, "\nat the end the cache holds resourceVersion %s\n", cli.Printable(res.Table.RVText(res.Table.RVOf(o))))
		} else {
			out.WriteString("\nat the end the cache does not hold it\n")
		}
	}
	return w.Answered(seen, picked, "which no list and no watch event of the capture has")
}
