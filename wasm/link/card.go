package link

import (
	"strconv"

	"github.com/informerscope/informerscope/replay/findings"
)

// What page and worker say to each other about the report card of a capture.

// Card tells what a capture holds and what is wrong in it, as far as it was read.
type Card struct {
	Complete bool
	Title    string     // the entry of the catalogues that names the worst
	Facts    []Sentence // what the capture is
	Lacks    []Sentence // what it can't tell
	Rows     []CardRow  // by informer
	Found    []Finding  // the worst first
	Inside   bool       // a recorder within a process has told of its own work, for which AskOwnWork asks
	Handlers []Timed    // that were recorded, the slowest first
	Nobody   string     // the entry of the catalogues that says that there are none; "" where something of the process was recorded
	End      int64      // of the recording, in nanoseconds since the start
	Span     int64      // of each of Counts, in nanoseconds
	Counts   []int      // changes, from the start on
}

func (x *Card) fields(c *coder) {
	c.fields(&x.Complete, &x.Title, &x.Facts, &x.Lacks, &x.Rows, &x.Found, &x.Inside,
		&x.Handlers, &x.Nobody, &x.End, &x.Span, &x.Counts)
}

// CardRow is what was counted of one resource.
type CardRow struct {
	Name     string
	Events   int64 // watch events
	Lists    int64
	Relisted int64      // lists after the first
	Relists  []Relisted // the first of them
	Busiest  string     // the key with the most changes, "" for none
	Changes  int64      // of Busiest
	Share    int64      // of all changes of the resource, in thousandths
	First    int64      // when Busiest first changed
}

func (x *CardRow) fields(c *coder) {
	c.fields(&x.Name, &x.Events, &x.Lists, &x.Relisted, &x.Relists, &x.Busiest, &x.Changes, &x.Share, &x.First)
}

// Relisted is a list after the first. The catalogues have its Reason under "finding.reason.".
type Relisted struct {
	Time   int64
	Reason string
}

func (x *Relisted) fields(c *coder) { c.fields(&x.Time, &x.Reason) }

// Finding is something that is wrong in the capture. The catalogues have its name under "finding.", its ID and ".title",
// and under ".instead" what helps.
type Finding struct {
	ID       string
	Harm     string // under "harm." in the catalogues
	Informer int    // the informer
	Sentence Sentence
	Figure   Arg      // its first number
	Fields   []string // of objects, those that changed most
	Notes    []string // what is said, too: names under "finding." in the catalogues
	Key      string   // "" for none
	Lists    bool     // it is about lists
	From     int64
	To       int64
}

func (x *Finding) fields(c *coder) {
	c.fields(&x.ID, &x.Harm, &x.Informer, &x.Sentence, &x.Figure, &x.Fields, &x.Notes, &x.Key, &x.Lists, &x.From,
		&x.To)
}

// Timed is how long the calls of a recorded handler took.
type Timed struct {
	Sentence Sentence
	Informer int   // the informer
	Time     int64 // when the longest call began
}

func (x *Timed) fields(c *coder) { c.fields(&x.Sentence, &x.Informer, &x.Time) }

// Show goes to a moment of an informer: to the first step from Time on that concerns Key, that lists if Lists is set, or else that
// has come by then.
type Show struct {
	Informer int
	Time     int64
	Key      string
	Lists    bool
}

func (x *Show) fields(c *coder) { c.fields(&x.Informer, &x.Time, &x.Key, &x.Lists) }

func (Show) op() {}

// Sentences returns sentences about a capture as the page has them.
func Sentences(lines []findings.Line) (all []Sentence) {
	for _, l := range lines {
		all = append(all, SentenceOf(l))
	}
	return all
}

// SentenceOf returns a sentence about a capture as the page has it.
func SentenceOf(l findings.Line) Sentence {
	s := Sentence{ID: l.ID, Args: map[string]Arg{}}
	for _, a := range l.Args {
		switch {
		case a.Line != nil:
			sentence := SentenceOf(*a.Line)
			s.Args[a.Name] = Arg{Kind: "why", Reason: &sentence}
		case a.Count != nil:
			s.Args[a.Name] = NumberOf(a.Count)
		default:
			s.Args[a.Name] = Arg{Kind: "code", V: a.Text}
		}
	}
	return s
}

// NumberOf returns a number of a finding. The catalogues say that it is a lower bound.
func NumberOf(n *findings.Count) Arg {
	a := Arg{Kind: map[findings.Unit]string{findings.Number: "num", findings.Duration: "time", findings.Bytes: "size", findings.Percent: "percent"}[n.Unit], V: strconv.FormatInt(n.N, 10)}
	if n.AtLeast {
		a = Arg{Kind: "why", V: a.V, Reason: &Sentence{ID: "finding.atLeast", Args: map[string]Arg{"value": a}}}
	}
	return a
}
