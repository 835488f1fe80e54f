package election

import (
	"github.com/informerscope/informerscope/engine/actor"
)

// Config is LeaderElectionConfig. Times are nanoseconds.
type Config struct {
	LeaseDuration   int64
	RenewDeadline   int64
	RetryPeriod     int64
	ReleaseOnCancel bool
	OnStopped       OnStopped
	Gates           Gates // of the version of client-go
}

// OnStopped says what a program does when OnStoppedLeading is called.
type OnStopped uint8

// What a program does then. Where the context of Run has ended, it exits in any case.
const (
	Exits     OnStopped = iota // it ends the process, as kube-controller-manager and controller-runtime's manager do
	Returns                    // nothing: Run returns, and whatever the program has started goes on
	RunsAgain                  // nothing, and it calls RunOrDie again with the same lock when Run has returned
)

var onStopped = [...]string{"exit", "return", "run"}

// OnStoppedNames returns the names of all that a program may do.
func OnStoppedNames() []string { return onStopped[:] }

// Usual are the times of kube-controller-manager and controller-runtime.
var Usual = Config{LeaseDuration: 15 * second, RenewDeadline: 10 * second, RetryPeriod: 2 * second}

// jitterFactor is JitterFactor.
const jitterFactor = 1.2

// Valid reports whether NewLeaderElector takes the times, and the API server the duration.
func (c *Config) Valid() bool {
	return c.LeaseDuration > c.RenewDeadline && float64(c.RenewDeadline) > jitterFactor*float64(c.RetryPeriod) && c.RetryPeriod > 0 && c.LeaseDuration >= second
}

// Phase is where an elector stands.
type Phase uint8

// The phases.
const (
	Waiting    Phase = iota // for its timer, which fires at Wakes
	Acquiring               // it is about to call tryAcquireOrRenew
	Requesting              // a request is under way
	Returned                // Run has returned
)

// purpose says what the request under way is for.
type purpose uint8

const (
	renewsFast purpose = iota // the leader's Update without a Get before it
	reads
	creates
	updates
	releaseReads
	releases
)

// Elector is LeaderElector in its Run. Each method that lets it go on returns the request
// that it sends then, if it sends one.
type Elector struct {
	ID    Identity
	Phase Phase
	Wakes int64 // of Waiting
	Leads bool  // OnStartedLeading was called, and OnStoppedLeading was not yet

	cfg        *Config
	observed   Record
	observedAt int64 // observedTime, by this process's own clock
	raw        Record
	locked     int64 // the version of the Lease that the lock has read or written last; 0 if it has none

	asks      purpose
	wants     Record // what the attempt under way writes
	began     int64  // when the attempt has looked at the clock
	poll      int64  // since when the ticker of the renewal under way runs; Never while it doesn't
	deadline  int64  // when the renewal is given up; Never while none is under way
	ticked    int64  // which tick of its ticker it has taken last
	cancelled bool
}

// Run begins an elector, which tries at once.
func Run(cfg *Config, id Identity) Elector {
	return Elector{ID: id, Phase: Acquiring, cfg: cfg, deadline: actor.Never}
}

// Restarted returns the elector of another process with the same configuration.
func (e *Elector) Restarted(id Identity) Elector { return Run(e.cfg, id) }

// Rerun returns the elector of the same process that RunOrDie makes when it is called again. The lock keeps the
// Lease that it has read or written last.
func (e *Elector) Rerun() Elector {
	n := Run(e.cfg, e.ID)
	n.locked = e.locked
	return n
}

// OnStopped returns what the program does when OnStoppedLeading is called.
func (e *Elector) OnStopped() OnStopped { return e.cfg.OnStopped }

// Cancelled reports whether the context of Run has ended.
func (e *Elector) Cancelled() bool { return e.cancelled }

// Reads reports whether the elector waits for what the Lease is.
func (e *Elector) Reads() bool {
	return e.Phase == Requesting && (e.asks == reads || e.asks == releaseReads)
}

// Releasing reports whether the elector has stopped leading for itself, and gives the lease back.
func (e *Elector) Releasing() bool { return e.Phase == Requesting && e.asks >= releaseReads }

// IsLeader reports whether the record that the elector has seen last names it.
func (e *Elector) IsLeader() bool { return e.observed.Holder == e.ID }

// Observed returns the record that the elector has seen last, and when it saw that the record had
// changed.
func (e *Elector) Observed() (Record, int64) { return e.observed, e.observedAt }

// Expires returns when the elector takes the lease for expired. That is by its own clock, since it
// has last seen the record change.
func (e *Elector) Expires() int64 {
	if !e.cfg.Gates.LeaseTells {
		return e.observedAt + e.cfg.LeaseDuration
	}
	return e.observedAt + e.observed.Seconds*second
}

// Deadline returns when the request under way is given up; Never if there is no limit.
func (e *Elector) Deadline() int64 { return e.deadline }

// Wake fires the timer.
func (e *Elector) Wake(now int64) Request {
	switch {
	case !e.Leads: // JitterUntil
	case e.deadline == actor.Never: // Until calls PollUntilContextTimeout, or PollImmediateUntil
		e.poll, e.ticked, e.deadline = now, now, now+e.cfg.RenewDeadline
		if !e.cfg.Gates.KeepsTicks {
			e.poll = actor.Never
		}
	case now >= e.deadline:
		return e.stop(now)
	default:
		e.ticked = now
	}
	e.Phase = Acquiring
	return Request{}
}

// Try models tryAcquireOrRenew looking at the clock. A process may be late to do so.
func (e *Elector) Try(now int64, draw func() float64) Request {
	if e.expired(now) {
		e.forget(reads)
		return e.acquireReturned(false, now, draw)
	}
	e.began = now
	e.wants = Record{Holder: e.ID, Seconds: e.cfg.LeaseDuration / second, Acquired: now, Renews: now}
	if e.cfg.Gates.RenewsFast && e.IsLeader() && e.valid() {
		e.wants.Acquired, e.wants.Transitions = e.observed.Acquired, e.observed.Transitions
		if e.locked != 0 { // an Update of no Lease fails without a request
			return e.ask(renewsFast)
		}
	}
	return e.ask(reads)
}

// valid reports whether the lease is valid at the time of the attempt (isLeaseValid).
func (e *Elector) valid() bool { return e.Expires() > e.began }

// expired reports whether the context of the attempt has ended.
func (e *Elector) expired(now int64) bool { return e.cancelled || now >= e.deadline }

// forget handles a request that failed. What the client returns with an error is no Lease, and some
// requests leave it to the lock. The client sends no Update of it.
func (e *Elector) forget(failed purpose) {
	if failed == creates || failed == reads && !e.cfg.Gates.KeepsLease {
		e.locked = 0
	}
}

func (e *Elector) ask(what purpose) Request {
	e.Phase, e.asks = Requesting, what
	switch what {
	case reads, releaseReads:
		return Request{Verb: Get}
	case creates:
		return Request{Verb: Create, Record: e.wants}
	}
	return Request{Verb: Update, Record: e.wants, RV: e.locked}
}

// observe models setObservedRecord.
func (e *Elector) observe(r Record, now int64) { e.observed, e.observedAt = r, now }

// Answer takes in the answer to the request under way. Draw returns a random number in
// [0,1).
func (e *Elector) Answer(a Answer, now int64, draw func() float64) Request {
	over := e.asks < releaseReads && e.expired(now)
	if over || now >= e.deadline { // of the renewal or of the release
		a = Answer{Result: Failed}
	}
	ok := a.Result == OK
	if ok {
		e.locked = a.Lease.RV
	} else {
		e.forget(e.asks)
	}
	if over {
		return e.acquireReturned(false, now, draw)
	}
	switch e.asks {
	case renewsFast:
		if !ok {
			return e.ask(reads)
		}
	case reads:
		return e.read(a, now, draw)
	case releaseReads:
		if !ok || !e.IsLeader() || e.cfg.Gates.ReleaseLooks && a.Lease.Holder != e.ID {
			return e.end()
		}
		return e.release(now, a.Lease.Transitions)
	case releases:
		if a.Result == Conflict && e.cfg.Gates.ReleasesAgain {
			return e.ask(releaseReads)
		}
		if ok {
			e.observe(e.wants, now)
		}
		return e.end()
	}
	if ok {
		e.observe(e.wants, now)
	}
	return e.acquireReturned(ok, now, draw)
}

// read does what follows on the Get.
func (e *Elector) read(a Answer, now int64, draw func() float64) Request {
	switch a.Result {
	case OK:
	case NotFound:
		return e.ask(creates)
	default:
		return e.acquireReturned(false, now, draw)
	}
	old := a.Lease.Record
	if e.raw != old.raw() {
		e.observe(old, now)
		e.raw = old.raw()
	}
	switch {
	case old.Holder != 0 && e.valid() && !e.IsLeader():
		return e.acquireReturned(false, now, draw)
	case e.IsLeader():
		e.wants.Acquired, e.wants.Transitions = old.Acquired, old.Transitions
	default:
		e.wants.Transitions = old.Transitions + 1
	}
	return e.ask(updates)
}

// acquireReturned models tryAcquireOrRenew returning.
func (e *Elector) acquireReturned(ok bool, now int64, draw func() float64) Request {
	e.Phase = Waiting
	if !e.Leads {
		after := e.cfg.RetryPeriod + int64(draw()*jitterFactor*float64(e.cfg.RetryPeriod))
		switch {
		case ok: // Run calls OnStartedLeading, and renew begins with an attempt
			e.Leads, e.Wakes = true, now
		case e.cancelled:
			return e.end()
		default:
			e.Wakes = now + after
		}
		return Request{}
	}
	switch {
	case ok:
		e.deadline, e.Wakes = actor.Never, now+e.cfg.RetryPeriod
	case e.expired(now):
		return e.stop(now)
	default:
		e.Wakes = min(max(e.tick(now), now), e.deadline)
	}
	return Request{}
}

// tick returns the next tick of the renewal's ticker. It keeps a tick that comes during an attempt. Up
// to v0.31 it runs only since the end of the first attempt, and such a tick is lost.
func (e *Elector) tick(now int64) int64 {
	if !e.cfg.Gates.KeepsTicks {
		e.poll, e.ticked = min(e.poll, now), now
	}
	return e.poll + ((e.ticked-e.poll)/e.cfg.RetryPeriod+1)*e.cfg.RetryPeriod
}

// Cancel ends the context of Run.
func (e *Elector) Cancel(now int64, draw func() float64) Request {
	if e.cancelled {
		return Request{}
	}
	e.cancelled = true
	switch {
	case e.Phase == Returned || e.Phase == Acquiring || e.Phase == Requesting && e.asks >= releaseReads:
		return Request{}
	case e.Phase == Requesting:
		e.forget(e.asks)
		return e.acquireReturned(false, now, draw)
	case !e.Leads:
		return e.end()
	}
	return e.stop(now)
}

// stop models renew returning.
func (e *Elector) stop(now int64) Request {
	g := &e.cfg.Gates
	e.deadline = actor.Never
	if e.cfg.ReleaseOnCancel && g.EndsRelease {
		e.deadline = now + e.cfg.RenewDeadline
	}
	switch {
	case !e.cfg.ReleaseOnCancel:
	case g.ReleaseReads:
		return e.ask(releaseReads)
	case e.IsLeader() && e.locked != 0:
		return e.release(now, e.observed.Transitions)
	}
	return e.end()
}

// release writes a record of nobody.
func (e *Elector) release(now, transitions int64) Request {
	e.wants = Record{Seconds: 1, Acquired: now, Renews: now, Transitions: transitions}
	return e.ask(releases)
}

// end models Run returning: it calls OnStoppedLeading.
func (e *Elector) end() Request {
	e.Phase, e.Leads, e.deadline = Returned, false, actor.Never
	return Request{}
}

// Hash adds what the elector does next, at the time now.
func (e *Elector) Hash(h *actor.Hash, now int64) {
	h.Bools(e.Leads, e.cancelled, e.raw == e.observed.raw())
	h.Add(uint64(e.ID)<<16 | uint64(e.Phase)<<8 | uint64(e.asks))
	h.Add(uint64(e.locked))
	e.observed.hash(h, now)
	h.Since(e.observedAt, now, 2*e.cfg.LeaseDuration)
	h.Due(e.Wakes, now)
	h.Due(e.deadline, now)
	if !e.cfg.Gates.KeepsTicks && e.deadline != actor.Never && e.poll <= now { // it doesn't follow from the deadline
		h.Since(e.poll, now, e.cfg.RenewDeadline)
	}
}

// Gates are what client-go's versions do differently. The comment of each names the version that
// opened it.
type Gates struct {
	KeepsLease    bool // the lock keeps its Lease when a Get fails, so it can still be released; v0.26
	LeaseTells    bool // a lease lasts as long as the Lease says; before, as long as the elector's LeaseDuration; v0.27
	RenewsFast    bool // a leader renews the Lease without reading it first; v0.30
	EndsRelease   bool // an elector waits for the answer to a release until the RenewDeadline at most; v0.31
	KeepsTicks    bool // a renewal is tried again RetryPeriod after its beginning; before, RetryPeriod after its first failure; v0.32
	ReleaseReads  bool // a release reads the Lease first, and writes to the version that it read; v0.34
	ReleasesAgain bool // a release that is a conflict is tried again; v0.37
	ReleaseLooks  bool // a release whose read finds that another process holds the Lease is given up; v0.38
}
