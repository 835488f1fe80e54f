package report

import "github.com/informerscope/informerscope/replay/trace"

// Units of time, in nanoseconds.
const (
	second      = 1_000_000_000
	millisecond = 1_000_000
)

// recorded adds up one resource's records as they are read, so that they need not
// be kept.
type recorded struct {
	r         *trace.Resource
	seen      int // how many records were counted
	events    Events
	requests  Requests
	bytes     int64
	first     int64
	last      int64
	rate      rate
	keys      keyCounts
	change    int64 // t of the last change
	gap       Gap
	lists     relisted
	changes   changes
	handlers  []RecordedHandler
	listed    bool  // see Listed
	streaming bool  // a streaming list has begun
	streamed  int64 // streaming lists that came whole
}

// take counts the records that were read since the last time, passes the recorded
// calls of handlers to told, and removes them from the trace.
func (s *recorded) take(told func(handler string, c *trace.Call)) {
	for ; s.seen < s.r.Forgotten+len(s.r.Records); s.seen++ {
		s.add(&s.r.Records[s.seen-s.r.Forgotten])
	}
	for i, h := range s.r.Handlers {
		if i == len(s.handlers) {
			s.handlers = append(s.handlers, RecordedHandler{Name: h.Name})
		}
		out := &s.handlers[i]
		for i := range h.Calls {
			c := &h.Calls[i]
			told(h.Name, c)
			out.Calls++
			out.Took += c.Took
			if c.Took > out.Longest {
				out.Longest, out.At = c.Took, c.At
			}
		}
		h.Calls = h.Calls[:0]
	}
}

func (s *recorded) add(rec *trace.Record) {
	if s.seen == 0 {
		s.first = rec.At
	}
	s.last = rec.At
	s.lists.take(rec)
	s.changes.take(rec)
	if rec.Obj != 0 {
		s.bytes += int64(s.r.Table.Meta(rec.Obj).Source.Length)
	}
	q := &s.requests
	switch rec.Kind {
	case trace.ListItem:
		q.ListItems++
		s.keys.list(s.r.Table.KeyOf(rec.Obj))
	case trace.ListEnd:
		q.Lists++
		q.ListPages += int64(max(rec.Code, 1))
	case trace.ListError:
		q.ListsFailed++
	case trace.WatchOpen:
		s.streaming = rec.Streaming
		q.Watches++
		if rec.Streaming {
			q.Streaming++
		}
	case trace.WatchError:
		q.WatchesRefused++
	case trace.WatchEnd:
		if rec.Failure == trace.NoFailure {
			q.WatchesClosed++
		} else {
			q.WatchesBroken++
		}
	case trace.WatchBookmark:
		s.events.Bookmarks++
	case trace.InitialEnd:
		s.events.Bookmarks++
		s.events.InitialEnd++
		if s.streaming {
			s.streamed++
		}
		s.streaming = false
	case trace.WatchEvent:
		s.event(rec)
	}
}

func (s *recorded) event(rec *trace.Record) {
	e := &s.events
	switch rec.Type {
	case trace.TypeAdded:
		e.Added++
	case trace.TypeModified:
		e.Modified++
	case trace.TypeDeleted:
		e.Deleted++
	case trace.TypeError:
		e.Errors++
		if rec.Code == 410 {
			e.Expired++
		}
		return
	default:
		e.Unknown++
		return
	}
	s.keys.change(s.r.Table.KeyOf(rec.Obj))
	if d := rec.At - s.change; e.Changes() > 1 && d > s.gap.Duration {
		s.gap = Gap{Duration: d, From: s.change, To: rec.At}
	}
	s.change = rec.At
	s.rate.add(rec.At)
}

// report returns the recorded part of a Resource. madeUp says that the capture has
// no times.
func (s *recorded) report(madeUp bool) Resource {
	out := Resource{
		Name: s.r.Name(), Group: s.r.Group, Version: s.r.Version, Resource: s.r.Resource, Kind: s.r.Kind,
		First: s.first, Last: s.last, Bytes: s.bytes, Events: s.events, Requests: s.requests,
		Rate: s.rate.report(s.last - s.first), Keys: s.keys.count(), KeysAtMost: s.keys.dropped > 0, Hottest: s.keys.hottest(s.events.Changes()), Handlers: s.handlers,
	}
	out.Rate.MadeUp = madeUp
	if s.gap.Duration > 0 && !madeUp {
		out.Gap = &s.gap
	}
	return out
}

// rate counts changes in buckets of time. The recording's length is not known
// beforehand, so when there are too many buckets, every two become one.
type rate struct {
	bucket int64
	counts []int64
	n      int64
	second int64 // that is being counted
	now    int64 // changes in it
	peak   int64
	peakAt int64
}

// The length of the first buckets, and how many there may be.
const (
	firstBucket = 10_000_000
	maxBuckets  = 240
)

func (r *rate) add(at int64) {
	r.n++
	if r.bucket == 0 {
		r.bucket = firstBucket
	}
	for at/r.bucket >= maxBuckets {
		for i := range (len(r.counts) + 1) / 2 {
			n := r.counts[2*i]
			if 2*i+1 < len(r.counts) {
				n += r.counts[2*i+1]
			}
			r.counts[i] = n
		}
		r.counts = r.counts[:(len(r.counts)+1)/2]
		r.bucket *= 2
	}
	for int64(len(r.counts)) <= at/r.bucket {
		r.counts = append(r.counts, 0)
	}
	r.counts[at/r.bucket]++
	if s := at / second; s != r.second {
		r.second, r.now = s, 0
	}
	if r.now++; r.now > r.peak {
		r.peak, r.peakAt = r.now, r.second*second
	}
}

func (r *rate) report(over int64) Rate {
	out := Rate{Bucket: r.bucket, Counts: r.counts, Peak: r.peak, PeakAt: r.peakAt}
	if over > 0 {
		out.Mean = float64(r.n) * second / float64(over)
	}
	return out
}
