package link

// DrawTimeline gets the timeline.
type DrawTimeline struct {
	Axis    Axis `json:"axis,omitempty"`
	Buckets int  `json:"buckets,omitempty"` // how many columns it has
}

func (DrawTimeline) op() {}

// Axis is what a timeline's x means.
type Axis string

const (
	ByTime Axis = "time"
	ByStep Axis = "step"
)

// Axes lists them.
var Axes = []Axis{ByStep, ByTime}

// Timeline is the whole run in columns.
type Timeline struct {
	Axis       Axis     `json:"axis"`
	Steps      int64    `json:"steps"`
	Start      int64    `json:"start"` // nanoseconds
	End        int64    `json:"end"`
	Complete   bool     `json:"complete"`
	Columns    int      `json:"columns"`
	Queue      Levels   `json:"queue"`   // how deep the queue was
	Pending    []Levels `json:"pending"` // by listener: how far it was behind
	Events     [][]int  `json:"events"`  // by row and column: how many. RowAdded … number the rows
	Marks      []Mark   `json:"marks"`
	MaxQueue   int      `json:"maxQueue"`
	MaxPending int      `json:"maxPending"`
}

// Levels are a number that changes over the run: for each column, its highest value
// within the column, and the value at the column's end.
type Levels struct {
	Most []int `json:"most"`
	Last []int `json:"last"`
}

// Mark is a flag on the timeline. It may stand for several moments that are too close
// together for a flag each. It has the Step, Time and Kind of the most telling one.
type Mark struct {
	Step int64      `json:"step"`
	Time int64      `json:"time"`
	Kind MarkKind   `json:"kind"`
	Says []MarkSays `json:"says"` // in the order of the run
}

// MarkSays is how many moments of a kind a Mark stands for.
type MarkSays struct {
	Kind  MarkKind `json:"kind"`
	N     int      `json:"n"`
	Texts []string `json:"texts,omitempty"` // of the first of them: the trace's own words, a line of script, a handler's name
}
