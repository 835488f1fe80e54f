package v038

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
)

func TestListenersStartLate(t *testing.T) { live.LateListeners(t, "called") }
