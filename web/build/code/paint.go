package code

import (
	"go/scanner"
	"go/token"
	"strings"
)

// The classes of pieces of source: the letter before each.
const (
	plain   = ' '
	keyword = 'k'
	comment = 'c'
	quoted  = 's'
	number  = 'n'
)

// paint splits source into lines, and each line into pieces: a letter that says what it
// is, and its text.
func paint(text string) [][]string {
	lines := [][]string{{}}
	put := func(class byte, s string) {
		for i, part := range strings.Split(s, "\n") {
			if i > 0 {
				lines = append(lines, []string{})
			}
			if l := &lines[len(lines)-1]; part != "" {
				if n := len(*l); n > 0 && (*l)[n-1][0] == class {
					(*l)[n-1] += part
				} else {
					*l = append(*l, string(class)+part)
				}
			}
		}
	}
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	end := 0
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		if tok == token.EOF {
			put(plain, text[end:])
			return lines
		}
		class, size := byte(plain), len(lit)
		switch {
		case tok == token.SEMICOLON && lit == "\n":
			continue
		case tok.IsKeyword():
			class = keyword
		case tok == token.COMMENT:
			class = comment
		case tok == token.STRING || tok == token.CHAR:
			class = quoted
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			class = number
		}
		if class == plain {
			continue
		}
		put(plain, text[end:at])
		put(class, text[at:at+size])
		end = at + size
	}
}
