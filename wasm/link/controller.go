package link

import "strconv"

// Controller shows a controller that plays a program: the program, the guard before it, and
// what it takes for true.
type Controller struct {
	Name    string   `json:"name"`              // the informer whose objects it reconciles
	Owns    string   `json:"owns,omitempty"`    // the informer of the objects that they own, "" for none
	Program []string `json:"program,omitempty"` // its statements
	Guard   string   `json:"guard"`             // the name of a guard.Kind
	Shut    bool     `json:"shut,omitempty"`    // the guard holds something back
	Holds   []Hold   `json:"holds,omitempty"`   // what the guard knows of
	Unseen  []Unseen `json:"unseen,omitempty"`  // what the controller wrote and its cache lacks
	Awaits  string   `json:"awaits,omitempty"`  // informers that must sync before the workers start
	Warm    bool     `json:"warm,omitempty"`    // the caches have synced, and the workers start when the process leads
	Belief  *Belief  `json:"belief,omitempty"`  // of the object that a worker has in hand, or had last
}

// HoldKind says what a guard knows of.
type HoldKind string

// The kinds of Hold. The catalogues have each behind "ui.hold.".
const (
	HoldExpects   HoldKind = "expects"   // N creates and M deletes are still to be seen
	HoldMinimum   HoldKind = "minimum"   // reads of Key wait for an event of the version RV
	HoldDeleting  HoldKind = "deleting"  // reads of Key wait for the event of a delete
	HoldKept      HoldKind = "kept"      // an object that was written stands before the cache
	HoldTombstone HoldKind = "tombstone" // a deletion that was seen
)

// HoldKinds lists them.
var HoldKinds = []HoldKind{HoldExpects, HoldMinimum, HoldDeleting, HoldKept, HoldTombstone}

// Hold is something that a guard knows of, and waits for.
type Hold struct {
	Kind HoldKind `json:"kind"`
	Key  string   `json:"key"`
	N    int64    `json:"n,omitempty"`
	M    int64    `json:"m,omitempty"`
	RV   string   `json:"rv,omitempty"`
	Left int64    `json:"left,omitempty"` // how long it still counts, in ns; 0 if its time is over, or if it has none
	Over bool     `json:"over,omitempty"` // its time is over
}

// Unseen is the newest version of a resource that was written for an object, while the
// cache hasn't come to it.
type Unseen struct {
	Key      string `json:"key"` // of the object that was reconciled
	Resource string `json:"resource"`
	RV       string `json:"rv"`
	Seen     string `json:"seen"` // how far the cache has come
}

// Belief is what a controller takes the children of an object for, and what they are.
type Belief struct {
	Key      string  `json:"key"`
	Wants    string  `json:"wants,omitempty"` // how many children the program wants
	Cached   int     `json:"cached"`
	Held     int     `json:"held"`
	Count    int     `json:"count"`           // how many the controller takes it to have
	Asked    bool    `json:"asked,omitempty"` // a worker has read them, and has Made more or less since
	Made     int     `json:"made,omitempty"`
	Expected int     `json:"expected,omitempty"` // how many more, or less, expectations wait for
	Children []Child `json:"children,omitempty"`
	More     int     `json:"more,omitempty"` // how many children there are beside these
}

// Child is one child, and who has it.
type Child struct {
	Name   string `json:"name"`
	Held   bool   `json:"held,omitempty"`
	Cached bool   `json:"cached,omitempty"`
	Read   bool   `json:"read,omitempty"`
}

// Line numbers in a Worker.At: the read of the object comes before the program's statements.
const (
	LineNone = 0 // the worker is not in the program, or waits before it
	LineGet  = 1
)

// PlaceLine returns a line of the program, by its number.
func PlaceLine(n int) string { return "line/" + strconv.Itoa(n) }

// The places of the guard, of the two sides of what is believed, and of the keys that a queue has not taken in.
const (
	PlaceGuard  = "guard"
	PlaceBelief = "belief"
	PlaceBuffer = "buffer" // of a priority queue
)

// AskOwnWork asks what the recording tells of the controllers' own work, as informerscope controller
// does.
type AskOwnWork struct{}

// OwnWork answers it.
type OwnWork struct {
	Controllers []OwnController `json:"controllers"`
	LeftOut     bool            `json:"leftOut,omitempty"` // the recorder had no room for some of it
	Wrong       *Sentence       `json:"wrong,omitempty"`   // why nothing can be told
}

// OwnController is what the recording tells of one controller.
type OwnController struct {
	Name       string    `json:"name"`
	Reconciles int64     `json:"reconciles"`
	Parts      []OwnPart `json:"parts"`
}

// OwnPart is what the recording answers to one question. The catalogues have its title under
// "ui.own." and its Name.
type OwnPart struct {
	Name string   `json:"name"` // OwnStale …
	All  int      `json:"all"`  // how many rows there would be
	Rows []OwnRow `json:"rows,omitempty"`
}

// OwnRow is one answer, and the time to which it leads.
type OwnRow struct {
	Time int64    `json:"time"` // nanoseconds since the trace's start
	Say  Sentence `json:"say"`
}

// The questions.
const (
	OwnStale      = "stale"      // reconciles that began before the cache had the controller's own last write
	OwnDuplicates = "duplicates" // what such reconciles created twice
	OwnPutOff     = "putOff"     // keys that were put off
	OwnBack       = "back"       // writes, by how long they took to come back
)

// OwnParts lists them in their order.
var OwnParts = []string{OwnStale, OwnDuplicates, OwnPutOff, OwnBack}

// MaxOwnRows is how many rows of a part are sent.
const MaxOwnRows = 100

func (AskOwnWork) op() {}
func (*OwnWork) news() {}
