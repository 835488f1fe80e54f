package link

// Noticed tells who has noticed a fault: what happened because of it, beside what would have happened without it.
type Noticed struct {
	Line string // of script, that did it
	Step int64  // of the fault
	Ends string // one of the Noticed constants
	Time int64  // how long after the fault that is, in ns
	Rows []NoticedRow
}

func (x *Noticed) fields(c *coder) { c.fields(&x.Line, &x.Step, &x.Ends, &x.Time, &x.Rows) }

// How a fault's consequence ends.
const (
	NoticedOver = "over" // the watch is open, and the cache has what it would have
	NoticedRest = "rest" // nothing more happens
	NoticedLong = "long" // it had not ended when counting did
)

// NoticedRow is what one part of the machine has noticed. The catalogues have it under "noticed." and its ID.
type NoticedRow struct {
	ID      string
	Handler string // that it is about, "" for none
	N       int64  // how often, or of "late" how long in ns
	Step    int64  // the first one, 0 for none
}

func (x *NoticedRow) fields(c *coder) { c.fields(&x.ID, &x.Handler, &x.N, &x.Step) }

func (*Noticed) news() {}
