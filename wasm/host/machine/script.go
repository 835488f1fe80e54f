package machine

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// Script is a script that is open. It is played to its end as soon as all of its
// text is there; then its run is looked at like any other.
type Script struct {
	Text    []byte
	Setup   []string
	Lanes   *Lanes // of the run that it makes, nil until it was played
	tables  map[*object.Table]*picture.Ranks
	runs    map[int]*Run
	Console link.Console
}

// Why a script can't be played as another profile.
const (
	errNoText  = fault.Plain("noText")
	errChanged = fault.Plain("changedRun")
)

// Write takes in more of the text.
func (s *Script) Write(b []byte) error {
	if len(s.Text)+len(b) > script.MaxBytes {
		return fault.Number("longScript max", script.MaxBytes)
	}
	s.Text = append(s.Text, b...)
	return nil
}

// Played reports whether there is a run to look at.
func (s *Script) Played() bool { return s.Lanes != nil }

// Line plays one more line of the text, with the number n.
func (s *Script) Line(r *script.Runner, text string, n int) error {
	s.Text = append(append(s.Text, text...), '\n')
	return r.Line(text, n)
}

// Play plays the text. An error keeps what was played before it.
func (s *Script) Play() error {
	r := script.NewRunner(s.Add)
	err := r.Play(string(s.Text))
	if r.History() == nil {
		if err == nil {
			err = fault.Plain("onlySetup")
		}
		return err
	}
	if err != nil {
		s.Console.Failure = LineFailure(err, string(s.Text))
	}
	s.Settle(r)
	return nil
}

// Changed reports whether what is shown isn't the run that the text alone makes.
func (s *Script) Changed() bool { return s.Lanes.Shown.History != s.Lanes.Base }

// WithProfile plays the same text with r as another profile, and passes over its can lines. R has a new machine.
func (s *Script) WithProfile(r *script.Runner, profile string) (*Script, error) {
	switch {
	case len(s.Text) == 0:
		return nil, errNoText
	case s.Changed():
		return nil, errChanged
	}
	p, _ := world.ProfileFor(profile)
	r.OnInquiry(func(*script.Inquiry) {})
	r.PlayAs(string(s.Text), p)
	other := &Script{}
	if r.History() == nil {
		return nil, errNoText
	}
	other.Settle(r)
	return other, nil
}

// Settle makes the run of r the one that is looked at.
func (s *Script) Settle(r *script.Runner) {
	s.Lanes, s.Setup = newLanes(r.History()), r.Setup()
	s.runs, s.tables = map[int]*Run{}, map[*object.Table]*picture.Ranks{}
	s.Console.Whole = true
}

// Add takes an entry into the transcript, unless that is full.
func (s *Script) Add(e script.Entry) {
	if len(s.Console.Entries) < MaxConsole {
		s.Console.Entries = append(s.Console.Entries, ConsoleLine(e, 0))
	}
}

// Run returns one informer of the script's run. All of them are of one world.
func (s *Script) Run(i int) *Run {
	r := s.runs[i]
	if r == nil {
		r = &Run{Lanes: s.Lanes, Informer: i, Goal: NoGoal}
		t := r.Table()
		if s.tables[t] == nil {
			s.tables[t] = picture.NewRanks(t)
		}
		r.Keys = s.tables[t]
		s.runs[i] = r
	}
	return r
}

// Opened describes the script. The informer with the number shown is on the stage.
func (s *Script) Opened(name string, shown int, setup link.Setup) *link.Opened {
	o := &link.Opened{Name: name, Format: "script", Informer: shown, Setup: setup, Profiles: Profiles(), Complete: true, Script: true}
	w := s.Lanes.Shown.History.Front()
	played := &w.Informers[shown].Config().Profile
	o.Setup.Profile = played.Name
	for i := range o.Profiles {
		if o.Profiles[i].Name == played.Name { // it may be another version's, under the same name
			o.Profiles[i].Versions = played.Versions
		}
	}
	for i, x := range w.Informers {
		o.Informers = append(o.Informers, link.Informer{Name: x.Config().Name, Events: int(x.Server.View(0, 0).Sent), Lists: int(w.Informers[i].Reflector.Lists())})
	}
	return o
}

// Written returns the lane shown as a script.
func (s *Script) Written() (string, error) {
	lines, err := script.Lines(s.Lanes.Shown.History)
	if err != nil {
		return "", err
	}
	return strings.Join(append(slices.Clone(s.Setup), lines...), "\n") + "\n", nil
}

// LinesToStep returns the lines that lead to the step at which the viewer is.
func (s *Script) LinesToStep() ([]string, error) {
	h := s.Lanes.Shown.History
	n := h.World().Steps()
	b := h.Branch(n)
	defer b.Drop()
	lines, err := script.Lines(b)
	if err != nil {
		return nil, err
	}
	lines = append(slices.Clone(s.Setup), lines...)
	if in := b.Inputs(); n > 0 && (len(in) == 0 || in[len(in)-1].Step < n) {
		lines = append(lines, "run until step "+strconv.FormatInt(n, 10))
	}
	return lines, nil
}

// MaxConsole is how many lines a transcript has.
const MaxConsole = 5000

// ConsoleLine returns what the transcript says of an entry.
func ConsoleLine(e script.Entry, lane int) link.ConsoleLine {
	out := link.ConsoleLine{Kind: e.Kind.String(), Text: e.Text, Lane: lane}
	if e.Kind == script.Moved {
		out.Text, out.Time, out.Actor, out.Step = strings.Join(e.Facts, "; "), e.Time, e.Actor, e.Step
	}
	return out
}

// LineFailure returns what is wrong with a line of a text of several lines, or with a text of a single one.
func LineFailure(err error, text string) *link.LineFailure {
	var e script.Error
	if !errors.As(err, &e) {
		return &link.LineFailure{Reason: link.Fault(err)}
	}
	if e.Line > 0 {
		lines := strings.Split(text, "\n")
		text = lines[min(e.Line, len(lines))-1]
	}
	return &link.LineFailure{Line: e.Line, Col: e.Col, Text: strings.TrimSuffix(text, "\r"), Reason: link.Fault(e.Err)}
}
