// Package costs weighs what the objects of a capture cost a client: what the API server sends, and
// what the cache holds, by field. It says what would be left of both if a transform left fields out,
// or if the client asked for metadata only. It formats no text and does no I/O.
//
// All sizes are bytes of JSON without white space. The same objects take another number of bytes
// within a process, and fewer on a wire with protobuf or gzip.
package costs

// Report says what the resources of a capture cost.
type Report struct {
	Inputs      []string   `json:"inputs"`
	Format      string     `json:"format"`
	TimesMadeUp bool       `json:"timesMadeUp,omitempty"`
	Drop        []string   `json:"drop,omitempty"`    // what is left out by Dropped
	Unknown     []string   `json:"unknown,omitempty"` // of Drop, what no object has
	Resources   []Resource `json:"resources"`
}

// Resource is one resource of a capture, as one client reads it.
type Resource struct {
	Name     string   `json:"name"`
	Duration int64    `json:"duration"` // from the first record to the last, in nanoseconds
	Requests Requests `json:"requests"`
	Lists    Sent     `json:"lists"` // their items, the initial events of streaming lists among them
	Watches  Sent     `json:"watches"`
	Second   Busiest  `json:"second"` // in which most bytes came on a watch
	Minute   Busiest  `json:"minute"`

	Largest Held    `json:"largest"` // the cache when it took most bytes
	End     Held    `json:"end"`     // the cache at the end
	Fields  []Field `json:"fields"`  // of Largest

	NotWeighed int64 `json:"notWeighed,omitempty"` // objects whose JSON is not at hand any more when it is needed
}

// Requests counts requests and their answers.
type Requests struct {
	Lists     int64 `json:"lists"` // a list in pages counts once
	Pages     int64 `json:"pages"`
	Streaming int64 `json:"streaming"` // watches that began with a list
	Watches   int64 `json:"watches"`   // those among them
	Failed    int64 `json:"failed"`    // of all these
	Bookmarks int64 `json:"bookmarks"` // events that have no object of the resource
}

// Sent is what came from the API server.
type Sent struct {
	Objects  int64 `json:"objects"`
	Bytes    int64 `json:"bytes"`
	Metadata int64 `json:"metadata"` // what it would be if the client asked for PartialObjectMetadata
}

// Busiest is the second or minute in which most bytes came.
type Busiest struct {
	At      int64 `json:"at"` // when it began, in nanoseconds
	Objects int64 `json:"objects"`
	Bytes   int64 `json:"bytes"`
}

// Held is what a cache holds at a moment, and what it would hold otherwise.
type Held struct {
	At      int64 `json:"at"` // in nanoseconds
	Objects int64 `json:"objects"`
	Bytes   int64 `json:"bytes"`

	Unmanaged int64 `json:"unmanaged"`         // without metadata.managedFields
	Dropped   int64 `json:"dropped,omitempty"` // without what the user names
	Metadata  int64 `json:"metadata"`          // as PartialObjectMetadata
	Least     int64 `json:"least"`             // as PartialObjectMetadata without managedFields
}

// Field is a field of the objects.
type Field struct {
	Path    string `json:"path"`
	Objects int64  `json:"objects"` // those that have it
	Bytes   int64  `json:"bytes"`   // with the fields in it

	path Path
}

// Depth is in how many fields f is.
func (f *Field) Depth() int { return len(f.path) - 1 }
