package link

import "strconv"

// Process shows all informers of the process together.
type Process struct {
	Usage Usage `json:"usage"`
	// Elsewhere is the informer that the step was made in, where that is another
	// one than is shown.
	Elsewhere string `json:"elsewhere,omitempty"`
	// Informers are all of them where the process has several.
	Informers []Small `json:"informers,omitempty"`
	Factory   bool    `json:"factory,omitempty"` // they are those of a SharedInformerFactory
	// Replicas are the processes, where several elect a leader.
	Replicas []Replica `json:"replicas,omitempty"`
}

// Usage is what all informers together cost: open watches, lists and objects decoded so
// far, and objects in the caches.
type Usage struct {
	Watches int64 `json:"watches,omitempty"`
	Lists   int64 `json:"lists,omitempty"`
	Objects int64 `json:"objects,omitempty"`
	Copies  int64 `json:"copies,omitempty"`
}

// Small shows one informer of several in a few numbers.
type Small struct {
	Name     string `json:"name"`
	Wire     string `json:"wire"`           // WireNone …
	Queue    int    `json:"queue"`          // how many rows its queue has
	Cached   int    `json:"cached"`         // objects in its cache
	Held     int    `json:"held"`           // objects on a simulated server, -1 for a recorded one
	Differs  int    `json:"differs"`        // objects that the cache lacks, has too many, or has in another version than a simulated server
	Last     *Chip  `json:"last,omitempty"` // the watch event that it received last
	Handlers int    `json:"handlers"`       // that have joined
	Synced   bool   `json:"synced,omitempty"`
}

// PlaceSmall returns informer n where it is shown small.
func PlaceSmall(n int) string { return "informer/" + strconv.Itoa(n) }

// ReplicaState says what a process does. The catalogues have each behind "ui.replica.".
type ReplicaState string

// The states of a Replica.
const (
	ReplicaLeads  ReplicaState = "leads"
	ReplicaWaits  ReplicaState = "waits"  // for the lease of another one to run out
	ReplicaPaused ReplicaState = "paused" // it doesn't move, and leads if it has led
	ReplicaDown   ReplicaState = "down"
)

// ReplicaStates lists them.
var ReplicaStates = []ReplicaState{ReplicaLeads, ReplicaWaits, ReplicaPaused, ReplicaDown}

// Replica is one of several processes that elect a leader.
type Replica struct {
	Name  string       `json:"name"`
	State ReplicaState `json:"state"`
	Holds bool         `json:"holds,omitempty"` // the Lease names it
	Cut   bool         `json:"cut,omitempty"`   // its requests don't reach the API server
	Left  int64        `json:"left,omitempty"`  // how long the state lasts if nothing happens, in ns; 0 if that isn't known
	Shown bool         `json:"shown,omitempty"` // the informer on the stage is one of its own
}
