package try

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/plain"
)

// Result is what came of a fault.
type Result string

const (
	Recovered Result = "recovered"  // the client was sent everything, and follows
	NotWithin Result = "not-within" // the client wasn't sent everything in its time, or doesn't follow
	Ended     Result = "ended"      // the command has ended
	NotAsked  Result = "not-asked"  // the client asks for nothing that the fault could be done to
	NotPlayed Result = "not-played" // the fault wasn't, for a reason that says nothing of the client in the fault
)

// ProblemID names something that a client does wrong.
type ProblemID string

const (
	Missed   ProblemID = "missed"    // its watches have been open for a second, and what it lacks has not come on them
	Storm    ProblemID = "storm"     // it asks too much
	TooEarly ProblemID = "too-early" // it asks again before the time of Retry-After is over
	WentBack ProblemID = "went-back" // it asks for versions again that it was sent

	Missing ProblemID = "missing" // what it writes without faults isn't there
	Extra   ProblemID = "extra"   // it has written more of something than without faults
	Differs ProblemID = "differs" // a field isn't as without faults
	Undone  ProblemID = "undone"  // the script's last write of an object was undone
)

// Problem is something that is wrong, and what shows it.
type Problem struct {
	ID     ProblemID     `json:"id"`
	Reader string        `json:"reader,omitempty"` // what is listed and watched, such as "pods in shop"; "" for what is written
	Text   string        `json:"text"`
	Time   time.Duration `json:"at"` // its moment, since the beginning of the trace
}

func (p *Problem) String() string {
	return strings.TrimSuffix(string(p.ID)+", "+p.Reader, ", ") + ": " + p.Text
}

// Verdict is what the wire tells of a client in a fault.
type Verdict struct {
	Fault    string        `json:"fault"`
	Resource string        `json:"about"`
	Result   Result        `json:"result"`
	After    time.Duration `json:"after"`  // between the end of the fault and the recovery, or the end of the wait
	Within   time.Duration `json:"within"` // the time that the client had
	Requests int           `json:"requests"`
	Busiest  int           `json:"busiest"`        // the most requests of a reader within a second
	From     []string      `json:"from,omitempty"` // by which requests each reader went on: "pods: watch from 41"
	SentAll  bool          `json:"sentAll"`        // its lists and watches cover every version
	Lacks    []string      `json:"lacks,omitempty"`
	Problems []Problem     `json:"problems,omitempty"`
	Helps    string        `json:"helps,omitempty"`  // what a client has to do, if this one does something wrong
	Exit     string        `json:"exit,omitempty"`   // how the command ended
	Reason   string        `json:"reason,omitempty"` // why the fault wasn't played
	Process  string        `json:"process"`          // "main", "beside", or of a process that was started later "main-2"; its trace has this name
	Time     time.Duration `json:"at"`               // when the fault began, since the beginning of the trace

	recovered, trace time.Time // when the client had recovered, and when the trace began
}

// lost reports whether the client no longer follows.
func (v *Verdict) lost() bool {
	return v.Result == NotWithin || v.Result == Ended || v.Result == NotPlayed
}

// Bad reports whether the client does something wrong.
func (v *Verdict) Bad() bool {
	return v.Result == NotWithin || v.Result == Ended || len(v.Problems) > 0
}

// outcomeText says in words what came of the fault.
func (v *Verdict) outcomeText() string {
	switch v.Result {
	case Recovered:
		return "recovered after " + plain.Duration(int64(v.After.Round(time.Millisecond)))
	case NotWithin:
		return "not within " + plain.Duration(int64(v.After.Round(time.Second)))
	case Ended:
		return "the command ended: " + v.Exit
	case NotAsked:
		return "not asked for"
	}
	return "not played"
}

// Text says in a few words what came of the fault, and what is wrong.
func (v *Verdict) Text() string {
	return strings.Join(append([]string{v.outcomeText()}, v.problemIDs()...), ", ")
}

// problemIDs returns the IDs of the problems, each once.
func (v *Verdict) problemIDs() (all []string) {
	for _, p := range v.Problems {
		if !slices.Contains(all, string(p.ID)) {
			all = append(all, string(p.ID))
		}
	}
	return all
}

// remedies say what a client has to do that recovers, and yet does something wrong.
var remedies = map[ProblemID]string{
	Storm: "wait longer after each failure", TooEarly: "wait as long as Retry-After says", WentBack: "go on from the last version that it was sent",
	Missing: "look at all that a list brings", Differs: "look at all that a list brings", Extra: "find what it has created before it creates more",
	Undone: "write with the resourceVersion that it has read",
}

// remedy returns what a client has to do that does something wrong in a fault.
func (v *Verdict) remedy(f *fault) string {
	if v.Result == NotWithin || v.Result == Ended {
		return f.helps
	}
	var all []string
	for _, p := range v.Problems {
		if r := remedies[p.ID]; !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return strings.Join(all, "; ")
}

// Summary returns the result and the IDs of the problems, as "recovered too-early".
func (v *Verdict) Summary() string {
	return strings.Join(append([]string{string(v.Result)}, v.problemIDs()...), " ")
}

// Report is what came of all faults.
type Report struct {
	Command  []string  `json:"command"`
	Readers  []string  `json:"readers"`           // what the command lists and watches
	Writes   int       `json:"writes"`            // of the command
	Unknown  []string  `json:"unknown,omitempty"` // writes that the server can't do, which a real one can
	Compared int       `json:"compared"`          // how many objects are compared with runs without faults
	Varies   []string  `json:"varies,omitempty"`  // what isn't compared, because those runs differ in it
	Verdicts []Verdict `json:"verdicts"`
}

func (r *Report) add(l *lane) {
	for name := range l.read {
		if !slices.Contains(r.Readers, name) {
			r.Readers = append(r.Readers, name)
		}
	}
	slices.Sort(r.Readers)
	if l.wire != nil {
		l.wire.mu.Lock()
		r.Writes += l.wire.writes
		r.Unknown = append(r.Unknown, l.wire.unknown...)
		l.wire.mu.Unlock()
		slices.Sort(r.Unknown)
		r.Unknown = slices.Compact(r.Unknown)
	}
	if l.usual != nil {
		r.Compared = max(r.Compared, len(l.usual.runs[0]))
		r.Varies = append(r.Varies, l.usual.varies()...)
		slices.Sort(r.Varies)
		r.Varies = slices.Compact(r.Varies)
	}
	r.Verdicts = append(r.Verdicts, l.verdicts...)
}

// mostLacks is how many keys are named.
const mostLacks = 5

// conclude says what came of a fault that has begun.
func (l *lane) conclude(v Verdict, got outcome) Verdict {
	v.Result = map[outcome]Result{happened: Recovered, late: NotWithin, ended: Ended}[got]
	if got == ended {
		v.Exit = l.process.describeEnd()
	}
	v.SentAll = true
	for _, r := range l.followers() {
		lacks := l.lacks(r)
		if len(lacks) > 0 {
			v.SentAll = false
			for _, key := range lacks[:min(len(lacks), mostLacks)] {
				v.Lacks = append(v.Lacks, r.resource()+" "+key)
			}
			if got == late && l.need[r] > 0 && l.healthy(r, l.watched) {
				v.problem(Missed, r, time.Time{}, "%s open, and %s of %s not sent: %s", plain.Plural64(int64(l.need[r]), "watch is", "watches are"),
					plain.Plural(len(lacks), "version"), r.name(), strings.Join(lacks[:min(len(lacks), mostLacks)], ", "))
			}
		}
		l.wire.mu.Lock()
		v.judge(r, l)
		l.wire.mu.Unlock()
	}
	return v
}

// mostPerSecond is how many requests of a reader within a second are no storm, for each of its watches.
const mostPerSecond = 10

// early is how much before the time of Retry-After a request may come.
const early = 100 * time.Millisecond

// judge looks at what a reader has asked for since the fault.
func (v *Verdict) judge(r *reader, l *lane) {
	var before, times []time.Time // before all faults, and since this one
	var refused *exchange
	again, from := 0, ""
	for _, x := range r.requests {
		if x.token == "" && x.at.Before(l.calmTo) {
			before = append(before, x.at)
		}
		if x.at.Before(l.faultAt) {
			continue
		}
		again += x.repeats
		if !v.recovered.IsZero() && !x.at.After(v.recovered) {
			v.Requests++
		}
		if x.token != "" && x.code == 200 {
			continue
		}
		times = append(times, x.at)
		if refused != nil && l.need[r] <= 1 && x.at.Before(refused.failure.Add(refused.after-early)) {
			v.problem(TooEarly, r, x.at, "asked again %s after an answer with Retry-After %s", plain.Duration(int64(x.at.Sub(refused.failure))), plain.Duration(int64(refused.after)))
		}
		if refused = nil; x.after > 0 && !x.failure.IsZero() {
			refused = x
		}
		if x.code == 200 && x.done && !x.expired {
			from = x.asks() // the list goes before its watch
			if x.watch {
				v.From = append(v.From, r.name()+": "+from)
				from = ""
			}
		}
	}
	if from != "" {
		v.From = append(v.From, r.name()+": "+from)
	}
	usual, _ := busiest(before)
	n, first := busiest(times)
	v.Busiest = max(v.Busiest, n)
	if n > max(mostPerSecond*max(l.need[r], 1), 2*usual) {
		v.problem(Storm, r, first, "%s within a second", plain.Plural(n, "request"))
	}
	if again > 0 && l.need[r] <= 1 {
		v.problem(WentBack, r, time.Time{}, "asked for versions that it had been sent before: %s came again", plain.Plural(again, "answer"))
	}
}

// problem adds a problem at a time, or at the fault's beginning, unless there is one of its kind with the same reader.
func (v *Verdict) problem(id ProblemID, r *reader, at time.Time, format string, args ...any) {
	p := Problem{ID: id, Reader: r.name(), Text: fmt.Sprintf(format, args...), Time: v.Time}
	if !at.IsZero() {
		p.Time = at.Sub(v.trace)
	}
	if !slices.ContainsFunc(v.Problems, func(q Problem) bool { return q.ID == id && q.Reader == p.Reader }) {
		v.Problems = append(v.Problems, p)
	}
}

// asks says what a request asks for.
func (x *exchange) asks() string {
	what := "list"
	switch {
	case x.streaming:
		what = "streaming list"
	case x.watch:
		what = "watch"
	}
	if x.from == "" {
		return what
	}
	return what + " from " + x.from
}

// busiest returns how many of some times, which are in order, are within one second at most, and the first of these.
func busiest(times []time.Time) (most int, from time.Time) {
	first := 0
	for i, t := range times {
		for t.Sub(times[first]) > time.Second {
			first++
		}
		if n := i - first + 1; n > most {
			most, from = n, times[first]
		}
	}
	return most, from
}
