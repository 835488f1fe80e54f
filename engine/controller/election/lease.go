// Package election is client-go's leader election (tools/leaderelection) as pure data: the
// Lease on the API server, and what an elector does with it. Whoever plays it lets time
// pass, carries the requests to the server, and brings the answers.
package election

import "github.com/informerscope/informerscope/engine/actor"

// Identity is the number of an elector. Each process has another one, as the hostname with a
// uuid behind it that kube-controller-manager takes. 0 is nobody.
type Identity int32

// Record is LeaderElectionRecord, which is the Lease's spec. Times are nanoseconds.
type Record struct {
	Holder           Identity
	Seconds          int64 // leaseDurationSeconds
	Acquired, Renews int64
	Transitions      int64
}

// second and microsecond are in nanoseconds.
const (
	second      = 1_000_000_000
	microsecond = 1_000
)

// sent returns a record as the API server has it: a MicroTime has no smaller part.
func (r Record) sent() Record {
	r.Acquired -= r.Acquired % microsecond
	r.Renews -= r.Renews % microsecond
	return r
}

// raw returns what an elector compares to see whether the record has changed. It is the record
// as JSON, in which a time is a metav1.Time and has whole seconds. So an elector doesn't see
// a renewal in the second of the one before.
func (r Record) raw() Record {
	r.Acquired /= second
	r.Renews /= second
	return r
}

// Lease is the object on the API server. Its RV is 0 if there is none.
type Lease struct {
	Record
	RV int64
}

// Verb is what a request does with the Lease.
type Verb uint8

// The requests.
const (
	NoRequest Verb = iota
	Get
	Create
	Update
)

func (v Verb) String() string { return [...]string{"", "get", "create", "update"}[v] }

// Request is a request of an elector.
type Request struct {
	Verb   Verb
	Record Record // of a write
	RV     int64  // of an Update: the version that it takes the place of
}

// Result is how a request ends.
type Result uint8

// The results.
const (
	OK Result = iota
	NotFound
	AlreadyExists
	Conflict
	Failed // no answer, or another error
)

func (r Result) String() string {
	return [...]string{"ok", "notfound", "exists", "conflict", "failed"}[r]
}

// Answer is the API server's answer.
type Answer struct {
	Result Result
	Lease  Lease
}

// Serve answers a request. If it writes, the Lease gets the resourceVersion rv.
func (l *Lease) Serve(q Request, rv int64) Answer {
	switch {
	case q.Verb == Create && l.RV != 0:
		return Answer{Result: AlreadyExists}
	case q.Verb != Create && l.RV == 0:
		return Answer{Result: NotFound}
	case q.Verb == Update && q.RV != l.RV:
		return Answer{Result: Conflict}
	case q.Verb != Get:
		*l = Lease{q.Record.sent(), rv}
	}
	return Answer{OK, *l}
}

// Hash adds the Lease at the time now.
func (l *Lease) Hash(h *actor.Hash, now int64) { l.hash(h, now) }

func (r *Record) hash(h *actor.Hash, now int64) {
	h.Add(uint64(r.Holder)<<32 | uint64(r.Seconds))
	h.Since(r.Renews, now, 2*r.Seconds*second)
}
