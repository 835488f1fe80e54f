package reportcmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/play"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace"
)

// expressions is what --find, --plot and --assert ask, and what has come of it.
type expressions struct {
	find, plot string
	asserts    []string

	output    cli.Output
	held      bool                // results stay in memory, and are refused where they are too large for it
	found     []*play.CountAssert // asserts about findings
	questions []question
	results   map[*trace.Resource]*calls  // what --find or --plot prints
	open      map[*trace.Resource]*Hit    // where it is still true
	last      map[*trace.Resource]plotted // the row that was plotted last
	failed    map[verdictKey]falsified    // the asserts that were false
	trace     *trace.Trace                // that is played
	logged    map[*trace.Resource]int     // how many entries of the log were passed
}

// question is an expression of the command line.
type question struct {
	flag string
	x    *ask.Expr
}

// Hit is a step at which the expression of --find becomes true, as -o json prints it.
type Hit struct {
	Resource string     `json:"resource"`
	Step     int64      `json:"step"`
	T        int64      `json:"t"`              // virtual, in nanoseconds
	Duration int64      `json:"for"`            // for how long it stays true; 0 for a moment
	To       int64      `json:"to"`             // the last step at which it is true
	Sentence string     `json:"said"`           // what the step did
	Open     bool       `json:"open,omitempty"` // it is still true when the capture ends
	Log      []logEntry `json:"log,omitempty"`  // what the controller had logged last by then
}

// plotted is a row of --plot.
type plotted struct {
	step int64
	text string
}

// flags adds the flags to a command.
func (a *expressions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&a.find, "find", "", "print the steps at which this `expression` comes about, and nothing else")
	f.StringVar(&a.plot, "plot", "", "print the value of this `expression` wherever it changes, as CSV, and nothing else")
	f.StringArrayVar(&a.asserts, "assert", nil, "fail unless this `expression` is true at every step, or a comparison such as finding(\"hot-key\") == 0; may be given several times")
	for _, name := range []string{"find", "plot", "assert"} {
		c.RegisterFlagCompletionFunc(name, completeExpression)
	}
}

// completeExpression completes an expression as far as it can be without a capture.
func completeExpression(_ *cobra.Command, _ []string, begun string) (out []string, _ cobra.ShellCompDirective) {
	for _, c := range ask.Complete(begun, len(begun), &ask.Names{}, 60) {
		out = append(out, cobra.CompletionWithDesc(begun[:c.From]+c.Text, c.Help))
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// check parses the expressions.
func (a *expressions) check(out cli.Output) error {
	a.output = out
	if a.find != "" && a.plot != "" {
		return cli.UsageError("--find and --plot print different things; give one of them")
	}
	if out == cli.AsYAML && a.find != "" || out != cli.AsText && a.plot != "" {
		return cli.UsageError("--find prints text or JSON lines, and --plot prints CSV")
	}
	a.questions = nil
	add := func(flag, text string) error {
		x, err := play.Expression(flag, text)
		a.questions = append(a.questions, question{flag, x})
		return err
	}
	for _, q := range []struct{ flag, text string }{{"find", a.find}, {"plot", a.plot}} {
		if q.text != "" {
			if err := add(q.flag, q.text); err != nil {
				return err
			}
		}
	}
	a.found = nil
	for _, text := range a.asserts {
		if strings.HasPrefix(strings.TrimSpace(text), "finding") {
			c, err := parseFound(text)
			if err != nil {
				return play.Pointed("assert", text, err)
			}
			a.found = append(a.found, c)
			continue
		}
		if err := add("assert", text); err != nil {
			return err
		}
	}
	return nil
}

// checkNames checks the expressions against the handlers that there will be. Each resource may
// have handlers of its own.
func (a *expressions) checkNames(how *report.Options) error {
	for _, q := range a.questions {
		if err := play.Pointed(q.flag, q.x.Text(), q.x.Check(play.Names(how))); err != nil {
			return err
		}
	}
	return nil
}

// addTo makes the options ask the expressions.
func (a *expressions) addTo(how *report.Options) {
	how.Asked = nil
	for _, q := range a.questions {
		how.Asked = append(how.Asked, q.x)
	}
	how.Answered = a.valueChanged
}

// begin forgets what was asked of a capture that is read again.
func (a *expressions) begin(t *trace.Trace) {
	a.close()
	a.trace, a.logged = t, map[*trace.Resource]int{}
	a.results, a.open, a.last = map[*trace.Resource]*calls{}, map[*trace.Resource]*Hit{}, map[*trace.Resource]plotted{}
	a.failed = map[verdictKey]falsified{}
}

func (a *expressions) result(r *trace.Resource) *calls {
	c := a.results[r]
	if c == nil {
		c = newCalls(a.held)
		a.results[r] = c
	}
	return c
}

// valueChanged takes in a change of an expression.
func (a *expressions) valueChanged(r *trace.Resource, i int, w *world.World, e *ask.Eval) error {
	switch a.questions[i].flag {
	case "find":
		return a.hit(r, w, e)
	case "plot":
		v := e.Value().Decimal(e.Expr().Type())
		if a.last[r].text == v {
			return nil
		}
		a.last[r] = plotted{w.Steps(), v}
		_, err := a.result(r).Write([]byte(csvText(r.Name()) + "," + strconv.FormatInt(w.Steps(), 10) + "," + ask.Seconds(w.Now()) + "," + v + "\n"))
		return err
	}
	text := e.Expr().Text()
	key := verdictKey{r, text}
	if _, before := a.failed[key]; !before && !e.Value().True() {
		why := e.Explain()
		if why != "" {
			why = "; " + why
		}
		a.failed[key] = falsified{fmt.Sprintf("%s is false of %s at step %d, at %s (%s)%s", text, cli.Printable(r.Name()), w.Steps(), report.Moment(w.Now()), stepText(w), why), w.Steps()}
	}
	return nil
}

// stepText says what a step did.
func stepText(w *world.World) string {
	who, facts := script.Describe(w)
	if who == "" {
		who = "nobody"
	}
	return who + ": " + strings.Join(facts, "; ")
}

// hit takes in a change of the expression of --find.
func (a *expressions) hit(r *trace.Resource, w *world.World, e *ask.Eval) error {
	if err := a.endHit(r, w.Steps()-1, w.Now(), false); err != nil || !e.Value().True() {
		return err
	}
	h := &Hit{Resource: r.Name(), Step: w.Steps(), T: w.Now(), To: w.Steps(), Sentence: stepText(w), Log: a.lastLogged(r, w.Now())}
	if e.Expr().Momentary() {
		return a.write(r, h)
	}
	a.open[r] = h
	return nil
}

// endHit writes the hit that has lasted up to a step and a time.
func (a *expressions) endHit(r *trace.Resource, step, now int64, open bool) error {
	h := a.open[r]
	if h == nil {
		return nil
	}
	delete(a.open, r)
	h.To, h.Duration, h.Open = step, now-h.T, open
	return a.write(r, h)
}

func (a *expressions) write(r *trace.Resource, h *Hit) error {
	c := a.result(r)
	if a.output == cli.AsJSON {
		b, err := json.Marshal(h)
		if err == nil {
			_, err = c.Write(append(b, '\n'))
		}
		return err
	}
	lasts := ""
	switch {
	case h.Open:
		lasts = "  (to the end)"
	case h.To > h.Step:
		lasts = fmt.Sprintf("  (to step %d, for %s)", h.To, plain.Duration(h.Duration))
	}
	for _, l := range h.Log {
		if _, err := fmt.Fprintf(c, "%10s  %12s  %s %s\n", "log", report.Moment(l.T), l.Level, cli.Printable(l.Text)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(c, "%10d  %12s  %s%s\n", h.Step, report.Moment(h.T), cli.Printable(h.Sentence), lasts)
	return err
}

// print prints what was found or plotted, resource by resource. If nothing was found it
// says so on stderr.
func (a *expressions) print(out *bufio.Writer, stderr io.Writer, played []*report.Front) error {
	steps := int64(0)
	if a.plot != "" {
		out.WriteString("resource,step,seconds,value\n")
	}
	for _, p := range played {
		if err := a.endHit(p.Resource, p.Steps, p.Now, true); err != nil {
			return err
		}
		steps += p.Steps
		c := a.results[p.Resource]
		if c == nil {
			continue
		}
		if a.find != "" && a.output == cli.AsText && len(played) > 1 {
			out.WriteString(cli.Printable(p.Resource.Name()) + ":\n")
		}
		if err := c.writeTo(out, ""); err != nil {
			return err
		}
		if a.plot != "" { // the last row says how far the value holds
			fmt.Fprintf(out, "%s,%d,%s,%s\n", csvText(p.Resource.Name()), p.Steps, ask.Seconds(p.Now), a.last[p.Resource].text)
		}
	}
	if len(a.results) == 0 {
		fmt.Fprintf(stderr, "%s comes about at none of %s steps\n", cli.Printable(a.find), plain.Count(steps))
	}
	return nil
}

// csvText writes a name as a field of CSV (RFC 4180).
func csvText(s string) string {
	if strings.ContainsAny(s, ",\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// verdictKey names an assert of a resource.
type verdictKey struct {
	r    *trace.Resource
	text string
}

// falsified says why an assert is false, and at which step.
type falsified struct {
	reason string
	step   int64
}

// verdicts returns what came of each assert, for each resource that was played. LinkTo returns the link to a step of a resource.
func (a *expressions) verdicts(played []*trace.Resource, linkTo func(resource string, step int64) evidence.Link) (all []evidence.Row) {
	for _, r := range played {
		for _, q := range a.questions {
			if q.flag == "assert" {
				v := evidence.Row{Subject: r.Name(), ID: q.x.Text()}
				if f, ok := a.failed[verdictKey{r, v.ID}]; ok {
					v.Text, v.Link = f.reason, linkTo(v.Subject, f.step)
				}
				all = append(all, v)
			}
		}
	}
	return all
}

// parseFound reads an --assert that compares how many findings there are with a number. The error is an *ask.Error with the place.
func parseFound(text string) (*play.CountAssert, error) {
	c, err := play.ParseCounted(text, []string{"finding"})
	if err != nil || c.Arg == "" {
		return c, err
	}
	if err = play.FindingID(c.Arg); err != nil {
		at := strings.Index(text, c.Arg)
		err = &ask.Error{Pos: at, End: at + len(c.Arg), Err: err}
	}
	return c, err
}

// judge returns the verdicts of the asserts about findings. Links lead to the first finding.
func (a *expressions) judge(all []findings.Finding, links func(*findings.Finding) (card, step evidence.Link)) (verdicts []evidence.Row) {
	for _, c := range a.found {
		v, n, first := evidence.Row{Subject: "findings", ID: c.Text}, int64(0), ""
		for i := range all {
			if c.Arg != "" && c.Arg != all[i].ID {
				continue
			}
			if n++; n == 1 {
				v.Card, v.Link = links(&all[i])
				first = "; " + report.Moment(all[i].From.Time) + ": " + said.Finding(&all[i], said.English)
			}
		}
		if !c.IsTrue(n) {
			v.Text = fmt.Sprintf("%s is false: it is %s%s", c.Text, plain.Count(n), first)
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// close removes temporary files.
func (a *expressions) close() {
	for _, c := range a.results {
		c.close()
	}
}

// logEntry is an entry of the controller's log.
type logEntry struct {
	T     int64       `json:"t"` // in nanoseconds since the start
	Level trace.Level `json:"level"`
	Text  string      `json:"text"`
}

// mostLogged is how many entries of the log are printed with a step.
const mostLogged = 3

// lastLogged returns the last entries of the log up to a time, without those that came with an earlier step of the
// resource.
func (a *expressions) lastLogged(r *trace.Resource, now int64) (out []logEntry) {
	log := a.trace.Log
	from := a.logged[r]
	n, _ := slices.BinarySearchFunc(log, now+1, func(l trace.Logged, t int64) int { return int(max(-1, min(1, l.Time-t))) })
	a.logged[r] = max(n, from)
	for _, l := range log[min(max(from, n-mostLogged), n):n] {
		text, _, _ := strings.Cut(l.Text, "\n")
		out = append(out, logEntry{l.Time, l.Level, text})
	}
	return out
}

// ExpressionsTopic returns "informerscope help expressions".
func ExpressionsTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("What report --find, --plot and --assert take, and in scripts run until, expect, show and can.\n")
	for _, s := range ask.Help() {
		b.WriteString("\n" + s.Title + ":\n")
		width := 0
		for _, l := range s.Lines {
			width = max(width, len([]rune(l.Form)))
		}
		width = min(width, 34)
		for _, l := range s.Lines {
			first := fmt.Sprintf("  %-*s  ", width, l.Form)
			if len([]rune(l.Form)) > width {
				b.WriteString("  " + l.Form + "\n")
				first = strings.Repeat(" ", width+4)
			}
			b.WriteString(cli.Wrap(first, l.Meaning, cli.TextWidth))
		}
	}
	b.WriteString(`
--find prints where an expression comes about, --plot its value as CSV, and --assert fails
(exit code 1) unless it is true at every step. So what must never be is asserted with a !.
`)
	return &cobra.Command{Use: "expressions", Short: "the language of --find, --plot and --assert, and of scripts", Long: strings.TrimSuffix(b.String(), "\n")}
}

// spool holds text that is printed later: a little of it in memory, and much of it in a
// temporary file.
type spool struct {
	inMemory bool // in memory
	held     bytes.Buffer
	file     *os.File
	out      *bufio.Writer
}

// maxBuffered is how many bytes a spool holds in memory.
const maxBuffered = 4 << 20

var errTooMuch = fmt.Errorf("more than %d MB would be found; ask for less", maxBuffered>>20)

// Write adds text.
func (s *spool) Write(text []byte) (int, error) {
	if s.file == nil && s.held.Len()+len(text) <= maxBuffered {
		return s.held.Write(text)
	}
	if s.inMemory {
		return 0, errTooMuch
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "informerscope-*")
		if err != nil {
			return 0, err
		}
		os.Remove(f.Name()) // some systems remove no open file; there, close does
		s.file, s.out = f, bufio.NewWriterSize(f, 256<<10)
		if _, err := s.held.WriteTo(s.out); err != nil {
			return 0, err
		}
	}
	return s.out.Write(text)
}

// read returns all of the text.
func (s *spool) read() (io.Reader, error) {
	if s.file == nil {
		return &s.held, nil
	}
	if err := s.out.Flush(); err != nil {
		return nil, err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return s.file, nil
}

// close removes the temporary file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}

// calls holds the calls of one resource's handlers, as JSON lines. They are printed
// at the end, resource by resource.
type calls struct {
	spool
	encoder *json.Encoder
}

func newCalls(only bool) *calls {
	c := &calls{spool: spool{inMemory: only}}
	c.encoder = json.NewEncoder(c)
	c.encoder.SetEscapeHTML(false)
	return c
}

// add adds a call.
func (c *calls) add(call report.Call) error { return c.encoder.Encode(call) }

// writeTo writes the lines to w. If informer is not empty, it becomes the first
// field of each line.
func (c *calls) writeTo(w io.Writer, informer string) error {
	in, err := c.read()
	if err != nil {
		return err
	}
	if informer == "" {
		_, err = io.Copy(w, in)
		return err
	}
	var name bytes.Buffer
	e := json.NewEncoder(&name)
	e.SetEscapeHTML(false)
	if err := e.Encode(informer); err != nil {
		return err
	}
	first := append([]byte(`{"informer":`), bytes.TrimSpace(name.Bytes())...)
	first = append(first, ',')
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if _, err := w.Write(append(first[:len(first):len(first)], line[1:]...)); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
