package lesson

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/informerscope/informerscope/wasm/link"
)

// A lesson is found by all of the words that its text has, in any order and case. The answer shows the first of them
// with what stands around it, in whole letters.
func TestSearchInTexts(t *testing.T) {
	texts := "one\tThe reflector calls Replace, as in kubernetes#136509.\ntwo\t" + strings.Repeat("队列里的每个 key 都有一个 Deltas 列表。", 8) + "Replace 之后。\n"
	names := func(words string) (all []string) {
		for _, f := range Search(texts, words) {
			all = append(all, f.Name)
			if !utf8.ValidString(f.Before) || !utf8.ValidString(f.After) || len(f.Before) > contextBytes+3 || len(f.After) > contextBytes+3 {
				t.Errorf("%q is found in %q, %q, %q", words, f.Before, f.Word, f.After)
			}
		}
		return all
	}
	for words, want := range map[string][]string{
		"136509": {"one"}, "replace": {"one", "two"}, "REPLACE reflector": {"one"}, "列表 replace": {"two"}, "Replace 136509 列表": nil, "": nil, " ": nil,
	} {
		if got := names(words); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is found in %q, and not in %q", words, got, want)
		}
	}
	if got := Search(texts, "replace reflector")[0]; got != (link.FoundLesson{Name: "one", Before: "The reflector calls ", Word: "Replace", After: ", as in kubernetes#136509."}) {
		t.Errorf("found is %+v", got)
	}
}
