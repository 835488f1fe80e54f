// Package file reads captures from files and pipes, compressed with gzip, with
// zstd or not. It stands apart from format because browsers uncompress by
// themselves.
package file

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/inflate"
	"github.com/informerscope/informerscope/replay/trace"
)

const chunk = 1 << 20

// MaxInflated is how much may come out of a compressed input, in bytes.
const MaxInflated = 64 << 30

// Read reads a whole capture. What was read before an error is in the Trace. An
// error means that nothing could be read. A damaged or cut input gives no
// error, but Problems in the Trace.
func Read(in io.Reader, o format.Options) (*trace.Trace, error) {
	r := format.NewReader(o)
	plain, err := Plain(in)
	if err != nil {
		r.Fail(err)
		return r.Trace(), r.Close()
	}
	defer plain.Close()
	buf := make([]byte, chunk)
	for {
		n, err := plain.Read(buf)
		if refused := r.Write(buf[:n]); refused != nil {
			break
		}
		if err != nil {
			if err != io.EOF {
				r.Fail(err)
			}
			break
		}
	}
	return r.Trace(), r.Close()
}

// Plain uncompresses in if it is compressed with gzip or zstd. A Source's
// offset counts the bytes of the reader that it returns. Closing this reader
// does not close in.
func Plain(in io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(in, 64<<10)
	magic, _ := b.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, inflate.Readable(err)
		}
		return newBounded(z, MaxInflated), nil
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(inflate.MaxWindow))
		if err != nil {
			return nil, inflate.Readable(err)
		}
		return newBounded(z.IOReadCloser(), MaxInflated), nil
	}
	return io.NopCloser(b), nil
}

// bounded closes what it reads through a limit.
type bounded struct {
	inflate.Reader
	io.Closer
}

func newBounded(r io.ReadCloser, limit int64) *bounded {
	return &bounded{inflate.Reader{R: r, Budget: inflate.NewBudget(limit)}, r}
}
