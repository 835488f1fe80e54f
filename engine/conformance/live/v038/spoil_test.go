package v038

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
)

func TestHandlerPanics(t *testing.T) { live.HandlerPanics(t, &version, "TestHandlerPanics") }

func TestKeyRefusesTombstones(t *testing.T) { live.KeyRefusesTombstones(t) }
