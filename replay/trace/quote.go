package trace

import "unicode/utf8"

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
