package script

import (
	"strings"
	"unicode"
)

// GoTest writes a script as the file of a Go test, which plays it and fails where it
// expects something else. The test is named after the name, as far as Go allows that.
func GoTest(name, text string) string {
	return `package session_test

import (
	"testing"

	"github.com/informerscope/informerscope/engine/script"
)

// ` + testName(name) + ` plays a session that informerscope has saved.
func ` + testName(name) + `(t *testing.T) {
	const session = ` + quoted(text) + `
	r := script.NewRunner(func(e script.Entry) {
		if e.Kind == script.Moved {
			t.Log(e)
		}
	})
	if err := r.Play(session); err != nil {
		t.Fatal(err)
	}
}
`
}

// testName makes the name of a Go test: "14-ghost" becomes "Test14Ghost".
func testName(name string) string {
	b, up := strings.Builder{}, true
	b.WriteString("Test")
	for _, c := range name {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(c))
			up = false
		default:
			b.WriteRune(c)
		}
	}
	if b.Len() == len("Test") {
		b.WriteString("Session")
	}
	if last := []rune(b.String())[len("Test")]; unicode.IsLower(last) { // a letter without an upper case
		return "Test_" + strings.TrimPrefix(b.String(), "Test")
	}
	return b.String()
}

// quoted is a text as a raw string of Go, which has no backquotes and no carriage
// returns.
func quoted(text string) string {
	text = strings.ReplaceAll(text, "\r", "")
	return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
}
