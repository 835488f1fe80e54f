package apiserver

import "github.com/informerscope/informerscope/engine/actor"

// What can go wrong at the server's end. A caller of these functions calls Informer.Poll afterwards.

// Cut breaks the open watch: the client sees its end at once.
func (s *Simulated) Cut() {
	if s.state == Open {
		s.stream.broken = true
	}
}

// Fail makes the next n requests fail, or all until another Fail if n is less
// than 0: with 429, 500, a refused connection or whatever else f stands for. If f has
// a code, the answers have the header Retry-After that after stands for.
func (s *Simulated) Fail(f Failure, n int, after RetryAfter) {
	s.fault, s.faults, s.faultAfter = f, n, after
}

// HTTP/2's health check as client-go sets it up, readIdleTimeoutSeconds and
// pingTimeoutSeconds of apimachinery's util/net. It sends a ping after idle
// nanoseconds without a frame, and closes the connection if no answer has come
// unanswered nanoseconds later.
const idle, unanswered = int64(30_000_000_000), int64(15_000_000_000)

// Silence makes the open watch's connection half-open at the time now: nothing comes
// any more, not even the end that the server gives it after the request's time limit.
// The client sets no timer for that end. It finds out after so many nanoseconds, or
// never if after is negative, as where a proxy answers its pings. If after is 0, it
// finds out when a ping stays unanswered.
func (s *Simulated) Silence(after, now int64) {
	if s.state != Open {
		return
	}
	st := &s.stream
	st.silent, st.lost = true, now+after
	switch {
	case after < 0:
		st.lost = actor.Never
	case after == 0:
		heard := max(st.opened, st.heard)
		st.lost = heard + (now-heard)/idle*idle + idle + unanswered // the pings up to now were answered
	}
}

// Restart stops the server now. Requests under way break off, and connections
// are refused for down nanoseconds. The watch cache takes warm nanoseconds
// longer to begin, with an empty window.
func (s *Simulated) Restart(now, down, warm int64) {
	s.up = now + down
	s.Storage.cache.begin(&s.Storage.etcd, s.up+warm)
	s.breakOff(now)
}

// Restore is etcd coming back from a backup made at a revision: everything later
// is undone, and the servers begin anew. Clients have seen the future.
func (s *Simulated) Restore(rev, now int64) {
	s.Storage.etcd.undo(s.cfg.Table, rev)
	s.Storage.cache.begin(&s.Storage.etcd, now)
	s.breakOff(now)
}

// breakOff ends what the client has under way.
func (s *Simulated) breakOff(now int64) {
	switch s.state {
	case Open:
		s.stream.broken = true
	case Listing, Opening:
		s.asked = now
		s.refusal = refusal{failure: Reset, text: resetText}
	}
}

// failed says how the next request fails, if it is to fail.
func (s *Simulated) failed(now int64) refusal {
	switch {
	case now < s.up:
		return refusal{failure: Refused, text: "connection refused"}
	case s.faults != 0:
		s.faults = max(s.faults-1, -1)
		r := faultOf(s.fault)
		if r.code != 0 {
			r.after = s.faultAfter
		}
		return r
	case now < s.Storage.cache.ready && !s.cfg.Classic && !s.cfg.Uncached:
		return refusal{failure: TooManyRequests, code: 429, text: "storage is initializing", after: AfterSeconds(1)}
	}
	return refusal{}
}

const resetText = "connection reset by peer"

// faultOf is the answer with which a server, or a proxy before it, reports f.
// The answer has no Retry-After, so the reflector hears of it at once.
func faultOf(f Failure) refusal {
	switch f {
	case Expired:
		return refusal{failure: f, code: 410, text: "resourceVersion too old"}
	case Gone:
		return refusal{failure: f, code: 410, text: "gone"}
	case TooLarge:
		return refusal{failure: f, code: 504, text: "Too large resource version"}
	case TooManyRequests:
		return refusal{failure: f, code: 429, text: "too many requests"}
	case InternalError:
		return refusal{failure: f, code: 500, text: "internal error"}
	case Refused:
		return refusal{failure: f, text: "connection refused"}
	case Reset:
		return refusal{failure: f, text: resetText}
	}
	return refusal{failure: OtherFailure, code: 403, text: "forbidden"}
}
