// Package file reads captures from files and pipes, compressed with gzip, with
// zstd or not. It stands apart from format because browsers uncompress by
// themselves.
package file

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
)

const chunk = 1 << 20

// MaxInflated is how much may come out of a compressed input, in bytes.
const MaxInflated = 64 << 30

// maxWindow is what the zstd format asks every decoder to be able to look back,
// in bytes; an input may not make it more.
const maxWindow = 128 << 20

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
	defer plain.Close()
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

// Plain uncompresses in if it is compressed with gzip or zstd. A Source's offset
// is one in what it returns. Closing that does not close in.
func Plain(in io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(in, 64<<10)
	magic, _ := b.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		return &bounded{ReadCloser: z, left: MaxInflated}, nil
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return &bounded{ReadCloser: z.IOReadCloser(), left: MaxInflated}, nil
	}
	return io.NopCloser(b), nil
}

// bounded fails when too much comes out of what is compressed.
type bounded struct {
	io.ReadCloser
	left int64
}

var errInflated = errors.New("it is more than " + strconv.FormatInt(MaxInflated, 10) + " bytes when uncompressed, which is the limit")

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errInflated
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
