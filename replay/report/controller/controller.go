// Package controller says what a recording tells of a controller's own work: which
// reconciles began before the cache had the controller's last write, how long each write took
// to come back, what was created twice in between, and which keys were put off. It reads what
// a recorder within the controller has written (package record), and plays nothing.
package controller

import (
	"cmp"
	"slices"
	"strconv"

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
}

// Controller is all reconciles of one name. Times are in nanoseconds since the recording's
// start.
type Controller struct {
	Name       string      `json:"name"`
	Keys       int         `json:"keys"` // that were reconciled
	Reconciles Reconciles  `json:"reconciles"`
	Writes     Writes      `json:"writes"`
	Stale      []Stale     `json:"stale"`
	Duplicates []Duplicate `json:"duplicates"`
	PutOff     []PutOff    `json:"putOff"`
	Queue      *Queue      `json:"queue,omitempty"` // nil where the workqueue was not recorded
}

// Reconciles counts reconciles by how they ended.
type Reconciles struct {
	All          int64   `json:"all"`
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
	// Unwatched are accepted writes of which nothing can come back: no list or watch of their
	// resource was recorded, or the answer has no resourceVersion.
	Unwatched int64  `json:"unwatched"`
	NoChange  int64  `json:"noChange"` // accepted writes that left the resourceVersion as it was
	Back      []Back `json:"back"`     // the others, in the order in which they were sent
}

// Back is an accepted write, and when the informer got to hear of it.
type Back struct {
	Reconcile int64  `json:"reconcile"` // the id of the reconcile in the recording
	Key       string `json:"key"`       // that was reconciled
	Verb      string `json:"verb"`
	Resource  string `json:"resource"` // with its group and subresource
	Object    string `json:"object"`   // the key of what was written
	RV        string `json:"rv,omitempty"`
	Sent      int64  `json:"sent"`
	Answered  int64  `json:"answered"`
	Seen      int64  `json:"seen"` // when it came over the wire, 0 for never
	Took      int64  `json:"took"` // from the answer to that; 0 where it came before the answer
	// lost says that the answer was lost, and that the object is known by what was listed or watched later. Answered is
	// then when the client got its error.
	lost        bool
	generate    string
	group, kind string // of the resource
	namespace   string
}

// Stale is a reconcile that began before the informer had got the controller's last write for
// its key. The cache can't have had it then, so what the reconcile read was older.
type Stale struct {
	Reconcile int64   `json:"reconcile"`
	Key       string  `json:"key"`
	Worker    int     `json:"worker"`
	Began     int64   `json:"began"`
	Unseen    int     `json:"unseen"` // writes that were to come
	Last      Back    `json:"last"`   // the last of them
	Wrote     int64   `json:"wrote"`  // writes of the reconcile itself that were accepted
	Refused   []Class `json:"refused,omitempty"`
	Result    string  `json:"result,omitempty"`
	Error     string  `json:"error,omitempty"`
}

// Duplicate is an object that a stale reconcile has created, though an earlier reconcile of the same
// key had created one like it that the informer had not got yet: of the same resource, namespace
// and generateName. Of a create whose answer was lost, the object that came later is the first one.
type Duplicate struct {
	Reconcile int64  `json:"reconcile"`
	Key       string `json:"key"`
	At        int64  `json:"at"` // when the second one was asked for
	Resource  string `json:"resource"`
	First     string `json:"first"`
	Second    string `json:"second"`
	Seen      int64  `json:"seen"`           // when the informer got the first one, 0 for never
	Lost      bool   `json:"lost,omitempty"` // the answer to the first create was lost
}

// Of sums up a recording that was read to its end.
func Of(t *trace.Trace, log *worker.Log) *Report {
	l := log.LeftOut
	out := &Report{LeftOut: l.Work+l.Reconciles+l.Writes+l.Requests > 0}
	runs := owned(log)
	arrivals := newArrivals(t, log)
	byName := map[string][]*run{}
	var names []string
	for _, x := range runs.all {
		if byName[x.Controller] == nil {
			names = append(names, x.Controller)
		}
		byName[x.Controller] = append(byName[x.Controller], x)
	}
	slices.Sort(names)
	for _, name := range names {
		c := Controller{Name: name, Stale: []Stale{}, Duplicates: []Duplicate{}, PutOff: []PutOff{}}
		keys := map[string]bool{}
		for _, x := range byName[name] {
			keys[x.Key] = true
			c.Reconciles.add(x.Reconcile)
			for _, w := range x.writes {
				back, ok := c.Writes.add(x, w, arrivals)
				if ok {
					x.back = append(x.back, back)
				}
				if ok && !back.lost {
					c.Writes.Back = append(c.Writes.Back, back)
				}
			}
		}
		c.Keys = len(keys)
		slices.SortStableFunc(c.Writes.Back, func(a, b Back) int { return cmp.Compare(a.Sent, b.Sent) })
		c.stale(byName[name])
		c.putOff(byName[name], log.Queued)
		c.Queue = queueOf(name, log.Queued)
		out.Controllers = append(out.Controllers, c)
	}
	out.Unowned = runs.unowned
	out.Waiting = waiting(t, log, out.Controllers)
	return out
}

// run is a reconcile with its writes.
type run struct {
	*worker.Reconcile
	writes []write
	back   []Back
}

type write struct {
	*worker.Write
	guessed bool
}

// runs are all reconciles, in the order in which they began.
type runs struct {
	all     []*run
	unowned int64
}

// owned gives each write to the reconcile that has sent it.
func owned(log *worker.Log) (out runs) {
	runs := make([]*run, len(log.Reconciles))
	for _, i := range log.Order() {
		runs[i] = &run{Reconcile: &log.Reconciles[i]}
		out.all = append(out.all, runs[i])
	}
	for i, of := range log.Owners() {
		if of < 0 {
			out.unowned++
			continue
		}
		w := &log.Writes[i]
		runs[of].writes = append(runs[of].writes, write{w, w.In == 0})
	}
	return out
}

func (r *Reconciles) add(x *worker.Reconcile) {
	r.All++
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
	if x.Took > r.Longest {
		r.Longest, r.LongestKey = x.Took, x.Key
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

// add counts a write of a reconcile. It returns when the write came back, where that means
// something.
func (c *Writes) add(x *run, w write, arrivals *arrivals) (back Back, ok bool) {
	if w.guessed {
		c.Guessed++
	}
	switch {
	case w.DryRun:
		c.DryRun++
		return back, false
	case w.Answer.Status == 0:
		c.Unanswered++
		key, seen := arrivals.created(w.Write)
		if key == "" {
			return back, false
		}
		back = backOf(x, w, seen)
		back.Object, back.lost, back.Answered = key, true, cmp.Or(w.Answered, seen)
		return back, true
	case !w.Changed():
		c.Refused = count(c.Refused, refusal(w.Write))
		return back, false
	}
	c.Accepted++
	if w.Written.RV != "" && w.Written.RV == w.Answer.RV && w.Verb != "delete" {
		c.NoChange++
		return back, false
	}
	seen, ok := arrivals.arrivalOf(w.Write)
	if !ok {
		c.Unwatched++
		return back, false
	}
	if seen != 0 && seen < w.Sent { // such as a patch that changed nothing
		c.NoChange++
		return back, false
	}
	return backOf(x, w, seen), true
}

// backOf returns a write that came back at the time seen, or never where that is 0.
func backOf(x *run, w write, seen int64) Back {
	back := Back{
		Reconcile: x.ID, Key: x.Key, Verb: w.Verb, Resource: w.Of(), Object: w.Key(), RV: w.Answer.RV,
		Sent: w.Sent, Answered: w.Answered, Seen: seen, generate: w.GenerateName, group: w.Group, kind: w.Resource, namespace: w.Namespace,
	}
	if seen != 0 {
		back.Took = max(0, seen-w.Answered)
	}
	return back
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
	Means string
	Of    func(*Controller) int64
}

// Functions are all of them.
var Functions = []Function{
	{"reconciles", "how many reconciles began", func(c *Controller) int64 { return c.Reconciles.All }},
	{"errors", "how many of them failed", func(c *Controller) (n int64) {
		for _, e := range c.Reconciles.Errors {
			n += e.Count
		}
		return n + c.Reconciles.Panics
	}},
	{"stale", "how many of them began before the cache had the controller's last write for the key", func(c *Controller) int64 { return int64(len(c.Stale)) }},
	{"duplicates", "how many objects were created twice because of that", func(c *Controller) int64 { return int64(len(c.Duplicates)) }},
	{"unseen", "how many accepted writes never came back", func(c *Controller) (n int64) {
		for i := range c.Writes.Back {
			if c.Writes.Back[i].Seen == 0 {
				n++
			}
		}
		return n
	}},
	{"putOff", "how often a key was put off", func(c *Controller) int64 { return int64(len(c.PutOff)) }},
}

// stale finds the reconciles that began before the informer had the last write of an earlier
// reconcile of the same key, and what they created a second time.
func (c *Controller) stale(all []*run) {
	coming := map[string][]Back{} // by key: writes that the informer hasn't got, as far as was looked
	for _, x := range all {
		var unseen []Back
		for _, b := range coming[x.Key] {
			if b.Seen == 0 || b.Seen > x.Began {
				unseen = append(unseen, b)
			}
		}
		coming[x.Key] = append(unseen[:len(unseen):len(unseen)], x.back...)
		last, n := Back{}, 0
		for _, b := range unseen {
			if b.Answered <= x.Began && !b.lost {
				last = b
				n++
			}
		}
		c.again(x, unseen)
		if n == 0 {
			continue
		}
		s := Stale{Reconcile: x.ID, Key: x.Key, Worker: x.Worker, Began: x.Began, Unseen: n, Last: last, Result: x.Result}
		if x.Result == trace.ResultError || x.Result == trace.ResultTerminal {
			s.Error = x.Error
		}
		for _, w := range x.writes {
			switch {
			case w.DryRun || w.Answer.Status == 0:
			case w.Changed():
				s.Wrote++
			default:
				s.Refused = count(s.Refused, refusal(w.Write))
			}
		}
		c.Stale = append(c.Stale, s)
	}
}

// again notes what a reconcile has created though an object like it was to come. Each of these
// excuses one.
func (c *Controller) again(x *run, unseen []Back) {
	used := make([]bool, len(unseen))
	for i := range x.back {
		b := &x.back[i]
		if b.Verb != "create" || b.generate == "" {
			continue
		}
		for j := range unseen {
			u := &unseen[j]
			if used[j] || u.Verb != "create" || u.generate != b.generate || u.Resource != b.Resource || u.namespace != b.namespace || u.Answered > x.Began {
				continue
			}
			used[j] = true
			c.Duplicates = append(c.Duplicates, Duplicate{Reconcile: x.ID, Key: x.Key, At: b.Sent, Resource: b.Resource, First: u.Object, Second: b.Object, Seen: u.Seen, Lost: u.lost})
			break
		}
	}
}
