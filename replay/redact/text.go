package redact

import (
	"bytes"
	_ "embed"
	"strings"
)

//go:embed words.txt
var wordList string

// words are those of the messages of Kubernetes' components.
var words = func() map[string]bool {
	m := map[string]bool{}
	for line := range strings.Lines(wordList) {
		if !strings.HasPrefix(line, "#") {
			for w := range strings.FieldsSeq(line) {
				m[w] = true
			}
		}
	}
	return m
}()

// text appends free text in which the words stay that Kubernetes' components use, with counts of at most three digits.
// Every other word becomes its token.
func (r *Redactor) text(out, s []byte, numbers bool) []byte {
	quoted := false // what is in quotes is a name
	for len(s) > 0 {
		n := 0
		for n < len(s) && !parts(s[n]) {
			n++
		}
		if n == 0 {
			if s[0] == '"' {
				quoted = !quoted
			}
			if s[0] >= ' ' || s[0] == '\n' || s[0] == '\t' {
				out = append(out, s[0])
			}
			s = s[1:]
			continue
		}
		word := s[:n]
		bare := bytes.TrimRight(word, ".:!?…")
		switch {
		case len(bare) == 0, r.isPlain(bare, numbers && !quoted), r.isPlain(word, numbers && !quoted):
			out = append(out, word...)
			r.counts.words++
		default:
			out = r.tokens.append(out, bare, spelled(bare))
			out = append(out, word[len(bare):]...)
			r.counts.tokens++
		}
		s = s[n:]
	}
	return out
}

// parts reports whether a character parts words. What else is no letter is part of a word: an address is one.
func parts(c byte) bool {
	return c <= ' ' || bytes.IndexByte([]byte(`"'()[]{}<>,;=|`+"`"), c) >= 0
}

// isPlain reports whether a word of free text stays.
func (r *Redactor) isPlain(word []byte, numbers bool) bool {
	digits := 0
	for _, c := range word {
		if c-'0' < 10 {
			digits++
		} else if c != '/' {
			digits = -len(word)
		}
	}
	if digits > 0 {
		return digits <= 3 || numbers && digits == len(word) && digits <= 20
	}
	if len(word) > 40 {
		return false
	}
	r.lower = r.lower[:0]
	for _, c := range word {
		if c-'A' < 26 {
			c |= 0x20
		}
		r.lower = append(r.lower, c)
	}
	return words[string(r.lower)]
}
