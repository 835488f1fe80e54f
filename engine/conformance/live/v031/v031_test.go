// Package v031 compares the engine with client-go v0.31.14.
package v031

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since31"
)

var version = since31.Version("v0.31.14")

func TestMain(m *testing.M) {
	live.Quiet()
	m.Run()
}

func TestRandom(t *testing.T) { live.Random(t, &version) }
