package jsonscan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Unquote returns what b says, if it is a JSON string and nothing else. It is a part of b if it has no
// escapes. Bytes that are not UTF-8 become the replacement character.
func Unquote(b []byte) (s string, ok bool) {
	r := NewReader(b)
	if r.Text(&s); r.End() != nil || r.first() != '"' {
		return "", false
	}
	return s, true
}

// text returns what a JSON string with its quotes says, whose end was found.
func text(quoted []byte) string {
	b := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(b, '\\') >= 0 {
		b = AppendUnquoted(nil, quoted)
	}
	if !utf8.Valid(b) {
		return string([]rune(string(b)))
	}
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// AppendUnquoted appends what a JSON string with its quotes says. It must be valid. Bytes that are not UTF-8
// stay as they are.
func AppendUnquoted(dst, quoted []byte) []byte {
	s := quoted[1 : len(quoted)-1]
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			dst = append(dst, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			c := hex4(s[i+1:])
			i += 4
			if utf16.IsSurrogate(c) {
				second := rune(-1)
				if i+6 < len(s) && s[i+1] == '\\' && s[i+2] == 'u' {
					second = hex4(s[i+3:])
				}
				if c = utf16.DecodeRune(c, second); c != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, c)
		default:
			dst = append(dst, s[i])
		}
	}
	return dst
}

// hex4 returns the number of four hexadecimal digits.
func hex4(b []byte) (n rune) {
	for _, c := range b[:4] {
		n = n<<4 | rune(HexDigit(c))
	}
	return n
}

// HexDigit returns the number of a hexadecimal digit, or -1.
func HexDigit(c byte) int {
	switch {
	case c-'0' <= 9:
		return int(c - '0')
	case c|0x20-'a' <= 5:
		return int(c|0x20-'a') + 10
	}
	return -1
}

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become the replacement character.
//
// It exists for programs that become WebAssembly: a JSON library's encoder is
// one function of 200 kB, and a browser compiles this function for most of a
// second as soon as it has written a few strings.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0 // how much of s is written
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		b = append(b, s[from:i]...)
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = utf8.AppendRune(b, utf8.RuneError)
		}
		i++
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}
