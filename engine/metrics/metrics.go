// Package metrics is what client-go exports about a run, had the program registered its metrics: the
// seven of each workqueue (workqueue.MetricsProvider) and the three of each informer (from v0.36;
// cache.InformerMetricsProvider). Names, labels and buckets are those with which
// k8s.io/component-base registers them.
//
// An Observer looks at each step of a run. It reads facts and state, and costs the engine nothing.
package metrics

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// Type is the type of a metric family in OpenMetrics.
type Type string

// The types of the families.
const (
	Gauge     Type = "gauge"
	Counter   Type = "counter"
	Histogram Type = "histogram"
)

// Family is what is registered under one name.
type Family struct {
	Name    string // with the suffix _total of a counter
	Type    Type
	Help    string
	Buckets []float64 // of a histogram: the upper bounds without +Inf
}

// Seconds reports whether the values are durations, which are exported in seconds.
func (f *Family) Seconds() bool { return strings.HasSuffix(f.Name, "_seconds") }

// OfInformer reports whether the family is an informer's. All others are a workqueue's.
func (f *Family) OfInformer() bool { return f.Name[0] == 'i' }

// Families are all of them, in the order of a file.
var Families = []*Family{
	&QueuedItems, &ProcessingLatency, &StoreResourceVersion,
	&Depth, &Adds, &QueueDuration, &WorkDuration, &UnfinishedWork, &LongestRunning, &Retries,
}

// The families of a workqueue, whose label is name.
var (
	Depth          = Family{"workqueue_depth", Gauge, "Current depth of workqueue", nil}
	Adds           = Family{"workqueue_adds_total", Counter, "Total number of adds handled by workqueue", nil}
	QueueDuration  = Family{"workqueue_queue_duration_seconds", Histogram, "How long in seconds an item stays in workqueue before being requested.", powersOfTen}
	WorkDuration   = Family{"workqueue_work_duration_seconds", Histogram, "How long in seconds processing an item from workqueue takes.", powersOfTen}
	UnfinishedWork = Family{"workqueue_unfinished_work_seconds", Gauge, "How many seconds of work is in progress and not yet observed by work_duration.", nil}
	LongestRunning = Family{"workqueue_longest_running_processor_seconds", Gauge, "How many seconds the longest running processor has been running.", nil}
	Retries        = Family{"workqueue_retries_total", Counter, "Total number of retries handled by workqueue", nil}
)

// The families of an informer, whose labels are name, group, version and resource.
var (
	QueuedItems          = Family{"informer_queued_items", Gauge, "Number of items currently queued in the FIFO.", nil}
	ProcessingLatency    = Family{"informer_processing_latency_seconds", Histogram, "Time taken to process events after popping from the queue.", latencies}
	StoreResourceVersion = Family{"informer_store_resource_version", Gauge, "The 15 least significant digits of the resource version of the store.", nil}
)

var (
	powersOfTen = []float64{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10}
	latencies   = []float64{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
)

// Observed is the state of a histogram.
type Observed struct {
	Count int64
	Sum   int64   // ns
	Below []int64 // by bucket: how many observations were at most its bound
}

func newObserved(f *Family) Observed { return Observed{Below: make([]int64, len(f.Buckets))} }

// Quantile returns what histogram_quantile of Prometheus makes of the histogram, in ns: within a bucket, the observations
// are taken to be spread evenly. It is at most the highest bound, and 0 if nothing was observed.
func (o *Observed) Quantile(f *Family, q float64) int64 {
	if o.Count == 0 {
		return 0
	}
	rank, low, before := q*float64(o.Count), 0.0, 0.0
	for i, bound := range f.Buckets {
		n := float64(o.Below[i])
		if n >= rank {
			return int64((low+(bound-low)*((rank-before)/(n-before)))*1e9 + 0.5)
		}
		low, before = bound, n
	}
	return int64(low * 1e9)
}

// observe counts a duration in ns.
func (o *Observed) observe(f *Family, d int64) {
	o.Count++
	o.Sum += d
	for i, bound := range f.Buckets {
		if float64(d)/1e9 <= bound {
			o.Below[i]++
		}
	}
}

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
	shutDown                       bool // a queue that is shutting down is no longer updated by ticks
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
		q.shutDown = true
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
	if q.shutDown {
		return
	}
	q.UnfinishedWork, q.LongestRunning = 0, 0
	for _, since := range q.processingStartTimes {
		q.UnfinishedWork += tick - since
		q.LongestRunning = max(q.LongestRunning, tick-since)
	}
}

// Informer has the metrics of one informer. Versions before v0.36 export none.
type Informer struct {
	// Queue tells that QueuedItems and ProcessingLatency are exported: a RealFIFO exports them, and
	// a DeltaFIFO doesn't.
	Queue             bool
	QueuedItems       int64
	ProcessingLatency Observed
	// Store tells that StoreResourceVersion is exported. Without the gate AtomicFIFO, client-go exports it,
	// too, but there the order of a map decides which of several objects was written last: it is left out.
	Store                bool
	StoreResourceVersion int64

	late       bool // Store waits for the first version
	processing bool
	since      int64 // when the process function was called
}

func newInformer(x *informer.Informer) Informer {
	p := &x.Config().Profile
	exported := p.LatchedSync // from v0.36, as the metrics are
	_, real := x.Queue.(*fifo.RealFIFO)
	m := Informer{Queue: exported && real, late: p.LateRVMetric && p.Indexer.TrackRV, ProcessingLatency: newObserved(&ProcessingLatency)}
	m.Store = exported && p.Indexer.TrackRV && !m.late
	return m
}

// look takes in the state of an informer after a step.
func (m *Informer) look(x *informer.Informer, s *actor.Set) {
	m.QueuedItems = int64(x.Queue.Depth())
	if rv, ok := ParseRV(x.Config().Table.RVText(x.Indexer.LastStoreSyncResourceVersion())); ok {
		m.StoreResourceVersion = rv
		m.Store = m.Store || m.late && x.Indexer.HasRV()
	}
	processing := x.Processing(s)
	switch {
	case processing && !m.processing:
		m.since = s.Now
	case m.processing && !processing:
		m.ProcessingLatency.observe(&ProcessingLatency, s.Now-m.since)
	}
	m.processing = processing
}

// ParseRV follows parseRVForMetricsWithTruncation: it returns the last 15 digits of a resourceVersion as a
// number. It reports false if they are no number. StoreResourceVersion then keeps its value.
func ParseRV(rv string) (int64, bool) {
	if rv == "" {
		return 0, true
	}
	if len(rv) > 15 {
		rv = rv[len(rv)-15:]
	}
	n, err := strconv.ParseInt(rv, 10, 64)
	return n, err == nil
}

// Observer has the metrics of a run, by the informer's place in its world.
type Observer struct {
	Informers []Informer
	Queues    []*Queue // nil for an informer without workers

	retried []int64 // of the queues
}

// NewObserver returns the metrics of a world that has only begun: no step has changed them yet, and Look
// takes in the next.
func NewObserver(w *world.World) *Observer {
	o := &Observer{Informers: make([]Informer, len(w.Informers)), Queues: make([]*Queue, len(w.Informers)), retried: make([]int64, len(w.Informers))}
	for i := range w.Informers {
		o.begin(w, i)
	}
	return o
}

// begin begins the metrics of an informer anew, as in a new process.
func (o *Observer) begin(w *world.World, i int) {
	x := w.Informers[i]
	o.Informers[i], o.Queues[i], o.retried[i] = newInformer(x), nil, 0
	if len(x.Work.Workers) > 0 {
		o.Queues[i] = NewQueue(w.Now())
	}
}

// Look takes in the last step of a world.
func (o *Observer) Look(w *world.World) {
	for i := range w.Log.Events {
		e := &w.Log.Events[i]
		if e.Kind == event.ProcessKilled {
			for j := range w.Informers {
				if _, ended := w.ProcessExit(j); ended {
					o.begin(w, j)
				}
			}
			continue
		}
		if q := o.Queues[queueOf(w, e)]; q != nil {
			q.Look(e, w.Now())
		}
	}
	for i, x := range w.Informers {
		o.Informers[i].look(x, &w.Set)
		if p := x.Work.Priority; p != nil {
			o.retried[i] = p.Queue.Retried()
		} else {
			o.retried[i] = x.Work.Queue.Counters().Retried
		}
	}
}

// Retries returns the value of the counter Retries of the queue of informer i.
func (o *Observer) Retries(i int) int64 { return o.retried[i] }

// Each calls f with each family that informer i and its workqueue export, and its state at the time now:
// a value, or a histogram.
func (o *Observer) Each(i int, now int64, f func(family *Family, value int64, histogram *Observed)) {
	m := &o.Informers[i]
	if m.Queue {
		f(&QueuedItems, m.QueuedItems, nil)
		f(&ProcessingLatency, 0, &m.ProcessingLatency)
	}
	if m.Store {
		f(&StoreResourceVersion, m.StoreResourceVersion, nil)
	}
	q := o.Queues[i]
	if q == nil {
		return
	}
	q.Tick(now)
	f(&Depth, q.Depth, nil)
	f(&Adds, q.Adds, nil)
	f(&QueueDuration, 0, &q.QueueDuration)
	f(&WorkDuration, 0, &q.WorkDuration)
	f(&UnfinishedWork, q.UnfinishedWork, nil)
	f(&LongestRunning, q.LongestRunning, nil)
	f(&Retries, o.retried[i], nil)
}

// queueOf returns the informer whose workqueue a fact is about, if it is about one: a handler may feed the
// queue of another informer's controller.
func queueOf(w *world.World, e *event.Event) int {
	if w.Last.PC == actor.RunEnqueue {
		r := w.Set.Role(actor.ID(e.Actor))
		if f := w.Informers[r.Informer].Config().Handlers[r.Index].Feeds; f != nil {
			return f.Informer
		}
	}
	return int(w.Last.Informer)
}
