// Package report plays a capture to an informer while the capture is read, and
// sums up what the capture holds and how the informer and its handlers fare. The
// command line and the page both show a Report. This package formats no text and
// does no I/O.
package report

import (
	"math"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// Playing is a capture that is played while it is read.
type Playing struct {
	o       Options
	trace   *trace.Trace
	pass    *findings.Pass
	players []*player       // by resource of the trace; nil for one that is not played
	skipped []*feed.Passing // by resource of the trace
	playing int             // players that are not nil
}

// Play begins to play t, which may still be empty. Playing forgets the records and
// the recorded calls of t, so nobody else may need them.
func Play(t *trace.Trace, o Options) *Playing {
	p := &Playing{o: o.withDefaults(), trace: t}
	log := &worker.Log{}
	t.OtherLine = log.Line
	p.pass = findings.NewPass(t, findings.Options{Resource: o.Resource, Bytes: o.Bytes, Log: log, MaxRetired: p.o.MaxRetired})
	return p
}

// Grown plays what was added to the trace since the last call. Call it again and
// again while the trace is read, and once more when the trace is complete. Its
// error says which limit was reached, or comes from Called or Stopped; after an
// error the Playing is over.
func (p *Playing) Grown() error {
	for p.pass.Add(math.MaxInt) {
	}
	p.pass.Forget()
	for i, r := range p.trace.Resources {
		if i == len(p.players) {
			p.players = append(p.players, nil)
			p.skipped = append(p.skipped, &feed.Passing{Feed: feed.Feed{Trace: p.trace, Resource: r}, Sweeper: trace.Sweeper{Keys: p.o.MaxKeys}})
		}
		if len(r.Records) == 0 || !r.IsNamed(p.o.Resource) {
			p.skipped[i].Skip()
			r.ForgetCalls()
			continue
		}
		if p.players[i] == nil {
			if p.playing++; p.playing > p.o.MaxResources {
				return fault.Number("manyRecorded max", int64(p.o.MaxResources))
			}
			player, err := newPlayer(p.trace, i, p.pass, &p.o)
			if err != nil {
				return err
			}
			p.players[i] = player
		}
		if err := p.players[i].play(); err != nil {
			return err
		}
	}
	return nil
}

// Finish gives the Chains of the Options those chains from which something could still come. Call
// it when the trace is complete and Grown has been called for the last time. It returns the
// worlds as they are then, in the order of Played.
func (p *Playing) Finish() (worlds []*world.World, err error) {
	for _, player := range p.started() {
		if player.asker != nil {
			if err := player.asker.flush(true); err != nil {
				return nil, err
			}
		}
		worlds = append(worlds, player.machines[0].world)
	}
	return worlds, nil
}

// Played returns the resources that are played, in the trace's order.
func (p *Playing) Played() []*trace.Resource {
	var out []*trace.Resource
	for _, player := range p.started() {
		out = append(out, player.feed.Resource)
	}
	return out
}

// Front is how far a resource was played.
type Front struct {
	Resource   *trace.Resource
	Steps, Now int64 // steps, and the clock in nanoseconds
}

// Fronts returns the resources that are played, in the trace's order.
func (p *Playing) Fronts() (all []*Front) {
	for _, player := range p.started() {
		w := player.machines[0].world
		all = append(all, &Front{player.feed.Resource, w.Steps(), w.Now()})
	}
	return all
}

func (p *Playing) started() []*player {
	return slices.DeleteFunc(slices.Clone(p.players), func(x *player) bool { return x == nil })
}

// Report sums up what was played so far. The caller fills in Inputs, Bytes and the
// Text of Remarks.
func (p *Playing) Report() *Report {
	t, h := p.trace, p.trace.Header
	out := &Report{
		Format: t.Format, Start: h.Start, Recorder: h.Recorder, Server: h.Server, Note: h.Note,
		TimesMadeUp: t.NoTimes, Truncated: h.Truncated, Redacted: h.Redacted,
		Profile: p.o.Profile.Name, Versions: p.o.Profile.Versions, ProblemCount: t.ProblemCount, Gaps: t.Gaps, Lost: t.Lost,
	}
	if a := p.o.Against; a != nil {
		out.Against = &Played{a.Name, a.Versions}
	}
	var first, last int64
	for i, player := range p.started() {
		r := player.report()
		out.Resources = append(out.Resources, r)
		out.Records += int64(player.recorded.seen)
		if i == 0 || r.First < first {
			first = r.First
		}
		last = max(last, r.Last)
	}
	out.Duration = last - first
	out.Card = p.pass.Card()
	out.Findings = out.Card.Found
	for _, m := range t.Remarks {
		out.Remarks = append(out.Remarks, Remark{ID: m.ID, Count: m.Count, Detail: m.Detail})
	}
	for _, p := range t.Problems {
		out.Problems = append(out.Problems, Problem{string(p.Kind), p.Line, p.Offset, p.Err.Error(), p.Lost})
	}
	for _, m := range t.Marks {
		out.Marks = append(out.Marks, Mark{m.Time, m.Text})
	}
	if len(t.Log) > 0 {
		out.Log = countLog(t.Log)
	}
	return out
}

func countLog(log []trace.Logged) *Log {
	out := &Log{Entries: len(log)}
	for _, l := range log {
		switch {
		case l.Level == trace.LevelWarning:
			out.Warnings++
		case l.Level.Marked():
			out.Errors++
		}
	}
	return out
}

// SecondIsBehind reports whether the second capture's run is behind the first one's. ByTime compares
// their clocks, and the other paces compare what their informers have played.
func (c *Captures) SecondIsBehind(runs [2]*history.History, played [2]int) bool {
	if c.Pace == ByTime {
		return runs[1].End() < runs[0].End()
	}
	return c.Mark(1, played[1]) < c.Mark(0, played[0])
}

// Play plays the resource of both captures, each to an informer of its own, and returns
// the first one's report. Its Against has the second one, and how the calls compare.
func (c *Captures) Play(traces [2]*trace.Trace, o Options) (Resource, error) {
	o = o.withDefaults()
	var players [2]*player
	var runs [2]*history.History
	for by := range traces {
		pass := findings.NewPass(traces[by], findings.Options{Resource: c.Resources[by].Name()})
		for pass.Add(math.MaxInt) {
		}
		p, err := newPlayer(traces[by], slices.Index(traces[by].Resources, c.Resources[by]), pass, &o)
		if err != nil {
			return Resource{}, err
		}
		p.recorded.readNew(func(string, *trace.Call) {})
		players[by], runs[by] = p, p.machines[0].h
	}
	contrast := NewContrast(runs, [2][]int{{0}, {0}}, c)
	for n := 0; ; n++ {
		if n%4096 == 0 {
			if err := o.Stopped(); err != nil {
				return Resource{}, err
			}
		}
		first, second := players[0].machines[0], players[1].machines[0]
		by := 0
		if first.rests || !second.rests && c.SecondIsBehind(runs, [2]int{first.played(), second.played()}) {
			by = 1
		}
		m := players[by].machines[0]
		if m.rests {
			break
		}
		if !m.h.Step() {
			m.rests = true
			continue
		}
		m.observe()
		if err := players[by].resyncs(m); err != nil {
			return Resource{}, err
		}
		contrast.Look(by)
	}
	r, other := players[0].report(), players[1].report()
	r.Against = &SecondVersion{Informer: other.Informer, Handlers: contrast.Handlers(), Costs: contrast.Costs()}
	return r, nil
}

// Report says what a capture holds and how an informer fares with it. The command
// line prints it as JSON; fields keep their names, and new fields may be added.
// Every t is in nanoseconds since the capture's start, and every duration is in
// nanoseconds. Recorded and simulated facts are kept apart: Informer is simulated
// by the engine, and everything else was recorded.
type Report struct {
	Inputs       []string           `json:"inputs"`                // names of files
	Format       string             `json:"format"`                // of the input: trace, watch, kubectl, list, audit, …
	Start        string             `json:"start,omitempty"`       // RFC 3339: the moment t counts from, where it is known
	Recorder     string             `json:"recorder,omitempty"`    // what wrote the capture
	Server       string             `json:"server,omitempty"`      // the API server's version
	Note         string             `json:"note,omitempty"`        // from the header
	TimesMadeUp  bool               `json:"timesMadeUp,omitempty"` // the format has no times: events are evenly spaced
	Truncated    bool               `json:"truncated,omitempty"`   // the recorder says that something is missing
	Redacted     []string           `json:"redacted,omitempty"`    // what was taken out
	Bytes        int64              `json:"bytes"`                 // of JSON, uncompressed
	Records      int64              `json:"records"`               // list items, watch events, and the beginnings and ends of lists and watches
	Duration     int64              `json:"duration"`              // from the first record to the last
	Profile      string             `json:"profile"`               // that the engine used
	Versions     string             `json:"versions"`              // the client-go versions that it stands for
	Against      *Played            `json:"against,omitempty"`     // what Profile is compared with: see Resource.Against
	Findings     []findings.Finding `json:"findings,omitempty"`    // harm first
	Card         *findings.Card     `json:"-"`                     // what is said first, with Findings
	Resources    []Resource         `json:"resources"`
	Remarks      []Remark           `json:"remarks,omitempty"`
	Problems     []Problem          `json:"problems,omitempty"` // the first hundred
	ProblemCount int64              `json:"problemCount"`
	Gaps         int64              `json:"gaps,omitempty"` // how many of the problems are places before which events are missing, with nothing damaged
	Lost         int64              `json:"lost"`           // about how many watch events could not be read, as far as can be told
	Marks        []Mark             `json:"marks,omitempty"`
	Log          *Log               `json:"log,omitempty"` // nil where there is no log of the controller
}

// Resource is one resource, as one reader saw it.
type Resource struct {
	Name     string            `json:"name"` // as kubectl names it, with namespace, selectors and reader
	Group    string            `json:"group,omitempty"`
	Version  string            `json:"version,omitempty"`
	Resource string            `json:"resource"`
	Kind     string            `json:"kind,omitempty"`
	First    int64             `json:"first"` // t of the first record
	Last     int64             `json:"last"`  // t of the last
	Bytes    int64             `json:"bytes"` // of its watch events and list items
	Events   findings.Events   `json:"events"`
	Requests findings.Requests `json:"requests"`
	Rate     findings.Rate     `json:"rate"`
	Gap      *findings.Gap     `json:"longestGap,omitempty"` // between two changes
	Keys     int               `json:"keys"`                 // different ones that were changed or listed
	// KeysAtMost is set where there were too many keys to remember. Then Keys may
	// count a key twice, and Hottest may lack a key that came and went.
	KeysAtMost bool              `json:"keysAtMost,omitempty"`
	Hottest    []findings.HotKey `json:"hottest,omitempty"` // the ten keys with the most changes
	Handlers   []RecordedHandler `json:"recordedHandlers,omitempty"`
	Informer   Informer          `json:"informer"`
	Against    *SecondVersion    `json:"against,omitempty"` // nil unless two versions are compared
}

// RecordedHandler is a handler of the recorded process.
type RecordedHandler struct {
	Name      string `json:"name"`
	Calls     int64  `json:"calls"`
	Total     int64  `json:"took"`    // by all calls whose time was recorded
	Longest   int64  `json:"longest"` // the longest call
	LongestAt int64  `json:"at"`      // t of the longest call
	// Compared says whether the engine's handler of the same name got the same
	// calls. It is nil where there is none, or where no object can be compared.
	Compared *Comparison `json:"compared,omitempty"`
}

// Comparison compares the calls that were recorded with those that the engine's
// handler of the same name got: its calls of each key in their order, and the order
// of the keys where the queue keeps it.
type Comparison struct {
	Equal       bool         `json:"equal"`
	Calls       int64        `json:"calls"`                 // of the engine's handler
	From        int64        `json:"from,omitempty"`        // t at which it was added while the informer ran
	Until       int64        `json:"until,omitempty"`       // t at which it was removed
	Resync      int64        `json:"resync,omitempty"`      // the resync period that it asked for
	Passed      int64        `json:"passedOver,omitempty"`  // resyncs that one side alone made: near a change of their key, where a timer that is a bit later makes none, and in the last second
	Differing   int64        `json:"differing"`             // keys whose calls differ; a thousand stand for as many or more
	Differences []Difference `json:"differences,omitempty"` // the first of each key, of the first ten keys
	Order       *Difference  `json:"order,omitempty"`       // the first place where the keys come in another order
}

// Difference is a call that was recorded, and the call that the engine made in its
// place.
type Difference struct {
	Key      string `json:"key"`
	Recorded *Call  `json:"recorded"` // null for none
	Played   *Call  `json:"played"`   // null for none
}

// Informer is what the simulated informer did with the resource.
type Informer struct {
	Relists      []Relist       `json:"relists,omitempty"` // the first hundred
	RelistCount  int64          `json:"relistCount"`
	RelistsBy    map[string]int `json:"relistsBy,omitempty"` // how many for each reason
	ListFailures int64          `json:"listFailures"`
	ListFailure  *ListFailure   `json:"lastListFailure,omitempty"`
	Backoffs     int64          `json:"backoffs"`
	// AsStreaming is how many ordinary lists of the capture are played as streaming ones: their
	// items as ADDED events, and a bookmark that nobody sent. AsOrdinary is how many streaming
	// lists are played as ordinary ones, because the version asks for no others.
	AsStreaming int64      `json:"listsAsStreaming,omitempty"`
	AsOrdinary  int64      `json:"listsAsOrdinary,omitempty"`
	Queue       Queue      `json:"queue"`
	Cache       int        `json:"cache"`     // objects in the store at the end
	CacheMax    int        `json:"cacheMax"`  // the most at once
	Steps       int64      `json:"steps"`     // of the engine; see world.World
	Listeners   []Listener `json:"handlers"`  // in the order of Options.Handlers
	Synced      *int64     `json:"hasSynced"` // t at which HasSynced became true; null for never
	// Controller is the recorded controller that was played; nil for none.
	Controller *Followed `json:"recordedController,omitempty"`
	// Reflector and Store say how far behind the server lastSyncResourceVersion and the
	// cache were at worst. The handlers say it in Listeners.
	Reflector Staleness `json:"reflectorStaleness"`
	Store     Staleness `json:"cacheStaleness"`
}

// Followed counts what was played of a recorded controller, and the calls that the engine's workqueue doesn't
// explain.
type Followed struct {
	Name       string `json:"name"`
	Reconciles int64  `json:"reconciles"`
	Writes     int64  `json:"writes"`
	Gets       int64  `json:"gets"`
	// Overtaking are gets of keys that had others before them. A queue with priorities has such.
	Overtaking int64 `json:"getsOutOfTurn,omitempty"`
	Priorities bool  `json:"priorities,omitempty"` // the recorded queue had priorities
	// Missing are gets of keys that the engine's workqueue didn't have then.
	Missing int64 `json:"getsUnexplained,omitempty"`
	// NotPlayed are other controllers of the resource that were recorded, by their names. An informer
	// has one workqueue, so they aren't played.
	NotPlayed []string `json:"notPlayed,omitempty"`
}

// Staleness is how far a station was behind the server at worst, once it had reached
// the first list. The server is taken to be where the newest change of the resource is
// that the capture holds for that moment. Resource versions count the writes of the
// whole cluster, so one missing change may be many revisions. Resource versions that
// are no numbers are passed over.
type Staleness struct {
	Revisions     int64 `json:"revisions"` // between the server's newest change and what the station has reached
	Changes       int64 `json:"changes"`   // of the resource, among these
	RevisionsAt   int64 `json:"revisionsAt"`
	RevisionsStep int64 `json:"revisionsStep"` // the last step of the engine at which it was so
	Time          int64 `json:"time"`          // since the server has had a change that the station has not reached
	TimeAt        int64 `json:"timeAt"`
	TimeStep      int64 `json:"timeStep"`
}

// Relist is a list after the first.
type Relist struct {
	T      int64  `json:"t"`      // t of the request
	Reason string `json:"reason"` // expired, error, veryShortWatch, watchFailed, closed, undecodable, listedAgain
	Code   int64  `json:"code,omitempty"`
	Items  int64  `json:"items"` // -1 if it failed, or if the recording ends before it came
	Failed bool   `json:"failed,omitempty"`
}

// ListFailure is a list that failed, or was answered with something that is none.
type ListFailure struct {
	T       int64  `json:"t"`
	Code    int    `json:"code,omitempty"`    // HTTP status, 0 where there was no answer
	Reason  string `json:"reason"`            // what client-go takes it for: an apiserver.Failure in words
	Message string `json:"message,omitempty"` // the server's words
}

// Queue says how full the queue got.
type Queue struct {
	Deepest   int   `json:"deepest"` // keys of a DeltaFIFO, deltas of a RealFIFO
	Deltas    int64 `json:"deltas"`  // the most at once
	DeepestAt int64 `json:"at"`      // t of Deepest
}

// Listener is one of Options.Handlers.
type Listener struct {
	Name       string `json:"name"`
	OnAdd      int64  `json:"onAdd"`
	OnUpdate   int64  `json:"onUpdate"`
	OnDelete   int64  `json:"onDelete"`
	Initial    int64  `json:"initial"`    // OnAdd with isInInitialList
	Tombstones int64  `json:"tombstones"` // OnDelete with a DeletedFinalStateUnknown
	Behind     int    `json:"behind"`     // the most notifications on their way to it
	BehindAt   int64  `json:"behindAt"`   // t of Behind
	Late       int64  `json:"late"`       // the longest time that a notification was on its way
	LateAt     int64  `json:"lateAt"`     // t at which the handler got that notification
	Left       int    `json:"left"`       // notifications still on their way at the end
	// Stale is how far behind the server the handler was in what it had handled.
	Stale    Staleness `json:"staleness"`
	Resync   int64     `json:"resync,omitempty"`
	Duration int64     `json:"takes,omitempty"`
}

// Played names a version of client-go that the engine has played as.
type Played struct {
	Profile  string `json:"profile"`
	Versions string `json:"versions"` // the client-go versions that it stands for
}

// SecondVersion is how a second version of client-go fares with the resource, and how its
// calls of handlers differ from the first version's, which is
// Resource.Informer. Where a field has two elements, the first one is the first
// version's.
type SecondVersion struct {
	Informer Informer          `json:"informer"`
	Handlers []HandlerContrast `json:"handlers"` // in the order of Options.Handlers
	Costs    [2]Costs          `json:"costs"`
}

// HandlerContrast compares the calls that a handler gets from two versions of
// client-go. The calls of each key are compared in their order: the function, the
// versions of the objects, and whether there is a tombstone. Whether an object is in
// the initial list is compared where both versions tell handlers. Neither the order of
// different keys nor the time of a call is a difference. Resyncs are compared with
// resyncs only, so a resync may come before a change or after it.
type HandlerContrast struct {
	Handler     string    `json:"handler"`
	Calls       [2]int64  `json:"calls"`                 // in all
	Keys        int       `json:"keys"`                  // whose calls differ; 65 536 stand for as many or more
	Differing   int64     `json:"differing"`             // differences
	Resyncs     int64     `json:"resyncs,omitempty"`     // differences that are about resyncs alone
	Differences []Parting `json:"differences,omitempty"` // the first thousand
	NotRemoved  [2]bool   `json:"notRemoved"`            // the handler is to be removed, and the version has no RemoveEventHandler
	Unfinished  bool      `json:"unfinished,omitempty"`  // one version was too far ahead of the other, so the rest was not compared
}

// Equal reports whether the calls are equal.
func (c *HandlerContrast) Equal() bool { return c.Differing == 0 && !c.Unfinished }

// Parting is a place among the calls of a key where each version makes calls that the
// other doesn't make there.
type Parting struct {
	Key    string    `json:"key"`
	Calls  [2][]Call `json:"calls"`  // the first eight of each; null for none
	Counts [2]int    `json:"counts"` // of all
}

// Costs is what an informer costs, as the engine counts it.
type Costs struct {
	ListRequests  int64   `json:"listRequests"`  // streaming lists are watches
	WatchRequests int64   `json:"watchRequests"` // streaming lists among them
	Lists         int64   `json:"lists"`         // that came and were decoded, streaming lists among them
	Objects       int64   `json:"objects"`       // that were decoded from lists and watch events
	Copies        int64   `json:"copies"`        // objects in the cache at the end
	Deltas        int64   `json:"deltas"`        // queued
	Deduplicated  int64   `json:"deduplicated"`  // of these: two deletions that became one
	Notifications int64   `json:"notifications"` // given to listeners
	Locks         [3]Lock `json:"locks"`
}

// Lock is what a lock of an informer was used for. A lock that is taken and given back
// within one step of the engine is not counted.
type Lock struct {
	Name     string `json:"name"`    // fifo, blockDeltas, listenersLock
	Acquired int64  `json:"taken"`   // how often
	Held     int64  `json:"held"`    // in all
	Longest  int64  `json:"longest"` // time that it was held at once
	Waits    int64  `json:"waits"`   // goroutines that found it taken
	Waited   int64  `json:"waited"`  // by all of them
}

// Remark is a trace.Remark.
type Remark struct {
	ID     string `json:"id"` // one of package convert's
	Count  int64  `json:"count,omitempty"`
	Detail string `json:"detail,omitempty"`
	Text   string `json:"text"` // in English
}

// Problem is a trace.Problem: a place that could not be read, or before which events are
// missing.
type Problem struct {
	Kind   string `json:"kind"` // cut, damaged, tooLong, tooDeep, strange, source, encoding, missing
	Line   int64  `json:"line,omitempty"`
	Offset int64  `json:"offset"` // in bytes of the uncompressed input
	Reason string `json:"reason"`
	Lost   int64  `json:"lost,omitempty"` // about how many watch events are lost there
}

// Mark is a trace.Mark: a note at a moment.
type Mark struct {
	T    int64  `json:"t"`
	Text string `json:"text"`
}

// Log counts what the controller has logged.
type Log struct {
	Entries  int `json:"entries"`
	Warnings int `json:"warnings"`
	Errors   int `json:"errors"` // with those that ended it
}

// Moment formats a time since the capture's start, in nanoseconds, as 1:23.456, or
// as 1:02:03 from an hour on.
func Moment(ns int64) string {
	ms := ns / millisecond
	if ns%millisecond >= millisecond/2 {
		ms++
	}
	s := ms / 1000
	digits := func(n int64, width int) string {
		text := strconv.FormatInt(n, 10)
		return "000"[:max(0, width-len(text))] + text
	}
	if s < 3600 {
		return strconv.FormatInt(s/60, 10) + ":" + digits(s%60, 2) + "." + digits(ms%1000, 3)
	}
	return strconv.FormatInt(s/3600, 10) + ":" + digits(s/60%60, 2) + ":" + digits(s%60, 2)
}

// Call is one call of a handler.
type Call struct {
	Handler   string `json:"handler,omitempty"`
	Fn        string `json:"fn"` // OnAdd, OnUpdate, OnDelete
	Key       string `json:"key"`
	OldRV     string `json:"oldRV,omitempty"` // the old object's resourceVersion, of an OnUpdate
	RV        string `json:"rv"`
	Initial   bool   `json:"initial,omitempty"`   // OnAdd's isInInitialList
	Tombstone bool   `json:"tombstone,omitempty"` // OnDelete got a DeletedFinalStateUnknown
	T         int64  `json:"t"`                   // virtual, in nanoseconds since the trace's start
	Step      int64  `json:"step,omitempty"`      // the engine's step that made it, from 1; only where two machines are compared
}

// Units of time, in nanoseconds.
const (
	second      = 1_000_000_000
	millisecond = 1_000_000
)

// Handler is a handler of the informer that plays.
type Handler = informer.Handler
