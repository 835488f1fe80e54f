package session

import "strings"

// Language is one that the page speaks. Its texts are web/locales/Code.json.
type Language struct {
	Code string
	Tag  string // BCP 47, for the document
	Name string // short, as its speakers write it
}

// Languages are all of them, the first for whoever speaks none. Nothing else in the
// code names one.
var Languages = []Language{
	{"en", "en", "EN"},
	{"zh", "zh-Hans", "中文"},
}

// LanguageOf is the language that a browser's tag stands for: "zh" for zh-CN.
func LanguageOf(tag string) Language {
	primary, _, _ := strings.Cut(tag, "-")
	for _, l := range Languages {
		if strings.EqualFold(l.Code, primary) {
			return l
		}
	}
	return Languages[0]
}
