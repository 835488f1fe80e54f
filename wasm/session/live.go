package session

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Cluster is a cluster beside the page.
type Cluster struct {
	desk    desk.Desk
	Seeking bool          // the worker looks for it
	Found   *link.Cluster // nil before
	Want    link.Follow   // what the viewer chooses to watch
	Filter  string        // what the viewer has typed to find a resource
	Live    *link.Live    // how following goes; nil for a file
}

// discover lets the worker look for a cluster.
func (c *Cluster) discover() []Cmd {
	c.Seeking, c.Found = true, nil
	return c.desk.Send(link.Discover{})
}

// open opens the dialog that shows what can be watched.
func (c *Cluster) open() []Cmd {
	c.desk.SetDialog("live")
	if c.Seeking || c.Found != nil && c.Found.Found {
		return nil
	}
	return c.discover()
}

// discovered takes in a cluster, and chooses what most people watch.
func (c *Cluster) discovered(found *link.Cluster) {
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

// Chosen reports whether a resource is chosen.
func (c *Cluster) Chosen(name string) bool { return slices.Contains(c.Want.Resources, name) }

// choose chooses a resource, or drops it if it was chosen.
func (c *Cluster) choose(name string) {
	chosen := slices.Clone(c.Want.Resources)
	if i := slices.Index(chosen, name); i >= 0 {
		chosen = slices.Delete(chosen, i, i+1)
	} else if len(chosen) < link.MaxFollowed {
		chosen = append(chosen, name)
	}
	c.Want.Resources = chosen
}

// edit changes what else the viewer can choose: namespace, selector and the like.
func (c *Cluster) edit(field, value string) {
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
}

// ready reports whether there is something chosen to watch.
func (c *Cluster) ready() bool { return c.Found != nil && c.Found.Found && len(c.Want.Resources) > 0 }
