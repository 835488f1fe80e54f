package lesson

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
)

// glossary is the lesson that says what the words of the course mean.
const glossary = "words"

// LookUp shows what a word of the lesson means, or no longer if that is shown. Arg is the Word of the Model.
func (m *Model) LookUp(arg string) {
	if m.Word == arg {
		arg = ""
	}
	m.Word = arg
}

// GlossaryWord returns the word that the reader looks up in a part of the lesson, -1 for its summary. It is nil for none.
func (m *Model) GlossaryWord(part int) *link.Word {
	number, n, _ := strings.Cut(m.Word, ".")
	i, err := strconv.Atoi(n)
	if m.Course == nil || err != nil || number != strconv.Itoa(part) || i < 0 || i >= len(m.Course.Words) {
		return nil
	}
	return &m.Course.Words[i]
}

// withGlossary returns a lesson of the course in which the first mention of each word of the glossary can be looked
// up, in the summary and the paragraphs. While the glossary isn't known, no word is marked.
func (m *Model) withGlossary(l *link.Lesson) *link.Lesson {
	if m.Course == nil || l.Name == glossary {
		return l
	}
	next := *l
	next.Parts = append([]link.LessonPart{}, l.Parts...)
	left := make([]bool, len(m.Course.Words))
	for i := range left {
		left[i] = true
	}
	next.Summary = mark(l.Summary, m.Course.Words, left)
	for i := range next.Parts {
		p := &next.Parts[i]
		if p.Kind == link.PartParagraph {
			p.Text = mark(p.Text, m.Course.Words, left)
		}
	}
	return &next
}

// mark marks the first mention of each word that is left in a text, and takes the word out of those that are left.
func mark(text []link.Span, words []link.Word, left []bool) (out []link.Span) {
	for _, s := range text {
		switch s.Kind {
		case link.SpanWord, link.SpanWordCode: // it is marked already
			if n, err := strconv.Atoi(s.Link); err == nil && n < len(left) {
				left[n] = false
			}
		case link.SpanCode:
			for n := range words {
				if left[n] && isTerm(&words[n], s.Text) {
					left[n], s.Kind, s.Link = false, link.SpanWordCode, strconv.Itoa(n)
				}
			}
		case "":
			for {
				at, size, n := firstMention(s.Text, words, left)
				if n < 0 {
					break
				}
				left[n] = false
				if at > 0 {
					out = append(out, link.Span{Text: s.Text[:at]})
				}
				out = append(out, link.Span{Kind: link.SpanWord, Text: s.Text[at : at+size], Link: strconv.Itoa(n)})
				s.Text = s.Text[at+size:]
			}
			if s.Text == "" {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// isTerm reports whether a text is one of a word's terms.
func isTerm(w *link.Word, text string) bool {
	for _, t := range w.Terms {
		if t.Text == text || lowerFirst(t.Text) == text {
			return true
		}
	}
	return false
}

// firstMention finds the first mention of a word in a text: where it is, how long, and which word, -1 for none. Of two that begin at
// the same place, it is the longer one.
func firstMention(text string, words []link.Word, left []bool) (at, size, n int) {
	n = -1
	for i := range words {
		if !left[i] {
			continue
		}
		for _, t := range words[i].Terms {
			if t.Kind == link.SpanCode {
				continue
			}
			for _, term := range [...]string{t.Text, lowerFirst(t.Text)} {
				if k, long := mention(text, term); k >= 0 && (n < 0 || k < at || k == at && long > size) {
					at, size, n = k, long, i
				}
			}
		}
	}
	return at, size, n
}

// lowerFirst returns a term as it stands within a sentence. Names keep their case.
func lowerFirst(term string) string {
	if low := strings.ToLower(term); term[1:] == low[1:] {
		return low
	}
	return term
}

// mention finds a term in a text, in the singular or the plural, where it is no part of another word.
func mention(text, term string) (at, size int) {
	for from := 0; ; {
		k := strings.Index(text[from:], term)
		if k < 0 {
			return -1, 0
		}
		at, size = from+k, len(term)
		if at+size < len(text) && text[at+size] == 's' {
			size++
		}
		if (at == 0 || !isLetter(text[at-1])) && (at+size == len(text) || !isLetter(text[at+size])) {
			return at, size
		}
		from = at + 1
	}
}

// isLetter reports whether a byte continues a word of English. Chinese has no spaces between words.
func isLetter(b byte) bool {
	return b == '-' || b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
