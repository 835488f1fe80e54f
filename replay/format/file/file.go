// Package file reads captures from files and pipes, compressed with gzip or not.
// It stands apart from format because browsers uncompress by themselves.
package file

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

const chunk = 1 << 20

// Read reads a whole capture. What was read before an error is in the Trace. An
// error means that nothing could be read; a damaged or cut input is not one, but
// says so in the Trace's Problems.
func Read(in io.Reader, o format.Options) (*trace.Trace, error) {
	r := format.NewReader(o)
	plain, err := Plain(in)
	if err != nil {
		r.Fail(err.Error())
		return r.Trace(), r.Close()
	}
	buf := make([]byte, chunk)
	for {
		n, err := plain.Read(buf)
		if refused := r.Write(buf[:n]); refused != nil {
			break
		}
		if err != nil {
			if err != io.EOF {
				r.Fail(err.Error())
			}
			break
		}
	}
	return r.Trace(), r.Close()
}

// Plain uncompresses in if it is compressed with gzip. A Source's offset is one
// in what it returns.
func Plain(in io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(in, 64<<10)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	return gzip.NewReader(b)
}
