// Package v028 compares the engine with client-go v0.28.15.
package v028

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since28"
)

var version = since28.Version("v0.28.15")

func TestMain(m *testing.M) {
	live.Quiet()
	m.Run()
}

func TestRandom(t *testing.T) { live.Random(t, &version) }
