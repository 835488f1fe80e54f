package findings

import (
	"slices"

	"github.com/informerscope/informerscope/replay/trace"
)

// relists looks for a client that lists again and again. An informer lists once, and then only where its watch can't go
// on: an API server that restarts or compacts costs it one list. The fourth list within ten minutes has another cause.
type relists struct {
	base
	often
	open     bool // a list that counts is under way
	items    int64
	bytes    int64
	reasons  [len(Reasons)]int
	evidence []Evidence
}

// manyRelists is the threshold: lists within ten minutes, without the first one.
const manyRelists = 4

func (r *relists) record(x *reading, rec *trace.Record) {
	if why := x.watch.relist; why != "" && x.server.whole {
		r.add(x.now(rec))
		r.reasons[slices.Index(Reasons[:], why)]++
		r.evidence = show(r.evidence, Evidence{Moment: x.now(rec), Reason: why})
		r.open = true
	}
	if n := x.server.news; n != nil && r.open {
		r.items += int64(n.items)
		r.bytes += n.bytes
		r.evidence[len(r.evidence)-1].N = int64(n.items)
		r.open = false
	}
}

func (r *relists) find(x *reading) []Finding {
	if r.max < manyRelists || !x.timed() {
		return nil
	}
	why := 0
	for i, n := range r.reasons {
		if n > r.reasons[why] {
			why = i
		}
	}
	return []Finding{{
		From: r.from, To: r.to, Reason: Reasons[why], Evidence: r.evidence,
		Counts: []Count{r.count("relists", x), spanOf(r.from.Time, r.to.Time), x.count("items", r.items), {Name: "bytes", N: r.bytes, Unit: Bytes, AtLeast: x.lossy()}},
	}}
}

// relistNews looks for changes that only a list has told of: they came while no watch was open, and a handler got to know
// of them when the list came. Nobody knows how late each was, but none was later than since the watch had ended. A client
// that relists after a restart meets a few changes. Ten are as many as the short buffer of a watcher at the API server has.
type relistNews struct {
	base
	lists    int64 // that have brought so many
	sum      news
	blind    int64 // the longest time without a watch before one of them
	from, to Moment
	max      int64
	evidence []Evidence
}

// manyNews is the threshold: changes that one list has brought.
const manyNews = 10

func (r *relistNews) record(x *reading, rec *trace.Record) {
	n := x.server.news
	if n == nil || n.first || x.watch.endedAt == 0 {
		return
	}
	all := n.created + n.changed + n.deleted
	if all < manyNews {
		return
	}
	r.lists++
	r.sum.created, r.sum.changed, r.sum.deleted = r.sum.created+n.created, r.sum.changed+n.changed, r.sum.deleted+n.deleted
	r.evidence = show(r.evidence, Evidence{Moment: x.now(rec), N: all})
	r.blind = max(r.blind, rec.Time-x.watch.endedAt)
	if all > r.max {
		r.max, r.from, r.to = all, x.now(rec), x.now(rec)
	}
}

func (r *relistNews) find(x *reading) []Finding {
	if r.lists == 0 {
		return nil
	}
	return []Finding{{From: r.from, To: r.to, Evidence: r.evidence, Counts: []Count{
		x.count("changes", r.sum.created+r.sum.changed+r.sum.deleted), x.count("lists", r.lists),
		x.count("created", r.sum.created), x.count("changed", r.sum.changed), x.count("deleted", r.sum.deleted),
		{Name: "blind", N: r.blind, Unit: Duration},
	}}}
}
