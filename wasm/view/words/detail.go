package words

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// What is wrong with a file, a line of script or a question is said in English by the
// packages that find it, and traces and the converting program hand it on as text. A
// catalogue of another language has it under "detail." and the English text, with {} for
// each part that differs. In the translation, {1} is the first of these parts.

// details are such texts in a language.
type details struct {
	patterns []string // what the catalogue has, sorted
	said     map[string]string
}

// Detail says in the page's language what is wrong. What the catalogue doesn't know, such
// as the words of a browser or an API server, stays as it is.
func (w *Words) Detail(text string) string {
	if len(text) > maxDetail {
		return text
	}
	d := w.details
	if d.said == nil || len(d.said) > maxSaid {
		*d = details{said: map[string]string{}}
		for id := range w.Texts {
			if pattern, ok := strings.CutPrefix(id, "detail."); ok {
				d.patterns = append(d.patterns, pattern)
			}
		}
		sort.Slice(d.patterns, func(i, j int) bool { return d.patterns[i] < d.patterns[j] })
	}
	s, ok := d.said[text]
	if !ok {
		s = w.translated(text, false, 0)
		d.said[text] = s
	}
	return s
}

const (
	maxSaid    = 256  // texts that are remembered
	maxDetail  = 2000 // bytes; a longer text stays as it is
	maxWithin  = 8    // parts of parts that are translated
	fewLetters = 6    // a pattern with fewer letters of its own is tried only where words are expected
)

// translated is Detail for a text at a depth within another one. If expected is set, the
// text may be a list of words that are expected.
func (w *Words) translated(text string, expected bool, depth int) string {
	best, parts, length := "", []string(nil), -1
	for _, pattern := range w.details.patterns {
		own := len(pattern) - 2*strings.Count(pattern, "{}")
		if own <= length || own < fewLetters && strings.Contains(pattern, "{}") && !expected {
			continue
		}
		if found, ok := fits(pattern, text); ok {
			best, parts, length = pattern, found, own
		}
	}
	if best == "" {
		return text
	}
	expected = expected || strings.Contains(best, " is expected")
	out := w.Texts["detail."+best]
	for i, part := range parts {
		if _, err := strconv.Unquote(part); err != nil && depth < maxWithin {
			parts[i] = w.translated(part, expected, depth+1)
		}
	}
	var b strings.Builder
	for out != "" {
		before, number, _, after := argument(out)
		b.WriteString(before)
		if i, err := strconv.Atoi(number); err == nil && i >= 1 && i <= len(parts) {
			b.WriteString(parts[i-1])
		}
		out = after
	}
	return b.String()
}

// fits reports whether a text is a pattern with something for each {}, and returns what.
func fits(pattern, text string) (parts []string, ok bool) {
	own := strings.Split(pattern, "{}")
	rest, ok := strings.CutPrefix(text, own[0])
	if !ok || len(own) == 1 {
		return nil, ok && rest == ""
	}
	last := len(own) - 1
	for _, s := range own[1:last] {
		part, after, ok := strings.Cut(rest, s)
		if !ok {
			return nil, false
		}
		parts, rest = append(parts, part), after
	}
	part, ok := strings.CutSuffix(rest, own[last])
	return append(parts, part), ok && !slices.Contains(append(parts, part), "")
}
