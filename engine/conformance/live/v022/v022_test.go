// Package v022 compares the engine with client-go v0.22.17.
package v022

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since22"
)

var version = func() live.Version {
	v := since22.Version("v0.22.17")
	v.EndTwice = endTwice
	return v
}()

func TestMain(m *testing.M) {
	live.Quiet()
	m.Run()
}

func TestTranscripts(t *testing.T) { live.Transcripts(t, &version, ".v022.out") }

func TestRandom(t *testing.T) { live.Random(t, &version) }
