// Package v038 compares the engine with client-go v0.38.0-beta.0.
package v038

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since36"
)

var version = since36.Version("v0.38.0-beta.0")

func TestMain(m *testing.M) { since36.Main(m) }

func TestRandom(t *testing.T) { live.Random(t, &version) }

func TestTranscripts(t *testing.T) { live.Transcripts(t, &version, ".v038.out") }

func TestRacedStops(t *testing.T) { live.RacedStops(t) }

func TestByIndexOfATornStore(t *testing.T) { since36.ByIndexOfATornStore(t, true) }
