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
	Recovered Result = "recovered"   // the client was sent everything, and follows
	NotWithin Result = "not-within"  // it wasn't, in the time that it had
	Ended     Result = "ended"       // the command has
	NotAsked  Result = "not-asked"   // the client asks for nothing that the fault could be done to
	NotInStep Result = "not-in-step" // the client wasn't sent everything before the fault
)

// Wrong is something that a client does wrong.
type Wrong string

const (
	Missed   Wrong = "missed"    // its watches have been open for a second, and what it lacks has not come on them
	Storm    Wrong = "storm"     // it asks too much
	TooEarly Wrong = "too-early" // it asks again before the time of Retry-After is over
	WentBack Wrong = "went-back" // it asks for versions again that it was sent
)

// Problem is something that is wrong, and what shows it.
type Problem struct {
	ID     Wrong  `json:"id"`
	Reader string `json:"reader"` // what is listed and watched, such as "pods in shop"
	Text   string `json:"text"`
}

// Verdict is what the wire tells of a client in a fault.
type Verdict struct {
	Fault    string        `json:"fault"`
	About    string        `json:"about"`
	Result   Result        `json:"result"`
	After    time.Duration `json:"after"`  // between the end of the fault and the recovery, or the end of the wait
	Within   time.Duration `json:"within"` // which it had
	Requests int           `json:"requests"`
	Busiest  int           `json:"busiest"`        // the most requests of a reader within a second
	From     []string      `json:"from,omitempty"` // by which requests each reader went on: "pods: watch from 41"
	SentAll  bool          `json:"sentAll"`        // its lists and watches cover every version
	Lacks    []string      `json:"lacks,omitempty"`
	Problems []Problem     `json:"problems,omitempty"`
	Exit     string        `json:"exit,omitempty"` // how the command ended
	Process  string        `json:"process"`        // "main" or "beside"; the trace has its name
	At       time.Duration `json:"at"`             // when the fault began, since the beginning of the trace

	recovered time.Time
}

// Bad reports whether the client does something wrong.
func (v *Verdict) Bad() bool {
	return v.Result == NotWithin || v.Result == Ended || v.Result == NotInStep || len(v.Problems) > 0
}

// Text says in a few words what came of the fault.
func (v *Verdict) Text() string {
	s := ""
	switch v.Result {
	case Recovered:
		s = "recovered after " + plain.Duration(int64(v.After.Round(time.Millisecond)))
	case NotWithin:
		s = "not within " + plain.Duration(int64(v.After.Round(time.Second)))
	case Ended:
		return "the command ended: " + v.Exit
	case NotAsked:
		return "not asked for"
	case NotInStep:
		return "not in step before it, within " + plain.Duration(int64(v.Within.Round(time.Second)))
	}
	var wrong []string
	for _, p := range v.Problems {
		if !slices.Contains(wrong, string(p.ID)) {
			wrong = append(wrong, string(p.ID))
		}
	}
	return strings.Join(append([]string{s}, wrong...), ", ")
}

// Report is what came of all faults.
type Report struct {
	Command  []string  `json:"command"`
	Readers  []string  `json:"readers"` // what the command lists and watches
	Writes   int       `json:"writes"`  // of the command
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
		l.wire.mu.Unlock()
	}
	r.Verdicts = append(r.Verdicts, l.verdicts...)
}

// Bad returns in how many faults the client does something wrong.
func (r *Report) Bad() (n int) {
	for i := range r.Verdicts {
		if r.Verdicts[i].Bad() {
			n++
		}
	}
	return n
}

// mostLacks is how many keys are named.
const mostLacks = 5

// conclude says what came of a fault that has begun.
func (l *lane) conclude(v Verdict, got outcome) Verdict {
	v.Result = map[outcome]Result{came: Recovered, late: NotWithin, ended: Ended}[got]
	if got == ended {
		v.Exit = l.process.how()
	}
	v.SentAll = true
	for _, r := range l.followers() {
		lacks := l.lacks(r)
		if len(lacks) > 0 {
			v.SentAll = false
			for _, key := range lacks[:min(len(lacks), mostLacks)] {
				v.Lacks = append(v.Lacks, r.resource()+" "+key)
			}
			if got == late && l.need[r] > 0 && l.healthy(r, time.Now().Add(-time.Second)) {
				v.Problems = append(v.Problems, Problem{Missed, r.name(), fmt.Sprintf("%s open, and %s of %s never sent: %s", plain.Plural64(int64(l.need[r]), "watch is", "watches are"),
					plain.Plural(len(lacks), "version"), r.name(), strings.Join(lacks[:min(len(lacks), mostLacks)], ", "))})
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
	var times []time.Time
	var refused *exchange
	usual := 0 // in a second before the fault
	var before []time.Time
	again, from := 0, ""
	for _, x := range r.asked {
		if x.at.Before(l.faultAt) {
			if x.token == "" {
				before = append(before, x.at)
			}
			continue
		}
		again += x.again
		if !v.recovered.IsZero() && !x.at.After(v.recovered) {
			v.Requests++
		}
		if x.token != "" && x.code == 200 {
			continue
		}
		times = append(times, x.at)
		if refused != nil && l.need[r] <= 1 && x.at.Before(refused.failure.Add(refused.after-early)) {
			v.problem(Problem{TooEarly, r.name(), fmt.Sprintf("asked again %s after an answer with Retry-After %s", plain.Duration(int64(x.at.Sub(refused.failure))), plain.Duration(int64(refused.after)))})
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
	usual = busiest(before)
	n := busiest(times)
	v.Busiest = max(v.Busiest, n)
	if n > max(mostPerSecond*max(l.need[r], 1), 2*usual) {
		v.problem(Problem{Storm, r.name(), fmt.Sprintf("%s within a second", plain.Plural(n, "request"))})
	}
	if again > 0 && l.need[r] <= 1 {
		v.problem(Problem{WentBack, r.name(), fmt.Sprintf("asked for versions that it had been sent before: %s came again", plain.Plural(again, "answer"))})
	}
}

// problem adds a problem, unless there is one of its kind with the same reader.
func (v *Verdict) problem(p Problem) {
	if !slices.ContainsFunc(v.Problems, func(q Problem) bool { return q.ID == p.ID && q.Reader == p.Reader }) {
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

// busiest returns how many of some times, which are in order, are within one second at most.
func busiest(times []time.Time) (most int) {
	first := 0
	for i, t := range times {
		for t.Sub(times[first]) > time.Second {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}
