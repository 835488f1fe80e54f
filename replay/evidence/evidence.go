// Package evidence says what a recording shows to somebody who doesn't have it open: whoever reads the output of a
// failed test, the summary of a job, or a pull request. A Summary has the findings in words, each with a link to the
// step of the page where it can be seen, and is written as text, as Markdown, as annotations of GitHub Actions, or as
// JUnit's XML.
package evidence

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"io"
	"math"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/findings/said"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/report"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Summary is what is said of a recording.
type Summary struct {
	Name  string   // of the recording
	Title string   // the worst that was found, or that nothing was
	Facts []string // what the recording holds, in sentences
	Rows  []Row    // what was found, the worst first, after the asserts that were judged
	Link  Link     // to the whole recording on the page
}

// Row is a finding, or an assert.
type Row struct {
	Subject string // whose it is: the resource or the controller
	ID      string // of the finding, or the assert itself
	Harm    string // what it does, in words; "" for an assert
	Title   string // in a few words
	Text    string // what is wrong; "" for an assert that holds
	Instead string // what helps
	Time    int64  // when it begins, in nanoseconds since the start
	Link    Link   // to that step
	Card    Link   // to the recording's card, of an assert about findings
	Part    string // the part of the recording that Link holds; "" if it holds the whole

	resource string
}

// Summarize reads a recording and sums up its findings. Links lead to a file of that name, as the viewer has it, and of size
// bytes; text may be the shape of that file. It takes the memory of the recording, and as long as reading it does.
func Summarize(text []byte, name string, size int64) (*Summary, error) {
	r := format.NewReader(format.Options{})
	log := &worker.Log{}
	r.Trace().OtherLine = log.Line
	pass := findings.NewPass(r.Trace(), findings.Options{Log: log, Bytes: func(offset int64, length int) []byte { return text[offset:][:length] }})
	if err := errors.Join(r.Write(text), r.Close()); err != nil {
		return nil, err
	}
	for pass.Add(math.MaxInt) {
	}
	to := func(resource string) Link {
		return ToFile(name, size).Add("informer", resource).Add("profile", "current").Add("lists", "recorded").Add("handlers", "recorded")
	}
	s := &Summary{Name: name, Link: to("").Add("view", "card")}
	s.AddCard(pass.Card(), func(f *findings.Finding) Link {
		if f.Resource == "" {
			return Link{}
		}
		return to(f.Resource).Add("search", Since(f.From.Time))
	})
	return s, nil
}

// OfTest sums up the trace that a failed test has left. Unless values is set, it has what the shape of the trace has, since
// the output of a test is often public. Where the environment has CI=true, links hold the shape, since nobody there has the
// file.
func OfTest(text []byte, name string, values bool) (*Summary, error) {
	shown := text
	if !values {
		var b bytes.Buffer
		if err := redact.Rewrite(&b, redact.Options{}, func(w io.Writer) error {
			for line := range bytes.Lines(text) {
				if _, err := w.Write(line); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
		shown = b.Bytes()
	}
	s, err := Summarize(shown, name, int64(len(text)))
	if err == nil && os.Getenv("CI") == "true" {
		s.EmbedRecording(shown, MaxHeld)
	}
	return s, err
}

// AddCard adds what a card says. LinkTo returns the link to the step of a finding, or the zero
// Link.
func (s *Summary) AddCard(c *findings.Card, linkTo func(*findings.Finding) Link) {
	s.Title = said.Sentence(&c.Title, said.English)
	for i := range c.Facts {
		s.Facts = append(s.Facts, said.Sentence(&c.Facts[i], said.English))
	}
	for i := range c.Found {
		f := &c.Found[i]
		subject := f.Controller
		if subject == "" {
			subject = f.Resource
		}
		s.Rows = append(s.Rows, Row{
			Subject: plain.Text(subject), ID: f.ID, Harm: said.Texts["harm."+string(f.Harm)], Title: said.Texts[f.ID+".title"],
			Text: said.Finding(f, said.English), Instead: said.Texts[f.ID+".instead"], Time: f.From.Time, Link: linkTo(f), resource: f.Resource,
		})
	}
}

// EmbedRecording has the links to the recording and to the first finding hold the recording itself, if they are at most so many
// bytes long then, such as MaxHeld. The link to the finding may hold a part of a longer recording. Text is the recording in our own format;
// whoever gets such a link gets all of it. It takes up to 10 s.
func (s *Summary) EmbedRecording(text []byte, most int) {
	if held := s.Link.Holding(text); len(held.String()) <= most {
		s.Link = held
	}
	i := slices.IndexFunc(s.Rows, func(r Row) bool { return r.Text != "" && r.Link != Link{} })
	if i < 0 {
		return
	}
	r := &s.Rows[i]
	if held := r.Link.Holding(text); len(held.String()) <= most {
		r.Link = held
	} else if part, said := s.shortened(text, i, most); said != "" {
		r.Link, r.Part = part, said
	}
}

// Failed returns the rows that say that something is wrong.
func (s *Summary) Failed() (rows []Row) {
	for _, r := range s.Rows {
		if r.Text != "" {
			rows = append(rows, r)
		}
	}
	return rows
}

// links returns the row's links, one a line behind the text.
func (r *Row) links() (lines string) {
	for _, l := range []Link{r.Card, r.Link} {
		if text := l.String(); text != "" {
			lines += "\n" + text
		}
	}
	if r.Part != "" {
		lines += "\nThe link holds " + r.Part + "."
	}
	return lines
}

// timeText returns the time of a finding, as the page writes it, and "" for an assert.
func (r *Row) timeText() string {
	if r.Harm == "" {
		return ""
	}
	return report.Moment(r.Time)
}

// Site is where the page is to be had. Links lead there, and say everything behind the "#", which no server sees.
const Site = "https://informerscope.github.io/informerscope/"

// Link is an address of the page: what is opened there, and where in it. The zero value leads nowhere. Package
// wasm/address reads it.
type Link struct {
	opens  string // a field
	fields string // each with "&" before it
}

// ToFile begins a link to a file that whoever follows it has. The page asks for the file, and looks at its size, which
// is 0 where it isn't known.
func ToFile(name string, size int64) Link {
	l := Link{opens: "file=" + url.QueryEscape(name)}
	if size > 0 {
		l.opens += "&size=" + strconv.FormatInt(size, 10)
	}
	return l
}

// Serving returns the link with what the page's own server has at a path, in the place of the file.
func (l Link) Serving(path string) Link {
	l.opens = "url=" + url.QueryEscape(path)
	return l
}

// Add returns the link with another field, unless its value is empty.
func (l Link) Add(name, value string) Link {
	if value != "" {
		l.fields += "&" + name + "=" + url.QueryEscape(value)
	}
	return l
}

// Holding returns the link with a recording in our own format in the place of the file.
func (l Link) Holding(text []byte) Link {
	l.opens = "capture=" + escapes.Replace(string(text))
	return l
}

// Embeds reports whether the link holds a recording.
func (l Link) Embeds() bool { return strings.HasPrefix(l.opens, "capture=") }

// escapes are what a field's value can't have as it is.
var escapes = strings.NewReplacer("%", "%25", "&", "%26", "+", "%2B")

// Fragment returns the part of the address that begins with "#", which fits behind the page's address wherever it is.
func (l Link) Fragment() string {
	if l.opens == "" {
		return ""
	}
	return "#" + l.opens + l.fields
}

// String returns the whole address, "" for the zero Link.
func (l Link) String() string {
	text := l.Fragment()
	if text == "" {
		return ""
	}
	if l.Embeds() {
		text = pack(text)
	}
	return Site + text
}

// MaxHeld is how long a link may be that holds a recording, in bytes, where it can be clicked.
const MaxHeld = 20_000

// pack returns a fragment as package wasm/address packs it: the base64url of its deflate, behind the number of the packing.
func pack(fragment string) string {
	var b strings.Builder
	b.WriteString("#s1:")
	text := base64.NewEncoder(base64.RawURLEncoding, &b)
	z, err := flate.NewWriter(text, flate.BestCompression)
	if err != nil {
		panic(err) // the level is one that there is
	}
	io.WriteString(z, strings.TrimPrefix(fragment, "#"))
	z.Close()
	text.Close()
	return b.String()
}

// FileName returns the name of the trace of a test, without an extension.
func FileName(test string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r <= ' ' {
			return '-'
		}
		return r
	}, test)
}

// Since returns the expression of the first step that is as late as ns nanoseconds after the start.
func Since(ns int64) string { return "time() >= " + Millis(ns) + "ms" }

// Millis writes nanoseconds as milliseconds, which is how a link has them.
func Millis(ns int64) string { return strconv.FormatFloat(float64(ns)/1e6, 'f', -1, 64) }
