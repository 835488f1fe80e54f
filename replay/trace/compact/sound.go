package compact

import "unicode/utf8"

// Deepest is how deep a value may nest for Sound.
const Deepest = 900

// Sound returns the index after the value that begins at b[i], or -1 unless it is JSON
// in UTF-8 without spaces, and nests no deeper than Deepest. No decoder refuses it.
func Sound(b []byte, i int) int {
	var arrays [Deepest/64 + 1]uint64 // a bit for each level: it is an array, and no object
	depth, array := uint(0), true     // array is the bit of the level at b[i]
	for {
		if !array { // a member's name stands before the value
			if i >= len(b) || b[i] != '"' {
				return -1
			}
			if i = soundText(b, i); i < 0 || i >= len(b) || b[i] != ':' {
				return -1
			}
			i++
		}
		if i >= len(b) {
			return -1
		}
		opens := b[i]
		switch opens {
		case '{', '[':
			if depth == Deepest {
				return -1
			}
			if i++; i < len(b) && b[i] == opens+2 { // the bracket that closes it
				i++
				break
			}
			depth++
			if array = opens == '['; array {
				arrays[depth/64] |= 1 << (depth % 64)
			} else {
				arrays[depth/64] &^= 1 << (depth % 64)
			}
			continue
		case '"':
			i = soundText(b, i)
		case 't':
			i = literally(b, i, "true")
		case 'f':
			i = literally(b, i, "false")
		case 'n':
			i = literally(b, i, "null")
		default:
			i = soundNumber(b, i)
		}
		if i < 0 {
			return -1
		}
		for ; ; i++ { // the value has ended, and perhaps some around it
			if depth == 0 {
				return i
			}
			if i >= len(b) {
				return -1
			}
			if c := b[i]; c == ',' {
				i++
				break
			} else if c != '}' && c != ']' || array != (c == ']') {
				return -1
			}
			depth--
			array = arrays[depth/64]>>(depth%64)&1 != 0
		}
	}
}

// soundText returns the index after the string that begins at b[i].
func soundText(b []byte, i int) int {
	for i++; ; {
		if i = plain(b, i); i == len(b) {
			return -1
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			n := escape(b[i+1:])
			if n == 0 {
				return -1
			}
			i += 1 + n
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return -1
			}
			i += n
		default: // DEL is no control character in JSON
			if c < ' ' {
				return -1
			}
			i++
		}
	}
}

// escape returns how long the escape is whose backslash stands before b, 0 if it is none.
func escape(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch b[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		for i := 1; i <= 4; i++ {
			if i >= len(b) || b[i]-'0' > 9 && b[i]|0x20-'a' > 5 {
				return 0
			}
		}
		return 5
	}
	return 0
}

// soundNumber returns the index after the number that begins at b[i].
func soundNumber(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if i = digits(b, i); i < 0 {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		if i = digits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return digits(b, i)
	}
	return i
}

// digits returns the index after the digits that begin at b[i], or -1 if there is none.
func digits(b []byte, i int) int {
	from := i
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	if i == from {
		return -1
	}
	return i
}

// literally returns the index after word, if b has it at i.
func literally(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

// Object reads the object that begins at b[i], and returns the index after it, or -1 unless all
// of it is Sound. It calls each with the number of each member that has one of names, and with
// the index of its value. each returns the index after the value. Object also returns -1 if
// each does, if there are two members of a name, or if a decoder might take another member's
// name for one of names.
func Object(b []byte, i int, names []string, each func(n, i int) int) int {
	var seen uint64
	return Members(b, i, func(name string, i int) int {
		for n, wanted := range names {
			if name != wanted {
				continue
			}
			if seen>>n&1 != 0 {
				return -1
			}
			seen |= 1 << n
			return each(n, i)
		}
		if Like(name, names...) {
			return -1
		}
		return Sound(b, i)
	})
}
