package factory

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/factory"
)

func TestFactory(t *testing.T) { factory.Shares(t) }
