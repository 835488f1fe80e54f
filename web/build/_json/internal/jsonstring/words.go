// Package jsonstring reads strings. It writes none.
package jsonstring

// The lowest and the highest bit of each byte of a word, by which eight bytes are looked at at once.
const (
	lsb = 0x0101010101010101
	msb = 0x8080808080808080
)
