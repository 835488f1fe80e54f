// Package prioritised makes priority queues of controller-runtime v0.20 and later.
package prioritised

import (
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers/typed"
	"github.com/informerscope/informerscope/engine/conformance/live/measured"
)

// Version returns a version with a priority queue.
func Version(minor int) controllers.Version {
	v := typed.Version(minor)
	v.Queue = func(name string, l controllers.LimiterSpec, m *measured.Queues) controllers.PriorityQueue {
		return priorityqueue.New(name, func(o *priorityqueue.Opts[string]) { o.RateLimiter, o.MetricProvider = typed.Limiter(&l), m })
	}
	return v
}
