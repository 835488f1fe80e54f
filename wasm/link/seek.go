package link

// Unit is how far one step goes.
type Unit string

const (
	Micro      Unit = "micro"     // one actor's next visible point
	Operation  Unit = "operation" // until an actor has finished something: taken in an event, popped, called a handler …
	WatchEvent Unit = "event"     // until the reflector has received the next watch event or list
)

// Units lists them, the smallest first.
var Units = []Unit{Micro, Operation, WatchEvent}

// Step goes N units forward, or back if N is negative. With a Key, it goes N of the
// steps that concern the key.
type Step struct {
	Unit  Unit   `json:"unit,omitempty"`
	N     int64  `json:"n,omitempty"`
	Key   string `json:"key,omitempty"`
	Play  bool   `json:"play,omitempty"`  // it plays, so a Watch with Break stops it
	Brief bool   `json:"brief,omitempty"` // Frame.Before isn't needed
}

// Seek goes to a step.
type Seek struct {
	Step int64 `json:"step,omitempty"`
}

// SeekTime goes to the last step at or before a time. With a Key, it goes to the last
// one that concerns the key.
type SeekTime struct {
	Time  int64  `json:"time,omitempty"` // nanoseconds since the trace's start
	Key   string `json:"key,omitempty"`
	Play  bool   `json:"play,omitempty"`  // it plays, so the steps on the way are shown if there are few
	Brief bool   `json:"brief,omitempty"` // Frame.Before isn't needed
}

// SeekMark goes to the next mark of the timeline, or to the one before.
type SeekMark struct {
	Back  bool       `json:"back,omitempty"`
	Marks []MarkKind `json:"marks,omitempty"` // any kind if there are none
}

// FindKeys gets the keys that contain a text.
type FindKeys struct {
	Text string `json:"text,omitempty"`
}

// EndSearch stops looking for a step.
type EndSearch struct{}

func (Step) op()      {}
func (Seek) op()      {}
func (SeekTime) op()  {}
func (SeekMark) op()  {}
func (FindKeys) op()  {}
func (EndSearch) op() {}
