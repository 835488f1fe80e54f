package proof

import (
	"strings"
	"sync"
)

// Metrics are what metrics of the library have come to. The library sets them in its own goroutines.
type Metrics struct {
	mu     sync.Mutex
	values map[string]float64
}

// NewMetrics returns metrics that are all 0.
func NewMetrics() *Metrics { return &Metrics{values: map[string]float64{}} }

// Named returns the metric of a name, which is exported from then on.
func (m *Metrics) Named(name string) Metric {
	n := Metric{m, name}
	n.add(name, 0)
	return n
}

// Exports reports whether there is a metric of that name.
func (m *Metrics) Exports(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, has := m.values[name]
	return has
}

// Metric is one of them: a gauge, a counter or a histogram.
type Metric struct {
	metrics *Metrics
	name    string
}

func (m Metric) add(name string, by float64) {
	m.metrics.mu.Lock()
	defer m.metrics.mu.Unlock()
	m.metrics.values[name] += by
}

// Inc adds one, as the Inc of the library's metrics does.
func (m Metric) Inc() { m.add(m.name, 1) }

// Dec subtracts one.
func (m Metric) Dec() { m.add(m.name, -1) }

// Set sets the value.
func (m Metric) Set(v float64) {
	m.metrics.mu.Lock()
	defer m.metrics.mu.Unlock()
	m.metrics.values[m.name] = v
}

// Observe adds an observation of a histogram.
func (m Metric) Observe(v float64) {
	m.add(m.name+".count", 1)
	m.add(m.name+".sum", v)
}

// Print has some of them: times in ms, and the others as they are. The last digits of a time, which a sum of
// floats loses, are rounded away as the engine's driver does.
func (m *Metrics) Print(names ...string) map[string]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]int64{}
	for _, name := range names {
		v := m.values[name]
		if strings.HasSuffix(name, ".sum") || strings.HasSuffix(name, "Seconds") {
			out[name] = int64(v*1e3 + 0.3)
		} else {
			out[name] = int64(v)
		}
	}
	return out
}
