package trace

import (
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

const (
	errNoObject = fault.Plain("noObjectThere")
	errTooDeep  = fault.Plain("deepObject")
)

// Raw finds an object's own JSON. line has the bytes at which src points:
// src.Length bytes of the uncompressed input from src.Offset on. The result is
// a part of line. The result nests no deeper than jsonscan.MaxDepth, but it may be
// invalid JSON if line isn't what was read.
func Raw(line []byte, src object.Source) ([]byte, error) { return new(Cursor).Raw(line, src) }

// Cursor finds the JSON of objects of one input. It reads a list once if it is asked for items in their order. Raw would begin
// with the first item each time.
type Cursor struct {
	offset int64 // of the list's line
	pos    int   // where in the line an item begins, 0 for none
	item   int32 // its number
}

// Raw does what the function Raw does.
func (c *Cursor) Raw(line []byte, src object.Source) ([]byte, error) {
	b := line
	descend := func(name string) (from int) {
		from, to, ok := jsonscan.Field(b, name)
		b = b[from:to]
		if !ok {
			b = nil
		}
		return from
	}
	switch {
	case src.Item == -1:
		if from, to, is := jsonscan.Field(b, "event"); is {
			b = b[from:to]
		}
		descend("object")
	case src.Item >= 0:
		if c.pos == 0 || c.offset != src.Offset || src.Item < c.item {
			from := 0
			if at, to, is := jsonscan.Field(b, "body"); is {
				b, from = b[at:to], at
			}
			from += descend("items")
			if len(b) == 0 || b[0] != '[' {
				return nil, errNoObject
			}
			*c = Cursor{offset: src.Offset, pos: jsonscan.SkipSpace(line, from+1)}
		}
		for b = nil; ; c.item++ {
			end := jsonscan.ValueEnd(line, c.pos)
			if end < 0 {
				break
			}
			if c.item == src.Item {
				b = line[c.pos:end]
				break
			}
			if end = jsonscan.SkipSpace(line, end); end >= len(line) || line[end] != ',' {
				break
			}
			c.pos = jsonscan.SkipSpace(line, end+1)
		}
	}
	if len(b) == 0 {
		return nil, errNoObject
	}
	if !jsonscan.WithinMaxDepth(b) {
		return nil, errTooDeep
	}
	return b, nil
}

// Head appends the object b up to and including its metadata. What is read of
// an object stands in that part, which is a small one. An object whose kind
// doesn't stand there is appended as it is.
func Head(dst, b []byte) []byte {
	kind, end := false, 0
	jsonscan.Fields(b, func(key []byte, _, to int) bool {
		kind = kind || jsonscan.IsKey(key, "kind")
		if jsonscan.IsKey(key, "metadata") {
			end = to
		}
		return end == 0
	})
	if !kind || end == 0 {
		return append(dst, b...)
	}
	return append(append(dst, b[:end]...), '}')
}

// WithoutStamp returns what stands in a line of our own format besides t, id and in,
// with the bracket that closes it. ok is false where these, if they are there, don't
// stand first.
func WithoutStamp(line []byte) (rest []byte, ok bool) {
	i := jsonscan.SkipSpace(line, 0)
	if i >= len(line) || line[i] != '{' {
		return nil, false
	}
	i = jsonscan.SkipSpace(line, i+1)
	for i < len(line) && line[i] == '"' {
		end := jsonscan.StringEnd(line, i)
		if end < 0 {
			return nil, false
		}
		if !jsonscan.IsKey(line[i:end], "t") && !jsonscan.IsKey(line[i:end], "id") && !jsonscan.IsKey(line[i:end], "in") {
			break
		}
		if end = jsonscan.SkipSpace(line, end); end >= len(line) || line[end] != ':' {
			return nil, false
		}
		if i = jsonscan.ValueEnd(line, jsonscan.SkipSpace(line, end+1)); i < 0 {
			return nil, false
		}
		if i = jsonscan.SkipSpace(line, i); i < len(line) && line[i] == ',' {
			i = jsonscan.SkipSpace(line, i+1)
		}
	}
	rest = line[i:]
	first := true
	jsonscan.Fields(line, func(key []byte, from, _ int) bool {
		first = from < i || !jsonscan.IsKey(key, "t") && !jsonscan.IsKey(key, "id") && !jsonscan.IsKey(key, "in")
		return first
	})
	return rest, first && len(rest) > 0
}
