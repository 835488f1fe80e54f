package link

// What page and worker say to each other about following a cluster.

// Discover looks for a cluster beside the page.
type Discover struct{}

// FollowCluster follows the cluster that was found. Cancel ends that.
type FollowCluster struct {
	Name   string `json:"name,omitempty"` // for display
	Follow Follow `json:"follow"`
}

func (Discover) op()      {}
func (FollowCluster) op() {}

// Follow says what to follow in a cluster.
type Follow struct {
	Resources []string `json:"resources"` // by name: pods, deployments.apps
	Namespace string   `json:"namespace,omitempty"`
	Selector  string   `json:"selector,omitempty"` // a label selector
	Streaming bool     `json:"streaming,omitempty"`
}

// Cluster answers Discover.
type Cluster struct {
	Found     bool        `json:"found"`
	Server    string      `json:"server,omitempty"`  // its version
	Context   string      `json:"context,omitempty"` // the kubeconfig's context, if that is known
	Proxy     string      `json:"proxy,omitempty"`   // the proxy: "informerscope serve" or "kubectl proxy"
	Resources []Watchable `json:"resources,omitempty"`
	Why       *Sentence   `json:"why,omitempty"` // why none was found, in the words of the browser or the server
}

// Title returns the cluster's context, or else its version.
func (c *Cluster) Title() string {
	if c.Context != "" {
		return c.Context
	}
	return c.Server
}

// Watchable is a resource that can be watched.
type Watchable struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Namespaced bool   `json:"namespaced,omitempty"`
}

// Live tells how following goes. It comes about once a second, and at once when the
// state of a stream changes.
type Live struct {
	Following bool       `json:"following"` // false once it was stopped
	Now       int64      `json:"now"`       // nanoseconds since the start
	Steps     int64      `json:"steps"`     // how many steps of the informer shown are known
	Bytes     int64      `json:"bytes"`     // how many are kept
	Window    int64      `json:"window"`    // how many bytes are kept before the oldest part is dropped, 0 where it never is
	Dropped   int64      `json:"dropped"`   // how many watch events were dropped
	DroppedTo int64      `json:"droppedTo"` // everything before this time was dropped, in nanoseconds since the start
	Streams   []Followed `json:"streams"`
}

// Followed is one resource that is followed. The catalogues have its State under
// "ui.live.state.", and its Reason under "ui.live.reason.".
type Followed struct {
	Name    string    `json:"name"`
	State   string    `json:"state"`             // StreamWaiting …
	Reason  string    `json:"reason,omitempty"`  // why it waits, a follow.Reason: lost, expired …
	Why     *Sentence `json:"why,omitempty"`     // the same in the words of the server or the browser
	Until   int64     `json:"until,omitempty"`   // until when it waits, in nanoseconds since the start
	Events  int64     `json:"events"`            //
	Relists int64     `json:"relists,omitempty"` // lists after the first
}
