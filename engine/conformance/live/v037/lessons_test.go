package v037

import (
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live"
)

func TestLessonSources(t *testing.T) { live.LessonSources(t, "v0.37") }

func TestLessonCode(t *testing.T) { live.LessonCode(t) }

func TestLessonMends(t *testing.T) { live.LessonMends(t) }

func TestLessonFacts(t *testing.T) { live.LessonFacts(t) }

func TestLessonNames(t *testing.T) { live.LessonNames(t) }
