// Package cr025 compares the engine with controller-runtime v0.25.2, and with what
// client-go v0.37.2 has for controllers.
package cr025

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

func TestRandom(t *testing.T) {
	proof.Controller(t,
		proof.Family{Name: "pq", Script: pqScript, Play: playPQ},
		proof.Family{Name: "mc", Script: mcScript, Play: playMC},
		proof.Family{Name: "limit", Script: limitScript, Play: playLimit},
	)
}
