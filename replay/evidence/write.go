package evidence

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/report"
)

// Lines is how many lines WriteText writes at most.
const Lines = 10

// WriteText writes the findings for a terminal, a line for each, the worst first, and at last the link.
func (s *Summary) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	holds := ""
	if len(s.Facts) > 0 {
		holds = " " + s.Facts[0]
	}
	fmt.Fprintf(out, "%s: %s.%s\n", s.Name, s.Title, holds)
	failed := s.Failed()
	link, part := s.Link, ""
	if i := slices.IndexFunc(failed, func(r Row) bool { return r.Link != Link{} }); i >= 0 {
		link, part = failed[i].Link, failed[i].Part
	}
	room := Lines - 1 // the first line
	if part != "" {
		room--
	}
	if link != (Link{}) {
		room--
	}
	if len(failed) > room {
		room--
	}
	for i := range failed[:min(room, len(failed))] {
		r := &failed[i]
		fmt.Fprintf(out, "  %s: %s\n", strings.TrimSuffix(cmp.Or(r.Harm, "assert")+", "+r.timeText(), ", "), plain.Text(r.Text))
	}
	if more := len(failed) - room; more > 0 {
		fmt.Fprintf(out, "  and %s more\n", plain.Count(int64(more)))
	}
	if link != (Link{}) {
		fmt.Fprintf(out, "The step: %s\n", link)
	}
	if part != "" {
		fmt.Fprintf(out, "The link holds %s.\n", part)
	}
	return out.Flush()
}

// WriteMarkdown writes a table of the findings for a job's summary or a pull request: what is wrong, when, and the link to
// the step; then what helps. Text of the recording is no markup in it.
func (s *Summary) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	name := filepath.Base(s.Name)
	fmt.Fprintf(out, "### %s: %s\n\n%s\n", markdown(name), markdown(s.Title), markdown(strings.Join(s.Facts, " ")))
	failed := s.Failed()
	if len(failed) > 0 {
		out.WriteString("\n| | what is wrong | when |\n|---|---|---|\n")
	}
	for i := range failed {
		r := &failed[i]
		what, when := "assert", r.timeText()
		text := markdown(r.Text)
		if r.Harm != "" {
			what, text = r.Harm, "**"+markdown(r.Title)+"** ("+markdown(r.ID)+"): "+text
		}
		if r.Link != (Link{}) {
			when = "[" + cmp.Or(when, "the step") + "](" + r.Link.String() + ")"
		}
		if r.Part != "" {
			when += " (the link holds " + markdown(r.Part) + ")"
		}
		fmt.Fprintf(out, "| %s | %s | %s |\n", what, text, when)
	}
	written := map[string]bool{}
	for i := range failed {
		if r := &failed[i]; r.Instead != "" && !written[r.ID] {
			if len(written) == 0 {
				out.WriteString("\nWhat helps:\n\n")
			}
			written[r.ID] = true
			fmt.Fprintf(out, "- %s: %s\n", markdown(r.Title), markdown(r.Instead))
		}
	}
	if s.Link != (Link{}) {
		where := "The page asks for the file " + markdown(name) + ", which stays in the browser."
		if s.Link.Embeds() {
			where = "The link holds the recording, without its values. No server sees it."
		}
		fmt.Fprintf(out, "\n[The whole recording on the page](%s). %s\n", s.Link, where)
	}
	return out.Flush()
}

// markdown returns text so that none of it is markup.
func markdown(text string) string { return notMarkup.Replace(plain.Text(text)) }

// notMarkup escapes what begins markup in GitHub's Markdown, a mention among it.
var notMarkup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"|", `\|`, "~", `\~`, "#", `\#`, "@", "@\u2060", "!", `\!`, "://", ":\u2060//")

// WriteGitHub writes an annotation of GitHub Actions for each row that says that something is wrong: an error for an assert, a
// warning for a finding, and a notice for what does no harm by itself.
func (s *Summary) WriteGitHub(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, r := range s.Failed() {
		level, title := "error", r.Title
		switch r.Harm {
		case "":
			title = r.ID
		case said.Texts["harm."+string(findings.Noted)]:
			level = "notice"
		default:
			level = "warning"
		}
		fmt.Fprintf(out, "::%s title=%s::%s\n", level, property.Replace(plain.Text(title)), message.Replace(plain.Lines(r.Text)+r.links()))
	}
	return out.Flush()
}

// How GitHub Actions wants the text of a command, and the value of a command's property.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// The elements of JUnit's XML, as far as there is something to say.
type (
	testSuites struct {
		XMLName xml.Name  `xml:"testsuites"`
		Suite   testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Failure *failure `xml:"failure"`
	}
	failure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes a case for each row.
func (s *Summary) WriteJUnit(w io.Writer) error {
	suite := testSuite{Name: s.Name, Tests: len(s.Rows), Failures: len(s.Failed())}
	for _, r := range s.Rows {
		c := testCase{Class: r.Subject, Name: r.ID}
		if r.Text != "" {
			kind := "finding"
			if r.Harm == "" {
				kind = "assert"
			}
			c.Failure = &failure{r.Text, kind, r.Text + r.links()}
		}
		suite.Cases = append(suite.Cases, c)
	}
	b, err := xml.MarshalIndent(testSuites{Suite: suite}, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append([]byte(xml.Header), append(b, '\n')...))
	return err
}

// A recording that is too long for a link is made shorter, as long as the finding is in it: what came afterwards is left out,
// then whole resources, then whole objects.

const (
	mostShortened = 8 << 20 // bytes of a recording that is tried to be made shorter
	notes         = 500     // bytes for what is said of what was left out
)

// shortening is how long it may take to make a recording shorter. A test waits longer.
var shortening = 10 * time.Second

// shortener looks for a part of a recording.
type shortener struct {
	*excerpt.Recording
	found  map[string]bool // what the whole has
	row    *Row            // what must still be found
	most   int             // bytes of the link
	ends   time.Time
	result []byte // the last part in which it was found
}

// text returns the part that is left.
func (s *shortener) text() []byte { return append(bytes.Join(s.Part(), []byte{'\n'}), '\n') }

// try reports whether the row is found in the part that is left, and nothing that isn't in the whole.
func (s *shortener) try() bool {
	part := s.text()
	summary, err := Summarize(part, "", 0)
	if err != nil {
		return false
	}
	for _, r := range summary.Failed() {
		if !s.found[r.ID] {
			return false
		}
	}
	if !slices.ContainsFunc(summary.Rows, func(r Row) bool {
		return r.ID == s.row.ID && r.Subject == s.row.Subject && r.resource == s.row.resource && r.Time == s.row.Time
	}) {
		return false
	}
	s.result = part
	return true
}

// fits reports whether a link holds the part.
func (s *shortener) fits() bool { return len(s.row.Link.Holding(s.result).String()) <= s.most-notes }

// cut leaves out what came after the row could be found.
func (s *shortener) cut() {
	times, best := s.Times(), s.Until
	low, _ := slices.BinarySearch(times, s.row.Time)
	for high := len(times) - 1; low < high && time.Now().Before(s.ends); {
		middle := (low + high) / 2
		if s.Until = times[middle]; s.try() {
			best, high = s.Until, middle
		} else {
			low = middle + 1
		}
	}
	s.Until = best
}

// shortened returns the part of a recording that fits into a link and shows row i, the link that holds it, and what is
// said of it. It returns the zero Link if there is none, or none was found in time.
func (s *Summary) shortened(text []byte, i, most int) (l Link, said string) {
	if len(text) > mostShortened {
		return l, ""
	}
	c := &shortener{Recording: excerpt.NewRecording(text), most: most, row: &s.Rows[i], found: map[string]bool{}, ends: time.Now().Add(shortening)}
	for _, r := range s.Failed() {
		c.found[r.ID] = true
	}
	times := c.Times()
	if len(times) == 0 {
		return l, ""
	}
	if c.Until = times[len(times)-1]; !c.try() {
		return l, ""
	}
	c.cut()
	enough := func() bool { return c.fits() || time.Now().After(c.ends) }
	for _, kind := range []excerpt.UnitKind{excerpt.Resource, excerpt.Object} {
		c.LeaveOut(slices.DeleteFunc(c.Units(), func(u excerpt.Unit) bool {
			return u.Kind != kind || u == excerpt.Unit{Kind: excerpt.Resource, Name: c.row.resource}
		}), c.try, enough)
	}
	if !c.fits() {
		return l, ""
	}
	said = fmt.Sprintf("a part: %s of %s, until %s", plain.Count(int64(bytes.Count(c.result, []byte{'\n'}))), plain.Plural(c.Len(), "line"), report.Moment(c.Until))
	var without []string
	n := 0
	for u := range c.Omitted {
		if u.Kind == excerpt.Resource {
			without = append(without, u.Name)
		} else {
			n++
		}
	}
	slices.Sort(without)
	if n > 0 {
		without = append(without, plain.Plural(n, "object"))
	}
	if len(without) > 0 {
		said += ", without " + strings.Join(without, ", ")
	}
	c.Header = noted(c.Header, said)
	return c.row.Link.Holding(c.text()), plain.Text(said)
}

// noted returns a header with a note.
func noted(header []byte, note string) []byte {
	var h map[string]json.RawMessage
	text, err := json.Marshal(note)
	if err = cmp.Or(err, json.Unmarshal(header, &h)); err != nil {
		return header
	}
	h["note"] = text
	if text, err = json.Marshal(h); err != nil {
		return header
	}
	return text
}
