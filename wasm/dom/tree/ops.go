package tree

import "encoding/binary"

// The operations of the buffer; web/page/apply.js has the same numbers. Arguments
// are unsigned varints: ids of nodes, numbers of strings, counts.
const (
	opString  = 1  // length, bytes: the next string of the table
	opForget  = 2  // the table of strings begins anew
	opCreate  = 3  // id, tag
	opText    = 4  // id, string
	opAttr    = 5  // id, name, value
	opNoAttr  = 6  // id, name
	opProp    = 7  // id, name, value
	opStyle   = 8  // id, name, value
	opInsert  = 9  // parent, id, the sibling before which or 0
	opRemove  = 10 // id: out of the page, with all below it
	opFree    = 11 // id: may be given again
	opCanvas  = 12 // id, length, bytes
	opMotion  = 13 // milliseconds, 1 forward or 0 back, count; each: letter, key, label, from, to, how
	opLit     = 14 // count, places
	opNoStyle = 15 // id, name
)

// Nodes that are there from the beginning.
const (
	documentID = 1 // the document's root element
	appID      = 2 // the element that holds the page
	firstID    = 3
)

// maxStrings bounds the table of strings, because a long session sees millions
// of resource versions.
const maxStrings = 20_000

type buffer struct {
	bytes   []byte
	strings map[string]uint64
}

func (b *buffer) op(code byte, args ...uint64) {
	b.bytes = append(b.bytes, code)
	for _, a := range args {
		b.bytes = binary.AppendUvarint(b.bytes, a)
	}
}

// str returns a string's number. A new string is written to the buffer at once,
// so call str before you write the operation that uses the number.
func (b *buffer) str(s string) uint64 {
	if n, ok := b.strings[s]; ok {
		return n
	}
	n := uint64(len(b.strings))
	b.strings[s] = n
	b.op(opString, uint64(len(s)))
	b.bytes = append(b.bytes, s...)
	return n
}

func (b *buffer) begin() {
	b.bytes = b.bytes[:0]
	if b.strings == nil || len(b.strings) > maxStrings {
		b.strings = make(map[string]uint64)
		b.op(opForget)
	}
}

// Move is the way of a thing over the stage. web/page/motion.js animates it.
type Move struct {
	Letter, Key, Label, From, To, Motion string
}

// Motion says how a change of the stage is animated.
type Motion struct {
	Millis int // of one movement; 0: nothing travels
	Back   bool
	Moves  []Move
	Lit    []string // places that light up
}
