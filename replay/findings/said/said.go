// Package said says findings in English. The page says them in its languages; its English catalogue has the same texts.
package said

import (
	_ "embed"
	"maps"
	"strings"

	"github.com/informerscope/informerscope/replay/findings"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/sentence"
)

//go:embed english.txt
var english string

// Texts are the sentences of the findings, by the ID: what was found, and under ID.title and ID.instead its name in a
// few words, and what helps.
var Texts = maps.Collect(sentence.Lines(english))

// Format writes the values of a language or a program.
type Format struct {
	Count    func(n int64) string
	Duration func(ns int64) string
	Size     func(bytes int64) string
	Text     func(s string) string // makes text from a capture harmless
}

// Sentence returns a sentence about a capture.
func Sentence(l *findings.Line, how Format) string {
	return sentence.Fill(Texts[strings.TrimPrefix(l.ID, "finding.")], func(name string) (text string, singular bool) {
		for i := range l.Args {
			switch a := &l.Args[i]; {
			case a.Name != name:
			case a.Line != nil:
				return Sentence(a.Line, how), false
			case a.Count != nil:
				return count(a.Count, how), a.Count.N == 1
			default:
				return how.Text(a.Text), false
			}
		}
		return "", false
	})
}

func count(c *findings.Count, how Format) (text string) {
	switch c.Unit {
	case findings.Duration:
		text = how.Duration(c.N)
	case findings.Bytes:
		text = how.Size(c.N)
	case findings.Percent:
		text = how.Count(c.N) + " %"
	default:
		text = how.Count(c.N)
	}
	if c.AtLeast {
		text = sentence.Fill(Texts["atLeast"], func(string) (string, bool) { return text, false })
	}
	return text
}

// Finding returns what was found, with what else is known of it.
func Finding(f *findings.Finding, how Format) string {
	l := f.Line()
	s := Sentence(&l, how)
	if len(f.Fields) > 0 {
		var paths []string
		for _, x := range f.Fields {
			paths = append(paths, how.Text(x.Path))
		}
		s += " " + sentence.Fill(Texts[findings.FieldsText(f.ID)], func(string) (string, bool) { return strings.Join(paths, ", "), false })
	}
	for _, note := range f.Notes() {
		s += " " + Texts[note]
	}
	return s
}

// English is how a terminal gets the values.
var English = Format{Count: plain.Count, Duration: plain.Duration, Size: plain.Size, Text: plain.Text}
