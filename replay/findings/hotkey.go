package findings

import (
	"slices"
	"sort"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// hotKey looks for keys that change 120 times within a minute. The fastest writers by design are elections, which renew a
// Lease every two seconds, and a Deployment changes some sixty times in a rollout of twenty pods. What is twice as much
// has a writer that never rests.
type hotKey struct {
	base
	minutes []minuteOf // by key
	hot     []hot      // the hottest first, and 4*mostHot at most
	warm    map[object.Key]*fields
}

// The threshold: changes of one key within a minute.
const hotChanges = 120

// mostHot is how many keys are named. The others are counted.
const mostHot = 3

// minuteOf counts the changes of a key in a minute that begins with one of them.
type minuteOf struct {
	from  Moment
	count int32
}

// hot is a key in its hottest minute.
type hot struct {
	key      string
	changes  int32
	from, to Moment
	fields   *fields
}

// Of keys that get warm, it is looked at what changes: from so many changes within a minute on, and of so many keys at once.
const warmChanges, mostWarm = 20, 16

func (h *hotKey) record(x *reading, rec *trace.Record) {
	if !x.isChange(rec) || !x.timed() {
		return
	}
	k := x.r.Table.KeyOf(rec.Obj)
	h.minutes = object.Grown(h.minutes, k)
	m := &h.minutes[k]
	if m.count == 0 || rec.Time-m.from.Time > minute {
		*m = minuteOf{from: x.now(rec)}
	}
	m.count++
	f := h.warm[k]
	if f == nil && m.count >= warmChanges && len(h.warm) < mostWarm {
		if h.warm == nil {
			h.warm = map[object.Key]*fields{}
		}
		f = &fields{}
		h.warm[k] = f
	}
	if f != nil {
		f.add(x, rec)
	}
	if m.count >= hotChanges {
		h.note(hot{x.r.Table.KeyText(k), m.count, m.from, x.now(rec), f})
	}
}

// note notes a key that is hot, or is now hotter than it was.
func (h *hotKey) note(n hot) {
	i := slices.IndexFunc(h.hot, func(o hot) bool { return o.key == n.key })
	switch {
	case i < 0:
		h.hot = append(h.hot, n)
	case h.hot[i].changes >= n.changes:
		return
	default:
		h.hot[i] = n
	}
	sort.SliceStable(h.hot, func(i, j int) bool { return h.hot[i].changes > h.hot[j].changes })
	if len(h.hot) > 4*mostHot {
		h.hot = h.hot[:4*mostHot]
	}
}

func (h *hotKey) retire(k int) {
	if k < len(h.minutes) {
		h.minutes[k] = minuteOf{}
		delete(h.warm, object.Key(k))
	}
}

func (h *hotKey) find(x *reading) (all []Finding) {
	changes := x.tally.Events.Changes()
	for _, n := range h.hot[:min(len(h.hot), mostHot)] {
		in := x.tally.keys.changesOf(n.key)
		all = append(all, Finding{
			Subject: Subject{Key: n.key}, From: n.from, To: n.to, Fields: n.fields.mostFrequent(),
			Counts: []Count{
				x.count("changes", int64(n.changes)),
				x.count("times", in),
				{Name: "share", N: in * 100 / max(changes, 1), Unit: Percent},
			},
		})
	}
	return all
}
