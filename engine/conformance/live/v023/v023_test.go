// Package v023 compares the engine with client-go v0.23.5, the last release with the mistake that the gate finds-kept is
// about.
package v023

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since23"
)

var version = since23.Version("v0.23.5")

func TestMain(m *testing.M) {
	live.Quiet()
	m.Run()
}

func TestRandom(t *testing.T) { live.Random(t, &version) }
