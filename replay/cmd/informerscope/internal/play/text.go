package play

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
)

// Document fills in the names, the sizes and the texts of a report that was made of captures.
func Document(r *report.Report, names []string, got *files.Captured) *report.Report {
	r.Inputs, r.Bytes = names, got.Bytes
	for i := range r.Remarks {
		m := &r.Remarks[i]
		m.Text = remarks.Sentence(m.ID, m.Count, m.Detail)
	}
	return r
}

// writeCard prints what the page's report card says, too.
func writeCard(out *bufio.Writer, c *findings.Card) {
	var facts []string
	for i := range c.Facts {
		facts = append(facts, said.Sentence(&c.Facts[i], said.English))
	}
	out.WriteString(said.Sentence(&c.Title, said.English) + "\n\n")
	wrapped(out, "capture", strings.Join(facts, " "))
	for i := range c.Found {
		f := &c.Found[i]
		where := "at " + report.Moment(f.From.Time)
		if f.From.Time != f.To.Time {
			where = "from " + report.Moment(f.From.Time) + " to " + report.Moment(f.To.Time)
		}
		fmt.Fprintf(out, "\n  %-10s %s (%s, %s)\n", said.Texts["harm."+string(f.Harm)], said.Texts[f.ID+".title"], f.ID, where)
		wrapped(out, "", said.Finding(f, said.English))
		wrapped(out, "", said.Texts[f.ID+".instead"])
	}
	if len(c.Found) > 0 {
		out.WriteByte('\n')
	}
	for i := range c.Handlers {
		l := c.Handlers[i].Line()
		wrapped(out, cli.Title("handlers", i), said.Sentence(&l, said.English))
	}
	if c.Nobody != nil {
		wrapped(out, "handlers", said.Sentence(c.Nobody, said.English))
	}
	for i := range c.Lacks {
		wrapped(out, cli.Title("unknown", i), said.Sentence(&c.Lacks[i], said.English))
	}
}

// WriteCapture prints what all resources have in common.
func WriteCapture(out *bufio.Writer, d *report.Report) {
	line := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	line("%s", cli.Printable(files.JoinNames(d.Inputs)))
	writeCard(out, d.Card)
	for i, m := range d.Remarks {
		wrapped(out, cli.Title("note", i), cli.Printable(m.Text))
	}
	line("  %-10s %s records, %s of JSON", "holds", plain.Count(d.Records), plain.Size(d.Bytes))
	if d.Note != "" {
		line("  %-10s %s", "note", cli.Printable(d.Note))
	}
	line("  %-10s client-go %s (profile %s)", "played as", d.Versions, d.Profile)
	if a := d.Against; a != nil {
		line("  %-10s client-go %s (profile %s)", "and as", a.Versions, a.Profile)
		if a.Profile == d.Profile && a.Versions == d.Versions {
			line("  %-10s the engine knows no difference between the two", "")
		}
	}
	if len(d.Redacted) > 0 {
		line("  %-10s %s", "redacted", cli.Printable(strings.Join(d.Redacted, ", ")))
	}
	if d.ProblemCount > 0 {
		lost := ""
		if d.Lost > 0 {
			lost = ", with about " + plain.Plural(d.Lost, "watch event")
		}
		where := cli.DamageCount(d.ProblemCount, d.Gaps)
		wrapped(out, "problems", where+lost+"; the rest was read")
	}
	const most = 10
	for i, p := range d.Problems {
		if i == most {
			line("  %-10s and %s more", "", plain.Count(d.ProblemCount-most))
			break
		}
		wrapped(out, "", cli.Printable(fmt.Sprintf("line %d, byte %d: %s", p.Line, p.Offset, p.Reason)))
	}
	if l := d.Log; l != nil {
		line("  %-10s %s of the controller, with %s and %s; --find prints what was logged last at each step", "log",
			plain.Plural64(int64(l.Entries), "entry", "entries"), plain.Plural(l.Warnings, "warning"), plain.Plural(l.Errors, "error"))
	}
	for i, m := range d.Marks {
		if i == most {
			line("  %-10s and %d more", "", len(d.Marks)-most)
			break
		}
		line("  %-10s %s  %s", cli.Title("marks", i), report.Moment(m.T), cli.Printable(m.Text))
	}
}

// WriteConverted says which lists a version gets as lists of another kind.
func WriteConverted(out *bufio.Writer, x *report.Informer, version string) {
	if n := x.AsStreaming; n > 0 {
		wrapped(out, "converted", fmt.Sprintf("%s played as streaming, as %s asks for them: the items as ADDED events, and then a bookmark that nobody sent", plain.Plural64(n, "ordinary list is", "ordinary lists are"), version))
	}
	if n := x.AsOrdinary; n > 0 {
		wrapped(out, "converted", fmt.Sprintf("%s played as ordinary, because %s asks for no streaming list", plain.Plural64(n, "streaming list is", "streaming lists are"), version))
	}
}

// WriteFollowed says what was played of a recorded controller, by the version that is named, and which
// others were recorded.
func WriteFollowed(out *bufio.Writer, f *report.Followed, version string) {
	if version != "" {
		version = ", to " + version
	}
	wrapped(out, "controller", fmt.Sprintf("%s: %s and %s, played when they were recorded%s", cli.Printable(f.Name), plain.Plural(f.Reconciles, "reconcile"), plain.Plural(f.Writes, "write"), version))
	wrapped(out, "", unexplained(f))
	if len(f.NotPlayed) > 0 {
		wrapped(out, "", "recorded, too, and not played, since an informer has one workqueue here: "+cli.Printable(strings.Join(f.NotPlayed, ", ")))
	}
}

// unexplained says how well the engine's workqueue explains what a recorded controller got from its
// own.
func unexplained(f *report.Followed) string {
	gets := plain.Plural(f.Gets, "Get")
	if f.Gets == 0 {
		return "its workqueue was not recorded"
	}
	text := fmt.Sprintf("the engine's workqueue has the key of each of %s", gets)
	if f.Missing > 0 {
		text = fmt.Sprintf("of %s, the engine's workqueue doesn't have the key of %s", gets, plain.Count(f.Missing))
	}
	if f.Overtaking > 0 {
		text += fmt.Sprintf("; %s out of turn", plain.Count(f.Overtaking))
		if f.Priorities {
			text += ", as a queue with priorities gives them"
		}
	}
	return text
}

// wrapped prints text over as many lines as it takes.
func wrapped(out *bufio.Writer, name, text string) {
	out.WriteString(cli.Wrap(fmt.Sprintf("  %-10s ", name), text, cli.TextWidth))
}

// CallText says what a handler was called with, and when.
func CallText(c *report.Call) string {
	if c == nil {
		return "no further call"
	}
	text := c.Fn
	if c.Tombstone {
		text += " with a tombstone"
	}
	if c.Initial {
		text += " in the initial list"
	}
	rv := cli.Printable(c.RV)
	if c.Fn == "OnUpdate" {
		rv = cli.Printable(c.OldRV) + " → " + rv
	}
	return fmt.Sprintf("%s, version %s, at %s", text, rv, report.Moment(c.T))
}
