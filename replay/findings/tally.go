package findings

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// Tally is what was counted of one resource.
type Tally struct {
	r         *trace.Resource
	Records   int64
	Events    Events
	Requests  Requests
	Bytes     int64 // of watch events and list items
	First     int64 // the time of the first record
	Last      int64 // the time of the last
	rate      rate
	keys      keyCounts
	change    int64 // when the last change came
	gap       Gap
	Streamed  int64      // streaming lists that came whole
	Relists   int64      // lists after the first
	Relisted  []Evidence // the first of them, each with its Reason
	Handlers  []Timed    // that were recorded
	streaming bool       // a streaming list has begun
}

// maxRetired is how many keys are counted by name after the Table has let them go.
const maxRetired = 1 << 16

// Events counts watch events by type.
type Events struct {
	Added      int64 `json:"added"`
	Modified   int64 `json:"modified"`
	Deleted    int64 `json:"deleted"`
	Bookmarks  int64 `json:"bookmarks"`  // InitialEnd included
	Errors     int64 `json:"errors"`     // ERROR events
	Expired    int64 `json:"expired"`    // ERROR events with code 410
	Unknown    int64 `json:"unknown"`    // of types that client-go does not know
	InitialEnd int64 `json:"initialEnd"` // bookmarks that end initial events
}

// Changes counts what was added, modified or deleted.
func (e Events) Changes() int64 { return e.Added + e.Modified + e.Deleted }

// All counts every watch event.
func (e Events) All() int64 { return e.Changes() + e.Bookmarks + e.Errors + e.Unknown }

// Requests counts the recorded client's requests by how they ended.
type Requests struct {
	Lists          int64 `json:"lists"` // that arrived whole
	ListItems      int64 `json:"listItems"`
	ListPages      int64 `json:"listPages"`
	ListsFailed    int64 `json:"listsFailed"`
	Watches        int64 `json:"watches"` // that opened
	Streaming      int64 `json:"streaming"`
	WatchesRefused int64 `json:"watchesRefused"`
	WatchesClosed  int64 `json:"watchesClosed"` // by the server, cleanly
	WatchesBroken  int64 `json:"watchesBroken"` // a connection that was reset, or another failure
}

// Rate is how many changes came in each bucket of time. The first bucket begins at
// t 0.
type Rate struct {
	Bucket int64   `json:"bucket"` // the length of each, in nanoseconds
	Counts []int64 `json:"counts"`
	Mean   float64 `json:"mean"`   // per second, from the resource's first record to its last
	Peak   int64   `json:"peak"`   // the most in one second
	PeakAt int64   `json:"peakAt"` // t at which that second begins
	MadeUp bool    `json:"madeUp,omitempty"`
}

// Gap is a time without changes.
type Gap struct {
	Duration int64 `json:"duration"`
	From     int64 `json:"from"` // t of the change before
	To       int64 `json:"to"`   // t of the change after
}

// Timed is how long the calls of a recorded handler took, in nanoseconds.
type Timed struct {
	ResourceIndex int // the resource, by its number in the trace
	Resource      string
	Name          string
	Calls         int64
	Total         int64 // by all calls whose time was recorded
	Longest       int64 // the longest call
	Time          int64 // when the longest call returned
}

// Mean returns how long a call took on average.
func (h *Timed) Mean() int64 { return h.Total / max(h.Calls, 1) }

// Line returns the sentence that says it.
func (h *Timed) Line() Line {
	l := Line{ID: "card.calls", Args: []Arg{{Name: "handler", Text: h.Name}, {Name: "resource", Text: h.Resource}, number("n", h.Calls)}}
	if h.Longest > 0 {
		l.ID, l.Args = "card.handler", append(l.Args, Arg{Name: "time", Count: &Count{N: h.Mean(), Unit: Duration}}, Arg{Name: "most", Count: &Count{N: h.Longest, Unit: Duration}})
	}
	return l
}

func (h *Timed) add(c *trace.Call) {
	h.Calls++
	h.Total += max(c.Duration, 0)
	if c.Duration > h.Longest {
		h.Longest, h.Time = c.Duration, c.Time
	}
}

// HotKey is a key with many changes.
type HotKey struct {
	Key     string  `json:"key"`
	Changes int64   `json:"changes"`
	Share   float64 `json:"share"` // of all changes of the resource
}

func (s *Tally) add(rec *trace.Record) {
	if s.Records == 0 {
		s.First = rec.Time
	}
	s.Records++
	s.Last = rec.Time
	if rec.Obj != 0 {
		s.Bytes += int64(s.r.Table.Meta(rec.Obj).Source.Length)
	}
	q := &s.Requests
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
		s.Events.Bookmarks++
	case trace.InitialEnd:
		s.Events.Bookmarks++
		s.Events.InitialEnd++
		if s.streaming {
			s.Streamed++
		}
		s.streaming = false
	case trace.WatchEvent:
		s.event(rec)
	}
}

func (s *Tally) event(rec *trace.Record) {
	e := &s.Events
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
	if d := rec.Time - s.change; e.Changes() > 1 && d > s.gap.Duration {
		s.gap = Gap{Duration: d, From: s.change, To: rec.Time}
	}
	s.change = rec.Time
	s.rate.add(rec.Time)
}

// Rate returns how many changes came when. madeUp says that the capture has no times.
func (s *Tally) Rate(madeUp bool) Rate {
	out := s.rate.report(s.Last - s.First)
	out.MadeUp = madeUp
	return out
}

// Gap returns the longest time between two changes, nil if there is none.
func (s *Tally) Gap() *Gap {
	if s.gap.Duration == 0 {
		return nil
	}
	return &s.gap
}

// Keys returns how many different keys were changed or listed. Where atMost is set, a key may have been counted twice, and
// Hottest may lack a key that came and went.
func (s *Tally) Keys() (n int, atMost bool) { return s.keys.count(), s.keys.dropped > 0 }

// Hottest returns the ten keys with the most changes.
func (s *Tally) Hottest() []HotKey { return s.keys.hottest(s.Events.Changes()) }

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
	max     int              // names that retired may hold
	changed []int64          // by key
	listed  []bool           // by key
	retired map[string]int64 // changes by name
	dropped int
}

func (c *keyCounts) change(k object.Key) {
	c.changed = object.Grown(c.changed, k)
	c.changed[k]++
}

func (c *keyCounts) list(k object.Key) {
	c.listed = object.Grown(c.listed, k)
	c.listed[k] = true
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
	if len(c.retired) > c.max {
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

// changesOf returns the changes of a key.
func (c *keyCounts) changesOf(name string) int64 {
	n := c.retired[name]
	if k, ok := c.t.LookupKey(name); ok && int(k) < len(c.changed) {
		n += c.changed[k]
	}
	return n
}
