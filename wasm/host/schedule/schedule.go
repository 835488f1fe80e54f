// Package schedule lets long jobs share one thread with each other and with messages that
// come from outside. A job does a little at a time. Between two slices of any jobs, the
// messages that wait have their turn.
//
// The jobs take turns in the order in which they were started, so none starves. There are
// two exceptions: a job can wait for another kind of job to be done, and it can rest while
// the page paints.
package schedule

import "slices"

const (
	// Slice is how long a job works before others have their turn, in nanoseconds.
	Slice = 12_000_000
	// ReportEvery is how often a job reports how far it is, in nanoseconds.
	ReportEvery = 250_000_000
)

// Clock is what a Schedule needs of its surroundings.
type Clock interface {
	// Now returns the time of a monotonic clock, in nanoseconds.
	Now() int64
	// Later calls f after the messages that have arrived by then have been handled.
	Later(f func())
}

// Job is work that is done in slices.
type Job interface {
	// Work goes on until the clock has come to a time, and reports whether there is more to do.
	Work(until int64) (more bool)
	// Report tells how far the job is.
	Report()
	// Stop is called when something ends the job before its work is done. The events are
	// those that have ended it, or 0 if another job of its kind takes its place.
	Stop(on Event)
}

// Silent is the part of a job that reports nothing, or has nothing to let go of when it is stopped. Such a job embeds it.
type Silent struct{}

// Report does nothing.
func (Silent) Report() {}

// Stop does nothing.
func (Silent) Stop(Event) {}

// Event is a set of things that happen and can end jobs. Whoever makes the Schedule says
// what the bits mean.
type Event uint16

// Terms say when a job has its turn, and what ends it.
type Terms struct {
	Kind   string // a job ends any other one of its kind
	Ends   Event  // any of these ends the job
	After  string // the job waits while one of this kind is under way; "" for none
	Rests  bool   // it rests while the page paints
	AtOnce bool   // its first slice is made when it is started, because the viewer waits for it
}

// Schedule runs jobs.
type Schedule struct {
	clock   Clock
	notice  func() Event
	jobs    []*entry // the one whose turn is next is the first
	due     bool     // a turn will come
	resting bool
}

// entry is a job that is under way.
type entry struct {
	Terms
	job       Job
	reported  int64
	restarted bool // it was started again since its slice began
	ended     bool
}

// New returns a Schedule without jobs. Before each turn, and before a job is started, notice
// returns what has happened since it was called last.
func New(c Clock, notice func() Event) *Schedule { return &Schedule{clock: c, notice: notice} }

// Now returns the time of the clock.
func (s *Schedule) Now() int64 { return s.clock.Now() }

// Start lets a job begin. A job that is under way already goes on.
func (s *Schedule) Start(j Job, t Terms) {
	s.End(s.notice())
	if i := s.find(t.Kind); i >= 0 {
		old := s.jobs[i]
		if old.job == j {
			old.restarted = true
			return
		}
		s.end(old, 0)
	}
	e := &entry{Terms: t, job: j, reported: s.clock.Now()}
	s.jobs = append(s.jobs, e)
	if t.AtOnce {
		s.work(e)
	}
	s.plan()
}

// Busy reports whether any job is under way.
func (s *Schedule) Busy() bool { return len(s.jobs) > 0 }

// Running returns the job of a kind that is under way, or nil.
func (s *Schedule) Running(kind string) Job {
	if i := s.find(kind); i >= 0 {
		return s.jobs[i].job
	}
	return nil
}

// Stop ends the job of a kind, if one is under way. What ends it is told to the job.
func (s *Schedule) Stop(kind string, on Event) {
	if i := s.find(kind); i >= 0 {
		s.end(s.jobs[i], on)
	}
}

// End ends all jobs that any of these events ends.
func (s *Schedule) End(on Event) {
	for _, e := range slices.Clone(s.jobs) {
		if e.Ends&on != 0 && !e.ended {
			s.end(e, e.Ends&on)
		}
	}
}

// SetPainting tells the schedule whether the page paints. Meanwhile no job works that rests then.
func (s *Schedule) SetPainting(on bool) {
	s.resting = on
	s.plan()
}

func (s *Schedule) find(kind string) int {
	return slices.IndexFunc(s.jobs, func(e *entry) bool { return e.Kind == kind })
}

func (s *Schedule) remove(e *entry) {
	s.jobs = slices.DeleteFunc(s.jobs, func(x *entry) bool { return x == e })
}

func (s *Schedule) end(e *entry, on Event) {
	e.ended = true
	s.remove(e)
	e.job.Stop(on)
}

// next returns the job whose turn it is, or nil if none can work.
func (s *Schedule) next() *entry {
	for _, e := range s.jobs {
		if !(s.resting && e.Rests) && (e.After == "" || s.find(e.After) < 0) {
			return e
		}
	}
	return nil
}

// plan makes a turn come, if a job can work.
func (s *Schedule) plan() {
	if s.due || s.next() == nil {
		return
	}
	s.due = true
	s.clock.Later(func() {
		s.due = false
		s.End(s.notice())
		if e := s.next(); e != nil {
			s.work(e)
		}
		s.plan()
	})
}

// work makes a slice of a job. If there is more to do, its next turn is after the others'.
func (s *Schedule) work(e *entry) {
	e.restarted = false
	more := e.job.Work(s.clock.Now() + Slice)
	if e.ended {
		return
	}
	s.remove(e)
	if !more && !e.restarted {
		e.ended = true
		return
	}
	s.jobs = append(s.jobs, e)
	if now := s.clock.Now(); now-e.reported >= ReportEvery {
		e.reported = now
		e.job.Report()
	}
}
