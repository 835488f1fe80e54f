package v037

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
)

func TestLessonSources(t *testing.T) { live.LessonSources(t, "v0.37") }
