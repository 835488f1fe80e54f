package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// OnCard reports whether the card is shown in the place of the machine.
func (m *Model) OnCard() bool {
	return m.Open.View == navigation.Card && m.HasCard() && m.Open.Died == ""
}

// HasCard reports whether what is open has a card.
func (m *Model) HasCard() bool {
	return m.Open.Trace != nil && !m.Open.Trace.Script && !m.Site.Embedded
}

// chooseView chooses the view of a document that has just been opened. A script has no card. The page's own recording opens in the
// machine, and so does a link or a saved run that names a step, a moment, a future or a part of the machine.
func (m *Model) chooseView() {
	card := m.Open.View == navigation.Card && m.Open.Source.URL != navigation.Bundled.URL && !m.Open.Trace.Edited
	if g := m.Nav.Goal; g != nil {
		card = g.Page.Card || card && !g.Counts() && g.Tab == ""
	}
	switch {
	case card && m.HasCard():
		m.Open.View = navigation.Card
	case m.Open.View == navigation.Card:
		m.Open.View = navigation.Microscope
	}
}

// showCard shows the card, or the machine.
func (m *Model) showCard(on bool) (cmds []Cmd) {
	switch {
	case !m.HasCard():
	case on:
		if m.Front.Dialog != "" {
			cmds = m.close()
		}
		m.Open.View = navigation.Card
		return append(cmds, m.Transport.set(false)...)
	default:
		m.Open.View = navigation.Microscope
	}
	return nil
}

// ofMachine are the commands about the machine that stand among others.
var ofMachine = []string{"predict", "code", "picture", "informer", "tabs", "tab", "full"}

// carryOut carries out a command, unless what it needs isn't there. One that is about the machine leads from the card to it.
func (m *Model) carryOut(c *Command, arg, value string) (cmds []Cmd) {
	m.Card.acted = true
	if !m.provides(c.needs) {
		return nil
	}
	if c.machine && m.OnCard() {
		cmds = m.showCard(false)
	}
	return append(cmds, c.run(m, arg, value)...)
}

// liveCard is when the card of a cluster that is followed is shown by itself, in nanoseconds since its start.
const liveCard = 60_000_000_000

// minute shows the card after the first minute in which a cluster was followed, unless the viewer is at work.
func (m *Model) minute(before, now int64) {
	if before < liveCard && now >= liveCard && !m.Card.acted {
		m.Open.View = navigation.Card
	}
}

// showMoment goes to what the card names: an informer's number, a time, "lists" for a list, and a key, with spaces between.
func (m *Model) showMoment(arg string) []Cmd {
	part := strings.SplitN(arg, " ", 4)
	if len(part) < 4 || m.Open.Trace == nil {
		return nil
	}
	informer, _ := strconv.Atoi(part[0])
	at, _ := strconv.ParseInt(part[1], 10, 64)
	q, other := link.Show{Informer: informer, Time: at, Lists: part[2] == "lists", Key: part[3]}, informer != m.Open.Trace.Informer
	if other {
		m.forgetInformer(informer)
	}
	cmds := m.Find.FollowKey(q.Key)
	if other { // its steps are others, so the places of before are gone
		cmds = append(cmds, m.rerun(q)...)
	}
	cmds = append(cmds, m.Nav.Leave(navigation.OnJump)...) // the card is the place to which Back leads
	cmds = append(cmds, m.showCard(false)...)
	m.Card.Shown = arg
	if !other {
		cmds = append(cmds, m.move(q)...)
	}
	return cmds
}

// addHandlers leads to the setup, where the viewer describes the handlers that the capture hasn't.
func (m *Model) addHandlers() []Cmd {
	cmds := m.showCard(false)
	m.Front.show(desk.Setup)
	return cmds
}

// chooseGuard leads to the lesson about guards, with one of the stale reads that the card names by its number.
func (m *Model) chooseGuard(n int) []Cmd {
	if o := m.Expr.OwnWork; o != nil && n >= 0 && n < len(o.Cases) {
		return m.Lesson.ChooseGuard(m.Open.Name, &o.Cases[n])
	}
	return nil
}
