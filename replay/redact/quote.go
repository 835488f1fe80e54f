package redact

import (
	"unicode/utf8"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// hexDigit returns the number of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// appendQuoted appends s as a JSON string.
func appendQuoted(out, s []byte) []byte {
	const digits = "0123456789abcdef"
	out = append(out, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// appendFolded appends a field's name, a JSON string with its quotes, so that
// names are the same that some decoder takes for the same: without escapes, and
// without a difference between small and capital letters.
func appendFolded(out, quoted []byte) []byte {
	from := len(out)
	simple := true
	for _, c := range quoted[1 : len(quoted)-1] {
		if c == '\\' || c >= utf8.RuneSelf {
			simple = false
			break
		}
		out = append(out, lower(c))
	}
	if simple {
		return out
	}
	s := jsonscan.AppendUnquoted(nil, quoted)
	out = out[:from]
	for len(s) > 0 {
		c, n := utf8.DecodeRune(s)
		switch {
		case c == '\u017f': // the two letters outside of ASCII that fold into it
			out = append(out, 's')
		case c == '\u212a':
			out = append(out, 'k')
		case n == 1:
			out = append(out, lower(s[0]))
		default:
			out = append(out, s[:n]...)
		}
		s = s[n:]
	}
	return out
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// unescape undoes percent-encoding. What is not well encoded stays as it is.
func unescape(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && hexDigit(s[i+1]) >= 0 && hexDigit(s[i+2]) >= 0 {
			out = append(out, byte(hexDigit(s[i+1])<<4|hexDigit(s[i+2])))
			i += 2
		} else {
			out = append(out, s[i])
		}
	}
	return string(out)
}
