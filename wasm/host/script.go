package host

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/picture"
)

// sniffLen is how many bytes are looked at to tell a script from a capture.
const sniffLen = 4096

// scripted is a script that is open. It is played to its end as soon as all of its
// text is there; then its run is looked at like any other.
type scripted struct {
	text    []byte
	setup   []string
	lanes   *lanes // of the run that it makes, nil until it was played
	tables  map[*object.Table]*picture.Ranks
	runs    map[int]*run
	console link.Console
}

var errLongScript = errors.New("it is longer than " + strconv.Itoa(script.MaxBytes) + " bytes, which is more than a script may have")

func (s *scripted) write(b []byte) error {
	if len(s.text)+len(b) > script.MaxBytes {
		return errLongScript
	}
	s.text = append(s.text, b...)
	return nil
}

// played tells whether there is a run to look at.
func (s *scripted) played() bool { return s.lanes != nil }

// play plays the text. An error keeps what was played before it.
func (s *scripted) play() error {
	r := script.NewRunner(s.take)
	err := r.Play(string(s.text))
	if r.History() == nil {
		if err == nil {
			err = errors.New("it sets up a machine and does nothing with it")
		}
		return err
	}
	if err != nil {
		s.console.Failure = lineFailure(err, string(s.text))
	}
	s.settle(r)
	return nil
}

// settle makes the run of r the one that is looked at.
func (s *scripted) settle(r *script.Runner) {
	s.lanes, s.setup = newLanes(r.History()), r.Setup()
	s.runs, s.tables = map[int]*run{}, map[*object.Table]*picture.Ranks{}
	s.console.Whole = true
}

func (s *scripted) take(e script.Entry) {
	if len(s.console.Entries) < maxConsole {
		s.console.Entries = append(s.console.Entries, consoleLine(e, 0))
	}
}

// run is one informer of the script's run. All of them are of one world.
func (s *scripted) run(i int) *run {
	r := s.runs[i]
	if r == nil {
		r = &run{lanes: s.lanes, informer: i, goal: noGoal}
		t := r.table()
		if s.tables[t] == nil {
			s.tables[t] = picture.NewRanks(t)
		}
		r.keys = s.tables[t]
		s.runs[i] = r
	}
	return r
}

func (s *scripted) opened(d *document) *link.Opened {
	o := &link.Opened{Name: d.name, Format: "script", Informer: d.shown, Setup: d.setup, Profiles: profiles(), Complete: true, Script: true}
	w := s.lanes.shown.h.Front()
	played := &w.Informers[d.shown].Config().Profile
	o.Setup.Profile = played.Name
	for i := range o.Profiles {
		if o.Profiles[i].Name == played.Name { // it may be another version's, under the same name
			o.Profiles[i].Versions = played.Versions
		}
	}
	for i, x := range w.Informers {
		o.Informers = append(o.Informers, link.Informer{Name: x.Config().Name, Events: int(x.Server.View(0, 0).Sent), Lists: int(w.Informers[i].Reflector.Lists())})
	}
	o.Problems = append(o.Problems, d.notes...)
	return o
}

// written is the lane shown as a script.
func (s *scripted) written() (string, error) {
	lines, err := script.Lines(s.lanes.shown.h)
	if err != nil {
		return "", err
	}
	return strings.Join(append(slices.Clone(s.setup), lines...), "\n") + "\n", nil
}

// upToHere are the lines that lead to the step at which the viewer is.
func (s *scripted) upToHere() ([]string, error) {
	h := s.lanes.shown.h
	n := h.At().Steps()
	b := h.Branch(n)
	defer b.Drop()
	lines, err := script.Lines(b)
	if err != nil {
		return nil, err
	}
	lines = append(slices.Clone(s.setup), lines...)
	if in := b.Inputs(); n > 0 && (len(in) == 0 || in[len(in)-1].Step < n) {
		lines = append(lines, "run until step "+strconv.FormatInt(n, 10))
	}
	return lines, nil
}

// endScript takes note that all of a script's or a lesson's text has come, and plays
// it.
func (h *Host) endScript(d *document, err error) {
	ready := true
	if err == nil && address.Looks(string(d.script.text)) {
		h.send(&link.Reply{ID: d.id, Traveled: &link.Traveled{Address: strings.TrimSpace(string(d.script.text))}})
		return // the page opens what the link leads to
	}
	if err == nil && lesson.Looks(string(d.script.text)) {
		ready, err = h.teach(d)
	} else if err == nil {
		err = d.script.play()
	}
	if err == nil && !ready {
		return
	}
	if err != nil {
		h.happen(d, occasion{on: onRefused, err: err})
		return
	}
	h.happen(d, occasion{on: onEnd})
}

// informers is how many informers the document has.
func (d *document) informers() int {
	if d.script != nil {
		return len(d.script.lanes.shown.h.Front().Informers)
	}
	return len(d.trace().Resources)
}
