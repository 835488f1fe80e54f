package plain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"plain text":                           "plain text",
		"Pod “web” 名前 ё é":                     "Pod “web” 名前 ё é",
		"👩\u200d🔧 ❤\ufe0f":                     "👩\u200d🔧 ❤\ufe0f",
		"\x1b[31mred":                          "\ufffd[31mred",
		"a\u009b31mb":                          "a\ufffd31mb",
		"a\r\nb\tc\x00\x7f":                    "a\ufffd\ufffdb\ufffdc\ufffd\ufffd",
		"user\u202etxt.exe":                    "user\ufffdtxt.exe",
		"a\u2066b\u2069c\u200ed\u200fe\u061cf": "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf",
		"we\u200bb\ufeff\u2060\u00ad":          "we\ufffdb\ufffd\ufffd\ufffd",
		"a\u2028b\u2029c":                      "a\ufffdb\ufffdc",
		"a\u3164b\U000e0041c":                  "a\ufffdb\ufffdc",
		"bad\xffutf8":                          "bad\ufffdutf8",
	} {
		if got := Text(in); got != want {
			t.Errorf("%q becomes %q, should be %q", in, got, want)
		}
	}
	if got := Lines("a\tb\r\n\x1b[2Jc\n"); got != "a    b\n\ufffd[2Jc\n" {
		t.Errorf("%q", got)
	}
}

// TestDuration looks at what is rounded up to the next unit.
func TestDuration(t *testing.T) {
	for ns, want := range map[int64]string{
		999: "999ns", 1_000: "1 µs", 999_499: "999 µs", 999_500: "1 ms", 999_499_999: "999 ms", 999_999_997: "1.0 s", 59_949_999_999: "59.9 s", 59_950_000_000: "1m0s", 60e9: "1m0s",
	} {
		if got := Duration(ns); got != want {
			t.Errorf("%d is %q, should be %q", ns, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[0m\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		out := Text(s)
		if !utf8.ValidString(out) || utf8.RuneCountInString(out) != utf8.RuneCountInString(s) || Text(out) != out || strings.ContainsAny(out, "\x1b\r\n\u202e\u2066") {
			t.Errorf("%q becomes %q", s, out)
		}
	})
}
