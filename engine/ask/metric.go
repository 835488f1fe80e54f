package ask

import (
	"strings"

	"github.com/informerscope/informerscope/engine/metrics"
)

// What a histogram's name ends with, in the two of its series that have no buckets.
const (
	countSuffix = "_count"
	sumSuffix   = "_sum"
)

// isTime reports whether a call is of a metric in seconds, whose value is a duration.
func isTime(n *node) bool {
	return n.of.name == "metric" && strings.HasSuffix(strings.TrimSuffix(n.names[0], sumSuffix), "_seconds")
}

// evalMetric is what client-go would export of the informer that the call is about, or of that informer's
// workqueue.
func (e *Eval) evalMetric(i int, n *node) Value {
	m, x := &e.nodes[i].memory, e.of(n)
	if m.metrics == nil {
		m.metrics = metrics.NewObserver(e.w)
	}
	m.metrics.Look(e.w)
	var v Value
	m.metrics.Each(x.Index(), e.w.Now(), func(f *metrics.Family, value int64, h *metrics.Observed) {
		of, found := strings.CutPrefix(n.names[0], f.Name)
		switch {
		case !found:
		case of == "" && h != nil:
			v.N = h.Quantile(f, float64(n.value.N)/whole)
		case of == "":
			v.N = value
		case h != nil && of == countSuffix:
			v.N = h.Count
		case h != nil && of == sumSuffix:
			v.N = h.Sum
		}
	})
	return v
}
