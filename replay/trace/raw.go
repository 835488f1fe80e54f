package trace

import (
	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/object"
)

const (
	errNoObject = fault.Plain("noObjectThere")
	errTooDeep  = fault.Plain("deepObject")
)

// Raw finds an object's own JSON. line has the bytes at which src points:
// src.Length bytes of the uncompressed input from src.Offset on. The result is
// a part of line. The result nests no deeper than MaxDepth, but it may be
// invalid JSON if line isn't what was read.
func Raw(line []byte, src object.Source) ([]byte, error) {
	b := line
	ok := true
	descend := func(name string) {
		if from, to, found := Field(b, name); found {
			b = b[from:to]
		} else {
			ok = false
		}
	}
	switch {
	case src.Item == -1:
		if _, _, own := Field(b, "event"); own {
			descend("event")
		}
		descend("object")
	case src.Item >= 0:
		if _, _, own := Field(b, "body"); own {
			descend("body")
		}
		descend("items")
		list := b
		b = nil
		Elements(list, func(i, from, to int) bool {
			if i == int(src.Item) {
				b = list[from:to]
			}
			return b == nil
		})
	}
	if !ok || len(b) == 0 {
		return nil, errNoObject
	}
	if !Shallow(b) {
		return nil, errTooDeep
	}
	return b, nil
}
