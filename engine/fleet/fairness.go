package fleet

import (
	"github.com/informerscope/informerscope/engine/actor"
)

// The priority level workload-low serves service accounts outside of kube-system:
// apis/flowcontrol/bootstrap/default.go. It has 100 of 245 shares of the 600 seats that
// --max-requests-inflight and --max-mutating-requests-inflight make by default
// (server/config.go).
const (
	queues      = 128
	handSize    = 6
	queueLength = 50
	shares      = 100
	allShares   = 245
	allSeats    = 400 + 200
)

// WorkloadLow is the nominal limit of workload-low's seats. What it lends and borrows is left out.
const WorkloadLow = (allSeats*shares + allShares - 1) / allShares

// Each list takes a seat for so many objects or bytes, up to a limit:
// util/flowcontrol/request/config.go and list_work_estimator.go.
const (
	objectsPerSeat  = 100
	bytesPerSeat    = 100_000
	streamedAtOnce  = 1_000_000
	listSeats       = 10  // MaximumListSeatsLimit
	listSeatsBySize = 100 // with SizeBasedListCostEstimate
)

// waitLimit is how long a request waits in its queue: a quarter of the RequestTimeout of 60 s, in
// BuildHandlerChain of server/config.go.
const waitLimit = 15 * second

// fairness is the priority level of the fleet: util/flowcontrol/fairqueuing/queueset. Of the order
// in which waiting requests of several flows get their seats nothing is here: they get them in the
// order in which they came.
type fairness struct {
	f       *fleet
	seats   int
	used    int
	waiting []*waiting
	lengths [queues]int
	dropped dropped
}

type waiting struct {
	c          *client
	generation int
	seats      int
	queue      int
	since      int64
}

func newFairness(f *fleet) *fairness {
	q := &fairness{f: f, seats: f.cfg.Server.Seats, dropped: dropped{retryAfter: 1}}
	if q.seats <= 0 {
		q.seats = WorkloadLow
	}
	return q
}

// maxSeats returns the most seats that a list may take: priorityLevelMaxSeatsPercent in
// util/flowcontrol/apf_controller.go.
func (q *fairness) maxSeats() int {
	most := listSeats
	if q.f.cfg.Server.version().bySize {
		most = listSeatsBySize
	}
	return min(most, max(1, min((q.seats*15+99)/100, q.seats/handSize)))
}

// width returns how many seats a request takes: listWorkEstimator.estimate.
func (q *fairness) width(c *client) int {
	if c.request.Watching() && !c.asked.SendInitialEvents {
		return 1
	}
	cfg := q.f.cfg
	limit := cfg.Objects
	if l := c.asked.Limit; l > 0 && l < limit {
		limit = l
	}
	// The estimator takes each continue token and exact revision to be etcd's (CacheWithoutSnapshots).
	cached := c.request.Watching() || c.asked.Continue == 0 && !exact(c.asked) && (c.asked.RV != 0 || cfg.Server.version().consistent)
	var seats int64
	if cfg.Server.version().bySize {
		bytes := limit * cfg.Size
		if cached {
			bytes = min(bytes, streamedAtOnce)
		}
		seats = (bytes + bytesPerSeat - 1) / bytesPerSeat
	} else {
		objects := 2 * limit
		if cached {
			objects = cfg.Objects
		}
		seats = (objects + objectsPerSeat - 1) / objectsPerSeat
	}
	return int(min(max(seats, 1), int64(q.maxSeats())))
}

// take gives a request its seats, a place in a queue, or 429.
func (q *fairness) take(c *client) {
	w := &waiting{c: c, generation: c.generation, seats: q.width(c), queue: q.shard(c.flow), since: q.f.now}
	if q.used >= q.seats && q.lengths[w.queue] >= queueLength {
		q.f.server.refuse(c, &q.f.out.Full, q.dropped.drop(q.f.now/second))
		return
	}
	q.waiting = append(q.waiting, w)
	q.lengths[w.queue]++
	q.f.schedule(q.f.now+waitLimit, func() { q.timeout(w) })
	q.dispatch()
	if q.f.counts() {
		q.f.out.WaitingMost = max(q.f.out.WaitingMost, len(q.waiting))
	}
}

// shard returns the shortest queue of a flow's hand: shuffleShardLocked.
func (q *fairness) shard(flow int) int {
	rand := actor.Rand(flow)
	best := -1
	for dealt := map[int]bool{}; len(dealt) < handSize; {
		queue := rand.Intn(queues)
		if dealt[queue] {
			continue
		}
		dealt[queue] = true
		if best < 0 || q.lengths[queue] < q.lengths[best] {
			best = queue
		}
	}
	return best
}

// dispatch lets those that wait begin, as long as there are seats for the first of them.
func (q *fairness) dispatch() {
	for len(q.waiting) > 0 {
		w := q.waiting[0]
		if q.used+w.seats > q.seats && q.used > 0 {
			return
		}
		q.leave(0)
		if w.c.generation != w.generation { // it has gone
			continue
		}
		q.used += w.seats
		if q.f.counts() {
			q.f.out.SeatsMost = max(q.f.out.SeatsMost, q.used)
		}
		q.f.server.serve(w.c, func() {
			q.used -= w.seats
			q.f.schedule(q.f.now, q.dispatch)
		})
	}
}

func (q *fairness) leave(i int) {
	q.lengths[q.waiting[i].queue]--
	q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
}

// timeout refuses a request that still waits.
func (q *fairness) timeout(w *waiting) {
	for i, other := range q.waiting {
		if other != w {
			continue
		}
		q.leave(i)
		if w.c.generation == w.generation {
			q.f.server.refuse(w.c, &q.f.out.TimedOut, q.dropped.drop(q.f.now/second))
		}
		q.dispatch()
		return
	}
}

// dropped is droppedRequestsStats of util/flowcontrol/dropped_requests_tracker.go: the header
// Retry-After of a 429 follows how many there were.
type dropped struct {
	history    []droppedIn
	now        droppedIn
	retryAfter int64
	updated    int64
}

type droppedIn struct{ second, requests int64 }

const maxRetryAfter = 32

// drop counts a request that is dropped in a second, and returns the seconds of its Retry-After.
func (d *dropped) drop(at int64) int64 {
	if d.now.second == at {
		d.now.requests++
		return d.retryAfter
	}
	d.history = append(d.history, d.now)
	for len(d.history) > 0 && at-d.history[0].second > min(2*d.retryAfter, maxRetryAfter) {
		d.history = d.history[1:]
	}
	d.now = droppedIn{at, 1}
	sum := int64(0)
	for _, h := range d.history {
		if at-h.second <= d.retryAfter && h.second < at {
			sum += h.requests
		}
	}
	switch {
	case at-d.updated >= d.retryAfter && sum >= 3*d.retryAfter:
		d.retryAfter, d.updated = min(2*d.retryAfter, maxRetryAfter), at
	case sum < d.retryAfter && d.retryAfter > 1:
		d.retryAfter--
	}
	return d.retryAfter
}
