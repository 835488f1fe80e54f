// Package minimisecmd is "informerscope minimise".
package minimisecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
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
	"github.com/informerscope/informerscope/replay/minimise"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
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
	flags.BoolVar(&o.redact.Names, "names", false, "make tokens of names, namespaces and labels, too")
	flags.BoolVar(&o.redact.Names, "pseudonyms", false, "the same as --names, which takes its place")
	flags.MarkHidden("pseudonyms")
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
	err = fmt.Errorf("%s: it holds no resource to play", m.in.Name)
	for i, r := range t.Resources {
		if len(r.Records) == 0 || m.o.Report.Resource != "" && m.o.Report.Resource != r.Name() && m.o.Report.Resource != r.Resource {
			continue
		}
		var best minimise.Smallest
		if best, err = minimise.Run(m.question(t, r, all)); len(best.Records) > 0 {
			return m.ofResource(t, r, i, &best), err
		}
		if !errors.Is(err, minimise.ErrNever) {
			return nil, err
		}
		err = fmt.Errorf("%s: %s is never true", m.in.Name, m.o.until)
	}
	if m.o.finding != "" {
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
		left: fmt.Sprintf("%s of %s, of %s of %s", plain.Plural64(int64(best.Events), "event", "events"), plain.Plural64(int64(best.Objects), "object", "objects"),
			plain.Plural64(int64(r.Events), "event", "events"), r.Name()),
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
			m.bar.ShowText(fmt.Sprintf("%s of %s are left after %s", plain.Plural64(int64(b.Events), "event", "events"),
				plain.Plural64(int64(b.Objects), "object", "objects"), plain.Plural64(int64(b.Tries), "try", "tries")))
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
	base := filepath.Base(names[0])
	stem, rest, _ := strings.Cut(base, ".")
	if stem == "" { // a hidden file
		stem, rest = base, ""
	}
	packed := filepath.Ext(rest)
	if packed != ".gz" && packed != ".zst" {
		packed = ""
	}
	return filepath.Join(filepath.Dir(filepath.Clean(names[0])), stem+".small.trace.jsonl"+packed)
}
