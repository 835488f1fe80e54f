package lesson

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// WordsURL is the address of the texts of all lessons in a language.
func WordsURL(lang string) string { return "lessons/" + lang + "/words.txt" }

// Search shows only those lessons of the list that have the words, in their titles or in their texts. A single
// letter is looked for in titles alone, as most texts have it.
func Search(m *Model, d Desk, _, words string) []desk.Cmd {
	m.Find, m.Found = words, nil
	if len(strings.TrimSpace(words)) < 2 {
		return nil
	}
	return d.Send(link.FindLessons{URL: WordsURL(d.Rest().Lang), Words: words})
}

// LessonsFound takes in the lessons whose texts have the words, unless others are looked for by now.
func (m *Model) LessonsFound(f *link.FoundLessons) {
	if f.Words == m.Find && m.Course != nil && f.URL == WordsURL(m.courseLang) {
		m.Found = f
	}
}
