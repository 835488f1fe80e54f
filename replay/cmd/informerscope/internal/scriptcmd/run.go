// Package scriptcmd has "informerscope run" and "informerscope explore", which play scripts.
package scriptcmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/cause"
	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/engine/tally"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/why"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/report/openmetrics"
	"github.com/informerscope/informerscope/replay/trace"
)

// options are run's flags.
type options struct {
	output  cli.Output
	guards  bool
	lags    []time.Duration
	metrics metrics
	why     string
	asked   *why.Query // what why says; nil if it is empty
}

// RunCommand returns "informerscope run".
func RunCommand() *cobra.Command {
	o := &options{}
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "play a script or a lesson and print what happens",
		Args:  cli.Files(1),
		RunE: func(c *cobra.Command, names []string) error {
			if err := o.check(); err != nil {
				return err
			}
			stdin, stdout := c.InOrStdin(), c.OutOrStdout()
			return UntilDone(c.Context(), func() error { return o.run(c.Context(), names[0], stdin, stdout) })
		},
	}
	cli.OutputFlag(c, &o.output)
	c.Flags().BoolVar(&o.guards, "guards", false, "compare the guards that the controllers might have")
	c.Flags().DurationSliceVar(&o.lags, "lags", nil, "compare them for each of these `lags`, such as 0s,100ms,5s")
	c.Flags().StringVar(&o.metrics.name, "metrics", "", "also write to this `file`, as OpenMetrics text, what client-go would have exported; it is compressed if the name ends in .gz")
	c.Flags().BoolVar(&o.metrics.force, "force", false, "replace such a file if it is there already, once all is written")
	c.Flags().StringVar(&o.why, "why", "", "print what came of each event and list of this `key`, and what each call of a handler came of")
	c.MarkFlagsMutuallyExclusive("why", "output", "json")
	c.MarkFlagsMutuallyExclusive("why", "guards")
	c.MarkFlagsMutuallyExclusive("why", "lags")
	c.MarkFlagsMutuallyExclusive("metrics", "guards")
	c.MarkFlagsMutuallyExclusive("metrics", "lags")
	return c
}

// check finds mistakes, and fills in what follows from the flags.
func (o *options) check() error {
	if o.metrics.name == files.Stdin {
		return cli.UsageError("--metrics needs a file: the transcript is on the standard output")
	}
	o.guards = o.guards || len(o.lags) > 0
	if o.why != "" {
		w, err := why.Parse(o.why)
		if err != nil {
			return cli.UsageError("--why: %v", err)
		}
		o.asked = &w
	}
	return nil
}

// run plays a script or a lesson.
func (o *options) run(ctx context.Context, name string, stdin io.Reader, stdout io.Writer) error {
	text, err := readText(name, stdin)
	if err != nil {
		return err
	}
	if isLesson(name, text) && !o.guards {
		if o.metrics.name != "" || o.asked != nil {
			return cli.UsageError("--metrics and --why are for a script, and %s is a lesson", name)
		}
		return checkLesson(name, text, o.output, stdout)
	}
	if len(strings.TrimSpace(text)) == 0 {
		return fmt.Errorf("%s: the script is empty", files.JoinNames([]string{name}))
	}
	var check checker
	if check.compares = script.IsTranscript(text); check.compares {
		text, check.want = script.Untranscribed(text)
	}
	s, err := script.Parse(text)
	if err != nil {
		return placed(name, err)
	}
	if o.guards {
		return compareGuards(name, s, o.lags, o.output, stdout)
	}
	if err := o.metrics.create(ctx); err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	write := entryWriter(out, o.output)
	if o.asked != nil {
		write = func(script.Entry) {}
	}
	r := script.NewRunner(func(e script.Entry) {
		check.add(e)
		write(e)
	})
	err = r.PlayScript(s)
	if err == nil {
		err = check.differs()
	}
	if err == nil && o.asked != nil {
		err = writeWhy(out, o.asked, r.History())
	}
	err = o.metrics.close(r.History(), err)
	if flushed := out.Flush(); flushed != nil {
		return flushed
	}
	return placed(name, err)
}

// checker compares a run with the transcript that the file has, if it has one.
type checker struct {
	compares bool
	want     []script.Written // what is still to come
	err      error
}

// add compares an entry of the transcript, which may have several lines.
func (c *checker) add(e script.Entry) {
	for got := range strings.Lines(e.String()) {
		if !c.compares || c.err != nil {
			return
		}
		got = strings.TrimRight(got, "\n")
		switch {
		case len(c.want) == 0:
			c.err = fmt.Errorf("got %q, and the file has nothing more", got)
		case c.want[0].Text != got:
			c.err = fmt.Errorf("line %d: got %q, and the file has %q", c.want[0].Line, got, c.want[0].Text)
		default:
			c.want = c.want[1:]
		}
	}
}

// differs returns the first difference.
func (c *checker) differs() error {
	if c.err == nil && len(c.want) > 0 {
		return fmt.Errorf("line %d: got nothing, and the file has %q", c.want[0].Line, c.want[0].Text)
	}
	return c.err
}

// entryWriter returns a function that writes each line of a transcript.
func entryWriter(out *bufio.Writer, o cli.Output) func(script.Entry) {
	docs := cli.NewDocuments(out, o, false)
	return func(e script.Entry) {
		if o != cli.AsText {
			docs.Print(jsonEntry(e)) // Flush returns the error
		} else {
			out.WriteString(e.String() + "\n")
		}
	}
}

// entry is a script.Entry as JSON or YAML.
type entry struct {
	Kind  string   `json:"kind"` // statement, step, value or answer
	Line  int      `json:"line"`
	Text  string   `json:"text,omitempty"`
	Step  int64    `json:"step,omitempty"`
	T     *int64   `json:"t,omitempty"` // virtual nanoseconds
	Actor string   `json:"actor,omitempty"`
	Facts []string `json:"facts,omitempty"`
}

func jsonEntry(e script.Entry) entry {
	out := entry{Kind: e.Kind.String(), Line: e.Line, Text: e.Text, Step: e.Step, Actor: e.Actor, Facts: e.Facts}
	if e.Kind == script.Moved {
		out.T = &e.Time
	}
	return out
}

// UntilDone runs f, and stops waiting for it when ctx is done. The process is about
// to end then.
func UntilDone(ctx context.Context, f func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- f() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return cli.ErrInterrupted
	}
}

// mostText is how much of a script or a lesson is read.
const mostText = 2 << 20

// readText reads a script or a lesson. The name - is the standard input. It fails for a folder, and for what holds a capture or no text.
func readText(name string, stdin io.Reader) (string, error) {
	in, shown := stdin, files.JoinNames([]string{name})
	if name != files.Stdin {
		info, err := files.Stat(name)
		if err != nil {
			return "", err
		}
		if info.IsDir() {
			return "", fmt.Errorf("%s: this is a folder; want a script or a lesson", shown)
		}
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, mostText))
	if err != nil {
		return "", fmt.Errorf("%s: %w", shown, err)
	}
	text := syntax.Text(b)
	what := ""
	switch {
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		what = "JSON"
	case strings.ContainsRune(text, 0):
		what = "not text"
	default:
		return text, nil
	}
	return "", fmt.Errorf("%s: this is %s; want a script or a lesson (informerscope open shows a capture)", shown, what)
}

// metrics is the file with what client-go would have exported during the run of a script.
type metrics struct {
	name  string // "" for none
	force bool
	to    *files.Target
}

// create creates the file, if there is to be one.
func (m *metrics) create(ctx context.Context) (err error) {
	if m.name != "" {
		m.to, err = files.Create(ctx, m.name, m.force, nil)
	}
	return err
}

// close writes the file of a run, which is nil if nothing has moved. After a failure the file is removed.
func (m *metrics) close(h *history.History, failed error) error {
	if m.to == nil {
		return failed
	}
	if failed == nil {
		failed = m.write(h)
	}
	return m.to.Close(failed, 0)
}

// write plays the run again, and writes what is exported after each step. A script's clock begins in 1970.
func (m *metrics) write(h *history.History) error {
	to := func(b []byte) error { _, err := m.to.Write(b); return err }
	if h == nil || h.Steps() == 0 {
		return openmetrics.New(1).Write(0, to)
	}
	file := openmetrics.New(openmetrics.Interval(h.End()))
	var labels []openmetrics.Labels
	for _, x := range h.Front().Informers {
		labels = append(labels, openmetrics.Named(x.Config().Name))
	}
	w := file.World(h.SeekTo(1), labels)
	for step := int64(1); step <= h.Steps(); step++ {
		w.Step(h.SeekTo(step))
	}
	w.End(h.End())
	return file.Write(0, to)
}

// ExploreCommand returns "informerscope explore".
func ExploreCommand() *cobra.Command {
	var o cli.Output
	states, patience := 0, time.Duration(0)
	c := &cobra.Command{
		Use:   "explore FILE",
		Short: "answer what a script asks by trying every interleaving",
		Args:  cli.Files(1),
		RunE: func(c *cobra.Command, names []string) error {
			stdin, stdout := c.InOrStdin(), c.OutOrStdout()
			limits := explore.Limits{States: states, Patience: int64(patience)}
			return UntilDone(c.Context(), func() error { return exploreFile(names[0], stdin, limits, o, stdout) })
		},
	}
	cli.OutputFlag(c, &o)
	c.Flags().IntVar(&states, "states", 1_000_000, "give up after so `many` states")
	c.Flags().DurationVar(&patience, "patience", 0, "how much `later` than it could a goroutine may move (default "+time.Duration(explore.Patience).String()+")")
	return c
}

func exploreFile(name string, stdin io.Reader, limits explore.Limits, o cli.Output, stdout io.Writer) error {
	text, err := readText(name, stdin)
	if err != nil {
		return err
	}
	s, err := script.Parse(text)
	if err != nil {
		return placed(name, err)
	}
	out := bufio.NewWriter(stdout)
	docs := cli.NewDocuments(out, o, false)
	question, asked, late := "", false, false
	r := script.NewRunner(func(e script.Entry) {
		asked = asked || e.Kind == script.Answer
		switch {
		case e.Kind == script.Statement:
			question = e.Text
		case e.Kind != script.Answer:
		case o != cli.AsText:
			docs.Print(answer{Line: e.Line, Question: question, Answer: e.Text, Schedule: e.Schedule, States: e.States})
		default:
			fmt.Fprintf(out, "%s\n  %s\n", question, e.Text)
			late = late || !strings.HasPrefix(e.Text, "yes")
		}
	})
	r.Limit(script.MaxSteps, limits)
	err = r.PlayScript(s)
	if late {
		fmt.Fprintf(out, "\nNo goroutine moved more than %v later than it could. --patience lets them wait longer.\n", time.Duration(cmp.Or(limits.Patience, explore.Patience)))
	}
	if flushed := out.Flush(); flushed != nil {
		return flushed
	}
	switch {
	case err != nil:
		return placed(name, err)
	case !asked:
		return errors.New(name + ": the script has no can line, so nothing was asked")
	}
	return nil
}

// answer is a question of the script with its answer.
type answer struct {
	Line     int      `json:"line"`
	Question string   `json:"question"`
	Answer   string   `json:"answer"`
	Schedule []string `json:"schedule,omitempty"`
	States   int      `json:"states"`
}

// guarded is a row of the table over guards, as JSON or YAML.
type guarded struct {
	Lag         *int64 `json:"lag,omitempty"` // of the watch, ns; none if it is the script's own
	Guard       string `json:"guard"`
	Requeue     int64  `json:"requeue,omitempty"` // of a stale reconcile, ns
	Reconciles  int    `json:"reconciles"`
	Duplicates  int    `json:"duplicates"`
	Old         int    `json:"old"`
	Skipped     int    `json:"skipped"`
	Retried     int    `json:"retried"`
	Refused     int    `json:"refused"`
	Requests    int    `json:"requests"`
	Settled     int64  `json:"settled"` // ns, -1 for never
	LongestWait int64  `json:"longestWait"`
	Ended       bool   `json:"ended"` // false if the run went on after all steps that it is given
}

// compareGuards plays a script, and prints what its run would come to with each guard, and
// with each lag of the watch if there are any.
func compareGuards(name string, s *script.Script, lags []time.Duration, o cli.Output, stdout io.Writer) error {
	r := script.NewRunner(func(script.Entry) {})
	if err := r.PlayScript(s); err != nil {
		return placed(name, err)
	}
	var all []int64
	for _, lag := range lags {
		all = append(all, int64(lag))
	}
	if len(all) == 0 {
		all = []int64{-1}
	}
	if r.History() == nil {
		return fmt.Errorf("%s: the script sets a machine up, and nothing moves", name)
	}
	tables, err := tally.OverLag(r.History(), tally.Variants(), all, tally.DefaultSteps)
	if err != nil {
		return placed(name, err)
	}
	out := bufio.NewWriter(stdout)
	docs := cli.NewDocuments(out, o, false)
	for i, rows := range tables {
		if o == cli.AsText {
			printGuards(out, all[i], rows)
			continue
		}
		for _, row := range rows {
			g := guarded{
				nil, row.Guard.String(), row.Requeue, row.Reconciles, row.Duplicates, row.Old, row.Skipped, row.Retried,
				row.Refused, row.Requests, row.Settled, row.Waited, row.Ended,
			}
			if all[i] >= 0 {
				g.Lag = &all[i]
			}
			if err := docs.Print(g); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

func printGuards(out io.Writer, lag int64, rows []tally.Row) {
	if lag >= 0 {
		fmt.Fprintf(out, "watch lags by %v\n", time.Duration(lag))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "guard\treconciles\tduplicates\told reads\tskipped\tretried\trefused\trequests\tsettled\tlongest wait")
	for _, row := range rows {
		settled := "never"
		switch {
		case !row.Ended:
			settled = "goes on"
		case row.Settled != tally.Never:
			settled = time.Duration(row.Settled).String()
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%v\n", tally.Name(row.Variant), row.Reconciles, row.Duplicates, row.Old,
			row.Skipped, row.Retried, row.Refused, row.Requests, settled, time.Duration(row.Waited))
	}
	w.Flush()
}

// lessonTraces is where the recordings of lessons are, seen from a lesson's folder.
const lessonTraces = "../traces"

// checkLesson plays a lesson, and checks all that it says of itself.
func checkLesson(name, text string, o cli.Output, stdout io.Writer) error {
	l, err := lesson.Parse(text)
	if err != nil {
		return placed(name, err)
	}
	p := lesson.Player{Lesson: l}
	if l.Trace != "" {
		if filepath.Base(l.Trace) != l.Trace {
			return fmt.Errorf("%s: the trace of a lesson is the name of a file in %s", name, lessonTraces)
		}
		t, err := readRecording(filepath.Join(filepath.Dir(name), lessonTraces, l.Trace))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p.Machine = func(out func(script.Entry)) *script.Runner {
			r := script.NewRunner(out)
			r.Recorded(feed.Named(t))
			return r
		}
	}
	out := bufio.NewWriter(stdout)
	err = p.Check(entryWriter(out, o))
	if flushed := out.Flush(); flushed != nil {
		return flushed
	}
	return placed(name, err)
}

// isLesson reports whether a file holds a lesson: it is named or begins like one.
func isLesson(name, text string) bool {
	return strings.HasSuffix(name, ".md") || lesson.IsLesson(text)
}

func readRecording(name string) (*trace.Trace, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return file.Read(f, format.Options{})
}

// placed writes where in the file an error is, as compilers do.
func placed(name string, err error) error {
	var e script.Error
	if errors.As(err, &e) {
		return fmt.Errorf("%s:%d:%d: %s", name, e.Line, e.Col, e.Err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// writeWhy goes over a script's run once more for each informer that knows the key, and prints its chains. It fails if there are none.
func writeWhy(out *bufio.Writer, w *why.Query, h *history.History) error {
	seen, picked := 0, 0
	for i := 0; h != nil && i < len(h.Front().Informers); i++ {
		cfg := h.Front().Informers[i].Config()
		key, ok := cfg.Table.LookupKey(w.Key)
		if !ok {
			continue
		}
		resource := &trace.Resource{Table: cfg.Table}
		title := fmt.Sprintf("%s in %s\n", cli.Printable(w.Key), cli.Printable(cfg.Name))
		for _, n := range chainsOf(h, i, cause.New(i, key)) {
			if n.Key != key { // it stands for a whole list
				continue
			}
			if seen++; w.Matches(n) {
				picked++
				out.WriteString(title + why.Text(&report.Chain{Resource: resource, Handlers: cfg.Handlers, Begins: n}))
				title = ""
			}
		}
	}
	return w.Answered(seen, picked, "of which nothing was listed, watched or queued")
}

// chainsOf lets a Tracker look at each step of a run, and returns where chains begin.
func chainsOf(h *history.History, informer int, t *cause.Tracker) []*cause.Node {
	for step := int64(1); step <= h.Steps(); step++ {
		if w := h.SeekTo(step); informer < len(w.Informers) {
			t.Look(w)
		}
	}
	return t.Roots(true)
}
