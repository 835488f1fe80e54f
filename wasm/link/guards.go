package link

// CountGuards plays what was done to the run shown with each guard, also with other lags of
// the watch, and counts.
type CountGuards struct{}

func (CountGuards) op() {}

// Guards are what the run shown would come to with each guard.
type Guards struct {
	Rows []GuardRow `json:"rows,omitempty"`
	Of   int        `json:"of"` // how many rows there will be
}

// GuardRow is what a run comes to with a guard.
type GuardRow struct {
	Guard   string  `json:"guard"`             // the name of a guard.Kind
	Requeue int64   `json:"requeue,omitempty"` // after which a stale reconcile comes again, in ns; 0 for the back-off of an error
	Lag     int64   `json:"lag"`               // of the watch of the owned objects, in ns; -1 for as it was
	Counts  []int64 `json:"counts"`            // by GuardCounts
	Settled int64   `json:"settled"`           // how long after the last write from outside nothing differs any more, in ns; -1 where it never comes to that
	Waited  int64   `json:"waited"`            // the longest wait of a read, in ns
	Cut     bool    `json:"cut,omitempty"`     // the run had not ended when counting did
}

// GuardCounts name a GuardRow's Counts. The catalogues have them behind "ui.tally.".
var GuardCounts = []string{"duplicates", "old", "skipped", "retried", "refused", "requests"}
