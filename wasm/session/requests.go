package session

import "github.com/informerscope/informerscope/wasm/link"

// requests are what the page has asked the worker for, and waits for. Only one request that moves the machine is in
// flight at a time; the next one waits here.
type requests struct {
	id            int       // the ID of the last request
	openID        int       // the ID of the last link.Open or link.FollowCluster
	moving        int       // the ID of the request that moves the machine, 0 for none
	waiting       []link.Op // what is asked for after that, in order
	opening       bool      // the worker was asked to open something, and has not answered
	complete      bool      // all has been read and run
	timeline      int       // the ID of the request for a timeline, 0 for none
	timelineAgain bool      // another one is asked for once that one has come
	search        string    // the key or expression whose step is searched for, "" for none
	timed         int64     // when the timeline of a live trace was last asked for, in nanoseconds since its start
}

// next returns the next request.
func (r *requests) next(op link.Op) link.Request {
	r.id++
	switch op.(type) {
	case link.Open, link.FollowCluster:
		r.openID = r.id
	}
	return link.Request{ID: r.id, Do: op}
}

// wait makes an operation wait until the machine was moved. Of two moves that wait, the machine makes the
// last. What does something to the machine is never left out.
func (r *requests) wait(op link.Op) {
	if n := len(r.waiting); n > 0 && supersedes(op, r.waiting[n-1]) {
		r.waiting[n-1] = merge(r.waiting[n-1], op)
		return
	}
	r.waiting = append(r.waiting, op)
}

// waited returns the operation that has waited longest, or nil.
func (r *requests) waited() (op link.Op) {
	if len(r.waiting) > 0 {
		op, r.waiting = r.waiting[0], r.waiting[1:]
	}
	return op
}

// supersedes reports whether next makes prev unnecessary.
func supersedes(next, prev link.Op) bool {
	_, setsUp := prev.(link.SetUp)
	_, again := next.(link.SetUp)
	return setsUp && again || isSeek(prev) && isSeek(next)
}

// isSeek reports whether an operation shows another moment and does nothing to the machine.
func isSeek(op link.Op) bool {
	switch op.(type) {
	case link.Step, link.Seek, link.SeekTime, link.SeekMark, link.SeekDiffer, link.RunTo, link.ShowNext, link.GoStop, link.VisitLane:
		return true
	}
	return false
}

// merge returns the operation that replaces prev and next, which supersedes it. Steps of the same unit become one.
func merge(prev, next link.Op) link.Op {
	a, isStep := prev.(link.Step)
	b, are := next.(link.Step)
	if isStep && are && a.Unit == b.Unit && a.Key == b.Key {
		b.N += a.N
		return b
	}
	return next
}

// searched returns the key or the expression whose next step an operation looks for, "" for none.
func searched(op link.Op) string {
	switch op := op.(type) {
	case link.Step:
		return op.Key
	case link.RunTo:
		return op.Expr
	}
	return ""
}
