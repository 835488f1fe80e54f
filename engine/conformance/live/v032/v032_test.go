// Package v032 compares the engine with client-go v0.32.9.
package v032

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since31"
)

var version = since31.Version("v0.32.9")

func TestMain(m *testing.M) {
	live.Quiet()
	m.Run()
}

func TestRandom(t *testing.T) { live.Random(t, &version) }
