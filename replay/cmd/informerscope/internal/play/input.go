// Package play has what the commands share that read captures and play them: their flags, how a
// capture is read and judged, the expressions and asserts, and the lines that several of them print.
package play

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// Input is the captures that a command reads, and how it prints what it has found in them.
type Input struct {
	Names  []string
	Output cli.Output
	strict bool
	quiet  bool
	kind   string
}

// Flags adds the flags to a command. More are formats that it prints beside text, json and yaml.
func (in *Input) Flags(c *cobra.Command, more ...cli.Output) {
	cli.OutputFlag(c, &in.Output, more...)
	c.Flags().BoolVar(&in.strict, "strict", false, "report nothing if some of it can't be read")
	files.KindFlag(c, &in.kind)
	c.Flags().BoolVarP(&in.quiet, "quiet", "q", false, "show no progress")
}

// Open checks that the captures are there.
func (in *Input) Open(ctx context.Context, stderr io.Writer) (*files.Captures, error) {
	c, err := files.Open(ctx, in.Names, os.Stdin, files.NewBar(stderr, in.quiet))
	if err == nil {
		c.SetKind(in.kind)
	}
	return c, err
}

// Read reads the captures for a command that plays nothing. It calls begin with each trace before its records come, and
// what begin returned as they do. Recent is kept meanwhile, unless it is nil. Damaged is as Judge returns it.
func (in *Input) Read(ctx context.Context, stderr io.Writer, recent *format.Recent, begin func(*trace.Trace) func() error) (t *trace.Trace, damaged, err error) {
	c, err := in.Open(ctx, stderr)
	if err != nil {
		return nil, nil, err
	}
	c.Recent = recent
	got, err := c.Read(begin)
	if err != nil {
		return nil, nil, cli.Interrupted(ctx, err)
	}
	damaged, err = in.Judge(stderr, got.Trace)
	return got.Trace, damaged, err
}

// Judge prints the problems of a capture. Damaged is the error with which the command exits if it is damaged. With
// --strict err is that, too, and nothing is to be printed of the capture.
func (in *Input) Judge(stderr io.Writer, t *trace.Trace) (damaged, err error) {
	files.TellProblems(stderr, in.Names, t)
	damaged = cli.Damage(t.ProblemCount, t.Gaps, t.Lost, in.strict)
	if in.strict {
		return damaged, damaged
	}
	return damaged, nil
}

// ExitError returns the error with which a command exits. If calls differ and the capture is damaged as
// well, it prints the damage and returns the difference.
func ExitError(stderr io.Writer, differs, damaged error) error {
	if differs != nil && damaged != nil {
		fmt.Fprintln(stderr, damaged)
	}
	return cmp.Or(differs, damaged)
}

// otherResources says which resources a trace has, where --resource names none of them.
func otherResources(t *trace.Trace) string {
	var names []string
	for _, r := range t.Resources {
		names = append(names, r.Name())
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	const most = 10
	more := ""
	if names = slices.Compact(names); len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return "; it has " + cli.Printable(strings.Join(names, ", ")) + more
}

// NoResource returns the error about captures without a resource to do what is said with, such as "play". Resource
// is what --resource names, or "".
func NoResource(to string, names []string, resource string, t *trace.Trace) error {
	is := func(r *trace.Resource) bool { return r.Name() == resource || r.Resource == resource }
	if resource != "" && len(t.Resources) > 0 && !slices.ContainsFunc(t.Resources, is) {
		return fmt.Errorf("%s: unknown resource %q%s", files.JoinNames(names), resource, otherResources(t))
	}
	return fmt.Errorf("%s: it holds no resource to %s%s", files.JoinNames(names), to, otherResources(t))
}

// Options is how a capture is played, as flags say it.
type Options struct {
	Report  report.Options
	Profile string // as the user has named it
	resync  time.Duration
	work    time.Duration
}

// Flags adds the flags to a command.
func (o *Options) Flags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&o.Profile, "profile", "current", "play as this `version` of client-go, or as this profile")
	c.RegisterFlagCompletionFunc("profile", cli.CompleteProfiles)
	flags.Var((*handlerFlags)(&o.Report.Handlers), "handler", "add a `handler`; may be given several times")
	flags.DurationVar(&o.resync, "resync", 0, "the informer's resync `period`; by default the longest that a handler asks for")
	flags.StringVar(&o.Report.Resource, "resource", "", "play only this `resource` of the capture, such as pods")
	flags.BoolVar(&o.Report.Streaming, "streaming-lists", false, "ask for streaming lists where the version does, though the capture has ordinary ones")
	flags.DurationVar(&o.work, "work", 3*time.Millisecond, "how long each reconcile takes, if a handler feeds the workqueue")
}

// Check fills in Report by the flags.
func (o *Options) Check() (err error) {
	o.Report.Resync, o.Report.WorkTime = int64(o.resync), int64(o.work)
	o.Report.Profile, err = cli.ProfileFor(o.Profile)
	return err
}

// TellNewer says which of the versions are newer than what is known, and are played as an older one.
func TellNewer(stderr io.Writer, versions ...string) {
	for _, name := range versions {
		if played, newer := world.Newer(name); newer {
			fmt.Fprintf(stderr, "client-go %s is newer than what is known; it is played as %s\n", cli.Printable(name), played)
		}
	}
}

// handlerFlags are the values of --handler, such as audit,resync=30s,takes=20ms.
type handlerFlags []report.Handler

func (h *handlerFlags) String() string { return "" }
func (h *handlerFlags) Type() string   { return "handler" }

func (h *handlerFlags) Set(text string) error {
	name, options, _ := strings.Cut(text, ",")
	if name == "" {
		return fmt.Errorf("invalid handler %q; want a name first", text)
	}
	if slices.ContainsFunc(*h, func(o report.Handler) bool { return o.Name == name }) {
		return fmt.Errorf("there are two handlers %q", name)
	}
	out := report.Handler{Name: name}
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "":
			continue
		case "workqueue":
			out.Workqueue = true
			continue
		}
		key, value, _ := strings.Cut(option, "=")
		to := map[string]*int64{"resync": &out.Resync, "from": &out.From, "until": &out.Until, "takes": &out.Duration}[key]
		if to == nil {
			return fmt.Errorf("unknown handler option %q; want resync, from, until, takes or workqueue", key)
		}
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return fmt.Errorf("invalid duration in %q; want, for example, %s=20ms", option, key)
		}
		*to = int64(d)
	}
	*h = append(*h, out)
	return nil
}

// Recorded reads the inputs for the calls of recorded handlers and for the work of recorded
// controllers, and returns both by resource. There are none for the standard input, which can't be read
// twice, and for inputs that need converting, which have no calls of their own.
func Recorded(c *files.Captures) (map[string]*report.InferredHandlers, map[string]*feed.Controller, error) {
	if len(c.Inputs) != 1 || c.Inputs[0].Loose || c.Inputs[0].Size == 0 {
		return nil, nil, nil
	}
	var scan *report.Scan
	_, err := c.Direct(c.Inputs[0], func(t *trace.Trace) func() error {
		scan = report.NewScan(t)
		return scan.Grown
	})
	switch {
	case c.Ctx.Err() != nil:
		return nil, nil, c.Ctx.Err()
	case err == nil, !errors.Is(err, report.ErrNoCalls) && !errors.As(err, new(format.Foreign)):
		return scan.Inferred(), scan.Controllers(), nil // what is wrong with the input is said when it is played
	}
	return nil, nil, nil
}

// Names returns the names of the handlers that there will be.
func Names(how *report.Options) *ask.Names {
	names := &ask.Names{}
	for _, h := range how.Handlers {
		names.Handlers = append(names.Handlers, h.Name)
	}
	if len(how.Handlers) == 0 {
		if len(how.Recorded)+len(how.Controllers) == 0 {
			names.Handlers = []string{report.DefaultHandler}
		}
		for _, recorded := range how.Recorded {
			for _, h := range recorded.Handlers {
				names.Handlers = append(names.Handlers, h.Name)
			}
		}
	}
	return names
}

// Expression reads the expression of a flag. It must be a bool, and for --plot anything
// but a string.
func Expression(flag, text string) (*ask.Expr, error) {
	x, err := ask.Parse(text)
	if err == nil && flag != "plot" && x.Type() != ask.Bool {
		err = &ask.Error{Pos: 0, End: len(text), Err: ask.Mistyped(ask.Bool, x.Type())}
	}
	if err == nil && flag == "plot" && x.Type() == ask.String {
		err = &ask.Error{Pos: 0, End: len(text), Err: errors.New("cannot plot a string")}
	}
	return x, Pointed(flag, text, err)
}

// Pointed returns a mistake in the expression of a flag with a caret at its place, and any other error as it is.
func Pointed(flag, text string, err error) error {
	var at *ask.Error
	if !errors.As(err, &at) {
		return err
	}
	return cli.UsageError("--%s: %s\n  %s\nFor the language: informerscope help expressions", flag, at.Err, strings.ReplaceAll(at.Caret(text), "\n", "\n  "))
}

// Verdicts is where the verdicts of --assert go beside the standard error.
type Verdicts struct {
	junit  string // a file
	github bool
}

// Flags adds the flags to a command.
func (v *Verdicts) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&v.junit, "junit", "", "also write what came of each --assert to this `file`, as JUnit's XML; without --assert, the findings")
	f.BoolVar(&v.github, "annotations", os.Getenv("GITHUB_ACTIONS") == "true", "also print each --assert that fails as an annotation of GitHub Actions (the default within one)")
	f.Lookup("annotations").DefValue = "false" // man pages are made within one, too
	c.MarkFlagFilename("junit", "xml")
}

// Write writes what came of the asserts, which are the first rows of s, and returns an error if one of them is false. The
// findings are the rows behind them.
func (v *Verdicts) Write(s *evidence.Summary, asserts int, stderr io.Writer) error {
	judged := &evidence.Summary{Name: s.Name, Rows: s.Rows[:asserts]}
	if v.github {
		if err := judged.WriteGitHub(stderr); err != nil {
			return err
		}
	}
	if v.junit != "" {
		if asserts == 0 {
			judged = s
		}
		var b bytes.Buffer
		err := judged.WriteJUnit(&b)
		if err == nil {
			err = os.WriteFile(v.junit, b.Bytes(), 0o644)
		}
		if err != nil {
			return files.Unwritten(v.junit, err)
		}
	}
	var failed []string
	for _, r := range s.Rows[:asserts] {
		if r.Text != "" {
			failed = append(failed, r.Text)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return errors.New(strings.Join(failed, "\n"))
}

// CountAssert is an --assert that compares a count of a whole capture with a number, such as stale() == 0 or
// finding("hot-key") < 3.
type CountAssert struct {
	Text, Name string
	Arg        string // within the parentheses; "" for nothing
	sign       string
	number     int64
}

// signs are the signs of comparisons, the longer ones first.
var signs = []string{"==", "!=", "<=", ">=", "<", ">"}

// ParseCounted reads NAME() OPERATOR NUMBER, or NAME("ARGUMENT") OPERATOR NUMBER, with one of the names. The error is an
// *ask.Error with the place.
func ParseCounted(text string, names []string) (*CountAssert, error) {
	fail := func(at int, why string) error { return &ask.Error{Pos: at, End: len(text), Err: errors.New(why)} }
	name, rest, ok := strings.Cut(text, "(")
	c := &CountAssert{Text: text, Name: strings.TrimSpace(name)}
	if !slices.Contains(names, c.Name) {
		return nil, fail(0, fmt.Sprintf("unknown function %q; want %s()", c.Name, strings.Join(names, "(), ")))
	}
	arg, rest, closed := strings.Cut(rest, ")")
	if !ok || !closed {
		return nil, fail(len(name), "a function has parentheses")
	}
	if arg = strings.TrimSpace(arg); arg != "" {
		quoted, err := strconv.Unquote(arg)
		if err != nil {
			return nil, fail(len(name)+1, "what stands in the parentheses needs quotation marks")
		}
		c.Arg = quoted
	}
	at := len(text) - len(rest)
	rest = strings.TrimSpace(rest)
	for _, sign := range signs {
		if number, ok := strings.CutPrefix(rest, sign); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
			if err != nil {
				return nil, fail(len(text)-len(number), "a whole number is missing")
			}
			c.sign, c.number = sign, n
			return c, nil
		}
	}
	return nil, fail(at, "a comparison such as == 0 is missing")
}

// IsTrue reports whether the comparison is true of a count.
func (c *CountAssert) IsTrue(count int64) bool {
	switch c.sign {
	case "==":
		return count == c.number
	case "!=":
		return count != c.number
	case "<=":
		return count <= c.number
	case ">=":
		return count >= c.number
	case "<":
		return count < c.number
	}
	return count > c.number
}

// FindingID returns an error unless there is a rule of replay/findings with that ID.
func FindingID(id string) error {
	var ids []string
	for _, r := range findings.Rules {
		ids = append(ids, r.ID)
	}
	if !slices.Contains(ids, id) {
		return cli.UsageError("unknown finding %q; want %s", id, strings.Join(ids, ", "))
	}
	return nil
}
