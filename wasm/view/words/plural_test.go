package words_test

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// The page sorts numbers as CLDR does. The rules are CLDR's, and so are the numbers, which are its samples.
func TestPluralRulesOfCLDR(t *testing.T) {
	for name, language := range map[string]struct{ rules, numbers map[string]string }{
		"Chinese": {nil, map[string]string{"other": "0 1 2 5 11 100"}},
		"English": {map[string]string{"one": "i = 1 and v = 0"}, map[string]string{"one": "1", "other": "0 2 11 21 101 1\u202f001"}},
		"French":  {map[string]string{"one": "i = 0,1", "many": "e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5"}, map[string]string{"one": "0 1", "many": "1000000 3\u202f000\u202f000", "other": "2 1001 1000001"}},
		"Polish": {map[string]string{
			"one": "i = 1 and v = 0", "few": "v = 0 and i % 10 = 2..4 and i % 100 != 12..14",
			"many": "v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14",
		}, map[string]string{"one": "1", "few": "2 3 4 22 24 102 1\u202f002", "many": "0 5 12 13 14 19 21 100 111 112 1\u202f000"}},
		"Arabic": {map[string]string{"zero": "n = 0", "one": "n = 1", "two": "n = 2", "few": "n % 100 = 3..10", "many": "n % 100 = 11..99"}, map[string]string{
			"zero": "0", "one": "1", "two": "2", "few": "3 10 103 1003", "many": "11 99 111 1099", "other": "100 101 102 200 1000",
		}},
		"Lithuanian": {map[string]string{
			"one": "n % 10 = 1 and n % 100 != 11..19", "few": "n % 10 = 2..9 and n % 100 != 11..19", "many": "f != 0",
		}, map[string]string{"one": "1 21 101", "few": "2 9 22", "other": "0 10 11 12 20 111"}},
	} {
		words := map[string]string{"ui.more": "{n} {n|zero:zero|one:one|two:two|few:few|many:many|other:other}"}
		for category, rule := range language.rules {
			words["plural."+category] = rule
		}
		w := viewtest.Speaking(words)
		for category, numbers := range language.numbers {
			for _, n := range strings.Split(numbers, " ") {
				if got := w.Tn("ui.more", "n", n); got != n+" "+category {
					t.Errorf("%s: the category is %q, and not %s", name, got, category)
				}
			}
		}
		if got := w.Tn("ui.more", "n", "many"); got != "many other" {
			t.Errorf("%s: the category is %q for what is no number", name, got)
		}
	}
}

// A sentence chooses its forms, too, and says what an empty value means.
func TestSentencesChooseForms(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "en"))
	list := func(rv string) string {
		return w.Plain(link.Sentence{ID: "step.watchRequested", Args: map[string]link.Arg{"rv": {Kind: "rv", V: rv}}})
	}
	items := func(n string) string {
		return w.Plain(link.Sentence{ID: "step.listReceived", Args: map[string]link.Arg{"n": {Kind: "num", V: n}}})
	}
	dropped := w.Plain(link.Sentence{ID: "step.storeDeleted", Args: map[string]link.Arg{"key": {Kind: "key", V: "default/web"}, "old": {Kind: "rv"}}})
	for got, want := range map[string]string{
		dropped:  "whose last version was no resourceVersion.",
		list(""): "at no resourceVersion.", list("0"): "at resourceVersion 0.",
		items("1"): "1 item.", items("0"): "0 items.", items("1000"): "1\u202f000 items.",
	} {
		if !strings.HasSuffix(got, want) {
			t.Errorf("%q doesn't end in %q", got, want)
		}
	}
}

// Chinese words that come into a sentence stand beside others without a space. Numbers and Latin words keep theirs.
func TestNoSpaceBetweenChineseWords(t *testing.T) {
	w := &words.Words{Texts: map[string]string{"after": "过了 {time} 仍未返回", "atLeast": "至少 {value}", "in": "{of} 的 {n} 个事件", "kinds": "{n} 种资源"}}
	number := link.Arg{Kind: "num", V: "30"}
	why := func(id, name string) link.Arg {
		return link.Arg{Kind: "why", Reason: &link.Sentence{ID: id, Args: map[string]link.Arg{name: number}}}
	}
	for want, s := range map[string]link.Sentence{
		"过了至少 30 仍未返回":   {ID: "after", Args: map[string]link.Arg{"time": why("atLeast", "value")}},
		"过了 30 仍未返回":     {ID: "after", Args: map[string]link.Arg{"time": number}},
		"30 种资源的 30 个事件": {ID: "in", Args: map[string]link.Arg{"of": why("kinds", "n"), "n": number}},
	} {
		if got := w.Plain(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
