package session

import (
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// currentAddress returns the address of what is open and of the part that is shown, without the steps that led there.
func (m *Model) currentAddress() address.Address {
	if m.Loop.Shown {
		return address.Address{Source: address.Source{Loop: true}, Moment: strconv.Itoa(m.Loop.Beat)}
	}
	a := address.Address{Follow: m.Find.Follow}
	if len(m.Expr.Asked) <= address.MaxName {
		a.Search = m.Expr.Asked
	}
	for _, b := range m.Expr.Breaks {
		if !b.Disabled && len(b.Text) <= address.MaxName && len(a.Stops) < address.MaxAsks {
			a.Stops = append(a.Stops, b.Text)
		}
	}
	if m.Transport.Unit != link.Micro {
		a.Unit = string(m.Transport.Unit)
	}
	if m.Stage.Axis != link.ByStep {
		a.Axis = string(m.Stage.Axis)
	}
	if a.Source.Lesson = m.Open.Source.Lesson(); a.Source.Lesson == "" {
		m.Open.Source.Describe(&a.Source)
	}
	if o := m.Open.Trace; o != nil {
		a.Profile, a.Listed = o.Setup.Profile, o.Setup.Listed && !o.Script
		if o.Informer < len(o.Informers) && len(o.Informers) > 1 {
			a.Informer = o.Informers[o.Informer].Name
		}
	}
	a.Page.Card = m.OnCard()
	if o := m.Front.Object; m.Front.Tab == desk.Object && o != nil && !o.SecondOnly {
		a.Object = address.Version{Key: o.Key, RV: o.RV}
	}
	switch m.Front.Tab {
	case desk.Explain, desk.Lesson, desk.Object:
	default:
		a.Tab = string(m.Front.Tab)
	}
	return a
}

// CurrentAddress returns what would bring the viewer back to what is shown, nil where nothing can. A cluster that is followed
// can't be brought back, because its events are over. What a program follows comes from its beginning again, and its steps are others.
func (d mediator) CurrentAddress() *address.Address {
	m := d.m
	piped := address.IsLive(m.Open.Source.URL)
	if m.Stage.Frame == nil || m.Cluster.Live != nil && !piped || m.Open.Died != "" {
		return nil
	}
	a := m.currentAddress()
	if piped {
		return &address.Address{Source: a.Source, Informer: a.Informer, Page: a.Page}
	}
	if m.Loop.Shown {
		return &a
	}
	if l := m.Lesson.Learning; l != nil {
		a.Moment, a.Chosen = l.Moment(), l.Chosen()
		if m.Lesson.Writing != nil && a.Source.Script != "" {
			a.Draft = m.Lesson.Writing.Text
		}
	}
	setup := cloneSetup(m.Open.Trace.Setup)
	setup.Profile, setup.Listed = "", false
	a.Setup = &setup
	if m.Hands.Lanes != nil {
		a.Steps = append(a.Steps, m.Hands.Lanes.Path...)
	}
	a.Steps = append(a.Steps, link.PathStep{Step: m.Stage.Frame.Step})
	if m.Second.Comparison != nil {
		lane, _ := m.Second.Comparison.Second.Second.(link.SecondLane)
		a.Second, a.Files = m.Second.address(lane.Path)
	}
	return &a
}

// Unknown returns a failure that tells a name in an address which what is open doesn't have, or nil.
func (d mediator) Unknown(a *address.Address) *link.Failure {
	m := d.m
	if l := m.Lesson.Learning; l != nil {
		if _, has := l.FindMoment(navigation.Moment(a.Moment)); !has {
			return navigation.Failure("fail.linkMoment", "name", navigation.Shorten(a.Moment))
		}
	}
	name := ""
	if _, known := world.ProfileFor(a.Profile); a.Profile != "" && !known {
		name = a.Profile
	}
	if a.Informer != "" && !slices.ContainsFunc(m.Open.Trace.Informers, func(x link.Informer) bool { return x.Name == a.Informer }) {
		name = a.Informer
	}
	switch _, spoken := languageOf(a.Page.Lang); {
	case a.Page.Lang != "" && !spoken:
		name = "lang=" + a.Page.Lang
	case a.Tab != "" && !slices.Contains(m.Front.Tabs(), desk.Tab(a.Tab)):
		name = "tab=" + a.Tab
	case a.Unit != "" && !slices.Contains(link.Units, link.Unit(a.Unit)):
		name = "unit=" + a.Unit
	case a.Axis != "" && !slices.Contains(link.Axes, link.Axis(a.Axis)):
		name = "axis=" + a.Axis
	}
	if name == "" {
		return nil
	}
	return navigation.Failure("fail.linkName", "name", navigation.Shorten(name))
}

// Measure takes over an address's unit of steps and axis of the timeline.
func (d mediator) Measure(a *address.Address) {
	if u := link.Unit(a.Unit); slices.Contains(link.Units, u) {
		d.m.Transport.Unit = u
	}
	if x := link.Axis(a.Axis); slices.Contains(link.Axes, x) {
		d.m.Stage.Axis = x
	}
}

// Arrive takes over what else an address says about what is shown, apart from the moment.
func (d mediator) Arrive(a *address.Address) []Cmd {
	m := d.m
	m.Find.Follow = a.Follow
	cmds := append(m.Expr.AskAll(a), m.Lesson.Reopen(a.Draft)...)
	if t := desk.Tab(a.Tab); slices.Contains(m.Front.Tabs(), t) {
		m.Front.turn(t)
	}
	return cmds
}

// Lesson returns the lesson that is open, as far as addresses name it.
func (d mediator) Lesson() navigation.Lesson {
	out := navigation.Lesson{Path: d.m.Lesson.Path}
	if l := d.m.Lesson.Learning; l != nil {
		out.Open, out.Name, out.Stop, out.Moment, out.Chosen, out.Find = true, l.Name, l.Stop, l.Moment(), l.Chosen(), l.FindMoment
	}
	return out
}

// linked takes in the way to what is shown, for the link that was asked for.
func (m *Model) linked(l *link.Linked) []Cmd {
	if m.Sharing.Share == nil || m.Front.Dialog != "link" {
		return nil
	}
	a := m.currentAddress()
	if x := m.Lesson.Learning; x != nil {
		a.Page.Path, a.Moment, a.Chosen = m.Lesson.Path, x.Moment(), x.Chosen()
	}
	if l.Text != "" && a.Source.IsFile() {
		a.Source = address.Source{Script: l.Text}
	}
	a.Steps = l.Path
	a.Second, a.Files = m.Second.address(l.Second)
	return m.Sharing.linked(a, m.Open.Trace.Setup, l.Problem)
}

// copyLoop copies a link to the loop's beat.
func (m *Model) copyLoop() []Cmd {
	a := m.currentAddress()
	a.Page.Lang = m.Settings.Lang
	m.Loop.Copied = false
	return []Cmd{desk.Copy{Text: m.Site.URL + a.String()}}
}
