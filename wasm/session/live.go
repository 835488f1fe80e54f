package session

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// newest is a step beyond every run. Seeking it leads to the last step.
const newest = 1 << 52

// While the page follows the newest step, it shows each operation as it happens. If
// it is more than followSteps behind, it jumps.
const (
	followEvery = 110 // milliseconds
	followSteps = 80
)

// timelineEvery is how often the page asks for the timeline of a live trace, in
// nanoseconds. The longer the trace, the longer the worker needs to gather it.
const timelineEvery = 1e9

// discover has the worker look for a cluster.
func (m *Model) discover() []Cmd {
	m.Seeking, m.Cluster = true, nil
	return m.send(link.Discover{}, false)
}

// openLive opens the dialog that shows what can be watched.
func (m *Model) openLive() []Cmd {
	m.Dialog = "live"
	if m.Seeking || m.Cluster != nil && m.Cluster.Found {
		return nil
	}
	return m.discover()
}

// found takes note of a cluster, and chooses what most people watch.
func (m *Model) found(c *link.Cluster) {
	m.Seeking, m.Cluster = false, c
	if len(m.Want.Resources) > 0 {
		return
	}
	for _, name := range []string{"pods", "deployments.apps", "replicasets.apps"} {
		if slices.ContainsFunc(c.Resources, func(w link.Watchable) bool { return w.Name == name }) {
			m.Want.Resources = append(m.Want.Resources, name)
		}
	}
	if len(m.Want.Resources) == 0 && len(c.Resources) > 0 {
		m.Want.Resources = []string{c.Resources[0].Name}
	}
}

// Wants tells whether a resource is chosen.
func (m *Model) Wants(name string) bool { return slices.Contains(m.Want.Resources, name) }

// want chooses a resource, or drops it if it was chosen.
func (m *Model) want(name string) []Cmd {
	chosen := slices.Clone(m.Want.Resources)
	if i := slices.Index(chosen, name); i >= 0 {
		chosen = slices.Delete(chosen, i, i+1)
	} else if len(chosen) < link.MaxFollowed {
		chosen = append(chosen, name)
	}
	m.Want.Resources = chosen
	return nil
}

// editWant changes what else the viewer can choose: namespace, selector and the like.
func (m *Model) editWant(field, value string) []Cmd {
	value = strings.TrimSpace(value)
	switch field {
	case "namespace":
		m.Want.Namespace = value
	case "selector":
		m.Want.Selector = value
	case "streaming":
		m.Want.Streaming = value == "true"
	case "filter":
		m.Filter = value
	}
	return nil
}

// follow has the worker watch what was chosen.
func (m *Model) follow() []Cmd {
	if m.Cluster == nil || !m.Cluster.Found || len(m.Want.Resources) == 0 {
		return nil
	}
	m.begin(Source{Name: m.Cluster.Title()})
	m.Following = true
	cmds := m.send(link.FollowCluster{Name: m.Name, Follow: m.Want}, false)
	m.ask.openID = m.ask.id
	return append(cmds, m.wantTick()...)
}

// unfollow stops watching. What was seen stays.
func (m *Model) unfollow() []Cmd {
	m.Following = false
	return m.send(link.Cancel{}, false)
}

// living takes note of how following goes.
func (m *Model) living(l *link.Live) []Cmd {
	ended := m.Live != nil && m.Live.Following && !l.Following
	grown := m.Live == nil || l.Steps != m.Live.Steps
	m.Live = l
	m.Following = m.Following && l.Following
	cmds := m.wantTick()
	if ended || grown && l.Now-m.ask.timed >= timelineEvery {
		m.ask.timed = l.Now
		cmds = append(cmds, m.askTimeline()...)
	}
	return cmds
}

// catchUp goes to the newest step, and stays there while more comes.
func (m *Model) catchUp() []Cmd {
	if m.Frame == nil {
		return nil
	}
	cmds := m.seek(newest)
	if m.Live == nil {
		return cmds
	}
	m.Following = m.Live.Following
	return append(cmds, m.wantTick()...)
}

// keepUp shows at a tick what has come since.
func (m *Model) keepUp(now float64) []Cmd {
	if !m.Following || m.Frame == nil || m.Live == nil || m.ask.moving != 0 || now-m.play.sent < followEvery {
		return nil
	}
	switch behind := m.Live.Steps - m.Frame.Step; {
	case behind <= 0:
		return nil
	case behind <= followSteps:
		return m.move(link.Step{Unit: link.Operation, N: 1})
	}
	return m.move(link.Seek{Step: newest})
}
