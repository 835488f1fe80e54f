package metrics

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/fifo"
	"github.com/informerscope/informerscope/engine/informer"
)

// Informer has the metrics of one informer. Versions before v0.36 export none.
type Informer struct {
	// Queue tells that QueuedItems and ProcessingLatency are exported: those of a RealFIFO are, and
	// those of a DeltaFIFO are not.
	Queue             bool
	QueuedItems       int64
	ProcessingLatency Observed
	// Store tells that StoreResourceVersion is exported. Without the gate AtomicFIFO, client-go exports it,
	// too, but there the order of a map decides which of several objects was written last: it is left out.
	Store                bool
	StoreResourceVersion int64

	processing bool
	since      int64 // when the process function was called
}

func newInformer(x *informer.Informer) Informer {
	exported := x.Config().Profile.LatchedSync // from v0.36, as the metrics are
	_, real := x.Queue.(*fifo.RealFIFO)
	return Informer{Queue: exported && real, Store: exported && x.Config().Profile.Indexer.TrackRV, ProcessingLatency: newObserved(&ProcessingLatency)}
}

// look takes in the state of an informer after a step.
func (m *Informer) look(x *informer.Informer, s *actor.Set) {
	m.QueuedItems = int64(x.Queue.Depth())
	if rv, ok := ParseRV(x.Config().Table.RVText(x.Indexer.LastStoreSyncResourceVersion())); ok {
		m.StoreResourceVersion = rv
	}
	processing := informer.Processing(x, s)
	switch {
	case processing && !m.processing:
		m.since = s.Now
	case m.processing && !processing:
		m.ProcessingLatency.observe(&ProcessingLatency, s.Now-m.since)
	}
	m.processing = processing
}

// ParseRV is parseRVForMetricsWithTruncation: it returns the last 15 digits of a resourceVersion as a
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
