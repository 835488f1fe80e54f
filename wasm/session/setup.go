package session

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// Draft is the setup while the viewer edits it.
type Draft struct {
	desk  draftDesk
	open  *navigation.Document
	Setup link.Setup
	// Why the values in the fields can't be taken, by the fields' names.
	Refused   map[string]link.Sentence
	Rewritten int // counts the times that the fields got other values than those typed
}

// draftDesk is what the setup does to the rest of the model.
type draftDesk interface {
	// Rerun has the worker run all of what is open once more.
	Rerun(link.Op) []Cmd
}

// cloneSetup returns a setup that shares no handlers with s.
func cloneSetup(s link.Setup) link.Setup {
	s.Handlers = slices.Clone(s.Handlers)
	return s
}

// edit takes in a value that was entered. Arg is the name of a field. For a
// field of a handler its number comes first: "2.takes". A value that can't be taken
// changes nothing, and Refused says why until the field has another value.
func (d *Draft) edit(arg, value string) {
	delete(d.Refused, arg)
	if why := d.setField(arg, strings.TrimSpace(value)); why != nil {
		if d.Refused == nil {
			d.Refused = map[string]link.Sentence{}
		}
		d.Refused[arg] = *why
	}
}

// setField takes in a value, or says why it can't be taken.
func (d *Draft) setField(arg, value string) (refused *link.Sentence) {
	s := &d.Setup
	number, field, ofHandler := strings.Cut(arg, ".")
	if !ofHandler {
		switch arg {
		case "index":
			s.Index = value
		case "resync":
			return enterTime(&s.Resync, value, 1e9, link.MaxPeriod)
		case "workers":
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 || n > link.MaxWorkers {
				return refusal("refuse.whole", link.MaxWorkers)
			}
			s.Workers = n
		case "workTime":
			return enterTime(&s.WorkTime, value, 1e6, link.MaxTakes)
		case "follows":
			s.Follows = value == "true"
		case "listed":
			s.Listed = value == "true"
		}
		return nil
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(s.Handlers) {
		return nil
	}
	h := &s.Handlers[i]
	switch field {
	case "name":
		if n := utf8.RuneCountInString(value); n == 0 || n > link.MaxName {
			return refusal("refuse.name", link.MaxName)
		}
		h.Name = value
	case "takes":
		return enterTime(&h.Duration, value, 1e6, link.MaxTakes)
	case "resync":
		return enterTime(&h.Resync, value, 1e9, link.MaxPeriod)
	case "from":
		return enterTime(&h.From, value, 1e9, link.MaxPeriod)
	case "workqueue":
		h.Workqueue = value == "true"
	}
	return nil
}

// enterTime sets a time to a number of units, each of so many nanoseconds.
func enterTime(ns *int64, value string, unit float64, most int64) (refused *link.Sentence) {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v >= 0 && v*unit <= float64(most)) {
		return refusal("refuse.number", most/int64(unit))
	}
	*ns = int64(math.Round(v * unit))
	return nil
}

// refusal returns why a value can't be taken that has a bound.
func refusal(id string, most int64) *link.Sentence {
	return &link.Sentence{ID: id, Args: map[string]link.Arg{"most": {Kind: "num", V: strconv.FormatInt(most, 10)}}}
}

func (d *Draft) addHandler() {
	if len(d.Setup.Handlers) >= link.MaxHandlers {
		return
	}
	name := "handler-" + strconv.Itoa(len(d.Setup.Handlers)+1)
	d.Setup.Handlers = append(d.Setup.Handlers, link.Handler{Name: name, Duration: 1e6})
}

func (d *Draft) dropHandler(i int) {
	if i < 0 || i >= len(d.Setup.Handlers) {
		return
	}
	d.Setup.Handlers = slices.Delete(d.Setup.Handlers, i, i+1)
	d.Refused, d.Rewritten = nil, d.Rewritten+1
}

// apply runs what is open with the setup that was edited.
func (d *Draft) apply() []Cmd { return d.run(d.Setup) }

func (d *Draft) run(s link.Setup) []Cmd {
	if d.open.Trace == nil {
		return nil
	}
	return d.desk.Rerun(link.SetUp{Setup: cloneSetup(s)})
}

// follow runs what is open with the setup that an address has, unless it is run so.
func (d *Draft) follow(a *address.Address) []Cmd {
	open := d.open.Trace
	if open.Script {
		return nil
	}
	s := cloneSetup(open.Setup)
	switch {
	case a.Setup != nil:
		s = cloneSetup(*a.Setup)
		s.Profile, s.Listed = open.Setup.Profile, open.Setup.Listed
	case !a.Recorded && !open.HasSetup && a.Counts():
		s = address.LegacySetup()
		s.Profile, s.Listed, s.Follows = open.Setup.Profile, open.Setup.Listed, open.Setup.Follows
	}
	s.Profile = cmp.Or(a.Profile, s.Profile)
	if len(a.Steps) > 0 && (streams(s.Profile) || a.Second != nil) { // a moment of the run that was shown then
		s.Listed = a.Listed
	}
	if s.Equal(open.Setup) {
		return nil
	}
	d.Setup = s
	return d.apply()
}

// chooseProfile runs the same recording with another version of client-go. What the
// viewer has edited in the setup waits on.
func (d *Draft) chooseProfile(name string) []Cmd {
	if d.open.Trace == nil || name == d.open.Trace.Setup.Profile {
		return nil
	}
	s := cloneSetup(d.open.Trace.Setup)
	if !streams(s.Profile) { // nobody has chosen how lists are played
		s.Listed = true
	}
	s.Profile = name
	if !d.Edited() {
		d.Setup = cloneSetup(s)
	}
	d.Setup.Profile = name
	return d.run(s)
}

// streams reports whether a version of client-go asks for streaming lists.
func streams(profile string) bool {
	p, known := world.ProfileFor(profile)
	return known && p.Reflector.StreamingList
}

// Converts reports whether a list of the recording is converted unless Setup.Listed is set: the
// version asks for a streaming list, and the recording has an ordinary one.
func (d *Draft) Converts() bool {
	o := d.open.Trace
	return o != nil && o.Informer < len(o.Informers) && o.Informers[o.Informer].Listed && streams(d.Setup.Profile)
}

// reset drops what was edited.
func (d *Draft) reset() {
	if d.open.Trace != nil {
		d.Setup = cloneSetup(d.open.Trace.Setup)
		d.Refused, d.Rewritten = nil, d.Rewritten+1
	}
}

// Edited reports whether the draft differs from the setup that is run.
func (d *Draft) Edited() bool {
	if d.open.Trace == nil {
		return false
	}
	a := d.Setup
	a.Profile = d.open.Trace.Setup.Profile // another version is run at once
	return !a.Equal(d.open.Trace.Setup)
}

// Controllers returns the name of the recorded controller of the informer shown, "" for none, and the names of
// other controllers that were recorded and aren't played.
func (d *Draft) Controllers() (name string, others []string) {
	if o := d.open.Trace; o != nil && o.Informer < len(o.Informers) {
		in := &o.Informers[o.Informer]
		return in.Controller, in.NotPlayed
	}
	return "", nil
}
