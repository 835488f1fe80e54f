// Package minimisecmd is "informerscope minimise".
package minimisecmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	err = play.NoResource("play", m.o.names[:1], m.o.Report.Resource, t)
	played := false
	for i, r := range t.Resources {
		if len(r.Records) == 0 || m.o.Report.Resource != "" && m.o.Report.Resource != r.Name() && m.o.Report.Resource != r.Resource {
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

// lineSearch looks for a part of a recording's lines in which a finding about a handler or a controller is still there. Such a finding
// depends on which call, Add or reconcile came after which other one. So the search leaves out whole resources, handlers, controllers and
// keys, and what the process did before a time and after another, and nothing between.
type lineSearch struct {
	header     []byte
	lines      []traceLine
	find       func(lines [][]byte) (f *findings.Finding, problems int64) // nil for none
	stopped    func() error
	finding    findings.Finding
	unreadable int64 // lines that can't be read
	omitted    map[string]bool
	from       int   // what the process did before this line is left out
	to         int64 // and all that came after this time
	tries      int
}

// traceLine is a line of a trace after its header.
type traceLine struct {
	raw   []byte
	time  int64
	units []string          // it is left out with any of them
	did   bool              // the line tells what the process did; others tell what the API server sent
	items []json.RawMessage // of a list
	keys  []string          // the units of items
}

// searchLines returns the smallest part that it has found, nil for none.
func (m *minimising) searchLines(all []byte) (*part, error) {
	header, rest, _ := bytes.Cut(all, []byte("\n"))
	s := &lineSearch{header: header, lines: readLines(rest), find: m.findIn, stopped: m.in.Captures.Ctx.Err, omitted: map[string]bool{}, to: math.MaxInt64}
	first, bad := s.find(s.part())
	if first == nil {
		return nil, fmt.Errorf("%s: %s isn't there", m.in.Name, m.o.finding)
	}
	s.finding, s.unreadable = *first, bad
	err := s.search()
	left := s.part()
	return &part{
		lines: func() ([][]byte, error) { return left, nil }, holds: s.hasFinding,
		left: fmt.Sprintf("%s of %s", plain.Plural(len(left), "line"), plain.Count(int64(len(s.lines)+1))),
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

// readLines reads what comes after the header. Lines that are notes beside the recording are left out.
func readLines(b []byte) (all []traceLine) {
	type object struct {
		Metadata struct{ Namespace, Name string }
	}
	type subject struct{ Queue, Controller, Handler, Name, Key, URL string }
	key := func(k string) string { return "key " + k }
	name := func(o *object) string {
		if o.Metadata.Namespace == "" {
			return key(o.Metadata.Name)
		}
		return key(o.Metadata.Namespace + "/" + o.Metadata.Name)
	}
	linesOf := map[int64][]string{} // by the ids of requests, writes and reconciles
	for raw := range bytes.Lines(b) {
		raw = bytes.TrimSuffix(raw, []byte("\n"))
		var l struct {
			T, ID, In                                         int64
			Req, Write, Reconcile, Work, Call, Calling, Fault *subject
			Resp, Reconciled, Wrote, End, LeftOut, Redacted   json.RawMessage
			Body                                              *struct{ Items []json.RawMessage }
			Event                                             *struct{ Object object }
		}
		if json.Unmarshal(raw, &l) != nil {
			continue
		}
		x := traceLine{raw: raw, time: l.T, did: true}
		switch about := l.Call; {
		case l.Req != nil:
			p, _ := trace.ParsePath(l.Req.URL)
			linesOf[l.ID] = []string{"resource " + p.Group + " " + p.Resource + " " + p.Namespace}
			x.units, x.did = linesOf[l.ID], false
		case l.Resp != nil || l.End != nil:
			x.units, x.did = linesOf[l.ID], false
		case l.Body != nil:
			x.units, x.did, x.items = linesOf[l.ID], false, l.Body.Items
			for _, i := range x.items {
				var o object
				json.Unmarshal(i, &o) // what is no object has no name
				x.keys = append(x.keys, name(&o))
			}
		case l.Event != nil:
			x.units, x.did = linesOf[l.ID], false
			if k := name(&l.Event.Object); k != key("") {
				x.units = append(x.units[:len(x.units):len(x.units)], k)
			}
		case l.Reconcile != nil:
			linesOf[l.ID] = []string{"controller " + l.Reconcile.Controller, key(l.Reconcile.Key)}
			x.units = linesOf[l.ID]
		case l.Write != nil:
			if linesOf[l.ID] = linesOf[l.In]; linesOf[l.ID] == nil {
				linesOf[l.ID] = []string{key(l.Write.Key)}
			}
			x.units = linesOf[l.ID]
		case l.Reconciled != nil || l.Wrote != nil:
			x.units = linesOf[l.ID]
		case l.Work != nil:
			x.units = []string{"controller " + l.Work.Queue, key(l.Work.Key)}
		case about != nil || l.Calling != nil || l.Fault != nil:
			if about == nil {
				about = l.Calling
			}
			if about == nil {
				about = l.Fault
			}
			x.units = []string{"handler " + about.Handler + about.Name, key(about.Key)}
		case l.LeftOut != nil || l.Redacted != nil:
			x.did = false
		default:
			continue
		}
		all = append(all, x)
	}
	return all
}

// part returns the lines that are left.
func (s *lineSearch) part() [][]byte {
	out := [][]byte{s.header}
	for i := range s.lines {
		l := &s.lines[i]
		switch {
		case l.time > s.to || l.did && i < s.from || s.anyGone(l.units):
			continue
		case s.anyGone(l.keys):
			out = append(out, l.without(s.omitted))
		default:
			out = append(out, l.raw)
		}
	}
	if n := len(s.lines); n > 0 {
		out = append(out, strconv.AppendInt([]byte(`{"t":`), min(s.to, s.lines[n-1].time), 10))
		out[len(out)-1] = append(out[len(out)-1], '}')
	}
	return out
}

func (s *lineSearch) anyGone(units []string) bool {
	return slices.ContainsFunc(units, func(u string) bool { return s.omitted[u] })
}

// without returns a list without the items that are gone.
func (l *traceLine) without(gone map[string]bool) []byte {
	left := []json.RawMessage{}
	for i, k := range l.keys {
		if !gone[k] {
			left = append(left, l.items[i])
		}
	}
	var line, body map[string]json.RawMessage
	err := errors.Join(json.Unmarshal(l.raw, &line), json.Unmarshal(line["body"], &body))
	if err == nil {
		body["items"], err = json.Marshal(left)
	}
	if err == nil {
		line["body"], err = json.Marshal(body)
	}
	b, failed := json.Marshal(line)
	if errors.Join(err, failed) != nil {
		return l.raw
	}
	return b
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
		if s.to = s.finding.To.Time + after; s.reproduces() {
			break
		}
	}
	var units []string
	seen := map[string]bool{}
	for i := range s.lines {
		l := &s.lines[i]
		for _, all := range [][]string{l.units, l.keys} {
			for _, u := range all {
				if !seen[u] {
					seen[u] = true
					units = append(units, u)
				}
			}
		}
	}
	for size := (len(units) + 1) / 2; size > 0; size /= 2 {
		left := units[:0:0]
		for from := 0; from < len(units); from += size {
			some := units[from:min(from+size, len(units))]
			if err := s.stopped(); err != nil {
				return err
			}
			for _, u := range some {
				s.omitted[u] = true
			}
			if s.reproduces() {
				continue
			}
			for _, u := range some {
				delete(s.omitted, u)
			}
			left = append(left, some...)
		}
		units = left
	}
	for low, high := 0, len(s.lines); high-low > 1; {
		if err := s.stopped(); err != nil {
			s.from = low
			return err
		}
		if s.from = (low + high) / 2; s.reproduces() {
			low = s.from
		} else {
			high, s.from = s.from, low
		}
	}
	return nil
}
