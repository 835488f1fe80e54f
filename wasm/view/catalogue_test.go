package view

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"
)

func catalogue(t *testing.T, lang string) map[string]string {
	t.Helper()
	b, err := os.ReadFile("../../web/locales/" + lang + ".json")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	if err := json.Unmarshal(b, &words); err != nil {
		t.Fatalf("%s: %v", lang, err)
	}
	return words
}

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

func TestCataloguesSayTheSame(t *testing.T) {
	en, zh := catalogue(t, "en"), catalogue(t, "zh")
	for id, s := range en {
		other, ok := zh[id]
		if !ok {
			t.Errorf("zh has no %s", id)
			continue
		}
		a, b := placeholder.FindAllString(s, -1), placeholder.FindAllString(other, -1)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("%s: en has %v, zh %v", id, a, b)
		}
	}
	for id := range zh {
		if _, ok := en[id]; !ok {
			t.Errorf("en has no %s", id)
		}
	}
}

// Every text that the views and commands ask for by a whole id is there.
func TestEveryTextIsInTheCatalogue(t *testing.T) {
	en := catalogue(t, "en")
	asked := regexp.MustCompile(`p\.tn?\("([a-zA-Z0-9.]+)"`)
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllStringSubmatch(string(b), -1) {
			id := m[1]
			if _, ok := en[id]; !ok && id[len(id)-1] != '.' {
				t.Errorf("%s asks for %q", f.Name(), id)
			}
		}
	}
}
