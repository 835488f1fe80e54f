package apiserver

import (
	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/object"
)

// SimConfig is what a Simulated server is made with. Copies share it.
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
	// NoBookmarks leaves out the bookmarks that tell of progress, which no server
	// has to send. A streaming list still has the bookmark at its end.
	NoBookmarks bool
	// Buffer is how many events may wait for one watcher before its watch is
	// ended; 0 for 100.
	Buffer int
	// CompactEvery is the time in nanoseconds between etcd's compactions, each of
	// which drops what was old at the one before; 0 for none but by command.
	CompactEvery int64
	Revision     int64 // the cluster's when the server begins; the first write gets the next one
	// Ages has the server write into each object when it was created.
	Ages  bool
	Quota int64 // how many objects there may be, as a ResourceQuota says; 0 for any number
	Seed  uint64
}

// Simulated is an API server, or one replica of it, as it stands to one
// resource and one client. What it holds is written by Create, Update and
// Delete; its revisions count the writes to all resources, so a caller with
// several servers tells each about the others' writes by Storage.Advance.
type Simulated struct {
	Storage Storage

	cfg  *SimConfig
	rand actor.Rand

	state   State
	opts    object.ListOptions
	asked   int64
	refusal refusal // of the pending request
	stream  stream
	said    said

	up         int64 // nobody listens before that, ns
	fault      Failure
	faults     int        // how many more requests fail with it; less than 0: all
	faultAfter RetryAfter // of the answers that fail them
}

// said is what a Simulated has answered so far.
type said struct {
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

func (r refusal) is() bool { return r.failure != NoFailure }

// NewSimulated returns a server without objects.
func NewSimulated(cfg *SimConfig) *Simulated {
	s := &Simulated{cfg: cfg, rand: actor.Rand(cfg.Seed), Storage: Storage{cfg: cfg, then: cfg.Revision}}
	s.Storage.etcd.revision = cfg.Revision
	s.Storage.cache.begin(&s.Storage.etcd, 0)
	s.stream.killed = -1
	return s
}

var _ Server = (*Simulated)(nil)

// CopyTo makes dst, if it is a Simulated, equal to s, or else a new one.
func (s *Simulated) CopyTo(dst Server) Server {
	c, ok := dst.(*Simulated)
	if !ok {
		c = new(Simulated)
	}
	etcd, tape := c.Storage.etcd, c.said.tape
	*c = *s
	c.Storage.etcd, c.said.tape = etcd, append(tape[:0], s.said.tape...)
	c.Storage.etcd.copyFrom(&s.Storage.etcd)
	return c
}

// Dial returns another client's connection to the same server. What is written
// has to be written to both.
func (s *Simulated) Dial() Server {
	c := s.CopyTo(nil).(*Simulated)
	c.Hangup()
	c.said = said{}
	return c
}

// Config returns what the server was made with.
func (s *Simulated) Config() *SimConfig { return s.cfg }

// Message is the text of the last error that was sent.
func (s *Simulated) Message() string { return s.said.message }

// State tells what the connection does.
func (s *Simulated) State() State { return s.state }

func (s *Simulated) write(c change) {
	s.Storage.write(c)
	s.overflow()
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

// Hangup is the client that stops its watch, or gives up a request.
func (s *Simulated) Hangup() { s.state = Idle }

// Due returns when the pending answer arrives, or the next thing on an open
// stream: actor.Never if nothing will unless something is written.
func (s *Simulated) Due() (at int64, ok bool) {
	switch s.state {
	case Listing:
		return s.planList().at, true
	case Opening:
		return s.planOpen().at, true
	case Open:
		_, at, _ = s.planStream()
		return at, true
	}
	return actor.Never, true
}

// Take returns what Due announced.
func (s *Simulated) Take() Answer {
	switch s.state {
	case Listing:
		return s.takeList()
	case Opening:
		return s.takeOpen()
	}
	return s.takeStream()
}

// Known is 0: what comes of a simulated server by itself is always known.
func (s *Simulated) Known() int64 { return 0 }

// Retried reports false: a server answers each try.
func (s *Simulated) Retried() bool { return false }

// NextRequest reports false: no client was recorded.
func (s *Simulated) NextRequest() (at int64, ok bool) { return 0, false }

// Quiet tells whether nothing is under way but a watch on which only bookmarks
// and its end, or a ping's failure, will come, unless something is written.
func (s *Simulated) Quiet() bool {
	if s.state != Open {
		return false
	}
	what, at, _ := s.planStream()
	return what == sendNothing || what == sendBookmark ||
		what == sendEnd && !s.stream.broken && (s.stream.silent || at >= s.stream.deadline)
}
