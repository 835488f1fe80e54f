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
	Quota        int64 // how many objects there may be, as a ResourceQuota says; 0 for any number
	Seed         uint64
}

// Simulated is an API server, or one replica of it, as it stands to one
// resource and one client. What it holds is written by Create, Update and
// Delete; its revisions count the writes to all resources, so a caller with
// several servers tells each about the others' writes by Advance.
type Simulated struct {
	cfg   *SimConfig
	etcd  history
	cache watchCache
	rand  actor.Rand

	state   State
	opts    object.ListOptions
	asked   int64
	refusal refusal // of the pending request
	stream  stream

	up       int64 // nobody listens before that, ns
	fault    Failure
	faults   int // how many more requests fail with it; less than 0: all
	compacts int64
	then     int64 // the revision at the last of CompactEvery

	faultAfter RetryAfter // of the answers that fail them

	sent    int64
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
	s := &Simulated{cfg: cfg, rand: actor.Rand(cfg.Seed)}
	s.etcd.revision, s.then = cfg.Revision, cfg.Revision
	s.cache.begin(&s.etcd, 0)
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
	etcd, tape := c.etcd, c.tape
	*c = *s
	c.etcd, c.tape = etcd, append(tape[:0], s.tape...)
	c.etcd.copyFrom(&s.etcd)
	return c
}

// Dial returns another client's connection to the same server. What is written
// has to be written to both.
func (s *Simulated) Dial() Server {
	c := s.CopyTo(nil).(*Simulated)
	c.Hangup()
	c.sent, c.newest, c.latest, c.tape, c.message, c.erred = 0, 0, 0, nil, "", false
	return c
}

// Revision is the cluster's.
func (s *Simulated) Revision() int64 { return s.etcd.revision }

// Compacted is the oldest revision that can be read.
func (s *Simulated) Compacted() int64 { return s.etcd.compact }

// Window tells how many changes the watch cache has room for, and the revision
// from which it can serve a watch.
func (s *Simulated) Window() (size int, oldest int64) {
	return s.cache.window, s.cache.oldest(&s.etcd)
}

// Get returns the version of k that lives, or 0.
func (s *Simulated) Get(k object.Key) object.Ref { return s.etcd.get(k) }

// Len is how many objects live.
func (s *Simulated) Len() int { return s.etcd.n }

// Full reports whether the quota of s is used up, so that s creates nothing more.
func Full(s *Simulated) bool { return s.cfg.Quota > 0 && int64(s.etcd.n) >= s.cfg.Quota }

// Objects appends those that live, in the order of their keys.
func (s *Simulated) Objects(dst []object.Ref) []object.Ref {
	return s.etcd.objects(s.cfg.Table, s.etcd.end(), dst)
}

// Config returns what the server was made with.
func (s *Simulated) Config() *SimConfig { return s.cfg }

// State tells what the connection does.
func (s *Simulated) State() State { return s.state }

// Events is how many watch events were sent.
func (s *Simulated) Events() int64 { return s.sent }

// Newest is the resourceVersion last sent.
func (s *Simulated) Newest() object.RV { return s.newest }

// Message is the text of the last error that was sent.
func (s *Simulated) Message() string { return s.message }

// Written appends the versions of an object that etcd has written and still keeps,
// in their order.
func (s *Simulated) Written(k object.Key, dst []object.Ref) []object.Ref {
	for i := range s.etcd.log {
		if c := &s.etcd.log[i]; s.cfg.Table.KeyOf(c.obj) == k {
			if c.old != 0 && len(dst) == 0 {
				dst = append(dst, c.old)
			}
			dst = append(dst, c.obj)
		}
	}
	return dst
}

// HasWritten reports whether a version is the one that was written last.
func (s *Simulated) HasWritten(r object.Ref) bool {
	n := len(s.etcd.log)
	return n > 0 && s.etcd.log[n-1].obj == r
}

// LastWritten returns the key of the object written last, and its versions
// before and after; after a deletion, the second is its last content at the
// deletion's revision.
func (s *Simulated) LastWritten() (k object.Key, old, new object.Ref) {
	c := s.etcd.change(s.etcd.end() - 1)
	return s.cfg.Table.KeyOf(c.obj), c.old, c.obj
}

func (s *Simulated) write(c change) {
	s.autoCompact(c.at)
	c.seen = s.cache.seen(&s.etcd, c.at)
	s.etcd.write(s.cfg.Table, c)
	s.cache.took(&s.etcd, c.at)
	s.overflow()
	s.trim()
}

// Advance tells of a write to another resource.
func (s *Simulated) Advance(rev, now int64) {
	s.autoCompact(now)
	s.etcd.revision = rev
	if now < s.cache.ready {
		s.cache.listed = rev
	}
}

func (s *Simulated) autoCompact(now int64) {
	if every := s.cfg.CompactEvery; every != 0 && now-s.compacts >= every {
		s.etcd.compact = max(s.etcd.compact, s.then)
		s.compacts, s.then = now, s.etcd.revision
	}
}

// Compact makes etcd forget what was before the revision reached.
func (s *Simulated) Compact() {
	s.etcd.compact = s.etcd.revision
	s.trim()
}

// trim drops what nobody can ask for any more.
func (s *Simulated) trim() {
	pos := min(s.etcd.after(s.etcd.compact), s.cache.from)
	if s.state == Open {
		pos = min(pos, s.stream.next)
	}
	s.etcd.trim(pos)
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
