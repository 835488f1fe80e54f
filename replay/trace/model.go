// Package trace holds what a capture of a cluster's API traffic says, in the
// one model that every format is read into, and reads and writes informerscope's
// own format.
//
// Package replay/format reads any capture into a Trace, and tells its format by what is in it. [NewDecoder]
// reads informerscope's own format alone, line by line, and [NewWriter] writes it. FORMAT.md beside
// this file describes that format.
//
//	reader := format.NewReader(format.Options{})
//	err := reader.Write(chunk) // chunks of any size, until the file ends
//	err = reader.Close()       // an error means that nothing could be read
//	for _, r := range reader.Trace().Resources { … }
//
// A Trace only ever grows while it is read, so an engine can run on the beginning of a file whose
// end has not arrived. It is not safe to read a Trace in one goroutine while another adds to it.
// Times are nanoseconds since the start of the recording.
//
// Damage doesn't end the reading. A place that can't be read becomes a [Problem], with an estimate of
// what was lost there, and everything around it is kept. Input is not trusted: lines, nesting, problems,
// handlers and series are bounded.
package trace

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
)

// Trace is a capture.
type Trace struct {
	Header     Header
	Format     string // what it was read from: trace, watch, kubectl, list, or what it was converted from; "" until that is known
	NoTimes    bool   // the format has no times: events are evenly spaced, so their times are made up
	Resources  []*Resource
	Marks      []Mark
	Log        []Logged // of the recorded process
	Series     []Series // that were measured meanwhile
	Remarks    []Remark
	Registered []Registered // where handlers were given to the recorder
	CacheReads []CacheRead  // by the recorded program's code
	Edits      []byte       // a viewer's changes to the run, as an object of JSON; nil for none

	// OtherLine gets each line of our own format that this package passes over, with the time of the
	// line in nanoseconds since the start. Package worker has a function for it. It may be nil.
	OtherLine func(at int64, line []byte) error

	Records  int64 // over all resources
	Now      int64 // up to here it is known what came, in nanoseconds since the start
	Complete bool  // nothing will be added any more

	Problems     []Problem // the first MaxProblems of them
	ProblemCount int64     // of all
	Gaps         int64     // how many of them are Missing: nothing is damaged there
	Lost         int64     // an estimate of how many watch events are lost at all of them

	labelSet []object.Label
	known    *[numKnown]digestedObject // nil until a digest was read
	worked   bool                      // its events were worked out, and need not be what the API server sends
}

// Header is the first line of our own format.
type Header struct {
	Version   int
	Start     string // RFC 3339, "" where it is not known
	Recorder  string
	Server    string
	Note      string
	Redacted  []string // what was taken out
	Truncated bool     // something is missing: the beginning was dropped, or the recorder could not keep up
	From      string   // the format that it was converted from, "" for none
	Level     string   // where the recorder sat: AtTransport, AtClient, or "" where that is not known
	Spaced    bool     // the format in From has no times: events are evenly spaced, so their times are made up
}

// Where a recorder sits: below the retries of client-go's rest.Request, where it
// sees each try, or above them, where it sees only what failed for good.
const (
	AtTransport = "transport"
	AtClient    = "client"
)

// Remark says what must be known to read a trace rightly: what its format does
// not tell, or what was worked out. The IDs are package convert's.
type Remark struct {
	ID     string
	Count  int64  // how many times, where that means something
	Detail string // what it is about, in no language: a name, a flag
}

// Mark is a note at a moment.
type Mark struct {
	Time int64 // nanoseconds since the start
	Text string
}

// maxRemarks is how many different Remarks a trace can have.
const maxRemarks = 50

// AddRemark adds r. If the Remark is there already, AddRemark only raises its Count.
func (t *Trace) AddRemark(r Remark) {
	for i := range t.Remarks {
		if old := &t.Remarks[i]; old.ID == r.ID && old.Detail == r.Detail {
			old.Count += r.Count
			return
		}
	}
	if len(t.Remarks) < maxRemarks {
		t.Remarks = append(t.Remarks, r)
	}
}

// MaxProblems is how many Problems are kept; the others are only counted.
const MaxProblems = 100

// ProblemKind says what is wrong with a place.
type ProblemKind string

const (
	Cut     ProblemKind = "cut"     // the input ends in the middle of something
	Damaged ProblemKind = "damaged" // not JSON, or not of the shape that stands here
	TooLong ProblemKind = "tooLong" // a line or value longer than the reader takes in
	TooDeep ProblemKind = "tooDeep" // nested deeper than MaxDepth
	Strange ProblemKind = "strange" // JSON, but nothing that can be played
	Source  ProblemKind = "source"  // the input could not be read on: the disk, the network, the compression

	// Missing: nothing is damaged there, but events before it must be missing.
	Missing ProblemKind = "missing"
	// Encoding: there are bytes that are not UTF-8. Each run of them was read as the
	// replacement character, and nothing else is lost.
	Encoding ProblemKind = "encoding"
)

// Problem is a place that could not be read, or before which events are
// missing. Everything around it was read.
type Problem struct {
	Kind   ProblemKind
	Line   int64 // from 1; 0 where the input has no lines
	Offset int64 // in the uncompressed input, in bytes
	Err    error // what is wrong there
	Lost   int64 // an estimate of how many watch events are lost there
}

// Error returns the English sentence.
func (p Problem) Error() string { return p.Fault().Error() }

// Fault returns the Problem as an error with an id. It says the place, where that is known.
func (p Problem) Fault() error {
	switch {
	case p.Line != 0:
		return fault.New("inLine line byte why", p.Line, p.Offset, p.Err)
	case p.Offset != 0:
		return fault.New("atByte byte why", p.Offset, p.Err)
	}
	return p.Err
}

// Unwrap returns what is wrong.
func (p Problem) Unwrap() error { return p.Err }

// Report counts p, and keeps it if there are not too many.
func (t *Trace) Report(p Problem) {
	t.ProblemCount++
	if p.Kind == Missing {
		t.Gaps++
	}
	t.Lost += p.Lost
	if len(t.Problems) < MaxProblems {
		t.Problems = append(t.Problems, p)
	}
}

// Resource is everything that one reflector got to see: the lists and watches
// of one resource, one after the other. Requests for different namespaces or
// selectors are different Resources, and so are two readers of the same thing
// whose requests overlap in time.
type Resource struct {
	Group, Version, Resource string // "apps", "v1", "deployments"
	Kind                     string // of its objects; "" until one was seen, or a list of them
	Namespace                string // "" for all
	LabelSelector            string
	FieldSelector            string
	Reader                   int  // 1 for the first reader of this; more for overlapping ones
	Base                     bool // the recording begins later than the reader: what it had by then is made, and its handlers were called before

	Asked      int64 // when the streaming list was sent that has no answer so far, if it is Unanswered
	Canceled   int64 // when the client gave it up, 0 if it didn't
	Unanswered bool

	Started *Started // who started the informer; nil where that was not recorded
	Sizes   Sizes    // of objects that the recording does not have whole

	Table    *object.Table
	Records  []Record
	Handlers []*Handler // whose calls were recorded

	Events int // watch events among the Records, bookmarks and errors too
	Lists  int // lists among them

	Forgotten int // records before Records[0] that are no longer held: see Forget

	apiVersion string // of its objects; "" until an object that names it was seen

	keep   int // the first record, counted from 1, that may be needed to begin a list again; 0 for none
	texts  []string
	trace  *Trace
	number int32 // of the Resource in the Trace
	// siblings is set where the Trace has other Resources of the same resource.
	siblings bool
	last     []object.Ref // the last version of an object, by its UID
	gaps     gaps
}

// sameResource reports whether r and o are of one resource, whatever their namespaces and selectors are.
func (r *Resource) sameResource(o *Resource) bool {
	return r.Group == o.Group && r.Resource == o.Resource
}

// NewResource adds a Resource to t.
func (t *Trace) NewResource(r Resource) *Resource {
	r.Table = object.NewTable(nil)
	r.texts = make([]string, 1)
	r.trace, r.number = t, int32(len(t.Resources))
	for _, o := range t.Resources {
		if r.sameResource(o) {
			r.siblings, o.siblings = true, true
		}
	}
	t.Resources = append(t.Resources, &r)
	return &r
}

// IsNamed reports whether r is called so by its Name, or by its plural alone, such as pods. "" is a name of every resource.
func (r *Resource) IsNamed(name string) bool {
	return name == "" || name == r.Resource || name == r.Name()
}

// ForgetCalls lets go of all calls of handlers that are held.
func (r *Resource) ForgetCalls() {
	for _, h := range r.Handlers {
		h.Forget()
	}
}

// Qualified returns the name of a resource or a kind with its group, as kubectl takes it: "deployments.apps", "pods".
func Qualified(name, group string) string {
	if group == "" {
		return name
	}
	return name + "." + group
}

// Name returns the resource as kubectl names it, with what sets it apart:
// "deployments.apps", "pods in shop, app=web".
func (r *Resource) Name() string {
	s := Qualified(r.Resource, r.Group)
	if r.Namespace != "" {
		s += " in " + r.Namespace
	}
	if r.LabelSelector != "" {
		s += ", " + r.LabelSelector
	}
	if r.FieldSelector != "" {
		s += ", " + r.FieldSelector
	}
	if r.Reader > 1 {
		s += " #" + strconv.Itoa(r.Reader)
	}
	return s
}

// Covers reports whether a reader of r's namespace and selectors sees all objects that one of o's sees.
func (r *Resource) Covers(o *Resource) bool {
	return r.Group == o.Group && r.Resource == o.Resource && (r.Namespace == "" || r.Namespace == o.Namespace) &&
		(r.LabelSelector == "" || r.LabelSelector == o.LabelSelector) && (r.FieldSelector == "" || r.FieldSelector == o.FieldSelector)
}

// Handler returns the recorded handler of that name, nil if there is none.
func (r *Resource) Handler(name string) *Handler {
	if i := slices.IndexFunc(r.Handlers, func(h *Handler) bool { return h.Name == name }); i >= 0 {
		return r.Handlers[i]
	}
	return nil
}

// Text returns the text that belongs to a record: an error's message, or "".
func (r *Resource) Text(rec Record) string { return r.texts[rec.Text] }

// text keeps s for a record.
func (r *Resource) text(s string) int32 {
	if s == "" {
		return 0
	}
	if s == r.texts[len(r.texts)-1] {
		return int32(len(r.texts) - 1)
	}
	r.texts = append(r.texts, s)
	return int32(len(r.texts) - 1)
}

// Append adds a record. Times never go back: an earlier time is replaced by the last one.
func (r *Resource) Append(rec Record) {
	if n := len(r.Records); n > 0 {
		rec.Time = max(rec.Time, r.Records[n-1].Time)
	}
	r.Records = append(r.Records, rec)
	r.trace.Records++
	if rec.Obj == 0 {
		r.follow(&r.Records[len(r.Records)-1])
	}
	switch rec.Kind {
	case WatchEvent, WatchBookmark, InitialEnd:
		r.Events++
	case ListEnd:
		r.Lists++
	}
}

// Kind says what a Record is.
type Kind uint8

const (
	ListBegin     Kind = iota + 1 // a list was asked for. RV: which one
	ListItem                      // Obj. The pages of one list follow one another as one list
	ListEnd                       // the whole list is there. RV: the list's; Code: its number of pages, where more than one
	ListError                     // the list failed: Failure, Code, Text
	WatchOpen                     // the watch was accepted. RV: from where; Streaming: it begins with the initial events
	WatchError                    // the watch was refused: Failure, Code, Text
	WatchEvent                    // Type, Obj, RV; of a TypeError Failure, Code, Text. OtherKind is the only Failure of another type
	WatchBookmark                 // RV; Failure: OtherKind or none
	InitialEnd                    // RV. The bookmark annotated k8s.io/initial-events-end
	WatchEnd                      // the stream ended: Failure and Text say how, none for a clean end
)

func (k Kind) String() string {
	return [...]string{"", "ListBegin", "ListItem", "ListEnd", "ListError", "WatchOpen", "WatchError", "WatchEvent", "WatchBookmark", "InitialEnd", "WatchEnd"}[k]
}

// Type is a watch event's type.
type Type uint8

const (
	NoType       Type = iota
	TypeAdded         // ADDED
	TypeModified      // MODIFIED
	TypeDeleted       // DELETED
	TypeError         // ERROR
	TypeUnknown       // one that client-go does not know
)

func (t Type) String() string {
	return [...]string{"", "ADDED", "MODIFIED", "DELETED", "ERROR", "unknown"}[t]
}

// Failure classifies errors as client-go's reflector tells them apart.
type Failure uint8

const (
	NoFailure       Failure = iota
	Expired                 // apierrors.IsResourceExpired: the resourceVersion is too old
	Gone                    // apierrors.IsGone
	TooLarge                // isTooLargeResourceVersionError: newer than the server
	TooManyRequests         // apierrors.IsTooManyRequests
	InternalError           // apierrors.IsInternalError
	Refused                 // utilnet.IsConnectionRefused
	Reset                   // the connection broke
	OtherFailure            // anything else
	BrokenOff               // utilnet.IsProbableEOF: EOF, a closed connection, GOAWAY
	TimedOut                // utilnet.IsTimeout
	ConnectionLost          // utilnet.IsHTTP2ConnectionLost
	Undecodable             // an answer of code 200 that is cut short, or is of the wrong kind
	OtherKind               // of an event: its object has another kind or apiVersion than the resource's objects
)

func (f Failure) String() string {
	return [...]string{"", "Expired", "Gone", "TooLarge", "TooManyRequests", "InternalError", "Refused", "Reset", "Other", "BrokenOff", "TimedOut", "ConnectionLost", "Undecodable", "OtherKind"}[f]
}

// Record is one thing that the recorder saw, in the order in which it saw it.
// What the fields mean depends on Kind; those it doesn't mention are zero.
type Record struct {
	Time      int64 // nanoseconds since the start; never goes back within a Resource
	RV        object.RV
	Obj       object.Ref
	Code      int32 // HTTP status or Status.code
	Text      int32 // see Resource.Text
	Request   int32 // which request of the trace it belongs to, from 1; 0 where the format has none
	Kind      Kind
	Type      Type
	Failure   Failure
	Streaming bool // sendInitialEvents was asked for
	Canceled  bool // of WatchEnd: the client ended it
	Bookmarks bool // of WatchOpen: allowWatchBookmarks was asked for
	Missing   bool // of WatchEvent: at least one event before it is missing in the capture
	Backwards bool // of WatchEvent and WatchBookmark: its resourceVersion is lower than one before

	RetryAfter int32 // of an answer with that header, its seconds plus 1; 0 for none, and for a date
}

// Handler is a ResourceEventHandler of the recorded process.
type Handler struct {
	Name      string
	Calls     []Call
	Forgotten int // calls before Calls[0] that are no longer held: see Forget
	// Repeated counts the calls that another one with the same key and versions had come shortly before. They are looked
	// for where the trace has several informers of the resource: one informer tells a handler of each change once.
	Repeated int
	Kinds    bool // some calls have named the kind of the resource's objects

	recent []Call // the last ones, in a ring, where repeated ones are looked for
	next   int    // in recent
}

// recentCalls is among how many calls a repeated one is looked for.
const recentCalls = 64

// add keeps a call. siblings says that the trace has several informers of the handler's resource.
func (h *Handler) add(c Call, siblings bool) {
	h.Calls = append(h.Calls, c)
	if !siblings || c.OldRV == c.RV {
		return
	}
	if h.recent == nil {
		h.recent = make([]Call, recentCalls)
	}
	for _, o := range h.recent {
		if o.Fn == c.Fn && o.Key == c.Key && o.OldRV == c.OldRV && o.RV == c.RV {
			h.Repeated++
			break
		}
	}
	h.recent[h.next] = c
	h.next = (h.next + 1) % recentCalls
}

// sharedCalls is the threshold of Shared for two resources. An object of one may have the key of another's, so a few calls
// may be taken for another informer's, unless they name the objects' kinds. Of one resource, one repeated call is enough.
const sharedCalls = 6

// Shared returns another resource that has a handler with the name of h, which is one of r's, and how many calls each of the
// two handlers got; nil if there is none. A recording names the handler of a call and not its informer, so nobody can tell
// their calls apart. The numbers follow from the calls' keys and versions.
func (r *Resource) Shared(h *Handler) (other *Resource, calls, others int64) {
	for _, o := range r.trace.Resources {
		if o == r {
			continue
		}
		n, m, repeated, kinds := h.callCount(), 0, h.Repeated, false
		if x := o.Handler(h.Name); x != nil {
			m, repeated, kinds = x.callCount(), repeated+x.Repeated, h.Kinds && x.Kinds && r.Kind != o.Kind
		}
		switch {
		case r.sameResource(o) && repeated > 0:
			return o, int64(n + m - repeated), int64(repeated)
		case min(n, m) >= sharedCalls || kinds:
			return o, int64(n), int64(m)
		}
	}
	return nil, 0, 0
}

// SharesName reports whether any two resources share a handler of that name. Its calls may then stand with any of them.
func (r *Resource) SharesName(name string) bool {
	for _, o := range r.trace.Resources {
		if h := o.Handler(name); h != nil {
			if other, _, _ := o.Shared(h); other != nil {
				return true
			}
		}
	}
	return false
}

// callCount returns how many calls there were.
func (h *Handler) callCount() int { return h.Forgotten + len(h.Calls) }

// Forget lets go of all calls that are held.
func (h *Handler) Forget() {
	h.Forgotten += len(h.Calls)
	h.Calls = h.Calls[:0]
}

// Fn is a ResourceEventHandler's method.
type Fn uint8

const (
	OnAdd Fn = iota + 1
	OnUpdate
	OnDelete
)

func (f Fn) String() string { return [...]string{"", "OnAdd", "OnUpdate", "OnDelete"}[f] }

// fnOf returns the method of that name, 0 for none.
func fnOf(name string) Fn {
	switch name {
	case "OnAdd":
		return OnAdd
	case "OnUpdate":
		return OnUpdate
	case "OnDelete":
		return OnDelete
	}
	return 0
}

// Call is one call of a recorded handler.
type Call struct {
	ID        int64 // by which lines in the call name it, 0 for none
	Time      int64 // nanoseconds since the start
	Duration  int64 // nanoseconds, 0 where not known
	OldRV, RV object.RV
	Key       object.Key
	Fn        Fn
	Initial   bool // isInInitialList
	Tombstone bool // the object came in a DeletedFinalStateUnknown
	Panicked  bool // the call did not return
}

// Forget lets go of the first records that are still held, n of them at most.
// It never lets go of the last record, because later ones are compared with it.
// A caller that reads a trace larger than memory calls Forget with the number
// of records that have been played, but none from FirstKept on. Events and Lists go
// on counting what is forgotten.
func (r *Resource) Forget(n int) {
	if n = min(n, len(r.Records)-1); n <= 0 {
		return
	}
	r.Records = r.Records[:copy(r.Records, r.Records[n:])]
	r.Forgotten += n
	r.forgetTexts()
	r.trace.known = nil // its objects may be forgotten next
}

// forgetTexts lets go of the texts that belong to no record any more, and numbers
// the others anew. The numbers grow from record to record.
func (r *Resource) forgetTexts() {
	kept, from := r.texts[:1], int32(0)
	for i := range r.Records {
		rec := &r.Records[i]
		if rec.Text == 0 {
			continue
		}
		if rec.Text != from {
			from = rec.Text
			kept = append(kept, r.texts[from])
		}
		rec.Text = int32(len(kept) - 1)
	}
	clear(r.texts[len(kept):])
	r.texts = kept
}

// FirstKept returns the first record that must not be forgotten yet, because a list that was
// broken off may go on.
func (r *Resource) FirstKept() int {
	if r.keep == 0 {
		return r.Forgotten + len(r.Records)
	}
	return r.keep - 1
}

// lastList returns the number of the record with which the last list begins.
func (r *Resource) lastList() int {
	i := len(r.Records) - 1
	for i > 0 && r.Records[i].Kind != ListBegin {
		i--
	}
	return r.Forgotten + i
}

// A resource with fewer records than this gets no room for those that will come.
const fewRecords = 1 << 16

// Expect says how many bytes of the input have been read. It calls size, seldom, for how many there are.
// It makes room for the records of a large input, and for the objects in them, that
// will probably come. If their slices only grew as they are filled, they would be copied again and
// again, and a page never gives back the memory that copies take. What nobody fills takes no memory,
// so the room is made large enough. It is at most three times what is there, because the rest of an
// input may be unlike its beginning.
func (t *Trace) Expect(read int64, size func() int64) {
	if read <= 0 {
		return
	}
	for _, r := range t.Resources {
		n := len(r.Records)
		room := cap(r.Records) - n
		if n < fewRecords || room > n/8 {
			continue
		}
		more := float64(n) / float64(read) * float64(size()-read) // less than 0 where the size isn't known
		if float64(room) >= more {
			continue
		}
		more = min(more*1.125, float64(3*n))
		r.Records = append(make([]Record, 0, n+int(more)), r.Records...)
		r.Table.Grow(int(more))
	}
}

// What the header's list says of a trace as a whole.
const (
	// RedactedShape: the trace is the shape of another one, in which every text that is not on a list is a token.
	RedactedShape = "shape"
	// ValuesKept: the trace has values, so it is for its owner.
	ValuesKept = "values kept: redact before you share"
	// ValuesRemark is the ID of the Remark that says so whenever the trace is read.
	ValuesRemark = "valuesKept"
)

// Sweeper lets the Table of a resource forget what nobody refers to, while a recording passes that is larger than memory.
type Sweeper struct {
	// MinVersions is how many versions of objects are swept at once at least: 0 for as many as make it cheap.
	MinVersions int
	// Keys is how many keys the Table may hold before it forgets those that nobody refers to: 0 for any number. Deleted is called
	// with each before.
	Keys    int
	Deleted func(object.Key)

	Remaining int // how many versions the last sweep has left
}

// sweepBy is how many versions are swept at once, because it takes a look at all that are left.
const sweepBy = 1 << 16

// Sweep lets the Table of r forget the versions of objects that are no longer referred to, when that is worth it. mark adds what is
// referred to beside the records that r has, and reports false where it cannot say: then all is kept.
func (s *Sweeper) Sweep(r *Resource, mark func(*object.Live) bool) {
	t := r.Table
	if t.LiveRows()-s.Remaining < max(cmp.Or(s.MinVersions, sweepBy), s.Remaining) {
		return
	}
	live := t.Live()
	if !mark(live) {
		return
	}
	for i := range r.Records {
		live.Ref(r.Records[i].Obj)
	}
	t.Sweep(live)
	s.Remaining = t.LiveRows()
	if s.Keys > 0 && t.HeldKeys() > s.Keys {
		for _, h := range r.Handlers {
			for _, c := range h.Calls {
				live.Key(c.Key)
			}
		}
		t.SweepKeys(live, s.Deleted)
	}
}
