package session

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// Cluster is a cluster beside the page.
type Cluster struct {
	Seeking   bool          // the worker looks for it
	Found     *link.Cluster // nil before
	Want      link.Follow   // what the viewer chooses to watch
	Filter    string        // what the viewer has typed to find a resource
	Live      *link.Live    // how following goes; nil for a file
	Following bool          // the newest step is shown as it comes
}

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
func (c *Cluster) discover(m *Model) []Cmd {
	c.Seeking, c.Found = true, nil
	return m.send(link.Discover{}, false)
}

// open opens the dialog that shows what can be watched.
func (c *Cluster) open(m *Model) []Cmd {
	m.Front.ask("live")
	if c.Seeking || c.Found != nil && c.Found.Found {
		return nil
	}
	return c.discover(m)
}

// told takes note of a cluster, and chooses what most people watch.
func (c *Cluster) told(found *link.Cluster) {
	c.Seeking, c.Found = false, found
	if len(c.Want.Resources) > 0 {
		return
	}
	for _, name := range []string{"pods", "deployments.apps", "replicasets.apps"} {
		if slices.ContainsFunc(found.Resources, func(w link.Watchable) bool { return w.Name == name }) {
			c.Want.Resources = append(c.Want.Resources, name)
		}
	}
	if len(c.Want.Resources) == 0 && len(found.Resources) > 0 {
		c.Want.Resources = []string{found.Resources[0].Name}
	}
}

// Wants reports whether a resource is chosen.
func (c *Cluster) Wants(name string) bool { return slices.Contains(c.Want.Resources, name) }

// choose chooses a resource, or drops it if it was chosen.
func (c *Cluster) choose(name string) []Cmd {
	chosen := slices.Clone(c.Want.Resources)
	if i := slices.Index(chosen, name); i >= 0 {
		chosen = slices.Delete(chosen, i, i+1)
	} else if len(chosen) < link.MaxFollowed {
		chosen = append(chosen, name)
	}
	c.Want.Resources = chosen
	return nil
}

// edit changes what else the viewer can choose: namespace, selector and the like.
func (c *Cluster) edit(field, value string) []Cmd {
	value = strings.TrimSpace(value)
	switch field {
	case "namespace":
		c.Want.Namespace = value
	case "selector":
		c.Want.Selector = value
	case "streaming":
		c.Want.Streaming = value == "true"
	case "filter":
		c.Filter = value
	}
	return nil
}

// follow has the worker watch what was chosen.
func (c *Cluster) follow(m *Model) []Cmd {
	if c.Found == nil || !c.Found.Found || len(c.Want.Resources) == 0 {
		return nil
	}
	m.begin(navigation.Source{Name: c.Found.Title()})
	c.Following = true
	cmds := m.send(link.FollowCluster{Name: m.Open.Name, Follow: c.Want}, false)
	m.ask.opens()
	return append(cmds, m.Transport.wantTick(m)...)
}

// unfollow stops watching. What was seen stays.
func (c *Cluster) unfollow(m *Model) []Cmd {
	c.Following = false
	return m.send(link.Cancel{}, false)
}

// living takes note of how following goes.
func (c *Cluster) living(m *Model, l *link.Live) []Cmd {
	ended := c.Live != nil && c.Live.Following && !l.Following
	grown := c.Live == nil || l.Steps != c.Live.Steps
	c.Live = l
	c.Following = c.Following && l.Following
	cmds := m.Transport.wantTick(m)
	if ended || grown && l.Now-m.ask.timed >= timelineEvery {
		m.ask.time(l.Now)
		cmds = append(cmds, m.askTimeline()...)
	}
	return cmds
}

// catchUp goes to the newest step, and stays there while more comes.
func (c *Cluster) catchUp(m *Model) []Cmd {
	if m.Stage.Frame == nil {
		return nil
	}
	cmds := m.Transport.seek(m, newest)
	if c.Live == nil {
		return cmds
	}
	c.Following = c.Live.Following
	return append(cmds, m.Transport.wantTick(m)...)
}

// keepUp shows at a tick what has come since.
func (c *Cluster) keepUp(m *Model, now float64) []Cmd {
	if !c.Following || m.Stage.Frame == nil || c.Live == nil || m.ask.moving != 0 || now-m.Transport.play.sent < followEvery {
		return nil
	}
	switch behind := c.Live.Steps - m.Stage.Frame.Step; {
	case behind <= 0:
		return nil
	case behind <= followSteps:
		return m.move(link.Step{Unit: link.Operation, N: 1})
	}
	return m.move(link.Seek{Step: newest})
}

// anew is what stays of c when something else is opened.
func (c Cluster) anew() Cluster {
	c.Live, c.Following = nil, false
	return c
}

// keepsUp chooses whether the newest step is shown as it comes.
func (c *Cluster) keepsUp(on bool) { c.Following = on }

// failed ends the search for a cluster.
func (c *Cluster) failed() { c.Seeking = false }
