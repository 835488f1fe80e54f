// Package v036 compares the engine with client-go v0.36.6.
package v036

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since36"
)

var version = since36.Version("v0.36.6")

func TestMain(m *testing.M) { since36.Main(m) }

func TestRandom(t *testing.T) { live.Random(t, &version) }
