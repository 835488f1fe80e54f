package main

// The document that report --json prints. Field names stay; new ones may come.
// Every t is in nanoseconds since the capture's start, every duration in
// nanoseconds. What is recorded and what the machine makes of it are kept apart:
// "informer" is the machine's, everything else the recording's.

// reportDoc is one report.
type reportDoc struct {
	Inputs       []string         `json:"inputs"`
	Format       string           `json:"format"`                // of the input: trace, watch, kubectl, list, audit, …
	Start        string           `json:"start,omitempty"`       // RFC 3339: the moment t counts from, where it is known
	Recorder     string           `json:"recorder,omitempty"`    // what wrote the capture
	Server       string           `json:"server,omitempty"`      // the API server's version
	Note         string           `json:"note,omitempty"`        // the header's
	TimesMadeUp  bool             `json:"timesMadeUp,omitempty"` // the format has no times: events are evenly spaced
	Truncated    bool             `json:"truncated,omitempty"`   // something is missing, the recorder said
	Redacted     []string         `json:"redacted,omitempty"`    // what was taken out
	Bytes        int64            `json:"bytes"`                 // of JSON that was read, uncompressed
	Records      int64            `json:"records"`               // of the resources: list items, watch events, and beginnings and ends of both
	Duration     int64            `json:"duration"`              // from the first record to the last
	Profile      string           `json:"profile"`               // the machine's
	Versions     string           `json:"versions"`              // the client-go versions that it stands for
	Resources    []resourceReport `json:"resources"`
	Remarks      []remarkReport   `json:"remarks,omitempty"`
	Problems     []problemReport  `json:"problems,omitempty"` // the first hundred
	ProblemCount int64            `json:"problemCount"`
	Marks        []markReport     `json:"marks,omitempty"`
}

// resourceReport is one resource as one reader saw it.
type resourceReport struct {
	Name     string         `json:"name"` // as kubectl names it, with what sets it apart
	Group    string         `json:"group,omitempty"`
	Version  string         `json:"version,omitempty"`
	Resource string         `json:"resource"`
	Kind     string         `json:"kind,omitempty"`
	First    int64          `json:"first"` // t of the first record
	Last     int64          `json:"last"`  // t of the last
	Bytes    int64          `json:"bytes"` // of its watch events and list items
	Events   eventsReport   `json:"events"`
	Requests requestsReport `json:"requests"`
	Rate     rateReport     `json:"rate"`
	Gap      *gapReport     `json:"longestGap,omitempty"` // between two changes
	Keys     int            `json:"keys"`                 // different ones that were changed or listed
	// KeysAtMost says that some of Keys may be the same, and that a key which comes
	// and goes may be missing among the hottest: there are too many to keep in mind.
	KeysAtMost bool           `json:"keysAtMost,omitempty"`
	Hottest    []hotReport    `json:"hottest,omitempty"` // the ten keys with the most changes
	Handlers   []tookReport   `json:"recordedHandlers,omitempty"`
	Informer   informerReport `json:"informer"`
}

// eventsReport counts the watch events by their type. A change is one of the
// first three.
type eventsReport struct {
	Added      int64 `json:"added"`
	Modified   int64 `json:"modified"`
	Deleted    int64 `json:"deleted"`
	Bookmarks  int64 `json:"bookmarks"`  // those that end initial events included
	Errors     int64 `json:"errors"`     // ERROR events, of any kind
	Expired    int64 `json:"expired"`    // of those the ones that say 410
	Unknown    int64 `json:"unknown"`    // of a type that client-go does not know
	InitialEnd int64 `json:"initialEnd"` // bookmarks that end initial events
}

func (e eventsReport) changes() int64 { return e.Added + e.Modified + e.Deleted }

func (e eventsReport) all() int64 { return e.changes() + e.Bookmarks + e.Errors + e.Unknown }

// requestsReport counts what the recorded client asked for, and what came of it.
type requestsReport struct {
	Lists          int64 `json:"lists"` // that arrived whole
	ListItems      int64 `json:"listItems"`
	ListPages      int64 `json:"listPages"`
	ListsFailed    int64 `json:"listsFailed"`
	Watches        int64 `json:"watches"` // that opened
	Streaming      int64 `json:"streaming"`
	WatchesRefused int64 `json:"watchesRefused"`
	WatchesClosed  int64 `json:"watchesClosed"` // by the server, cleanly
	WatchesBroken  int64 `json:"watchesBroken"` // a connection that was reset, or another failure
}

// rateReport is how many changes came in each bucket of time; the first one
// begins at t 0.
type rateReport struct {
	Bucket int64   `json:"bucket"` // how long each is
	Counts []int64 `json:"counts"`
	Mean   float64 `json:"mean"`   // per second, over the resource's own time
	Peak   int64   `json:"peak"`   // the most in one second
	PeakAt int64   `json:"peakAt"` // t of that second
	MadeUp bool    `json:"madeUp,omitempty"`
}

// gapReport is a time in which nothing was changed.
type gapReport struct {
	Duration int64 `json:"duration"`
	From     int64 `json:"from"` // t of the change before
	To       int64 `json:"to"`   // t of the change after
}

// hotReport is one key.
type hotReport struct {
	Key     string  `json:"key"`
	Changes int64   `json:"changes"`
	Share   float64 `json:"share"` // of all changes of the resource
}

// tookReport is a handler of the recorded process.
type tookReport struct {
	Name    string `json:"name"`
	Calls   int64  `json:"calls"`
	Took    int64  `json:"took"`    // all calls together, of those where it is known
	Longest int64  `json:"longest"` // one call
	At      int64  `json:"at"`      // when that was
}

// informerReport is what the machine made of the resource.
type informerReport struct {
	Relists      []relistReport  `json:"relists,omitempty"` // the first hundred
	RelistCount  int64           `json:"relistCount"`
	RelistsBy    map[string]int  `json:"relistsBy,omitempty"` // how many for each reason
	ListFailures int64           `json:"listFailures"`
	Backoffs     int64           `json:"backoffs"`
	Queue        queueReport     `json:"queue"`
	Cache        int             `json:"cache"`     // objects in the store at the end
	CacheMax     int             `json:"cacheMax"`  // and at most
	Steps        int64           `json:"steps"`     // of the machine
	Listeners    []handlerReport `json:"handlers"`  // in the order of the flags
	Synced       *int64          `json:"hasSynced"` // when HasSynced became true, null for never
}

// relistReport is a list after the first.
type relistReport struct {
	T      int64  `json:"t"`      // when it was asked for
	Reason string `json:"reason"` // expired, error, veryShortWatch, watchFailed, closed
	Code   int64  `json:"code,omitempty"`
	Items  int64  `json:"items"` // -1 if it never arrived
}

// queueReport is the queue when it was deepest.
type queueReport struct {
	Deepest int   `json:"deepest"` // keys of a DeltaFIFO, deltas of a RealFIFO
	Deltas  int64 `json:"deltas"`  // the most at once
	At      int64 `json:"at"`      // t of the deepest
}

// handlerReport is one handler of the machine.
type handlerReport struct {
	Name       string `json:"name"`
	OnAdd      int64  `json:"onAdd"`
	OnUpdate   int64  `json:"onUpdate"`
	OnDelete   int64  `json:"onDelete"`
	Initial    int64  `json:"initial"`    // OnAdd with isInInitialList
	Tombstones int64  `json:"tombstones"` // OnDelete with a DeletedFinalStateUnknown
	Behind     int    `json:"behind"`     // notifications on their way to it, at most
	BehindAt   int64  `json:"behindAt"`   // when that was
	Late       int64  `json:"late"`       // the longest that a notification was on its way
	LateAt     int64  `json:"lateAt"`     // when the handler was called with that one
	Left       int    `json:"left"`       // notifications still on their way at the end
	Resync     int64  `json:"resync,omitempty"`
	Takes      int64  `json:"takes,omitempty"`
}

type remarkReport struct {
	ID     string `json:"id"`
	Count  int64  `json:"count,omitempty"`
	Detail string `json:"detail,omitempty"`
	Text   string `json:"text"` // in English
}

type problemReport struct {
	Kind   string `json:"kind"` // cut, damaged, tooLong, tooDeep, strange, source
	Line   int64  `json:"line,omitempty"`
	Offset int64  `json:"offset"` // in the input, uncompressed, in bytes
	Reason string `json:"reason"`
}

type markReport struct {
	T    int64  `json:"t"`
	Text string `json:"text"`
}
