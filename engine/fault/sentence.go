//go:build !page

// The page has no English sentences, so this is no part of fault.go.

package fault

import (
	_ "embed"
	"strings"
)

// catalogue has the sentences of web/locales/en.json, a line each: the id, a space, and the sentence.
//
//go:embed english.txt
var catalogue string

// sentences are the catalogue's, by their ids.
var sentences = map[string]string{Text: "{text}"}

func init() {
	for line := range strings.Lines(catalogue) {
		id, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		sentences[id] = text
	}
	inEnglish = english
}

func english(err error) string {
	values := map[string]string{}
	id := Describe(err, func(name, text string, why error) {
		if why != nil {
			text = why.Error()
		}
		values[name] = text
	})
	rest, known := sentences[id]
	if text := values[English]; !known && text != "" {
		return text
	} else if !known {
		return id
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(after, "}")
		b.WriteString(values[name])
		rest = after
	}
}
