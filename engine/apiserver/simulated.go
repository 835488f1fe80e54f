package apiserver

import (
	"slices"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/apiserver/registry"
	"github.com/informerscope/informerscope/engine/object"
)

// SimConfig is what a [Simulated] server is made with. Copies share it.
type SimConfig struct {
	Table    *object.Table
	Versions *Versions

	// Selects is the label and field selector of the requests, nil for none.
	Selects func(t *object.Table, r object.Ref) bool
	// Classic answers as servers of v0.22's time do: a list without a
	// resourceVersion comes from etcd, there are no streaming lists, and a client
	// that comes before the watch cache has begun waits.
	Classic bool
	// Uncached leaves out the watch cache, as servers do for Events: everything
	// comes from etcd.
	Uncached bool
	// Shards says what becomes of the shard selectors of requests.
	Shards Sharding
	// NoBookmarks leaves out the bookmarks that tell of progress, which no server
	// has to send. A streaming list still has the bookmark at its end.
	NoBookmarks bool
	// Buffer is how many events may wait for one watcher before its watch is
	// ended; 0 for 1000.
	Buffer int
	// CompactEvery is the time in nanoseconds between etcd's compactions, each of
	// which drops what was old at the one before; 0 for none but by command.
	CompactEvery int64
	Revision     int64 // the cluster's when the server begins; the first write gets the next one
	// Ages has the server write into each object when it was created.
	Ages  bool
	Quota int64 // how many objects there may be, as a ResourceQuota says; 0 for any number
	// Graceful makes a delete only mark an object, as for a Pod with a grace period. Whoever runs
	// the object deletes it for good.
	Graceful bool
	// Refuses is asked about each write, and returns a failure, or registry.Updated; nil for none.
	Refuses func(Write) registry.Answer
	Seed    uint64
}

// Simulated is an API server, or one replica of it, as it stands to one
// resource and one client. What it holds is written by Create, Update and
// Delete; its revisions count the writes to all resources, so a caller with
// several servers tells each about the others' writes by [Storage.Advance].
type Simulated struct {
	Storage Storage

	cfg  *SimConfig
	rand actor.Rand

	state    State
	opts     object.ListOptions
	asked    int64
	refusal  refusal // of the pending request
	stream   stream
	timeouts []int64 // when the server ends each watch that its client has left open; immutable
	sent     sentLog

	listensAt  int64 // nobody listens before that, ns
	fault      Failure
	faults     int        // how many more requests fail with it; less than 0: all
	faultAfter RetryAfter // of the answers that fail them
}

// sentLog is what a Simulated has answered so far.
type sentLog struct {
	sent    int64 // watch events
	newest  object.RV
	latest  object.Ref // the object that was sent last
	tape    []Sent     // the watch events that were sent last
	message string
	erred   bool // what it answered last was the error of that message
}

// refusal is an error instead of an answer. A zero Failure and Code is none.
type refusal struct {
	failure Failure
	code    int32
	text    string
	after   RetryAfter // the server says when to come back
	token   object.Sym // after an expired continue token: a token with which the list goes on all the same
}

func (r refusal) failed() bool { return r.failure != NoFailure }

// NewSimulated returns a server without objects.
func NewSimulated(cfg *SimConfig) *Simulated {
	s := &Simulated{cfg: cfg, rand: actor.Rand(cfg.Seed), Storage: Storage{cfg: cfg, compactRevision: cfg.Revision}}
	s.Storage.etcd.revision = cfg.Revision
	s.Storage.cache.begin(&s.Storage.etcd, 0)
	s.stream.killed = -1
	return s
}

var _ Server = (*Simulated)(nil)

// CopyTo makes dst, if it is a [Simulated], equal to s, or else a new one.
func (s *Simulated) CopyTo(dst Server) Server {
	c, ok := dst.(*Simulated)
	if !ok {
		c = new(Simulated)
	}
	etcd, tape := c.Storage.etcd, c.sent.tape
	*c = *s
	c.Storage.etcd, c.sent.tape = etcd, append(tape[:0], s.sent.tape...)
	c.Storage.etcd.copyFrom(&s.Storage.etcd)
	return c
}

// Dial returns another client's connection to the same server. What is written
// has to be written to both.
func (s *Simulated) Dial() Server {
	c := s.CopyTo(nil).(*Simulated)
	c.Hangup()
	c.sent, c.timeouts = sentLog{}, nil
	return c
}

// Config returns what the server was made with.
func (s *Simulated) Config() *SimConfig { return s.cfg }

// Message returns the text of the last error that was sent.
func (s *Simulated) Message() string { return s.sent.message }

// leave keeps an open watch that the client has neither stopped nor read to its end when it sends its next request at
// the time now. The server ends it when its timeout is over.
func (s *Simulated) leave(now int64) {
	if s.state == Open {
		s.timeouts = append(s.stillOpen(now), s.stream.deadline)
	}
}

// stillOpen returns a copy of timeouts without those that have ended at the time now.
func (s *Simulated) stillOpen(now int64) []int64 {
	return slices.DeleteFunc(slices.Clone(s.timeouts), func(end int64) bool { return end <= now })
}

// OpenWatches returns how many watches the client has open at the time now, those included that it has left open. The
// API server counts them in apiserver_longrunning_requests.
func (s *Simulated) OpenWatches(now int64) int {
	n := len(s.stillOpen(now))
	if s.state == Open {
		n++
	}
	return n
}

// Disconnect closes all connections of the client, since its process has ended.
func (s *Simulated) Disconnect() {
	s.Hangup()
	s.timeouts = nil
}

// State tells what the connection does.
func (s *Simulated) State() State { return s.state }

func (s *Simulated) write(c change) {
	s.Storage.write(c)
	s.overflow(s.Storage.etcd.end() - 1)
	s.trim()
}

// Compact makes etcd forget what was before the revision reached.
func (s *Simulated) Compact() {
	s.Storage.etcd.compact = s.Storage.etcd.revision
	s.trim()
}

// trim drops what nobody can ask for any more.
func (s *Simulated) trim() {
	pos := min(s.Storage.etcd.after(s.Storage.etcd.compact), s.Storage.cache.from)
	if s.state == Open {
		pos = min(pos, s.stream.next)
	}
	s.Storage.etcd.trim(pos)
}

// Hangup stops the client's watch, or gives up its request.
func (s *Simulated) Hangup() { s.state = Idle }

// Due returns when the pending answer arrives, or the next thing on an open
// stream: actor.Never if nothing will unless something is written.
func (s *Simulated) Due() (at int64, ok bool) {
	switch s.state {
	case Listing:
		return s.planList().time, true
	case Opening:
		return s.planOpen().time, true
	case Open:
		_, at, _ = s.planStream()
		return at, true
	}
	return actor.Never, true
}

// Take returns what [Simulated.Due] announced.
func (s *Simulated) Take() Answer {
	switch s.state {
	case Listing:
		return s.takeList()
	case Opening:
		return s.takeOpen()
	}
	return s.takeStream()
}

// KnownUntil returns 0: what comes of a simulated server by itself is always known.
func (s *Simulated) KnownUntil() int64 { return 0 }

// Retried reports false: a server answers each try.
func (s *Simulated) Retried() bool { return false }

// NextRequest reports false: no client was recorded.
func (s *Simulated) NextRequest() (at int64, ok bool) { return 0, false }

// Quiet reports whether nothing is under way but a watch on which only bookmarks
// and its end, or a ping's failure, will come, unless something is written.
func (s *Simulated) Quiet() bool {
	if s.state != Open {
		return false
	}
	what, at, _ := s.planStream()
	return what == sendNothing || what == sendBookmark ||
		what == sendEnd && !s.stream.broken && (s.stream.silent || at >= s.stream.deadline)
}

func (r *refusal) hash(h *actor.Hash) {
	h.Add(uint64(r.failure) | uint64(uint32(r.code))<<8)
}

// Hash adds the server's state at the time now.
func (s *Simulated) Hash(h *actor.Hash, now int64) {
	h.Add(uint64(s.state) | uint64(s.fault)<<8 | uint64(uint32(s.faults))<<16)
	if s.faults != 0 {
		h.Add(uint64(s.faultAfter))
	}
	h.Add(uint64(s.rand))
	h.Add(uint64(s.Storage.etcd.revision))
	h.Add(uint64(s.Storage.etcd.compact))
	h.Due(s.listensAt, now)
	for i := len(s.Storage.etcd.log) - 1; i >= 0; i-- {
		c := &s.Storage.etcd.log[i]
		if i == len(s.Storage.etcd.log)-1 {
			h.Add(uint64(c.rev))
		}
		if s.cfg.Uncached && c.written <= now-hop || !s.cfg.Uncached && c.visible <= now-hop {
			break // everything before it is as old
		}
		h.Due(c.written+hop, now)
		h.Due(c.visible, now-hop)
	}
	w := &s.Storage.cache
	h.Add(uint64(w.from))
	h.Add(uint64(w.window))
	h.Add(uint64(w.listed))
	h.Add(uint64(w.progress))
	h.Add(uint64(w.lag))
	h.Bools(w.dropped, w.stuck)
	h.Due(w.ready, now)
	for _, end := range s.stillOpen(now) {
		h.Due(end, now)
	}
	switch s.state {
	case Listing, Opening:
		h.Since(s.asked, now, longAgo)
		h.Add(uint64(s.opts.RV))
		h.Add(uint64(s.opts.Limit) | uint64(s.opts.Match)<<32)
		h.Add(uint64(s.opts.Continue))
		h.Bools(s.opts.SendInitialEvents, s.opts.Bookmarks)
		s.refusal.hash(h)
	case Open:
		s.stream.hash(h, now)
	}
}

// DialSelecting does what [Simulated.Dial] does, for a client with a selector of its own, nil for none.
func (s *Simulated) DialSelecting(selects func(t *object.Table, r object.Ref) bool) *Simulated {
	c := s.Dial().(*Simulated)
	cfg := *s.cfg
	cfg.Selects = selects
	c.cfg = &cfg
	return c
}

// DialSharing does what [Simulated.DialSelecting] does, without a copy of what the server holds. Only s may be written to, and
// [Simulated.Share] must be called before the connection is used again.
func (s *Simulated) DialSharing(selects func(t *object.Table, r object.Ref) bool) *Simulated {
	c, cfg := *s, *s.cfg
	cfg.Selects = selects
	c.cfg, c.sent, c.timeouts = &cfg, sentLog{}, nil
	c.Hangup()
	return &c
}

// Share takes over what other holds, whose DialSharing has returned s, and counts what was written meanwhile against the watcher's
// buffer. A watch that is so late that its changes are forgotten breaks, unless it was refused and is to be told so.
func (s *Simulated) Share(other *Simulated) {
	pos := s.Storage.etcd.end()
	s.Storage = other.Storage
	for pos = max(pos, s.Storage.etcd.base); pos < s.Storage.etcd.end(); pos++ {
		s.overflow(pos)
	}
	if s.state == Open && s.stream.next < s.Storage.etcd.base && !s.stream.refusal.failed() {
		s.stream.broken = true
	}
}

// Reopen sends the request that was pending when the server took over.
func (s *Simulated) Reopen(was State, o object.ListOptions, now int64) {
	switch was {
	case Listing:
		s.List(o, now)
	case Opening:
		s.Watch(o, now)
	}
}

// View describes the server to an observer, with up to past and coming watch events on either side.
func (s *Simulated) View(past, coming int) View {
	v := View{
		State: s.state, Sent: s.sent.sent, Total: -1, Newest: s.sent.newest, Latest: s.sent.latest, Objects: s.Storage.etcd.n,
		Revision: object.NumberRV(uint64(s.Storage.etcd.revision)),
	}
	if s.sent.erred {
		v.Message = s.sent.message
	}
	v.Silent, v.Cut = s.state == Open && s.stream.silent, s.state == Open && s.stream.broken
	oldest := s.Storage.etcd.compact
	if !s.cfg.Uncached {
		oldest = s.Storage.oldest()
	}
	v.Oldest = object.NumberRV(uint64(oldest))
	v.Due, _ = s.Due()
	v.Amid = s.state == Open && (s.stream.pos < len(s.stream.initial) || s.stream.end)
	for i := len(s.sent.tape) - 1; i >= max(0, len(s.sent.tape)-past); i-- {
		v.Recent = append(v.Recent, s.sent.tape[i])
	}
	v.Coming = s.coming(coming)
	return v
}

func (s *sentLog) add(r Record) {
	s.sent++
	if r.RV != 0 {
		s.newest = r.RV
	}
	if r.Obj != 0 {
		s.latest = r.Obj
	}
	if len(s.tape) == TapeLen {
		s.tape = s.tape[:copy(s.tape, s.tape[1:])]
	}
	s.tape = append(s.tape, Sent{r, s.sent})
}

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

// Bookmark has etcd tell the watch cache of its progress, and the server send a bookmark on the open watch, after what it
// has to send already. A watch without bookmarks gets none.
func (s *Simulated) Bookmark(now int64) {
	if s.Storage.cachedAt(s.Storage.etcd.end()) <= now {
		s.Storage.cache.progress = s.Storage.etcd.revision
	}
	if s.state == Open && s.stream.bookmark != actor.Never {
		s.stream.bookmark = now
	}
}

// Restart stops the server now. Requests under way break off, and connections
// are refused for down nanoseconds. The watch cache takes warm nanoseconds
// longer to begin, with an empty window.
func (s *Simulated) Restart(now, down, warm int64) {
	s.listensAt = now + down
	s.Storage.cache.begin(&s.Storage.etcd, s.listensAt+warm)
	s.breakOff(now)
}

// Restore brings etcd back from a backup made at a revision: everything later
// is undone, and the servers begin anew. Clients have seen the future.
func (s *Simulated) Restore(rev, now int64) {
	s.Storage.etcd.undo(s.cfg.Table, rev)
	s.Storage.cache.begin(&s.Storage.etcd, now)
	s.breakOff(now)
}

// breakOff ends what the client has under way.
func (s *Simulated) breakOff(now int64) {
	s.timeouts = nil
	switch s.state {
	case Open:
		s.stream.broken = true
	case Listing, Opening:
		s.asked = now
		s.refusal = refusal{failure: Reset, text: resetText}
	}
}

// nextRefusal says how the next request fails, if it is to fail. A server whose watch cache has not
// begun answers 429, as Cacher.Watch does.
func (s *Simulated) nextRefusal(now int64) refusal {
	switch {
	case now < s.listensAt:
		return refusal{failure: Refused, text: "connection refused"}
	case s.faults != 0:
		s.faults = max(s.faults-1, -1)
		r := refusalFor(s.fault)
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

// refusals are the answers with which a server, or a proxy before it, reports a failure. None has a Retry-After, so
// the reflector hears of it at once.
var refusals = [numFailures]refusal{
	Expired:         {failure: Expired, code: 410, text: "resourceVersion too old"},
	Gone:            {failure: Gone, code: 410, text: "gone"},
	TooLarge:        {failure: TooLarge, code: 504, text: "Too large resource version"},
	TooManyRequests: {failure: TooManyRequests, code: 429, text: "too many requests"},
	InternalError:   {failure: InternalError, code: 500, text: "internal error"},
	Refused:         {failure: Refused, text: "connection refused"},
	Reset:           {failure: Reset, text: resetText},
	BadRequest:      {failure: BadRequest, code: 400, text: "the request is invalid"},
	Unauthorized:    {failure: Unauthorized, code: 401, text: "Unauthorized"},
	Forbidden:       {failure: Forbidden, code: 403, text: "forbidden"},
	NotFound:        {failure: NotFound, code: 404, text: "the server could not find the requested resource"},
}

// refusalFor returns the answer for f. A failure that has none is another one.
func refusalFor(f Failure) refusal {
	if r := refusals[f]; r.failed() {
		return r
	}
	return refusal{failure: OtherFailure, code: 403, text: "forbidden"}
}
