package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// longestEntry is how many bytes of an entry are read. The fields beyond are left out.
const longestEntry = 4 << 20

// exported reads what journalctl -o export writes. It returns each entry as a line of JSON, as -o json writes it.
type exported struct {
	translated
	r *bufio.Reader
}

// isExported reports whether head begins as journalctl -o export does.
func isExported(head []byte) bool { return bytes.HasPrefix(head, []byte("__CURSOR=")) }

// Read returns the lines.
func (x *exported) Read(b []byte) (int, error) { return x.read(b, x.entry) }

// entry reads an entry.
func (x *exported) entry() {
	if x.passEmptyLines(x.r) {
		return
	}
	for x.err == nil && x.field() {
	}
	if len(x.out) > 0 {
		x.out = append(x.out, '}')
	}
	x.out = append(x.out, '\n')
}

// field reads a field: NAME=VALUE, or a name, and then the size and the bytes of its value. It returns false at an empty
// line, which ends an entry.
func (x *exported) field() bool {
	name, value, sized := x.line()
	if sized && x.err == nil {
		value = x.bytes()
	}
	if len(name) == 0 {
		return false
	}
	if len(x.out)+len(name)+len(value) < longestEntry {
		if len(x.out) == 0 {
			x.out = append(x.out, '{')
		} else {
			x.out = append(x.out, ',')
		}
		x.out = append(jsonscan.AppendString(x.out, string(name)), ':')
		x.out = jsonscan.AppendString(x.out, string(value))
	}
	return true
}

// line reads a line. bare says that it has no value.
func (x *exported) line() (name, value []byte, bare bool) {
	var line []byte
	for {
		part, err := x.r.ReadSlice('\n')
		if len(line) <= longestEntry {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			x.err = err
			break
		}
	}
	name, value, ok := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte{'='})
	return name, value, !ok && len(name) > 0
}

// bytes reads a value whose size stands before it, and the end of its line.
func (x *exported) bytes() []byte {
	var size [8]byte
	if _, x.err = io.ReadFull(x.r, size[:]); x.err != nil {
		return nil
	}
	n := binary.LittleEndian.Uint64(size[:])
	if n > uint64(longestEntry) {
		if n > 1<<40 {
			x.err = io.ErrUnexpectedEOF
			return nil
		}
		_, x.err = io.CopyN(io.Discard, x.r, int64(n)+1)
		return nil
	}
	value, err := io.ReadAll(io.LimitReader(x.r, int64(n)))
	if x.err = err; err == nil {
		_, x.err = x.r.ReadByte()
	}
	return value
}
