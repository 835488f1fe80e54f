package lesson

import (
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/wasm/link"
)

// contextBytes is how many bytes are shown before and after a word that was found.
const contextBytes = 48

// Search returns the lessons that have all of the words, in the order of texts: a line for each lesson, with its
// name, a tab, and its text.
func Search(texts, words string) (found []link.FoundLesson) {
	all := strings.Fields(strings.ToLower(words))
	if len(all) == 0 {
		return nil
	}
	for line := range strings.Lines(texts) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		lower, at := strings.ToLower(text), 0
		if len(lower) != len(text) {
			lower = text // some letters have a longer small one: then capitals count
		}
		for i := len(all) - 1; i >= 0 && at >= 0; i-- {
			at = strings.Index(lower, all[i])
		}
		if at < 0 {
			continue
		}
		end := at + len(all[0])
		from, to := max(0, at-contextBytes), min(len(text), end+contextBytes)
		for from > 0 && !utf8.RuneStart(text[from]) {
			from--
		}
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to++
		}
		found = append(found, link.FoundLesson{Name: name, Before: text[from:at], Word: text[at:end], After: text[end:to]})
	}
	return found
}
