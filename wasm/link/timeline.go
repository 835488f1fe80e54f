package link

// DrawTimeline gets the timeline.
type DrawTimeline struct {
	Axis    Axis
	Buckets int // how many columns it has
}

func (x *DrawTimeline) fields(c *coder) { c.fields((*string)(&x.Axis), &x.Buckets) }

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
	Axis       Axis
	Steps      int64
	Start      int64 // nanoseconds
	End        int64
	Complete   bool
	Columns    int
	Queue      Levels   // how deep the queue was
	Pending    []Levels // by listener: how far it was behind
	Events     [][]int  // by row and column: how many. RowAdded … number the rows
	Marks      []Mark
	MaxQueue   int
	MaxPending int
}

func (x *Timeline) fields(c *coder) {
	c.fields((*string)(&x.Axis), &x.Steps, &x.Start, &x.End, &x.Complete, &x.Columns, &x.Queue, &x.Pending,
		&x.Events, &x.Marks, &x.MaxQueue, &x.MaxPending)
}

// Levels are a number that changes over the run: for each column, its highest value
// within the column, and the value at the column's end.
type Levels struct {
	Max  []int
	Last []int
}

func (x *Levels) fields(c *coder) { c.fields(&x.Max, &x.Last) }

// Mark is a flag on the timeline. It may stand for several moments that are too close
// together for a flag each. It has the Step, Time and Kind of the most telling one.
type Mark struct {
	Step      int64
	Time      int64
	Kind      MarkKind
	Sentences []MarkSays // in the order of the run
}

func (x *Mark) fields(c *coder) { c.fields(&x.Step, &x.Time, &x.Kind, &x.Sentences) }

// MarkSays is how many moments of a kind a Mark stands for.
type MarkSays struct {
	Kind  MarkKind
	N     int
	Texts []string // of the first of them: the trace's own words, a line of script, a handler's name
}

func (x *MarkSays) fields(c *coder) { c.fields(&x.Kind, &x.N, &x.Texts) }
