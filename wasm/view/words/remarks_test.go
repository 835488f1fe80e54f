package words_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// Every remark of a conversion, and every format, has its words.
func TestRemarksAndFormatsAreInTheCatalogues(t *testing.T) {
	known := remarks.IDs()
	formats := convert.Formats()
	if len(formats) < 6 || len(known) < 13 {
		t.Fatalf("found only the formats %v and the remarks %v", formats, known)
	}
	for _, lang := range viewtest.Languages(t) {
		words := viewtest.Catalogue(t, lang)
		for _, id := range formats {
			if words["format."+id] == "" {
				t.Errorf("%s has no format.%s", lang, id)
			}
		}
		for _, id := range known {
			english := remarks.Sentence(id, 123, "\x00detail\x00")
			s := words["remark."+id]
			if s == "" {
				t.Errorf("%s has no remark.%s: %s", lang, id, english)
				continue
			}
			for placeholder, filled := range map[string]string{"{count}": "123", "{detail}": "\x00detail\x00"} {
				if strings.Contains(s, placeholder) != strings.Contains(english, filled) {
					t.Errorf("%s: remark.%s and its English don't agree on %s", lang, id, placeholder)
				}
			}
		}
		for id := range words {
			if r, ok := strings.CutPrefix(id, "remark."); ok && !slices.Contains(known, r) {
				t.Errorf("%s has remark.%s, and no conversion makes that remark", lang, r)
			}
			if f, ok := strings.CutPrefix(id, "format."); ok && !slices.Contains(formats, f) {
				t.Errorf("%s has format.%s, and no reader knows that format", lang, f)
			}
		}
	}
}

// What can be taken out of a trace has a name in every language.
func TestWhatIsTakenOutIsInTheCatalogues(t *testing.T) {
	names := []string{redact.Dropped, redact.CutEvents, redact.Shape}
	for _, o := range []redact.Options{{Names: true}, {Values: true, Rules: redact.Default | redact.ManagedFields}} {
		r, err := redact.New(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Counts() {
			names = append(names, c.Name)
		}
	}
	if len(names) != 11 {
		t.Fatalf("the names that redact counts are %q", names)
	}
	for _, lang := range viewtest.Languages(t) {
		words := viewtest.Catalogue(t, lang)
		for _, name := range names {
			if words["taken."+name] == "" {
				t.Errorf("%s has no %q", lang, "taken."+name)
			}
		}
	}
}
