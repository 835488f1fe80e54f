package opencmd

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/serve"
)

// A page reads a capture in parts if it is as large as this, in bytes. A smaller one it reads at once and keeps, so that
// it can go on when this program has ended. The page has several readers from the first of these sizes on.
const (
	largePlain  = 56 << 20
	largePacked = 4 << 20 // of one that is compressed, or that must be converted
)

// parts are serve.Parts that take something of this machine until they are closed.
type parts interface {
	serve.Parts
	io.Closer
}

// parted has the parts of a capture, as its files are now.
type parted struct {
	inputs []convert.Input
	from   int64 // how large the capture must be
	open   func() (parts, error)

	mu    sync.Mutex
	now   parts
	stamp string // what the files were when now was opened
}

// current returns the parts, or nil if there are none.
func (p *parted) current() (serve.Parts, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	stamp, size := "", int64(0)
	for _, in := range p.inputs {
		info, err := os.Stat(in.Name)
		if err != nil {
			return nil, err
		}
		size += info.Size()
		stamp += fmt.Sprintln(info.Size(), info.ModTime().UnixNano())
	}
	if p.now != nil && stamp == p.stamp {
		return p.now, nil
	}
	p.close()
	if size < p.from {
		return nil, nil
	}
	now, err := p.open()
	if err != nil {
		return nil, err
	}
	p.now, p.stamp = now, stamp
	return now, nil
}

// remove gives up what the parts take of this machine.
func (p *parted) remove() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.close()
}

func (p *parted) close() {
	if p.now != nil {
		p.now.Close()
		p.now = nil
	}
}

// setPage makes the page read c in p, unless an input can be read only once.
func (p *parted) setPage(c *serve.Opened) {
	for _, in := range p.inputs {
		if in.At == nil {
			return
		}
	}
	c.Parts = p.current
}

// plainParts returns the parts of a file that the page's program reads as it is.
func plainParts(in convert.Input) *parted {
	return &parted{inputs: []convert.Input{in}, from: largePlain, open: func() (parts, error) { return openPlain(in.Name) }}
}

// unpackedParts returns the parts of a compressed file.
func unpackedParts(in convert.Input) *parted {
	return packedParts([]convert.Input{in}, func(w io.Writer, told func(read, total int64)) error {
		f, err := in.Open()
		if err != nil {
			return err
		}
		defer f.Close()
		r, err := file.Plain(files.Telling(f, in.Size, told))
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = io.CopyBuffer(w, r, make([]byte, blockSize))
		return err
	})
}

// convertedParts returns the parts of what inputs become in our own format.
func convertedParts(inputs []convert.Input) *parted {
	return packedParts(inputs, func(w io.Writer, told func(read, total int64)) error {
		_, err := convert.Convert(w, inputs, convert.Options{Progress: told})
		return err
	})
}

func packedParts(inputs []convert.Input, fill func(io.Writer, func(read, total int64)) error) *parted {
	return &parted{inputs: inputs, from: largePacked, open: func() (parts, error) { return newPacked(fill) }}
}
