// Package cr025 compares the engine with controller-runtime v0.25.2, and with what
// client-go v0.37.2 has for controllers.
package cr025

import (
	"testing"

	"github.com/go-logr/logr"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// Handled errors would wait until the time of the process, which is decades after that of
// a bubble.
func init() {
	utilruntime.ErrorHandlers = nil
	klog.SetLogger(logr.Discard())
}

func TestRandom(t *testing.T) {
	proof.Controller(t,
		proof.Family{Name: "pq", Script: pqScript, Play: playPQ},
		proof.Family{Name: "mc", Script: mcScript, Play: playMC},
		proof.Family{Name: "limit", Script: limitScript, Play: playLimit},
		proof.Family{Name: "ryw", Script: rywScript, Play: playRYW, Fixed: 4},
	)
}
