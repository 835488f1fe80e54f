package v022

import (
	"testing"

	"github.com/informerscope/informerscope/replay/record/clients"
)

// TestShown holds what an informer makes of a recording that is served against what the engine makes of it.
func TestShown(t *testing.T) { clients.Shown(t, "v0.22.17") }
