package link

import "strconv"

// Controller shows a controller that plays a program: the program, the guard before it, and
// what it takes for true.
type Controller struct {
	Name    string   // the informer whose objects it reconciles
	Owns    string   // the informer of the objects that they own, "" for none
	Program []string // its statements
	Guard   string   // the name of a guard.Kind
	Shut    bool     // the guard holds something back
	Holds   []Hold   // what the guard knows of
	Unseen  []Unseen // what the controller wrote and its cache lacks
	Awaits  string   // informers that must sync before the workers start
	Warm    bool     // the caches have synced, and the workers start when the process leads
	Belief  *Belief  // of the object that a worker has in hand, or had last
}

func (x *Controller) fields(c *coder) {
	c.fields(&x.Name, &x.Owns, &x.Program, &x.Guard, &x.Shut, &x.Holds, &x.Unseen, &x.Awaits, &x.Warm,
		&x.Belief)
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
	Kind      HoldKind
	Key       string
	N         int64
	M         int64
	RV        string
	Remaining int64 // how long it still counts, in ns; 0 if its time is over, or if it has none
	Expired   bool  // its time is over
}

func (x *Hold) fields(c *coder) {
	c.fields((*string)(&x.Kind), &x.Key, &x.N, &x.M, &x.RV, &x.Remaining, &x.Expired)
}

// Unseen is the newest version of a resource that was written for an object, while the
// cache hasn't come to it.
type Unseen struct {
	Key      string // of the object that was reconciled
	Resource string
	RV       string
	Seen     string // how far the cache has come
}

func (x *Unseen) fields(c *coder) { c.fields(&x.Key, &x.Resource, &x.RV, &x.Seen) }

// Belief is what a controller takes the children of an object for, and what they are.
type Belief struct {
	Key      string
	Wants    string // how many children the program wants
	Cached   int
	Actual   int
	Count    int  // how many the controller takes it to have
	Asked    bool // a worker has read them, and has Made more or less since
	Created  int
	Expected int     // how many more, or less, expectations wait for
	Children []Child // no more than fit, and first those that not everybody has
}

func (x *Belief) fields(c *coder) {
	c.fields(&x.Key, &x.Wants, &x.Cached, &x.Actual, &x.Count, &x.Asked, &x.Created, &x.Expected, &x.Children)
}

// Child is one child, and who has it.
type Child struct {
	Name   string
	Exists bool
	Cached bool
	Read   bool
}

func (x *Child) fields(c *coder) { c.fields(&x.Name, &x.Exists, &x.Cached, &x.Read) }

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
	Controllers []OwnController
	Guards      []Table   // by controller: which guards would have helped, without rows where there was nothing to prevent
	Cases       []Table   // some stale reads, the worst first, and what each guard would have done
	Cache       []Table   // what each informer of the process holds, those that take most heap first; behind the first, which has the sum as its title, and what isn't known
	LeftOut     bool      // the recorder had no room for some of it
	Wrong       *Sentence // why nothing can be told
}

func (x *OwnWork) fields(c *coder) {
	c.fields(&x.Controllers, &x.Guards, &x.Cases, &x.Cache, &x.LeftOut, &x.Wrong)
}

// Table is a table of sentences.
type Table struct {
	Title Sentence
	Rows  [][]Sentence // of cells; the first row has the heads
	Bars  []int64      // for the bar of each cell behind a row's first one, if there are any: yes, no, and unknown
	Late  int64        // of a stale read: how long the write that the cache lacked took to come, in nanoseconds; -1 for never
}

func (x *Table) fields(c *coder) { c.fields(&x.Title, &x.Rows, &x.Bars, &x.Late) }

// OwnController is what the recording tells of one controller.
type OwnController struct {
	Name       string
	Reconciles int64
	Parts      []OwnPart
}

func (x *OwnController) fields(c *coder) { c.fields(&x.Name, &x.Reconciles, &x.Parts) }

// OwnPart is what the recording answers to one question. The catalogues have its title under
// "ui.own." and its Name.
type OwnPart struct {
	Name  string // OwnStale …
	Total int    // how many rows there would be
	Rows  []OwnRow
}

func (x *OwnPart) fields(c *coder) { c.fields(&x.Name, &x.Total, &x.Rows) }

// OwnRow is one answer, and the time to which it leads.
type OwnRow struct {
	Time     int64 // nanoseconds since the trace's start
	Sentence Sentence
}

func (x *OwnRow) fields(c *coder) { c.fields(&x.Time, &x.Sentence) }

// The questions.
const (
	OwnStale      = "stale"      // reconciles that began before the cache had the controller's own last write
	OwnDuplicates = "duplicates" // what such reconciles created twice
	OwnPutOff     = "putOff"     // keys that were put off
	OwnEcho       = "back"       // writes, by how long they took to come back
)

// OwnParts lists them in their order.
var OwnParts = []string{OwnStale, OwnDuplicates, OwnPutOff, OwnEcho}

// MaxOwnRows is how many rows of a part are sent.
const MaxOwnRows = 100

func (AskOwnWork) op() {}
func (*OwnWork) news() {}
