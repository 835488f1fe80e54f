package trace

import "bytes"

// ShallowYAML reports whether a YAML parser, which calls itself for each level, can go
// to the bottom of text. The stack of a browser's worker is small, and nothing can be
// done when it is full. ShallowYAML allows most open brackets, and as many columns of
// indentation. A sequence in a mapping needs no indentation, so two levels may share a
// column. Brackets within strings count as well.
func ShallowYAML(text []byte, most int) bool {
	open := 0
	for line := range bytes.Lines(text) {
		rest := bytes.TrimLeft(line, " ")
		for len(rest) > 1 && (rest[0] == '-' || rest[0] == '?') && rest[1] == ' ' {
			rest = bytes.TrimLeft(rest[2:], " ")
		}
		if len(line)-len(rest) > most {
			return false
		}
		for _, b := range rest {
			switch b {
			case '[', '{':
				if open++; open > most {
					return false
				}
			case ']', '}':
				open = max(open-1, 0)
			}
		}
	}
	return true
}
