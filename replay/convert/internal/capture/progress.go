package capture

import "io"

// Progress is how much of all inputs has been read.
type Progress struct {
	Total   int64 // bytes of all inputs
	Unknown bool  // of an input it isn't known how large it is
	Tell    func(read, total int64)
	read    int64
}

// Expect says that an input of that size will be read; 0 stands for an unknown size.
func (p *Progress) Expect(size int64) {
	p.Total += size
	p.Unknown = p.Unknown || size == 0
}

type counted struct {
	r      io.Reader
	p      *Progress
	weight float64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.weight > 0 {
		c.p.add(int(float64(n) * c.weight))
	} else {
		c.p.add(n)
	}
	return n, err
}

// countedAt counts what is read of an archive.
type countedAt struct {
	r io.ReaderAt
	p *Progress
}

func (c *countedAt) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(b, off)
	c.p.add(n)
	return n, err
}

// add says that n more bytes were read.
func (p *Progress) add(n int) {
	if p.Tell == nil || n <= 0 {
		return
	}
	p.read += int64(n)
	if p.Unknown {
		p.Tell(p.read, 0)
		return
	}
	p.Tell(min(p.read, p.Total), p.Total) // of an archive some is read twice
}
