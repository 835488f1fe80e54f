// Package v033 compares the engine with client-go v0.33.13.
package v033

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since33"
)

var version = since33.Version("v0.33.13")

func TestMain(m *testing.M) {
	live.Quiet()
	m.Run()
}

func TestRandom(t *testing.T) { live.Random(t, &version) }
