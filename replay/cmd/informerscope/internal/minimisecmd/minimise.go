// Package minimisecmd is "informerscope minimise".
package minimisecmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/redactcmd"
	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/minimise"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// minimiseOptions are minimise's flags and arguments.
type minimiseOptions struct {
	play.Options
	names   []string
	quiet   bool
	until   string
	finding string
	redact  redact.Options
}

// Command returns "informerscope minimise".
func Command() *cobra.Command {
	o := &minimiseOptions{}
	c, flags := cli.New("minimise IN [OUT]", "look for the smallest part of a capture in which something still comes about", cli.Files(2), o.run)
	flags.StringVar(&o.until, "until", "", "the `expression` that must come about")
	flags.StringVar(&o.finding, "finding", "", "the `ID` of a finding that must still be there, in place of --until")
	o.Options.Flags(c)
	redactcmd.NamesFlag(flags, &o.redact.Names)
	flags.StringArrayVar(&o.redact.Keep, "keep", nil, "keep the values of this `path` of objects, too; may be given several times")
	flags.BoolVar(&o.redact.Values, "values", false, "keep values, and take out what the owner's rules know to be a secret")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
	return c
}

func (o *minimiseOptions) run(ctx context.Context, names []string, stdout, stderr io.Writer) error {
	o.names = names
	if err := o.Options.Check(); err != nil {
		return err
	}
	switch {
	case o.until == "" && o.finding == "":
		return cli.UsageError("--until is missing: it says what must come about, such as 'behind(\"audit\") > 1000'")
	case o.until != "" && o.finding != "":
		return cli.UsageError("--until and --finding ask for different things; give one of them")
	}
	if o.names[0] == files.Stdin {
		return cli.UsageError("minimise reads its input several times: it must be a file")
	}
	var x *ask.Expr
	var err error
	if o.finding != "" {
		err = play.FindingID(o.finding)
	} else if x, err = play.Expression("until", o.until); err == nil {
		err = play.Pointed("until", o.until, x.Check(play.Names(&o.Report)))
	}
	if err != nil {
		return err
	}
	redactor, err := redact.New(o.redact)
	if err != nil {
		return err
	}
	b := files.NewBar(stderr, o.quiet)
	c, err := files.Open(ctx, o.names[:1], os.Stdin, b)
	if err != nil {
		return err
	}
	m := minimising{o: o, x: x, bar: b, in: redactcmd.Redaction{Captures: c, Name: files.JoinNames(o.names[:1])}, began: time.Now()}
	found, err := m.search()
	if found == nil {
		b.Done()
		return err
	}
	lines, failed := m.smallest(found)
	b.Done()
	if failed != nil {
		return failed
	}
	out := smallName(o.names)
	j := redactcmd.Redaction{Captures: files.InMemory(o.names[0], lines), Name: o.names[0], Redactor: redactor}
	if failed := j.Run([]string{o.names[0], out}, stdout, stderr); failed != nil {
		return failed
	}
	what := o.finding + " is found"
	if o.finding == "" {
		what = fmt.Sprintf("%s is true at step %d", o.until, found.step)
	}
	fmt.Fprintf(stderr, "%s: %s; %s after the start, %s (%s, %s)\n", out, found.left, time.Duration(found.time), what,
		plain.Plural64(int64(found.tries), "try", "tries"), time.Since(m.began).Round(time.Millisecond))
	if err != nil {
		fmt.Fprintln(stderr, "the search has not come to its end: more of this part can perhaps be left out")
	}
	return err
}

// minimising is one run of minimise.
type minimising struct {
	o     *minimiseOptions
	x     *ask.Expr
	bar   *files.Bar
	in    redactcmd.Redaction // reads the input's lines
	began time.Time
}

// part is a part of a trace in which something still comes about.
type part struct {
	lines func() ([][]byte, error)
	holds func(lines [][]byte) bool // it still comes about in them
	left  string                    // how much it is
	step  int64
	time  int64
	tries int
}

// search returns the smallest part, or nil if there is none. With a part, the error says
// why the search has ended before its end.
func (m *minimising) search() (*part, error) {
	if err := m.in.Detect(); err != nil {
		return nil, err
	}
	t, all, err := m.read(m.in.Each)
	if err != nil {
		return nil, err
	}
	err = play.NoResource("play", m.o.names[:1], m.o.Report.Resource, t)
	played := false
	for i, r := range t.Resources {
		if len(r.Records) == 0 || !r.IsNamed(m.o.Report.Resource) {
			continue
		}
		played = true
		var best minimise.Smallest
		if best, err = minimise.Run(m.question(t, r, all)); len(best.Records) > 0 {
			return m.ofResource(t, r, i, &best), err
		}
		if !errors.Is(err, minimise.ErrNever) {
			return nil, err
		}
		err = fmt.Errorf("%s: %s is never true", m.in.Name, m.o.until)
	}
	if m.o.finding != "" && (played || m.o.Report.Resource == "") {
		return m.searchLines(all)
	}
	return nil, err
}

// ofResource returns a part of one resource of a trace.
func (m *minimising) ofResource(t *trace.Trace, r *trace.Resource, i int, best *minimise.Smallest) *part {
	return &part{
		lines: func() ([][]byte, error) {
			return excerpt.Lines(m.in.Each, t, best.Plan(feed.Feed{Trace: t, Resource: r}, i))
		},
		holds: m.conditionHolds,
		left: fmt.Sprintf("%s of %s, of %s of %s", plain.Plural(best.Events, "event"), plain.Plural(best.Objects, "object"),
			plain.Plural(r.Events, "event"), r.Name()),
		step: best.Step, time: best.Time, tries: best.Tries,
	}
}

// read reads lines as a trace. Where a finding is looked for, which may be one of the objects' content, all has them.
func (m *minimising) read(from excerpt.Source) (t *trace.Trace, all []byte, err error) {
	t, err = excerpt.Read(func(line func([]byte)) error {
		return from(func(b []byte) {
			if m.o.finding != "" {
				all = append(append(all, b...), '\n')
			}
			line(b)
		})
	})
	return t, all, err
}

func (m *minimising) question(t *trace.Trace, r *trace.Resource, all []byte) minimise.Question {
	var met func([]int32, []event.Delta) (int, int64)
	if m.o.finding != "" {
		met = minimise.Finding(t, r, m.o.finding, func(offset int64, n int) []byte { return all[offset:][:n] })
	}
	return minimise.Question{
		Met:  met,
		Feed: feed.Feed{Trace: t, Resource: r}, Key: r.Table.KeyOf,
		Config: func(f apiserver.Feed) *world.Config { return m.o.Report.Config(r, f) },
		Look: func() func(*world.World) bool {
			e := m.x.Eval(0)
			return func(w *world.World) bool {
				v, _ := e.Look(w)
				return v.True()
			}
		},
		Stopped: func(int) error { return m.in.Captures.Ctx.Err() },
		Better: func(b minimise.Smallest) {
			m.bar.ShowText(fmt.Sprintf("%s of %s are left after %s", plain.Plural(b.Events, "event"),
				plain.Plural(b.Objects, "object"), plain.Plural64(int64(b.Tries), "try", "tries")))
		},
	}
}

// smallest returns the lines of a part, with the least of each object in which the condition still comes about.
func (m *minimising) smallest(p *part) ([][]byte, error) {
	var err error
	// What was found is written even after Ctrl-C.
	if m.in.Captures, err = files.Open(context.WithoutCancel(m.in.Captures.Ctx), m.o.names[:1], nil, m.bar); err != nil {
		return nil, err
	}
	whole, err := p.lines()
	if err != nil {
		return nil, err
	}
	for c := excerpt.Identity; c <= excerpt.FullObject; c++ {
		less, err := excerpt.Reduced(whole, c)
		if err != nil {
			return nil, err
		}
		if p.holds(less) {
			return less, nil
		}
	}
	return nil, fmt.Errorf("%s: the reduced recording does not reproduce the expression after it is written", m.in.Name)
}

// conditionHolds reports whether the expression comes about in a trace.
func (m *minimising) conditionHolds(lines [][]byte) bool {
	t, all, err := m.read(func(line func([]byte)) error {
		for _, l := range lines {
			line(l)
		}
		return nil
	})
	return err == nil && len(t.Resources) > 0 && len(t.Resources[0].Records) > 0 && minimise.ConditionHolds(m.question(t, t.Resources[0], all))
}

// smallName returns the name of the result.
func smallName(names []string) string {
	if len(names) > 1 {
		return names[1]
	}
	return files.Beside(names[0], "small", true)
}

// lineSearch looks for a part of a recording's lines in which a finding about a handler or a controller is still there. Such a finding
// depends on which call, Add or reconcile came after which other one. So the search leaves out whole resources, handlers, controllers and
// keys, and what the process did before a time and after another, and nothing between.
type lineSearch struct {
	*excerpt.Recording
	find       func(lines [][]byte) (f *findings.Finding, problems int64) // nil for none
	stopped    func() error
	finding    findings.Finding
	unreadable int64 // lines that can't be read
	tries      int
}

// searchLines returns the smallest part that it has found, nil for none.
func (m *minimising) searchLines(all []byte) (*part, error) {
	s := &lineSearch{Recording: excerpt.NewRecording(all), find: m.findIn, stopped: m.in.Captures.Ctx.Err}
	s.NoNotes = true
	first, bad := s.find(s.part())
	if first == nil {
		return nil, fmt.Errorf("%s: %s isn't there", m.in.Name, m.o.finding)
	}
	s.finding, s.unreadable = *first, bad
	err := s.search()
	left := s.part()
	return &part{
		lines: func() ([][]byte, error) { return left, nil }, holds: s.hasFinding,
		left: fmt.Sprintf("%s of %s", plain.Plural(len(left), "line"), plain.Count(int64(s.Len()))),
		time: s.finding.To.Time, tries: s.tries,
	}, err
}

// findIn looks for the finding in lines, and counts the lines that can't be read.
func (m *minimising) findIn(lines [][]byte) (f *findings.Finding, problems int64) {
	all := append(bytes.Join(lines, []byte("\n")), '\n')
	var log worker.Log
	r := format.NewReader(format.Options{OtherLine: log.Line})
	r.Write(all)
	r.Close()
	t := r.Trace()
	if !slices.ContainsFunc(t.Resources, func(r *trace.Resource) bool { return len(r.Records) > 0 }) { // there is nothing to play
		return nil, 0
	}
	pass := findings.NewPass(t, findings.Options{Resource: m.o.Report.Resource, Log: &log, Bytes: func(offset int64, n int) []byte { return all[offset:][:n] }})
	pass.Add(math.MaxInt)
	for _, f := range pass.Findings() {
		if f.ID == m.o.finding {
			return &f, int64(t.ProblemCount)
		}
	}
	return nil, 0
}

// part returns the lines that are left, and how long the recording went on.
func (s *lineSearch) part() [][]byte {
	out := s.Part()
	if times := s.Times(); len(times) > 0 {
		out = append(out, fmt.Appendf(nil, `{"t":%d}`, min(s.Until, times[len(times)-1])))
	}
	return out
}

// reproduces reports whether the finding is in what is left.
func (s *lineSearch) reproduces() bool {
	s.tries++
	return s.hasFinding(s.part())
}

// hasFinding reports whether the same finding is in lines.
func (s *lineSearch) hasFinding(lines [][]byte) bool {
	f, bad := s.find(lines)
	return f != nil && bad <= s.unreadable && f.Controller == s.finding.Controller && f.Handler == s.finding.Handler && f.Key == s.finding.Key && f.Fn == s.finding.Fn && f.Other == s.finding.Other &&
		f.Feeder == s.finding.Feeder && f.Lacks == s.finding.Lacks && f.Lost == s.finding.Lost && f.Tombstone == s.finding.Tombstone && f.Unknown == s.finding.Unknown && f.Last == s.finding.Last
}

// search looks for the smallest part. If it is stopped, what it has found until then is left.
func (s *lineSearch) search() error {
	for _, after := range []int64{0, 2_000_000_000, math.MaxInt64 - s.finding.To.Time} { // the process may not seem to have ended with it
		if s.Until = s.finding.To.Time + after; s.reproduces() {
			break
		}
	}
	s.LeaveOut(s.Units(), s.reproduces, func() bool { return s.stopped() != nil })
	if err := s.stopped(); err != nil {
		return err
	}
	for low, high := 0, s.Len()-1; high-low > 1; {
		if err := s.stopped(); err != nil {
			s.From = low
			return err
		}
		if s.From = (low + high) / 2; s.reproduces() {
			low = s.From
		} else {
			high, s.From = s.From, low
		}
	}
	return nil
}
