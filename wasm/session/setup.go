package session

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

func cloneSetup(s link.Setup) link.Setup {
	s.Handlers = append([]link.Handler(nil), s.Handlers...)
	return s
}

// editSetup takes in a value that was entered. Arg is the name of a field. For a
// field of a handler its number comes first: "2.takes".
func (m *Model) editSetup(arg, value string) []Cmd {
	m.Draft = cloneSetup(m.Draft)
	d := &m.Draft
	number, field, ofHandler := strings.Cut(arg, ".")
	if !ofHandler {
		switch arg {
		case "index":
			d.Index = strings.TrimSpace(value)
		case "resync":
			setTime(&d.Resync, value, 1e9)
		case "workers":
			if n, err := strconv.Atoi(value); err == nil && n >= 0 && n <= link.MaxWorkers {
				d.Workers = n
			}
		case "workTime":
			setTime(&d.WorkTime, value, 1e6)
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
		if name := strings.TrimSpace(value); name != "" {
			h.Name = name
		}
	case "takes":
		setTime(&h.Takes, value, 1e6)
	case "resync":
		setTime(&h.Resync, value, 1e9)
	case "from":
		setTime(&h.From, value, 1e9)
	case "workqueue":
		h.Workqueue = value == "true"
	}
	return nil
}

// setTime sets a time to a number of units, each of so many nanoseconds. A value that
// is no such number changes nothing.
func setTime(ns *int64, value string, unit float64) {
	v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err == nil && v >= 0 && v*unit < math.MaxInt64/2 {
		*ns = int64(math.Round(v * unit))
	}
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
	return append(m.move(link.Request{Op: link.OpSetup, Setup: &s}), m.askTimeline()...)
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
