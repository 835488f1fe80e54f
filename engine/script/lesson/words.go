package lesson

import "strings"

// Word is a word of a glossary, and what it means.
type Word struct {
	Terms []Span // the word, or several with one meaning: each is Strong, or Literal if it is a word of the course in code alone
	Says  []Span
}

// Words returns the words of a glossary: a lesson whose lists have the word first, then a colon, and then what it means.
func (l *Lesson) Words() (all []Word) {
	for i := range l.Parts {
		for _, item := range l.Parts[i].Items {
			if w, ok := word(item); ok && l.Parts[i].Kind == List {
				all = append(all, w)
			}
		}
	}
	return all
}

func word(item []Span) (w Word, ok bool) {
	for k, s := range item {
		switch {
		case s.Kind == Strong || s.Kind == Literal:
			w.Terms = append(w.Terms, s)
		case s.Kind != Plain || w.Terms == nil:
			return w, false
		}
		for _, colon := range []string{": ", "："} {
			if text, is := strings.CutPrefix(s.Text, colon); is && s.Kind == Plain {
				w.Says = append(w.Says, Span{Kind: Plain, Text: text})
				w.Says = append(w.Says, item[k+1:]...)
				return w, true
			}
		}
	}
	return w, false
}
