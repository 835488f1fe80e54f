package lesson

import (
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// The worker looks for words in the texts, and what it finds counts as long as the same words are looked for.
func TestWordsAreLookedForInTexts(t *testing.T) {
	d := &table{}
	m := New(d)
	m.OpenCourse()
	m.Listed(&link.Course{})
	d.asked = nil
	for _, words := range []string{"r", "re", "re "} {
		m.Search(words)
	}
	url := WordsURL(d.Surroundings().Lang)
	if want := []link.Op{link.FindLessons{URL: url, Words: "re"}, link.FindLessons{URL: url, Words: "re "}}; !reflect.DeepEqual(d.asked, want) {
		t.Errorf("asked is %v", d.asked)
	}
	m.LessonsFound(&link.FoundLessons{URL: url, Words: "re"})
	if m.Found != nil {
		t.Error("an answer about other words is taken")
	}
	answer := &link.FoundLessons{URL: url, Words: "re "}
	if m.LessonsFound(answer); m.Found != answer {
		t.Error("the answer is not taken")
	}
	if m.OpenCourse(); m.Found != nil || m.Find != "" {
		t.Error("the list is opened with the words of before")
	}
}
