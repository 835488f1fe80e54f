package link

import "github.com/informerscope/informerscope/replay/excerpt"

// What page and worker say to each other about following a cluster, and about saving
// what was seen.

// Follow says what to follow in a cluster.
type Follow struct {
	Resources []string `json:"resources"` // by name: pods, deployments.apps
	Namespace string   `json:"namespace,omitempty"`
	Selector  string   `json:"selector,omitempty"` // a label selector
	Streaming bool     `json:"streaming,omitempty"`
}

// Cluster answers OpDiscover.
type Cluster struct {
	Found     bool        `json:"found"`
	Server    string      `json:"server,omitempty"`  // its version
	Context   string      `json:"context,omitempty"` // the kubeconfig's context, if that is known
	Proxy     string      `json:"proxy,omitempty"`   // the proxy: "informerscope serve" or "kubectl proxy"
	Resources []Watchable `json:"resources,omitempty"`
	Detail    string      `json:"detail,omitempty"` // why none was found, in the words of the browser or the server
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
	Window    int64      `json:"window"`    // how many bytes are kept before the oldest part is dropped
	Dropped   int64      `json:"dropped"`   // how many watch events were dropped
	DroppedTo int64      `json:"droppedTo"` // everything before this time was dropped, in nanoseconds since the start
	Streams   []Followed `json:"streams"`
}

// Followed is one resource that is followed. The catalogues have its State under
// "ui.live.state.", and its Reason under "ui.live.reason.".
type Followed struct {
	Name    string `json:"name"`
	State   string `json:"state"`             // StreamWaiting …
	Reason  string `json:"reason,omitempty"`  // why it waits, a follow.Reason: lost, expired …
	Detail  string `json:"detail,omitempty"`  // the same in the words of the server or the browser
	Until   int64  `json:"until,omitempty"`   // until when it waits, in nanoseconds since the start
	Events  int64  `json:"events"`            //
	Relists int64  `json:"relists,omitempty"` // lists after the first
}

// Redact says what to take out of a trace that is saved.
type Redact struct {
	Secrets       bool     `json:"secrets,omitempty"`       // data and stringData of Secrets
	Env           bool     `json:"env,omitempty"`           // values of environment variables
	Applied       bool     `json:"applied,omitempty"`       // annotations that hold last-applied configurations
	Tokens        bool     `json:"tokens,omitempty"`        // in URLs and the like
	ManagedFields bool     `json:"managedFields,omitempty"` //
	Names         bool     `json:"names,omitempty"`         // names and namespaces become pseudonyms
	Paths         []string `json:"paths,omitempty"`         // more fields, such as .spec.password
	Future        string   `json:"future,omitempty"`        // goes into the trace: a Future as JSON, set by the worker
	Anyway        bool     `json:"anyway,omitempty"`        // whatever is left that looks like a secret
	Least         *Least   `json:"least,omitempty"`         // only this part of it is to be written; set by the worker
}

// Least is the part of a recording that was found to be enough.
type Least struct {
	Plan    excerpt.Plan `json:"plan"`
	Content int          `json:"content,omitempty"` // an excerpt.Content: what is left of each object
}

// Minimised tells how far the search is for the smallest part of the recording in which an
// expression still comes about.
type Minimised struct {
	Text    string `json:"text"`
	Events  int    `json:"events,omitempty"`  // watch events of the best part so far
	Objects int    `json:"objects,omitempty"` // in that part, 0 while there is none
	Of      int    `json:"of"`                // events of the whole recording
	Step    int64  `json:"step,omitempty"`    // where the expression comes about in the part
	Time    int64  `json:"time,omitempty"`
	Tries   int    `json:"tries,omitempty"`
	Done    bool   `json:"done,omitempty"`
	Stopped bool   `json:"stopped,omitempty"` // before its end
	Wrong   string `json:"wrong,omitempty"`   // why it has ended, if that is something else
	Never   bool   `json:"never,omitempty"`   // the expression doesn't come about even in the whole recording
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

// Saved answers OpSave. The browser has the file itself.
type Saved struct {
	Name  string `json:"name"`
	Size  int64  `json:"size"`
	Taken string `json:"taken,omitempty"` // what was taken out: "secret data: 3, env values: 12"
	Text  string `json:"text,omitempty"`  // all of it, in the place of a file
}

// As is a text that is made of the run that is shown.
type As string

const (
	AsSession    As = "session"    // a script that makes the run again, and expects what came of it
	AsGoTest     As = "gotest"     // the same as a test in Go
	AsCalls      As = "calls"      // what the handlers were called with
	AsTranscript As = "transcript" // what each step did
	AsPerfetto   As = "perfetto"   // what the actors did and when, for Perfetto
	AsLeast      As = "least"      // no text: the smallest part of the recording that was found, without what Redact says
)

// Making tells how far a text is.
type Making struct {
	Done  int64 `json:"done"`  // steps
	Total int64 `json:"total"` // steps
}
