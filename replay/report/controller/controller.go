// Package controller says what a recording tells of a controller's own work: which
// reconciles began before the cache had the controller's last write, how long each write took
// to come back, what was created twice in between, and which keys were put off. It reads what
// a recorder within the controller has written (package record), and plays nothing.
package controller

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Report is what a recording tells of its controllers.
type Report struct {
	Controllers []Controller `json:"controllers"`
	Waiting     []Waiting    `json:"waiting,omitempty"` // what had not ended when the recording did
	// Unowned are writes that no reconcile has sent, as far as the recording tells.
	Unowned int64 `json:"unownedWrites,omitempty"`
	// LeftOut is set where the recorder had no room for some of it, so that the report may
	// lack what happened then.
	LeftOut bool `json:"leftOut,omitempty"`

	ended int64 // when the recording did
}

// Controller is all reconciles of one name. Times are in nanoseconds since the recording's
// start.
type Controller struct {
	Name       string           `json:"name"`
	Keys       int              `json:"keys"` // that were reconciled
	Reconciles Reconciles       `json:"reconciles"`
	Writes     Writes           `json:"writes"`
	Stale      []StaleReconcile `json:"stale"`
	Duplicates []Duplicate      `json:"duplicates"`
	PutOff     []PutOff         `json:"putOff"`
	Queue      *Queue           `json:"queue,omitempty"` // nil where the workqueue was not recorded
	Failing    []Failing        `json:"failing,omitempty"`
	Hot        []Hot            `json:"hot,omitempty"` // keys that were reconciled more than once
	Conflicts  []Conflicts      `json:"conflicts,omitempty"`
	Panicked   []Panic          `json:"panicked,omitempty"`
	OwnWrites  []OwnWrites      `json:"ownWrites,omitempty"` // keys whose reconciles feed themselves
	Starved    []Starved        `json:"starved,omitempty"`

	LateDeletes []LateDelete    `json:"-"`
	Held        []Undone        `json:"-"`
	Unserved    *Unserved       `json:"-"` // nil for none
	Unforgotten []Unforgotten   `json:"-"`
	Slow        []SlowReconcile `json:"-"`
	NoOps       []NoOpWrites    `json:"-"`
	Lates       int64           `json:"-"` // how many late deletes there are, where not all rows are kept
	Helds       int64           `json:"-"` // likewise, keys that are held

	Unseen  []Echo  `json:"-"`       // some accepted writes to objects of the cache that have not come back for a time, the first ones
	Harmful Harmful `json:"-"`       // stale reconciles that have written, or tried to
	Workers int     `json:"workers"` // that have begun reconciles
	Fails   int     `json:"-"`       // how many keys are failing, where not all rows are kept
	Stales  int64   `json:"-"`       // likewise, reconciles that were stale
	Starves int64   `json:"-"`       // likewise, keys that were starved
	Unseens int64   `json:"-"`       // likewise, such writes
	Woken   int64   `json:"-"`       // reconciles that the controller's own writes have woken, as far as the recording tells

	runs []*run // all, in the order in which they began; nil for rules
}

// Reconciles counts reconciles by how they ended.
type Reconciles struct {
	Count        int64   `json:"all"`
	Done         int64   `json:"done"`
	Requeue      int64   `json:"requeue"`
	RequeueAfter int64   `json:"requeueAfter"`
	Errors       []Class `json:"errors,omitempty"`
	Panics       int64   `json:"panics"`
	Open         int64   `json:"open"` // whose end was not recorded
	Longest      int64   `json:"longest"`
	LongestKey   string  `json:"longestKey,omitempty"`
}

// Class counts reconciles that failed with errors of one class.
type Class struct {
	Error string `json:"error"`
	Count int64  `json:"count"`
}

// Writes counts what the reconciles have written.
type Writes struct {
	Accepted   int64   `json:"accepted"`
	Refused    []Class `json:"refused,omitempty"`
	Unanswered int64   `json:"unanswered"`
	DryRun     int64   `json:"dryRun,omitempty"`
	// Guessed are writes that were sent without the reconcile's context. They belong to
	// the only reconcile under way, or else to the only one for the written object's key.
	Guessed int64 `json:"guessed,omitempty"`
	// Unwatched are accepted writes that nothing can come back from: no list or watch of their
	// resource was recorded, or the answer has no resourceVersion.
	Unwatched int64  `json:"unwatched"`
	NoChange  int64  `json:"noChange"` // accepted writes that left the resourceVersion as it was
	Echoes    []Echo `json:"back"`     // the others, in the order in which they were sent
}

// Echo is an accepted write, and when the informer got to hear of it.
type Echo struct {
	Reconcile int64  `json:"reconcile"` // the id of the reconcile in the recording
	Key       string `json:"key"`       // that was reconciled
	Verb      string `json:"verb"`
	Resource  string `json:"resource"` // with its group and subresource
	Object    string `json:"object"`   // the key of what was written
	RV        string `json:"rv,omitempty"`
	Sent      int64  `json:"sent"`
	Answered  int64  `json:"answered"`
	Received  int64  `json:"seen"` // when it came over the wire, 0 for never
	Duration  int64  `json:"took"` // from the answer to that; 0 where it came before the answer
	// lost says that the answer was lost, and that the object is known by what was listed or watched later. Answered is
	// then when the client got its error.
	lost        bool
	generate    string
	like        int64  // the id of the first create of the same object under any name; 0 for any other write
	group, kind string // of the resource
	namespace   string
}

// StaleReconcile is a reconcile that began before the informer had got the controller's last write for
// its key. The cache can't have had it then, so what the reconcile read was older.
type StaleReconcile struct {
	Reconcile int64  `json:"reconcile"`
	Key       string `json:"key"`
	Worker    int    `json:"worker"`
	Began     int64  `json:"began"`
	Unseen    int    `json:"unseen"` // writes that were to come
	Last      Echo   `json:"last"`   // the last of them
	last      *Echo
	Wrote     int64   `json:"wrote"` // writes of the reconcile itself that were accepted
	Refused   []Class `json:"refused,omitempty"`
	Result    string  `json:"result,omitempty"`
	Error     string  `json:"error,omitempty"`
}

// Duplicate is an object that a stale reconcile has created, though an earlier reconcile of the same
// key had created one like it that the informer had not got yet: of the same resource, namespace
// and generateName, or of a name that differs in a random part alone. If the answer of a create was lost, its object is the first one that came
// later.
type Duplicate struct {
	Reconcile int64  `json:"reconcile"`
	Key       string `json:"key"`
	Time      int64  `json:"at"` // when the second one was asked for
	Resource  string `json:"resource"`
	First     string `json:"first"`
	Second    string `json:"second"`
	Received  int64  `json:"seen"`           // when the informer got the first one, 0 for never
	Lost      bool   `json:"lost,omitempty"` // the answer to the first create was lost
}

// Summarise sums up a recording that was read to its end.
func Summarise(t *trace.Trace, log *worker.Log) *Report {
	r := NewReading(t, log, 0)
	r.tables = &full{backs: map[*work][]*Echo{}, putOff: map[*work][]PutOff{}, runs: map[*work][]*run{}}
	r.Add()
	r.resolve(true)
	return r.Report()
}

// end counts how a reconcile ended.
func (r *Reconciles) end(x *worker.Reconcile) {
	r.Open--
	switch x.Result {
	case trace.ResultDone:
		r.Done++
	case trace.ResultRequeue:
		r.Requeue++
	case trace.ResultRequeueAfter:
		r.RequeueAfter++
	case trace.ResultError, trace.ResultTerminal:
		r.Errors = count(r.Errors, x.Error)
	case trace.ResultPanic:
		r.Panics++
	default:
		r.Open++
	}
	if x.Duration > r.Longest {
		r.Longest, r.LongestKey = x.Duration, x.Key
	}
}

// count counts one more of a class.
func count(all []Class, name string) []Class {
	for i := range all {
		if all[i].Error == name {
			all[i].Count++
			return all
		}
	}
	return append(all, Class{name, 1})
}

// echoOf returns a write of a reconcile that is on its way back.
func (x *run) echoOf(w *worker.Write) *Echo {
	like := int64(0)
	if w.Verb == "create" && w.Written.Key != "" {
		like = cmp.Or(w.Like, w.ID)
	}
	return &Echo{
		Reconcile: x.ID, Key: x.Key, Verb: w.Verb, Resource: w.Target(), Object: w.Key(), RV: w.Answer.RV,
		Sent: w.Sent, Answered: w.Answered, generate: w.GenerateName, like: like, group: w.Group, kind: w.Resource, namespace: w.Namespace,
	}
}

// setSeen notes when a write has come back.
func (b *Echo) setSeen(at int64) {
	if b.Received = at; at != 0 {
		b.Duration = max(0, at-b.Answered)
	}
}

// refusal returns why the API server has refused a write.
func refusal(w *worker.Write) string {
	if w.Answer.Reason != "" {
		return w.Answer.Reason
	}
	return strconv.Itoa(w.Answer.Status)
}

// Function is a number that a recording has of each controller. It has the name that the
// language of expressions has for the same number of a controller that the engine plays.
type Function struct {
	Name  string
	Help  string
	Value func(*Controller) int64
}

// Functions are all of them.
var Functions = []Function{
	{"reconciles", "how many reconciles began", func(c *Controller) int64 { return c.Reconciles.Count }},
	{"errors", "how many of them failed", func(c *Controller) (n int64) {
		for _, e := range c.Reconciles.Errors {
			n += e.Count
		}
		return n + c.Reconciles.Panics
	}},
	{"stale", "how many of them began before the cache had the controller's last write for the key", func(c *Controller) int64 { return int64(len(c.Stale)) }},
	{"duplicates", "how many objects were created twice because of that", func(c *Controller) int64 { return int64(len(c.Duplicates)) }},
	{"unseen", "how many accepted writes never came back", func(c *Controller) (n int64) {
		for i := range c.Writes.Echoes {
			if c.Writes.Echoes[i].Received == 0 {
				n++
			}
		}
		return n
	}},
	{"putOff", "how often a key was put off", func(c *Controller) int64 { return int64(len(c.PutOff)) }},
}

// namedAlike reports whether two keys differ in a random part that a client has made up. Two parts that tell something, such as numbers or
// the names of zones, don't look so: they are alike, or have other letters. One of the two may do so by chance.
func namedAlike(a, b string) bool {
	from, until := 0, 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if strings.IndexByte("-./", a[i]) >= 0 {
			from = i + 1
		}
	}
	a, b = a[from:], b[from:]
	for i := 1; i <= min(len(a), len(b)) && a[len(a)-i] == b[len(b)-i]; i++ {
		if strings.IndexByte("-.", a[len(a)-i]) >= 0 {
			until = i
		}
	}
	a, b = a[:len(a)-until], b[:len(b)-until]
	if len(a) != len(b) {
		return false
	}
	first, different := 0, 0
	for i := range a {
		if a[i] != b[i] {
			if different++; different == 1 {
				first = i
			}
		}
	}
	numbers := len(a) < timeDigits && strings.Trim(a[first:]+b[first:], digits) == ""
	return different >= 3 && !numbers && (isRandom(a) || isRandom(b))
}

const (
	digits    = "0123456789"
	hexDigits = digits + "abcdef"
	// timeDigits is how many digits the time has in microseconds since 1970. Numbers have fewer.
	timeDigits = 16
)

// isRandom reports whether a part of a name looks random: five letters and digits or more, as rand.String of k8s.io/apimachinery makes them,
// the digits of a hash, a UUID, or a time. Few words have a digit and only letters that these have, and few have digits in their midst.
func isRandom(s string) bool {
	if len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' {
		s = strings.ReplaceAll(s, "-", "")
	}
	numbers, turns := 0, 0
	for i := range len(s) {
		number := strings.IndexByte(digits, s[i]) >= 0
		if number {
			numbers++
		} else if s[i] < 'a' || s[i] > 'z' {
			return false
		}
		if i > 0 && number != (strings.IndexByte(digits, s[i-1]) >= 0) {
			turns++
		}
	}
	switch {
	case numbers == len(s):
		return numbers >= timeDigits
	case numbers == 0 || len(s) < suffix:
		return false
	case strings.Trim(s, suffixLetters) == "" || strings.Trim(s, hexDigits) == "":
		return true
	}
	return turns > 2 || s[0] <= '9'
}
