// Package findings says what is wrong in a capture: which key is hot, why a client lists again, which
// handler is behind. A finding is data; its sentence stands in the catalogues of web/locales, and for the
// command line in package said. The package plays nothing, formats nothing and does no I/O.
//
// Rules is the one table: the command line and the page tell the same findings of the same
// capture. Each rule is a file of its own, which says what it looks for and why its threshold is what it
// is. README.md has the proof of each: recordings with the trouble, near misses, and recordings without it.
//
// A Pass reads a trace while it grows, and can be asked at any time:
//
//	pass := findings.NewPass(reader.Trace(), findings.Options{Log: &log})
//	for … {
//		reader.Write(chunk)
//		for pass.Add(2_000) { // records in one go, which take some two milliseconds natively
//			… // give way to the viewer
//		}
//		show(pass.Findings())
//	}
//
// [Finding.Line] returns the sentence of a Finding: the catalogue's text "finding." and its ID, with arguments. A
// [Count] is written as its Unit says, and within "finding.atLeast" where it is AtLeast. The text that [FieldsText]
// names follows if Fields are set, and then the texts of Notes. "finding.ID.title" is its name in a few words, and
// "finding.ID.instead" says what helps. The page's button "show me" goes to From. Times and durations are
// nanoseconds, and t is a time since the start of the capture.
package findings

import (
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Harm is what a finding does to whoever runs the client. Its text in the catalogues is under "harm.".
type Harm string

// The harms.
const (
	Wrong  Harm = "wrong"  // the client knows, or does, something that is false
	Stuck  Harm = "stuck"  // something waits for ever
	Late   Harm = "late"   // the client gets to know of changes later than it could
	Costly Harm = "costly" // work, memory or bandwidth that could be saved
	Noted  Harm = "noted"  // no harm by itself
)

// Harms are all of them, in the order in which findings are told: the worst first.
var Harms = []Harm{Wrong, Stuck, Late, Costly, Noted}

// Source says where a finding comes from.
type Source string

// Recorded is the source of what the capture itself tells. Nothing of it was simulated.
const Recorded Source = "recorded"

// Finding is something that is wrong in a capture, or worth knowing.
type Finding struct {
	ID     string `json:"id"` // of its Rule
	Harm   Harm   `json:"harm"`
	Source Source `json:"source"`
	Subject
	From     Moment     `json:"from"` // what "show me" goes to
	To       Moment     `json:"to"`
	Counts   []Count    `json:"counts,omitempty"`
	Reason   string     `json:"reason,omitempty"`  // one of the Reasons, of a finding about lists
	Feeder   string     `json:"feeder,omitempty"`  // what makes a controller reconcile a key again: see controller.Hot
	Message  string     `json:"message,omitempty"` // of an error, or else its class; the second holder of a Lease
	Fields   []Field    `json:"fields,omitempty"`  // those that changed most often, that take most room, or the controllers that wait
	Evidence []Evidence `json:"evidence,omitempty"`
	// Tombstone tells that the call got a DeletedFinalStateUnknown, and Unknown that an end which is missing
	// may be among what the recorder had no room for. Last tells that the recording ends with the call, and Lost that the answer to
	// a create was lost.
	Tombstone bool `json:"tombstone,omitempty"`
	Lost      bool `json:"lost,omitempty"`
	Last      bool `json:"last,omitempty"`
	Unknown   bool `json:"unknown,omitempty"`
	// Lacks names the number that isn't known; the sentence is another one then.
	Lacks string `json:"-"`
}

// FieldsText returns the name of the text that lists the Fields of a finding with that ID. A catalogue has it under "finding."
// and the name.
func FieldsText(id string) string {
	switch id {
	case "large-cache":
		return "takes"
	case "not-synced":
		return "waits"
	}
	return "fields"
}

// Notes returns the names of the texts that follow the finding. A catalogue has each under "finding." and the name.
func (f *Finding) Notes() (all []string) {
	for _, note := range []struct {
		holds bool
		name  string
	}{{f.Tombstone, "tombstone"}, {f.Last, "last"}, {f.Unknown, "unknown"}, {f.Lost, "lost"}} {
		if note.holds {
			all = append(all, note.name)
		}
	}
	return all
}

// Subject is what a finding is about.
type Subject struct {
	Resource      string `json:"resource"` // as trace.Resource.Name has it
	ResourceIndex int    `json:"-"`        // the resource's number in the trace
	Key           string `json:"key,omitempty"`
	Handler       string `json:"handler,omitempty"`
	Fn            string `json:"fn,omitempty"`    // the handler's method
	Other         string `json:"other,omitempty"` // a second resource, or a second object
	// Controller is the name under which it was recorded. Resource and ResourceIndex then say the Key's resource, if it is known.
	Controller string `json:"controller,omitempty"`
}

// Moment is a time of a capture.
type Moment struct {
	Time   int64 `json:"t"`      // nanoseconds since the start
	Record int   `json:"record"` // the number of the resource's record that came then, forgotten ones included
}

// Unit is what a Count counts in.
type Unit string

// The units. A Number counts things.
const (
	Number   Unit = ""
	Duration Unit = "ns"
	Bytes    Unit = "B"
	Percent  Unit = "%"
)

// Count is a number of a finding.
type Count struct {
	Name    string `json:"name"` // of the argument in the sentence
	N       int64  `json:"n"`
	Unit    Unit   `json:"unit,omitempty"`
	AtLeast bool   `json:"atLeast,omitempty"` // more may have been left out of the capture, or not looked at
}

// spanOf returns for how long it went on, from one time to another.
func spanOf(from, to int64) Count { return Count{Name: "span", N: to - from, Unit: Duration} }

// Field is a field of objects.
type Field struct {
	Path string `json:"path"`
	N    int64  `json:"n"` // how often it changed, or how many percent of the bytes it takes
}

// Evidence is one place of the capture that shows a finding.
type Evidence struct {
	Moment
	Key    string `json:"key,omitempty"`
	Reason string `json:"reason,omitempty"`
	N      int64  `json:"n,omitempty"` // of what the finding counts
}

// mostEvidence is how many places are kept for a finding.
const mostEvidence = 5

// Line returns the sentence that says what was found.
func (f *Finding) Line() Line {
	l := Line{ID: "finding." + f.ID}
	if f.Lacks != "" {
		l.ID += "." + f.Lacks
	}
	for _, a := range [...]struct{ name, text string }{
		{"resource", f.Resource}, {"key", f.Key}, {"handler", f.Handler}, {"fn", f.Fn}, {"other", f.Other},
		{"controller", f.Controller}, {"message", f.Message},
	} {
		if a.text != "" {
			l.Args = append(l.Args, Arg{Name: a.name, Text: a.text})
		}
	}
	if f.ID == "versions-back" && f.Key == "" {
		l.Args = append(l.Args, Arg{Name: "key", Line: &Line{ID: "finding.bookmark"}})
	}
	if f.Reason != "" {
		l.Args = append(l.Args, Arg{Name: "reason", Line: &Line{ID: "finding.reason." + f.Reason}})
	}
	if f.Feeder != "" {
		l.Args = append(l.Args, Arg{Name: "feeder", Line: &Line{ID: "finding.feeder." + f.Feeder}})
	}
	for i := range f.Counts {
		l.Args = append(l.Args, Arg{Name: f.Counts[i].Name, Count: &f.Counts[i]})
	}
	return l
}

// Line is a sentence about a capture: the catalogues have it under its ID.
type Line struct {
	ID   string
	Args []Arg
}

// Arg is an argument of a Line.
type Arg struct {
	Name  string
	Text  string // from the capture, where the others are nil
	Count *Count
	Line  *Line
}

// Count returns the number of that name, 0 if there is none.
func (f *Finding) Count(name string) int64 {
	for _, c := range f.Counts {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

// Rule is a kind of finding.
type Rule struct {
	ID   string
	Harm Harm
	new  func() rule            // makes the state of the rule for one resource; nil for another rule
	find func(w *work) *Finding // what is found of a controller; nil for another rule
	// fault finds what went wrong in the cache, nil for nothing; nil for another rule.
	fault func(p *Pass, f *worker.Fault) *Finding
}

// Rules is the table of all rules. Findings of one harm are told in its order.
var Rules = []Rule{
	{"handler-panic", Wrong, func() rule { return &handlerPanic{} }, nil, panicOfUnknown},
	{"events-missing", Wrong, func() rule { return &missing{} }, nil, nil},
	{"versions-back", Wrong, func() rule { return &versionsBack{} }, nil, nil},
	{"two-leaders", Wrong, func() rule { return &twoLeaders{} }, nil, nil},
	{"undone-writes", Wrong, func() rule { return &undone{} }, nil, nil},
	{"not-synced", Stuck, func() rule { return &notSynced{} }, nil, nil},
	{"stuck-handler", Stuck, func() rule { return &stuckHandler{} }, nil, nil},
	{"silent-watch", Late, func() rule { return &silentWatch{} }, nil, nil},
	{"slow-handler", Late, func() rule { return &slowHandler{} }, nil, nil},
	{"relist-news", Late, func() rule { return &relistNews{} }, nil, nil},
	{"relists", Costly, func() rule { return &relists{often: often{span: 10 * minute}} }, nil, nil},
	{"short-watches", Costly, func() rule { return &shortWatches{often: often{span: 10 * minute}} }, nil, nil},
	{"same-watch", Costly, func() rule { return &sameWatch{} }, nil, nil},
	{"hot-key", Costly, func() rule { return &hotKey{} }, nil, nil},
	{"no-op-updates", Costly, func() rule { return &noOpUpdates{} }, nil, nil},
	{"reordered", Costly, func() rule { return &reordered{} }, nil, nil},
	{"large-cache", Costly, func() rule { return &largeCache{} }, nil, nil},
	{"polls", Costly, func() rule { return &polls{} }, nil, nil},
	{"no-bookmarks", Costly, func() rule { return &noBookmarks{} }, nil, nil},
	{"burst", Noted, func() rule { return &burst{often: often{span: second}} }, nil, nil},
	{"same-name", Noted, func() rule { return &sameName{} }, nil, nil},
	{"function-panic", Wrong, nil, nil, functionPanic},
	{"cache-changed", Wrong, nil, nil, cacheChanged},
	{"duplicates", Wrong, nil, duplicates, nil},
	{"late-deletes", Wrong, nil, lateDeletes, nil},
	{"reconcile-panic", Wrong, nil, reconcilePanic, nil},
	{"stuck-reconcile", Stuck, nil, stuckReconcile, nil},
	{"no-worker", Stuck, nil, noWorker, nil},
	{"no-done", Stuck, nil, noDone, nil},
	{"always-failing", Stuck, nil, alwaysFailing, nil},
	{"conflicts", Late, nil, conflicts, nil},
	{"unseen-writes", Late, nil, unseenWrites, nil},
	{"stale-reads", Late, nil, staleReads, nil},
	{"slow-reconcile", Late, nil, slowReconcile, nil},
	{"no-forget", Late, nil, noForget, nil},
	{"starvation", Late, nil, starvation, nil},
	{"hot-loop", Costly, nil, hotLoop, nil},
	{"own-writes", Costly, nil, ownWrites, nil},
	{"no-op-writes", Costly, nil, noOpWrites, nil},
}

// rule is the state of a Rule for one resource. It is told of records and calls in the order of their times.
type rule interface {
	record(x *reading, rec *trace.Record)
	call(x *reading, h *trace.Handler, c *trace.Call)
	retire(k int) // the number of a key will be given to another one
	find(x *reading) []Finding
}

// base is a rule that looks at nothing.
type base struct{}

func (base) record(*reading, *trace.Record)             {}
func (base) call(*reading, *trace.Handler, *trace.Call) {}
func (base) retire(int)                                 {}

// Units of time, in nanoseconds.
const (
	millisecond = 1_000_000
	second      = 1000 * millisecond
	minute      = 60 * second
)

// often notes how often something happens within a span of time.
type often struct {
	span     int64
	recent   []Moment // those from first on are within the span
	first    int
	total    int64
	max      int // in one span
	from, to Moment
}

// mostRecent bounds the memory of an often. What happens more often within a span is counted as so many times.
const mostRecent = 1 << 14

func (o *often) add(m Moment) {
	o.total++
	for o.first < len(o.recent) && m.Time-o.recent[o.first].Time > o.span || len(o.recent)-o.first >= mostRecent {
		o.first++
	}
	if o.first > len(o.recent)/2 {
		o.recent, o.first = o.recent[:copy(o.recent, o.recent[o.first:])], 0
	}
	o.recent = append(o.recent, m)
	if n := len(o.recent) - o.first; n > o.max {
		o.max, o.from, o.to = n, o.recent[o.first], m
	}
}

// count returns the most that happened in one span.
func (o *often) count(name string, x *reading) Count {
	return Count{Name: name, N: int64(o.max), AtLeast: o.max == mostRecent || x.lossy()}
}

// show keeps a few places: the first ones, since what comes later is the same again.
func show(all []Evidence, e Evidence) []Evidence {
	if len(all) < mostEvidence {
		all = append(all, e)
	}
	return all
}
