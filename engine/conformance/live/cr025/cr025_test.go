// Package cr025 compares the engine with controller-runtime v0.25.2, and with what
// client-go v0.37.2 has for controllers.
package cr025

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers/managed"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers/prioritised"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

var version = prioritised.Version(25)

func TestRandom(t *testing.T) {
	controllers.Random(t, &version,
		proof.Family{Name: "mc", Script: mcScript, Play: playMC},
		proof.Family{Name: "ryw", Script: rywScript, Play: playRYW, Fixed: 4},
	)
}

func TestTranscripts(t *testing.T) {
	controllers.Transcripts(t, &version)
	proof.Replay(t, "mc", playMC, nil)
	proof.Replay(t, "ryw", playRYW, nil)
}

func TestGates(t *testing.T) { managed.Gates(t, version.Minor) }

func TestTakeovers(t *testing.T) { managed.Takeovers(t) }
