package timeline

import (
	"slices"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/wasm/link"
)

// Texts are the words of marks that a run doesn't know.
type Texts struct {
	Note    func(i int) string      // a note of the trace
	Command func(step int64) string // the line of script for what was done in a step
}

// markWidth is how many columns one mark takes, which are 20 pixels at least. Marks that are
// closer together share one.
const markWidth = 9

// codeGone is the code of a Status for a resourceVersion that is too old.
const codeGone = 410

// isError reports whether a fact is a failure that the reflector sees.
func isError(k event.Kind) bool {
	switch k {
	case event.WatchErrorReceived, event.ListFailed, event.WatchFailed, event.VeryShortWatch:
		return true
	}
	return false
}

// markKind returns what a sample that is marked stands for. Lists after the first one
// are relists.
func markKind(x history.Sample, lists int) link.MarkKind {
	switch x.Kind {
	case 0:
		return link.MarkNote
	case event.ListReceived:
		if lists > 0 {
			return link.MarkRelist
		}
		return link.MarkList
	case event.RequestFailed:
		return link.MarkRetry
	case event.WatchClosed:
		return link.MarkClosed
	case event.BackoffStarted:
		return link.MarkBackoff
	case event.ResyncFired:
		return link.MarkResync
	case event.ListenerAdded:
		return link.MarkJoined
	case event.Enqueued, event.DeltaAppended, event.Distributed:
		return link.MarkTombstone
	}
	if isError(x.Kind) {
		if x.N == codeGone {
			return link.MarkExpired
		}
		return link.MarkError
	}
	return link.MarkCommand
}

// eachMark calls f with each of the marks that concern an informer, and what it stands
// for, until f returns false.
func eachMark(s *history.Samples, informer int, f func(x history.Sample, kind link.MarkKind) bool) {
	lists := 0
	for i := range s.Marks() {
		x := s.Mark(i)
		if int(x.Informer) != informer && x.Kind != 0 {
			continue
		}
		kind := markKind(x, lists)
		if kind == link.MarkList {
			lists++
		}
		if !f(x, kind) {
			return
		}
	}
}

// NextMark returns the step of the first mark after a step, or with back of the last
// one before it, that is of one of the kinds; of any kind if there are none. It
// returns -1 if there is no such mark.
func NextMark(s *history.Samples, informer int, step int64, back bool, kinds []link.MarkKind) int64 {
	found := int64(-1)
	eachMark(s, informer, func(x history.Sample, kind link.MarkKind) bool {
		if back && x.Step >= step {
			return false
		}
		if (back || x.Step > step) && (len(kinds) == 0 || slices.Contains(kinds, kind)) {
			found = x.Step
		}
		return back || found < 0
	})
	return found
}

// marks puts the marks on the timeline. Of those that share a place, the most telling
// one is shown, and the others are counted.
func (t *timeline) marks(s *history.Samples, informer int, texts Texts) {
	last := -markWidth
	eachMark(s, informer, func(x history.Sample, kind link.MarkKind) bool {
		at := t.column(t.offset(x.Step, x.Time))
		if at-last >= markWidth {
			last = at
			t.out.Marks = append(t.out.Marks, link.Mark{Step: x.Step, Time: x.Time, Kind: kind})
		}
		m := &t.out.Marks[len(t.out.Marks)-1]
		if slices.Index(link.Marks, kind) < slices.Index(link.Marks, m.Kind) {
			last, m.Step, m.Time, m.Kind = at, x.Step, x.Time, kind
		}
		t.describe(m, x, kind, texts)
		return true
	})
}

// maxTexts is how many texts of one mark are told.
const maxTexts = 4

func (t *timeline) describe(m *link.Mark, x history.Sample, kind link.MarkKind, texts Texts) {
	k := slices.IndexFunc(m.Sentences, func(s link.MarkSays) bool { return s.Kind == kind })
	if k < 0 {
		k = len(m.Sentences)
		m.Sentences = append(m.Sentences, link.MarkSays{Kind: kind})
	}
	says := &m.Sentences[k]
	says.N++
	text := ""
	switch kind {
	case link.MarkNote:
		text = texts.Note(int(x.N))
	case link.MarkCommand:
		text = texts.Command(x.Step)
	case link.MarkJoined:
		text = t.handlers[x.N].Name
	}
	if text != "" && len(says.Texts) < maxTexts {
		says.Texts = append(says.Texts, text)
	}
}
