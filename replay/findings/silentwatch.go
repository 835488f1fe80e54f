package findings

import "github.com/informerscope/informerscope/replay/trace"

// silentWatch looks for watches on which nothing comes, not even a bookmark. The API server sends a bookmark about once a
// minute to whoever asks for them, as each reflector does. What is silent for five minutes is half open: the other side is
// gone, or something between the two holds the answer back. Where bookmarks have come each minute, half of that is enough. Events
// are not asked of the API server's cache, and so have no bookmarks.
type silentWatch struct {
	base
	asked    bool   // bookmarks
	marked   int64  // when one has come on the watch that is open, 0 for none
	regular  bool   // one has come about a minute after another one
	last     Moment // when anything came on the watch that is open
	longest  int64
	from, to Moment
	times    int64
}

// silence is the threshold, of this rule and of the next one.
const silence = 5 * minute

func (s *silentWatch) record(x *reading, rec *trace.Record) {
	if rec.Kind == trace.WatchOpen {
		s.asked, s.marked = rec.Bookmarks && x.r.Resource != "events", 0
	} else if x.watch.open || x.watch.ended {
		s.quiet(s.last, x.now(rec))
	}
	if rec.Kind == trace.WatchBookmark {
		s.regular = s.regular || s.marked != 0 && rec.Time-s.marked < 2*minute
		s.asked, s.marked = true, rec.Time
	}
	s.last = x.now(rec)
}

// quiet notes that nothing came from one moment to another.
func (s *silentWatch) quiet(from, to Moment) {
	d := to.Time - from.Time
	if !s.asked || d < silence && (!s.regular || d < silence/2) {
		return
	}
	if s.times++; d > s.longest {
		s.longest, s.from, s.to = d, from, to
	}
}

func (s *silentWatch) find(x *reading) []Finding {
	end := *s // the silence may go on
	if x.watch.open {
		end.quiet(s.last, Moment{x.pass.trace.Now, x.records})
	}
	if end.times == 0 || !x.timed() || x.lossy() {
		return nil
	}
	return []Finding{{
		From: end.from, To: end.to,
		Counts: []Count{{Name: "silent", N: end.longest, Unit: Duration, AtLeast: end.to.Record == x.records}, {Name: "times", N: end.times}},
	}}
}

// noBookmarks looks for watches on which events come and no bookmarks, although the client has asked for them. When such
// a watch breaks, the client goes on from the last event, which may be so old that it gets 410 and has to list.
type noBookmarks struct {
	base
	asked    bool
	began    Moment
	last     int64 // when anything came
	events   int64
	longest  int64
	from, to Moment
	max      int64
}

func (n *noBookmarks) record(x *reading, rec *trace.Record) {
	switch rec.Kind {
	case trace.WatchOpen:
		n.asked, n.began, n.events = rec.Bookmarks && x.r.Resource != "events", x.now(rec), 0
	case trace.WatchBookmark:
		n.asked = false // it has one
	case trace.WatchEvent:
		if n.events++; rec.Time-n.last >= silence { // the rule above tells of it
			n.asked = false
		}
		if d := rec.Time - n.began.Time; n.asked && x.watch.open && d >= silence && d > n.longest {
			n.longest, n.from, n.to, n.max = d, n.began, x.now(rec), n.events
		}
	}
	n.last = rec.Time
}

func (n *noBookmarks) find(x *reading) []Finding {
	if n.longest == 0 || !x.timed() || x.lossy() {
		return nil
	}
	open := n.longest
	if x.watch.open && n.from == n.began { // it goes on without events
		open = x.pass.trace.Now - n.from.Time
	}
	return []Finding{{
		From: n.from, To: n.to,
		Counts: []Count{{Name: "open", N: open, Unit: Duration}, {Name: "events", N: n.max}},
	}}
}
