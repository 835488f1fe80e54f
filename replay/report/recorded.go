package report

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
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

// readNew counts the records that were read since the last time, passes the recorded
// calls of handlers to told, and removes them from the trace.
func (s *recorded) readNew(told func(handler string, c *trace.Call)) {
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
	s.lists.addRecord(rec)
	s.changes.addRecord(rec)
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

// keyCounts counts changes by key. A long capture has more keys than memory. When
// the Table lets go of a key that nobody refers to, the key is counted by its name
// from then on. When there are too many names, those with the fewest changes are
// dropped; if such a key comes back, it counts as a new one.
type keyCounts struct {
	t       *object.Table
	most    int              // names that retired may hold
	changed []int64          // by key
	listed  []bool           // by key
	retired map[string]int64 // changes by name
	dropped int
}

func (c *keyCounts) change(k object.Key) {
	c.changed = grown(c.changed, k)
	c.changed[k]++
}

func (c *keyCounts) list(k object.Key) {
	c.listed = grown(c.listed, k)
	c.listed[k] = true
}

// grown makes room for k in a slice that is indexed by keys.
func grown[T any, I ~int | ~int32](s []T, k I) []T {
	if int(k) < len(s) {
		return s
	}
	return append(s, make([]T, int(k)+1-len(s))...)
}

// counted reports whether k was counted.
func (c *keyCounts) counted(k object.Key) bool {
	return int(k) < len(c.changed) && c.changed[k] > 0 || int(k) < len(c.listed) && c.listed[k]
}

// retire moves the count of k to its name, because the number k will be given to
// another key.
func (c *keyCounts) retire(k object.Key) {
	if !c.counted(k) {
		return
	}
	if c.retired == nil {
		c.retired = map[string]int64{}
	}
	name := c.t.KeyText(k)
	n := c.retired[name]
	if int(k) < len(c.changed) {
		n, c.changed[k] = n+c.changed[k], 0
	}
	if int(k) < len(c.listed) {
		c.listed[k] = false
	}
	c.retired[name] = n
	if len(c.retired) > c.most {
		c.drop()
	}
}

// drop forgets about half of the names.
func (c *keyCounts) drop() {
	counts := make([]int64, 0, len(c.retired))
	for _, n := range c.retired {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	least, left := counts[len(counts)/2], len(c.retired)/2
	for name, n := range c.retired {
		if left > 0 && n <= least {
			delete(c.retired, name)
			c.dropped++
			left--
		}
	}
}

// count returns how many different keys there were, or an upper bound if some were
// dropped.
func (c *keyCounts) count() int {
	n := c.dropped
	for k := range max(len(c.changed), len(c.listed)) {
		if c.counted(object.Key(k)) {
			n++
		}
	}
	for name := range c.retired {
		if k, ok := c.t.LookupKey(name); !ok || !c.counted(k) {
			n++
		}
	}
	return n
}

// hottestKeys is how many keys a report names.
const hottestKeys = 10

// hottest returns the keys with the most changes. changes is how many there were
// in all.
func (c *keyCounts) hottest(changes int64) []HotKey {
	var out []HotKey
	add := func(name string, n int64) {
		h := HotKey{Key: name, Changes: n, Share: float64(n) / float64(changes)}
		at, _ := slices.BinarySearchFunc(out, h, func(a, b HotKey) int {
			return cmp.Or(cmp.Compare(b.Changes, a.Changes), cmp.Compare(a.Key, b.Key))
		})
		if n == 0 || at == hottestKeys {
			return
		}
		if len(out) == hottestKeys {
			out = out[:hottestKeys-1]
		}
		out = slices.Insert(out, at, h)
	}
	for k, n := range c.changed {
		if n > 0 {
			name := c.t.KeyText(object.Key(k))
			add(name, n+c.retired[name])
		}
	}
	for name, n := range c.retired {
		if k, ok := c.t.LookupKey(name); !ok || int(k) >= len(c.changed) || c.changed[k] == 0 {
			add(name, n)
		}
	}
	return out
}
