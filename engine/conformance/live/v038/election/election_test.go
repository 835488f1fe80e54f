// Package election compares the engine with the leader election of client-go v0.38.0-beta.0.
package election

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/election"
)

const version = "v0.38.0-beta.0"

func TestRandom(t *testing.T) { election.Random(t, version) }

func TestTranscripts(t *testing.T) { election.Transcripts(t, version) }
