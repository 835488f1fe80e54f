package findings

import (
	"cmp"
	"strconv"

	"github.com/informerscope/informerscope/replay/trace"
)

// notSynced looks for informers that have never got a whole list. Half a minute after the first one was asked for, the largest lists
// have come, and an API server that restarts is back. Until then HasSynced is false, and whoever waits for it has begun nothing.
type notSynced struct {
	base
	asked   Moment // the first list
	lists   int64
	failed  int64
	message string
	streams bool  // the last list is a streaming one
	open    bool  // it goes on, or went on when the client gave it up
	came    bool  // some of it has come
	stopped int64 // when the client gave it up, 0 if it didn't
}

// notSyncedFor is the threshold: how long there has been no whole list.
const notSyncedFor = minute / 2

func (s *notSynced) record(x *reading, rec *trace.Record) {
	if x.server.whole {
		return
	}
	switch {
	case rec.Kind == trace.ListBegin, rec.Kind == trace.WatchOpen && rec.Streaming:
		if s.lists == 0 {
			s.asked = x.now(rec)
		}
		s.lists++
		s.open, s.streams, s.came, s.stopped = true, rec.Streaming, false, 0
	case rec.Kind == trace.ListError, rec.Kind == trace.WatchError && rec.Streaming:
		if !s.open {
			if s.lists == 0 {
				s.asked = x.now(rec)
			}
			s.lists++
		}
		s.open, s.message = false, cmp.Or(x.r.Text(*rec), strconv.Itoa(int(rec.Code)))
		s.failed++
	case rec.Kind == trace.WatchEnd && rec.Canceled:
		s.stopped = rec.Time
	case rec.Kind == trace.WatchEnd:
		s.open = false
	case rec.Kind == trace.ListItem, rec.Kind == trace.WatchEvent:
		s.came = true
	}
}

func (s *notSynced) find(x *reading) []Finding {
	if s.lists == 0 && x.r.Unanswered {
		s = &notSynced{asked: Moment{x.r.Asked, x.records}, lists: 1, streams: true, open: true, stopped: x.r.Canceled}
	}
	now := cmp.Or(s.stopped, x.pass.trace.Now)
	if s.lists == 0 || x.server.whole || now-s.asked.Time < notSyncedFor || !x.timed() || x.pass.trace.Header.Truncated {
		return nil
	}
	f := Finding{
		From: s.asked, To: Moment{now, x.records}, Message: s.message,
		Counts: []Count{{Name: "waited", N: now - s.asked.Time, Unit: Duration}, x.count("lists", s.lists)},
	}
	switch {
	case s.open && s.streams && !s.came:
		f.Lacks = "unanswered"
	case s.open && s.streams:
		f.Lacks = "streaming"
	case !s.open:
		f.Lacks = "failed"
	}
	if x.pass.work != nil {
		for _, name := range x.pass.work.Idle() {
			f.Fields = append(f.Fields, Field{Path: name})
		}
	}
	return []Finding{f}
}
