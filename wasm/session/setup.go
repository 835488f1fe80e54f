package session

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/wasm/link"
)

func cloneSetup(s link.Setup) link.Setup {
	s.Handlers = append([]link.Handler(nil), s.Handlers...)
	return s
}

// editSetup takes in a value that was entered. Arg is the name of a field. For a
// field of a handler its number comes first: "2.takes". A value that can't be taken
// changes nothing, and Refused says why until the field has another value.
func (m *Model) editSetup(arg, value string) []Cmd {
	m.Draft = cloneSetup(m.Draft)
	refused := maps.Clone(m.Refused)
	delete(refused, arg)
	if why := m.enterSetup(arg, strings.TrimSpace(value)); why != nil {
		if refused == nil {
			refused = map[string]link.Sentence{}
		}
		refused[arg] = *why
	}
	m.Refused = refused
	return nil
}

func (m *Model) enterSetup(arg, value string) (refused *link.Sentence) {
	d := &m.Draft
	number, field, ofHandler := strings.Cut(arg, ".")
	if !ofHandler {
		switch arg {
		case "index":
			d.Index = value
		case "resync":
			return enterTime(&d.Resync, value, 1e9, link.MaxPeriod)
		case "workers":
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 || n > link.MaxWorkers {
				return refusal("refuse.whole", link.MaxWorkers)
			}
			d.Workers = n
		case "workTime":
			return enterTime(&d.WorkTime, value, 1e6, link.MaxTakes)
		}
		return nil
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(d.Handlers) {
		return nil
	}
	h := &d.Handlers[i]
	switch field {
	case "name":
		if n := utf8.RuneCountInString(value); n == 0 || n > link.MaxName {
			return refusal("refuse.name", link.MaxName)
		}
		h.Name = value
	case "takes":
		return enterTime(&h.Takes, value, 1e6, link.MaxTakes)
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

func refusal(id string, most int64) *link.Sentence {
	return &link.Sentence{ID: id, Args: map[string]link.Arg{"most": {Kind: "num", V: strconv.FormatInt(most, 10)}}}
}

func (m *Model) addHandler() []Cmd {
	if len(m.Draft.Handlers) >= link.MaxHandlers {
		return nil
	}
	m.Draft = cloneSetup(m.Draft)
	name := "handler-" + strconv.Itoa(len(m.Draft.Handlers)+1)
	m.Draft.Handlers = append(m.Draft.Handlers, link.Handler{Name: name, Takes: 1e6})
	return nil
}

func (m *Model) dropHandler(arg string) []Cmd {
	i, err := strconv.Atoi(arg)
	if err != nil || i < 0 || i >= len(m.Draft.Handlers) {
		return nil
	}
	m.Draft = cloneSetup(m.Draft)
	m.Draft.Handlers = append(m.Draft.Handlers[:i], m.Draft.Handlers[i+1:]...)
	m.Refused, m.Rewritten = nil, m.Rewritten+1
	return nil
}

func (m *Model) applySetup() []Cmd { return m.runWith(m.Draft) }

func (m *Model) runWith(s link.Setup) []Cmd {
	if m.Opened == nil {
		return nil
	}
	s = cloneSetup(s)
	m.Playing = false
	m.places.forget()
	m.Loading, m.ask.complete = true, false // the worker runs all of it, as it did when it opened it
	return append(m.move(link.SetUp{Setup: s}), m.askTimeline()...)
}

// chooseProfile runs the same recording with another version of client-go. What the
// viewer has edited in the setup waits on.
func (m *Model) chooseProfile(name string) []Cmd {
	if m.Opened == nil || name == m.Opened.Setup.Profile {
		return nil
	}
	s := cloneSetup(m.Opened.Setup)
	s.Profile = name
	if !m.Edited() {
		m.Draft = cloneSetup(s)
	}
	m.Draft.Profile = name
	return m.runWith(s)
}

func (m *Model) resetSetup() []Cmd {
	if m.Opened != nil {
		m.Draft = cloneSetup(m.Opened.Setup)
		m.Refused, m.Rewritten = nil, m.Rewritten+1
	}
	return nil
}

// Edited returns whether the draft differs from the setup that is run.
func (m *Model) Edited() bool {
	if m.Opened == nil {
		return false
	}
	a := m.Draft
	a.Profile = m.Opened.Setup.Profile // another version is run at once
	return !sameSetup(a, m.Opened.Setup)
}

func sameSetup(a, b link.Setup) bool {
	if a.Profile != b.Profile || a.Index != b.Index || a.Resync != b.Resync || a.Workers != b.Workers || a.WorkTime != b.WorkTime {
		return false
	}
	return slices.Equal(a.Handlers, b.Handlers)
}
