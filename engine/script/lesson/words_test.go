package lesson

import (
	"regexp"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/script/syntax"
)

// TestScriptsAreToldInWords: no line of a lesson is told by an expression.
func TestScriptsAreToldInWords(t *testing.T) {
	eachLesson(t, func(language, name string, l *Lesson) {
		for i := range l.Parts {
			var lines []string
			for _, line := range l.Parts[i].Lines {
				lines = append(lines, line.Text)
			}
			if l.Parts[i].Kind != Script {
				continue
			}
			for _, s := range syntax.Describe(lines) {
				if s.Form == "run.until" {
					t.Errorf("%s/%s: the page has no words for run until %s", language, name, strings.Join(s.Objects, ", "))
				}
			}
		}
	})
}

// notations are what isn't plain English or Chinese in what a reader sees, and the words that introduce it in each language.
var notations = []struct {
	what       string
	used       func(p *Part) bool
	introduced map[string]string
}{
	{"the key of an object", func(p *Part) bool { return keyInText.MatchString(codeOf(p.Text)) }, map[string]string{"en": "key, default/web", "zh": "key default/web"}},
	{"a version behind a key", func(p *Part) bool {
		return p.Kind == Question && strings.Contains(strings.Join(p.Ask.Options, " "), "@")
	},
		map[string]string{"en": "The number behind a key is the version", "zh": "key 后面的数字是对象的版本"}},
	{"a Delta", func(p *Part) bool {
		return p.Kind == Question && strings.Contains(strings.Join(p.Ask.Options, " "), "Added ")
	},
		map[string]string{"en": "A Delta is a type", "zh": "由类型（例如 Added）和当时的对象组成"}},
	{"a line of script", func(p *Part) bool { return p.Kind == Exercise }, map[string]string{"en": "A line such as queue add default/web", "zh": "键入一行，例如 queue add default/web"}},
}

var keyInText = regexp.MustCompile(`(^|\n)[a-z0-9]+/[a-z0-9-]+(\n|$)`)

// codeOf returns what is code in texts, a line each.
func codeOf(texts ...[]Span) (all string) {
	for _, text := range texts {
		for _, s := range text {
			if s.Kind == Literal {
				all += s.Text + "\n"
			}
		}
	}
	return all
}

// TestNotationsAreIntroduced: who reads the course in its order meets no notation before the words that introduce it, and an
// object's version is never written behind an @.
func TestNotationsAreIntroduced(t *testing.T) {
	for _, language := range languages(t) {
		known := map[string]bool{}
		c, err := ParseCourse(read(t, language, "course"))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, ch := range c.Chapters {
			names = append(names, ch.Lessons...)
		}
		for _, name := range names {
			l := parsed(t, language, name)
			for i := range l.Parts {
				p := &l.Parts[i]
				if p.Kind == Note {
					continue
				}
				text := PlainText(p.Text)
				for _, g := range p.Goals {
					text += " " + PlainText(g.Label)
				}
				if versioned.MatchString(text) {
					t.Errorf("%s/%s: a reader sees a version behind an @: %s", language, name, text)
				}
				for _, n := range notations {
					known[n.what] = known[n.what] || strings.Contains(text, n.introduced[language])
					if n.used(p) && !known[n.what] {
						t.Errorf("%s/%s: %s stands before it is introduced", language, name, n.what)
						known[n.what] = true // once is enough
					}
				}
			}
		}
	}
}

var versioned = regexp.MustCompile(`[a-z0-9]@\d`)

// TestTheGlossaryIsRead: the page looks words up in the lesson words, in which each language has the same ones in the same order.
func TestTheGlossaryIsRead(t *testing.T) {
	var first []Word
	for _, language := range languages(t) {
		words := parsed(t, language, "words").Words()
		if first == nil {
			first = words
		}
		if len(words) < 20 || len(words) != len(first) {
			t.Errorf("%s has %d words, and %s %d", language, len(words), languages(t)[0], len(first))
		}
		for _, w := range words {
			for _, term := range w.Terms {
				if says := PlainText(w.Meaning); term.Text == "" || len(strings.TrimSpace(says)) < 20 || strings.HasPrefix(says, ":") {
					t.Errorf("%s: %q means %q", language, term.Text, says)
				}
			}
		}
	}
	l, err := Parse(head + "- **One**, `two`: the first.\n- **Three**： *the* second.\n- Four: no word.\n- **Five** has no colon.\n- [six](a.md): a link.\n\n**Seven**: a paragraph.\n")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, w := range l.Words() {
		for _, term := range w.Terms {
			got += term.Text + " "
		}
		got += "= " + PlainText(w.Meaning) + "\n"
	}
	if got != "One two = the first.\nThree =  the second.\n" {
		t.Errorf("the words are\n%s", got)
	}
}
