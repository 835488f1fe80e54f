package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"

	"github.com/informerscope/informerscope/replay/report"
)

// calls holds the calls of one resource's handlers, as JSON lines. They are printed
// at the end, resource by resource: small ones wait in memory, and large ones in a
// temporary file.
type calls struct {
	lines   bytes.Buffer
	file    *os.File
	out     *bufio.Writer
	encoder *json.Encoder
}

// heldCalls is how many bytes of calls are held in memory.
const heldCalls = 4 << 20

func newCalls() *calls {
	c := &calls{}
	c.encoder = json.NewEncoder(c)
	c.encoder.SetEscapeHTML(false)
	return c
}

// Write adds a line.
func (c *calls) Write(line []byte) (int, error) {
	if c.file == nil && c.lines.Len()+len(line) <= heldCalls {
		return c.lines.Write(line)
	}
	if c.file == nil {
		f, err := os.CreateTemp("", "informerscope-*.jsonl")
		if err != nil {
			return 0, err
		}
		os.Remove(f.Name()) // some systems remove no open file; there, close does
		c.file, c.out = f, bufio.NewWriterSize(f, 256<<10)
		if _, err := c.lines.WriteTo(c.out); err != nil {
			return 0, err
		}
	}
	return c.out.Write(line)
}

// add adds a call.
func (c *calls) add(call report.Call) error { return c.encoder.Encode(call) }

// writeTo writes the lines to w. If informer is not empty, it becomes the first
// field of each line.
func (c *calls) writeTo(w io.Writer, informer string) error {
	var in io.Reader = &c.lines
	if c.file != nil {
		if err := c.out.Flush(); err != nil {
			return err
		}
		if _, err := c.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		in = c.file
	}
	if informer == "" {
		_, err := io.Copy(w, in)
		return err
	}
	var name bytes.Buffer
	e := json.NewEncoder(&name)
	e.SetEscapeHTML(false)
	if err := e.Encode(informer); err != nil {
		return err
	}
	first := append([]byte(`{"informer":`), bytes.TrimSpace(name.Bytes())...)
	first = append(first, ',')
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if _, err := w.Write(append(first[:len(first):len(first)], line[1:]...)); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// close removes the temporary file.
func (c *calls) close() {
	if c.file != nil {
		c.file.Close()
		os.Remove(c.file.Name())
	}
}
