package follow

import (
	"errors"
	"strconv"

	"github.com/informerscope/informerscope/engine/fault"
)

// State says what a Follower does.
type State uint8

const (
	Waiting  State = iota // to ask for what is next, until Status.Until
	Listing               // for a list, or the initial events of a watch
	Watching              // for watch events
	Ended                 // stopped for good
)

func (s State) String() string { return [...]string{"waiting", "listing", "watching", "ended"}[s] }

// Reason says why a Follower waits.
type Reason uint8

const (
	None        Reason = iota // it does not wait: the next request can be sent at once
	Lost                      // there is nobody to ask (connection refused)
	Broken                    // the connection broke
	TimedOut                  // the answer did not come in time
	Short                     // the server ended a watch at once
	Expired                   // the resourceVersion is too old (410): a list follows
	Busy                      // the server asks for patience (429)
	ServerError               // the server failed (5xx, or such an ERROR event)
	Denied                    // not allowed (401, 403)
	Missing                   // there is no such resource (404)
	Rejected                  // the server does not understand the request
	Unreadable                // we do not understand the answer
)

func (r Reason) String() string {
	return [...]string{"none", "lost", "broken", "timedOut", "short", "expired", "busy", "serverError", "denied", "missing", "rejected", "unreadable"}[r]
}

// asError says the Reason as an error, for where there is no other.
func (r Reason) asError() error {
	switch r {
	case Lost:
		return fault.Plain("nobodyAnswers")
	case Broken:
		return fault.Plain("connectionBroke")
	case TimedOut:
		return fault.Plain("noAnswerInTime")
	case Short:
		return fault.Plain("watchEndedEarly")
	}
	return fault.Plain("errorNoMessage")
}

// textError returns the error whose message is a text of the server or of the connection; nil for none.
func textError(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

// Status tells how things stand with a Follower. Times are in nanoseconds since
// the trace's start.
type Status struct {
	State    State
	Since    int64  // when that State began
	Reason   Reason // while Waiting
	Until    int64  // while Waiting
	Events   int64  // watch events so far, bookmarks and errors too
	Bytes    int64  // of all answers
	Lists    int64  // that were begun; the pages of one count as one
	Relists  int64  // lists after the first whole one
	Received bool   // an object may have come: a page of a list, or a watch event that is no ERROR
	Err      error  // the last error; nil if there was none
	WhyAt    int64  // when that was
}

func (f *Follower) enter(t int64, s State) {
	if f.state.State != s {
		f.state.State, f.state.Since = s, t
	}
}

// wait puts the next request off, for at least so many nanoseconds.
func (f *Follower) wait(t int64, r Reason, why error, atLeast int64) {
	if why == nil {
		why = r.asError()
	}
	delay := int64(slowly)
	if r != Denied && r != Missing && r != Rejected {
		delay = f.backoff.next(t)
	}
	f.enter(t, Waiting)
	f.state.Reason, f.state.Until = r, t+max(delay, atLeast)
	f.state.Err, f.state.WhyAt = why, t
}

// slowly is how long to wait if trying again will hardly help.
const slowly = 30 * second

// backoff is how long to wait after a failure: each time twice as long, as in
// client-go's reflector, with its figures.
type backoff struct {
	random func() float64
	delay  int64
	last   int64
}

const (
	firstDelay = 800_000_000
	maxDelay   = 30 * second
	calm       = 120 * second // after so long without a failure, the back-off begins again
)

func (b *backoff) next(t int64) int64 {
	if t-b.last > calm {
		b.delay = 0
	}
	b.last = t
	b.delay = min(max(2*b.delay, firstDelay), maxDelay)
	if b.random == nil {
		return b.delay
	}
	return b.delay + int64(b.random()*float64(b.delay))
}

func (b *backoff) reset() { b.delay = 0 }

// reasonOf says why to wait after an answer that ended in that way.
func reasonOf(how Ending) Reason {
	switch how {
	case Refused:
		return Lost
	case Timeout:
		return TimedOut
	case EOF:
		return Short
	}
	return Broken
}

// retryAfter reads the header, in nanoseconds. A server may not ask for more
// than a few minutes.
func retryAfter(s string) int64 {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return 0
	}
	return int64(min(n, 300)) * second
}
