// Package trace is the model that every capture is read into, and our own
// format of it. A Trace is what came over the wire to one or more list and
// watch clients, resource by resource, as small records: the objects are rows
// of each resource's object.Table, and their JSON stays in the input.
package trace

import "github.com/informerscope/informerscope/engine/object"

// Kind says what a Record is.
type Kind uint8

// The kinds of records. Which fields count is said with each.
const (
	ListBegin  Kind = iota + 1 // a list was asked for; RV: with which resourceVersion
	ListItem                   // Obj: one of its items. The pages of a list follow each other as one list
	ListEnd                    // the whole list was there; RV: the list's; Code: its number of pages
	ListError                  // the list failed; Code, Text
	WatchOpen                  // the watch was accepted; RV: with which resourceVersion it was asked for; Streaming
	WatchError                 // the watch was refused; Code, Text
	WatchEvent                 // Type, Obj, RV; of an ERROR event Code, Text
	WatchEnd                   // the stream ended; How, Text
)

// EventType is the type of a watch event.
type EventType uint8

const (
	Added EventType = iota + 1
	Modified
	Deleted
	Bookmark
	InitialEventsEnd // a BOOKMARK annotated k8s.io/initial-events-end
	Error
	UnknownType // none of the five
)

// How a stream ended, end.how of our format.
type How uint8

const (
	EOF How = iota + 1
	Timeout
	Reset
	Canceled
	Refused
	RecorderStopped
)

// Record is one thing that the recorder saw. It holds no pointers.
type Record struct {
	At        int64 // nanoseconds since the trace's start; never goes back
	RV        object.RV
	Obj       object.Ref
	Text      object.Sym // the server's message, interned in the resource's Table
	Request   int32      // the id of the request that it belongs to
	Code      int32      // HTTP status or Status.code
	Kind      Kind
	Type      EventType
	How       How
	Streaming bool   // the watch was asked for with sendInitialEvents
	Reason    Reason // of ListError, WatchError and ERROR events
}

// Reason is Status.reason, as far as a client acts on it.
type Reason uint8

const (
	OtherReason Reason = iota
	Expired
	Gone
	TooManyRequests
	ResourceVersionTooLarge // the cause of that name, or a Timeout whose message says so
	InternalError
)

// Resource is all that a trace holds of one list and watch: one resource in
// one scope. Records and Calls only ever grow while a trace is read.
type Resource struct {
	Group, Version, Name string // "apps", "v1", "deployments"
	Kind                 string // "Deployment", as far as an object has said it
	Namespace, Selector  string // of the requests, where they had them; Selector as in the URL, label and field selector
	Table                *object.Table
	Records              []Record
	Calls                []Call
	Events, Lists        int // how many of each are among Records
}

// Title is the resource's name as kubectl spells it: "pods", "deployments.apps".
func (r *Resource) Title() string {
	if r.Group == "" {
		return r.Name
	}
	return r.Name + "." + r.Group
}

// Fn is a handler function of a Call.
type Fn uint8

const (
	OnAdd Fn = iota + 1
	OnUpdate
	OnDelete
)

// Call is one call of a handler of the recorded process.
type Call struct {
	At        int64 // nanoseconds since the trace's start
	Took      int64 // nanoseconds, 0 where it was not recorded
	OldRV, RV object.RV
	Key       object.Key
	Handler   object.Sym
	Fn        Fn
	Initial   bool // isInInitialList
	Tombstone bool // DeletedFinalStateUnknown
}

// Mark is a note of the recorder.
type Mark struct {
	At   int64 // nanoseconds since the trace's start
	Text string
}

// Header is the first line of our format, or what stands for it.
type Header struct {
	Start     string // RFC 3339
	Recorder  string
	Server    string
	Note      string
	Redacted  []string
	Truncated bool
}

// Problem is something that could not be read. What was read before it stays.
type Problem struct {
	Line   int64 // from 1
	Offset int64 // in bytes of the uncompressed input
	Err    error
}

func (p Problem) Error() string { return p.Err.Error() }

// Unwrap returns the reader's error.
func (p Problem) Unwrap() error { return p.Err }

// Trace is a capture, as far as it has been read.
type Trace struct {
	Header    Header
	Format    string // the id of the format that it was read from: trace, watch, kubectl, list
	NoTimes   bool   // the format has no times: records are evenly spaced
	Resources []*Resource
	Marks     []Mark
	Problems  []Problem // the first of them; Skipped counts all
	Skipped   int64     // lines that could not be read
	Complete  bool      // nothing will be added any more
}
