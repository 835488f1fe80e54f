package link

// What page and worker say to each other about a cluster that is watched as it
// is, and about saving what was seen.

// Follow says what to watch of a cluster.
type Follow struct {
	Resources []string `json:"resources"` // by name: pods, deployments.apps
	Namespace string   `json:"namespace,omitempty"`
	Selector  string   `json:"selector,omitempty"` // of labels
	Streaming bool     `json:"streaming,omitempty"`
}

// Cluster answers OpDiscover.
type Cluster struct {
	Found     bool        `json:"found"`
	Server    string      `json:"server,omitempty"`  // its version
	Context   string      `json:"context,omitempty"` // of the kubeconfig, where that is known
	Proxy     string      `json:"proxy,omitempty"`   // who lets us in: "informerscope serve" or "kubectl proxy"
	Resources []Watchable `json:"resources,omitempty"`
	Detail    string      `json:"detail,omitempty"` // why there is none, in the browser's or the server's words
}

// Title is what the cluster is called: its context, or its version.
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

// Live tells how the watching goes. It comes about once a second, and at once
// when a state changes.
type Live struct {
	Following bool       `json:"following"` // false: stopped for good
	Now       int64      `json:"now"`       // nanoseconds since the start
	Steps     int64      `json:"steps"`     // that are known of the informer shown
	Bytes     int64      `json:"bytes"`     // kept
	Window    int64      `json:"window"`    // bytes: beyond that the oldest is dropped
	Dropped   int64      `json:"dropped"`   // watch events that are gone
	DroppedTo int64      `json:"droppedTo"` // and until when they were, in nanoseconds since the start
	Streams   []Followed `json:"streams"`
}

// Followed is one resource that is watched. The catalogues say under
// "ui.live.state." and its State what it does, and under "ui.live.reason." and
// its Reason why it waits.
type Followed struct {
	Name    string `json:"name"`
	State   string `json:"state"`             // waiting, listing, watching, ended
	Reason  string `json:"reason,omitempty"`  // while it waits: lost, expired, busy …
	Detail  string `json:"detail,omitempty"`  // the server's or the browser's words
	Until   int64  `json:"until,omitempty"`   // while it waits: until when
	Events  int64  `json:"events"`            //
	Relists int64  `json:"relists,omitempty"` // lists after the first
}

// Redact says what is taken out of a trace when it is saved.
type Redact struct {
	Secrets       bool     `json:"secrets,omitempty"`       // data and stringData of Secrets
	Env           bool     `json:"env,omitempty"`           // values of environment variables
	Applied       bool     `json:"applied,omitempty"`       // annotations that hold last-applied configurations
	Tokens        bool     `json:"tokens,omitempty"`        // in URLs and the like
	ManagedFields bool     `json:"managedFields,omitempty"` //
	Names         bool     `json:"names,omitempty"`         // names and namespaces become pseudonyms
	Paths         []string `json:"paths,omitempty"`         // more fields, such as .spec.password
	Anyway        bool     `json:"anyway,omitempty"`        // whatever is left that looks like a secret
}

// Suspects answers OpSave in the place of Saved: what would be left that looks like
// a secret. Nothing was saved.
type Suspects struct {
	Found []Suspect `json:"found"`
	More  int64     `json:"more,omitempty"` // in places that Found has no room for
}

// Suspect is a place in a trace that looks like a secret.
type Suspect struct {
	Line  int64  `json:"line"`
	Path  string `json:"path,omitempty"` // within the line
	Why   string `json:"why"`            // what it was taken for, in English, as redact --check says it
	Mask  string `json:"mask"`           // how it begins and ends
	Count int64  `json:"count"`          // how often there is one like it in this place
}

// Saved answers OpSave. The file itself is beside it.
type Saved struct {
	Name  string `json:"name"`
	Size  int64  `json:"size"`
	Taken string `json:"taken,omitempty"` // what was taken out: "secret data: 3, env values: 12"
}
