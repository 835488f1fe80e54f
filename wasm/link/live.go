package link

// What page and worker say to each other about following a cluster.

// Discover looks for a cluster beside the page.
type Discover struct{}

// FollowCluster follows the cluster that was found. Cancel ends that.
type FollowCluster struct {
	Name   string // for display
	Follow Follow
}

func (x *FollowCluster) fields(c *coder) { c.fields(&x.Name, &x.Follow) }

func (Discover) op()      {}
func (FollowCluster) op() {}

// Follow says what to follow in a cluster.
type Follow struct {
	Resources []string // by name: pods, deployments.apps
	Namespace string
	Selector  string // a label selector
	Streaming bool
}

func (x *Follow) fields(c *coder) { c.fields(&x.Resources, &x.Namespace, &x.Selector, &x.Streaming) }

// Cluster answers Discover.
type Cluster struct {
	Found     bool
	Server    string // its version
	Context   string // the kubeconfig's context, if that is known
	Proxy     string // the proxy: "informerscope serve" or "kubectl proxy"
	Resources []Watchable
	Reason    *Sentence // why none was found, in the words of the browser or the server
}

func (x *Cluster) fields(c *coder) {
	c.fields(&x.Found, &x.Server, &x.Context, &x.Proxy, &x.Resources, &x.Reason)
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
	Name       string
	Kind       string
	Namespaced bool
}

func (x *Watchable) fields(c *coder) { c.fields(&x.Name, &x.Kind, &x.Namespaced) }

// Live tells how following goes. It comes about once a second, and at once when the
// state of a stream changes.
type Live struct {
	Following bool  // false once it was stopped
	Now       int64 // nanoseconds since the start
	Steps     int64 // how many steps of the informer shown are known
	Bytes     int64 // how many are kept
	Window    int64 // how many bytes are kept before the oldest part is dropped, 0 where it never is
	Dropped   int64 // how many watch events were dropped
	DroppedTo int64 // everything before this time was dropped, in nanoseconds since the start
	Streams   []Followed
}

func (x *Live) fields(c *coder) {
	c.fields(&x.Following, &x.Now, &x.Steps, &x.Bytes, &x.Window, &x.Dropped, &x.DroppedTo, &x.Streams)
}

// Followed is one resource that is followed. The catalogues have its State under
// "ui.live.state.", and its Reason under "ui.live.reason.".
type Followed struct {
	Name    string
	State   string    // StreamWaiting …
	Reason  string    // why it waits, a follow.Reason: lost, expired …
	Detail  *Sentence // the same in the words of the server or the browser
	Until   int64     // until when it waits, in nanoseconds since the start
	Events  int64     //
	Relists int64     // lists after the first
}

func (x *Followed) fields(c *coder) {
	c.fields(&x.Name, &x.State, &x.Reason, &x.Detail, &x.Until, &x.Events, &x.Relists)
}
