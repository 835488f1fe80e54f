// Package cr022 compares the engine with controller-runtime v0.22.5.
package cr022

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/controllers"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers/managed"
	"github.com/informerscope/informerscope/engine/conformance/live/controllers/prioritised"
)

var version = prioritised.Version(22)

func TestRandom(t *testing.T) { controllers.Random(t, &version) }

func TestTranscripts(t *testing.T) { controllers.Transcripts(t, &version) }

func TestGates(t *testing.T) { managed.Gates(t, version.Minor) }

func TestTakeovers(t *testing.T) { managed.Takeovers(t) }
