package lesson

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// marks writes a text with its words in brackets.
func marks(text []link.Span) string {
	s := ""
	for _, x := range text {
		switch x.Kind {
		case link.SpanWord:
			s += "[" + x.Text + "=" + x.Link + "]"
		case link.SpanWordCode:
			s += "[`" + x.Text + "`=" + x.Link + "]"
		case link.SpanCode:
			s += "`" + x.Text + "`"
		default:
			s += x.Text
		}
	}
	return s
}

// Only the first mention of a word is marked, in the singular or the plural, and not within another word or a link. A name
// keeps its case, and a word that is code in the glossary is marked as code alone.
func TestWordsAreMarkedOnce(t *testing.T) {
	strong := func(s string) link.Word { return link.Word{Terms: []link.Span{{Kind: link.SpanStrong, Text: s}}} }
	words := []link.Word{strong("Relist"), strong("Delta"), strong("DeltaFIFO"), {Terms: []link.Span{{Kind: link.SpanStrong, Text: "Dirty"}, {Kind: link.SpanCode, Text: "processing"}}}, {Terms: []link.Span{{Kind: link.SpanCode, Text: "Forget"}}}}
	plain := func(s string) []link.Span { return []link.Span{{Text: s}} }
	for _, c := range []struct {
		text []link.Span
		want string
	}{
		{plain("A relist is a relist. Relists cost."), "A [relist=0] is a relist. Relists cost."},
		{plain("Relists, two Deltas, a DeltaFIFO"), "[Relists=0], two [Deltas=1], a [DeltaFIFO=2]"},
		{plain("relisted, delta, DeltaFIFOs-like"), "relisted, [delta=1], DeltaFIFOs-like"},
		{plain("While processing, it is dirty"), "While processing, it is [dirty=3]"},
		{[]link.Span{{Text: "To "}, {Kind: link.SpanCode, Text: "Forget"}, {Text: " is to forget."}}, "To [`Forget`=4] is to forget."},
		{[]link.Span{{Kind: link.SpanLink, Text: "relist", Link: "gone.md"}, {Kind: link.SpanCode, Text: "x"}, {Text: " or relist"}}, "relist`x` or [relist=0]"},
		{plain("队列里的 Delta，然后relist一次"), "队列里的 [Delta=1]，然后[relist=0]一次"},
		{nil, ""},
	} {
		left := []bool{true, true, true, true, true}
		once := mark(c.text, words, left)
		if got := marks(once); got != c.want {
			t.Errorf("marked is %q, not %q", got, c.want)
		}
		for i := range left {
			left[i] = true
		}
		if got := marks(mark(once, words, left)); got != c.want {
			t.Errorf("marked again is %q, not %q", got, c.want)
		}
	}
}

// A word is looked up in its paragraph, and a second time closes it. A lesson that comes before the glossary is marked when
// that has come, and the glossary itself is never.
func TestAWordIsLookedUp(t *testing.T) {
	says := []link.Span{{Text: "a list after the first one"}}
	m := &Model{Learning: &Learning{Lesson: &link.Lesson{Name: "gone", Parts: []link.LessonPart{{Kind: "paragraph", Text: []link.Span{{Text: "A relist."}}}, {Kind: "go", Text: []link.Span{{Text: "relist"}}}}}}}
	m.Listed(&link.Course{Words: []link.Word{{Terms: []link.Span{{Kind: link.SpanStrong, Text: "Relist"}}, Meaning: says}}})
	if got := marks(m.Learning.Parts[0].Text) + marks(m.Learning.Parts[1].Text); got != "A [relist=0].relist" {
		t.Errorf("the lesson reads %q", got)
	}
	for _, c := range []struct {
		arg  string
		part int
		says string
	}{{"0.0", 0, says[0].Text}, {"0.0", 0, ""}, {"0.0", 1, ""}, {"0.1", 0, ""}, {"0.-1", 0, ""}, {"x", 0, ""}, {"0.x", 0, ""}} {
		m.LookUp(c.arg)
		got := ""
		if w := m.GlossaryWord(c.part); w != nil {
			got = w.Meaning[0].Text
		}
		if got != c.says {
			t.Errorf("after %q part %d says %q, not %q", c.arg, c.part, got, c.says)
		}
	}
	if l := m.withGlossary(&link.Lesson{Name: glossary, Parts: []link.LessonPart{{Kind: "paragraph", Text: []link.Span{{Text: "relist"}}}}}); strings.Contains(marks(l.Parts[0].Text), "[") {
		t.Error("the glossary's own words are marked")
	}
}
