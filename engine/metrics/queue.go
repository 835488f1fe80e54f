package metrics

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// unfinishedWorkUpdatePeriod is how often client-go's queue sets the two metrics about what is not
// finished, in ns.
const unfinishedWorkUpdatePeriod = 500e6

// Queue has the metrics of one workqueue: defaultQueueMetrics. Times are nanoseconds.
type Queue struct {
	// Depth counts adds less gets. It is more than the length of the queue while a key is dirty and in
	// a worker's hands: client-go counts that key when it is added, and queues it when it is done.
	Depth                          int64
	Adds                           int64
	QueueDuration, WorkDuration    Observed
	UnfinishedWork, LongestRunning int64 // as the last tick has set them

	addTimes, processingStartTimes map[object.Key]int64
	nextTick                       int64
	down                           bool // a queue that is shutting down is no longer updated by ticks
}

// NewQueue returns the metrics of a queue that was made at the time now.
func NewQueue(now int64) *Queue {
	return &Queue{
		QueueDuration: newObserved(&QueueDuration), WorkDuration: newObserved(&WorkDuration),
		addTimes: map[object.Key]int64{}, processingStartTimes: map[object.Key]int64{}, nextTick: now + unfinishedWorkUpdatePeriod,
	}
}

// Look takes in a fact about the queue at the time now.
func (q *Queue) Look(e *event.Event, now int64) {
	q.Tick(now - 1) // what happens at the time of a tick comes before it
	switch e.Kind {
	case event.WorkAdded, event.WorkDeferred, event.WorkQueued:
		q.Adds++
		q.Depth++
		if _, exists := q.addTimes[e.Key]; !exists {
			q.addTimes[e.Key] = now
		}
	case event.WorkGot:
		q.Depth--
		q.processingStartTimes[e.Key] = now
		if since, exists := q.addTimes[e.Key]; exists {
			q.QueueDuration.observe(&QueueDuration, now-since)
			delete(q.addTimes, e.Key)
		}
	case event.WorkDone, event.WorkUnlocked:
		if since, exists := q.processingStartTimes[e.Key]; exists {
			q.WorkDuration.observe(&WorkDuration, now-since)
			delete(q.processingStartTimes, e.Key)
		}
	case event.WorkShutDown:
		q.down = true
	}
}

// Tick sets UnfinishedWork and LongestRunning as the last tick up to the time now does:
// updateUnfinishedWork.
func (q *Queue) Tick(now int64) {
	if q.nextTick > now {
		return
	}
	tick := now - (now-q.nextTick)%unfinishedWorkUpdatePeriod
	q.nextTick = tick + unfinishedWorkUpdatePeriod
	if q.down {
		return
	}
	q.UnfinishedWork, q.LongestRunning = 0, 0
	for _, since := range q.processingStartTimes {
		q.UnfinishedWork += tick - since
		q.LongestRunning = max(q.LongestRunning, tick-since)
	}
}
