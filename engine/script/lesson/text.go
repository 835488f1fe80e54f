package lesson

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

// Span is a piece of prose.
type Span struct {
	Kind SpanKind
	Text string
	Link string // of a Link: an address of a public discussion, or the file of another lesson
}

// SpanKind says how a Span is set.
type SpanKind uint8

// The kinds of spans.
const (
	Plain SpanKind = iota
	Literal
	Emphasis
	Strong
	Link
)

// marks are the characters around spans. Strong must come before Emphasis.
var marks = []struct {
	mark string
	kind SpanKind
}{{"`", Literal}, {"**", Strong}, {"*", Emphasis}}

// discussions is where the public discussions are that a lesson may link to.
const discussions = "https://github.com/"

// parseSpans reads a line of prose. n is its line of the file.
func parseSpans(text string, n int) ([]Span, error) {
	var out []Span
	plain := func(s string) {
		if s != "" {
			out = append(out, Span{Kind: Plain, Text: s})
		}
	}
	from := 0
	for i := 0; i < len(text); {
		s, size, err := spanAt(text[i:], n)
		if err != nil {
			return nil, err
		}
		if size == 0 {
			i++
			continue
		}
		plain(text[from:i])
		out = append(out, s)
		i += size
		from = i
	}
	plain(text[from:])
	return out, nil
}

// spanAt reads the span that begins a text, and how long it is; 0 if none begins
// there.
func spanAt(text string, n int) (s Span, size int, err error) {
	for _, m := range marks {
		rest, ok := strings.CutPrefix(text, m.mark)
		if !ok {
			continue
		}
		end := strings.Index(rest, m.mark)
		if end <= 0 {
			return s, 0, fail(n, fault.Named("openMark mark", m.mark))
		}
		return Span{Kind: m.kind, Text: rest[:end]}, end + 2*len(m.mark), nil
	}
	if text[0] != '[' {
		return s, 0, nil
	}
	name, rest, ok := strings.Cut(text[1:], "](")
	if !ok || strings.ContainsAny(name, "[]") {
		return s, 0, nil // the bracket begins no link
	}
	target, _, ok := strings.Cut(rest, ")")
	if !ok {
		return s, 0, fail(n, fault.Plain("openLink"))
	}
	if err := checkLink(name, target, n); err != nil {
		return s, 0, err
	}
	return Span{Kind: Link, Text: name, Link: target}, len(name) + len(target) + 4, nil
}

// checkLink allows links to other lessons, and to discussions by repository and
// number: [kubernetes/kubernetes#1](https://github.com/kubernetes/kubernetes/issues/1).
func checkLink(name, target string, n int) error {
	path, ok := strings.CutPrefix(target, discussions)
	if !ok {
		if file, moment, _ := strings.Cut(target, "#"); strings.HasSuffix(file, ".md") && isName(strings.TrimSuffix(file, ".md")) && (moment == "" || isName(moment)) {
			return nil
		}
		return fail(n, fault.Plain("linkLeads"))
	}
	parts := strings.Split(path, "/")
	if len(parts) != 4 || parts[2] != "issues" && parts[2] != "pull" || name != parts[0]+"/"+parts[1]+"#"+parts[3] {
		return fail(n, fault.Plain("linkText"))
	}
	for _, c := range []byte(path) {
		if !strings.ContainsRune(nameBytes+"/._", rune(c)) && (c < 'A' || c > 'Z') {
			return fail(n, fault.Plain("linkAddress"))
		}
	}
	return nil
}

const nameBytes = "abcdefghijklmnopqrstuvwxyz0123456789-"

// isName reports whether s can name a lesson or a moment.
func isName(s string) bool {
	return s != "" && strings.Trim(s, nameBytes) == ""
}

// PlainText returns a text without its marks.
func PlainText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Word is a word of a glossary, and what it means.
type Word struct {
	Terms   []Span // the word, or several with one meaning: each is Strong, or Literal if it is a word of the course in code alone
	Meaning []Span
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
				w.Meaning = append(w.Meaning, Span{Kind: Plain, Text: text})
				w.Meaning = append(w.Meaning, item[k+1:]...)
				return w, true
			}
		}
	}
	return w, false
}
