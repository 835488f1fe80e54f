package v038

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
)

func TestPageSources(t *testing.T) { live.PageSources(t, "v0.38") }
