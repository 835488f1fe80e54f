package script

import "strings"

// GoTest writes a script as the file of a Go test. The test plays the script,
// and fails where an expectation isn't met. The test is named after the name,
// as far as Go allows that.
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

// testName makes the name of a Go test of the letters and digits of ASCII: "14-ghost"
// becomes "Test14Ghost".
func testName(name string) string {
	out, up := []byte("Test"), true
	for i := range len(name) {
		c := name[i]
		lower := 'a' <= c && c <= 'z'
		if !lower && !('A' <= c && c <= 'Z') && !('0' <= c && c <= '9') {
			up = true
			continue
		}
		if up && lower {
			c -= 'a' - 'A'
		}
		out, up = append(out, c), false
	}
	if len(out) == len("Test") {
		return "TestSession"
	}
	return string(out)
}

// quoted is a text as a raw string of Go, which has no backquotes and no carriage
// returns.
func quoted(text string) string {
	text = strings.ReplaceAll(text, "\r", "")
	return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
}
