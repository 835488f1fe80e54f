package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// called is one call of a handler, as a JSON line.
type called struct {
	Informer  string `json:"informer,omitempty"` // where the trace has several
	Handler   string `json:"handler"`
	Fn        string `json:"fn"`
	Key       string `json:"key"`
	OldRV     string `json:"oldRV,omitempty"`
	RV        string `json:"rv"`
	Initial   bool   `json:"initial,omitempty"`
	Tombstone bool   `json:"tombstone,omitempty"`
	T         int64  `json:"t"` // virtual, in nanoseconds since the trace's start
}

// calls are the calls of one resource's handlers, as JSON lines. They are kept
// until all has been played, because only then it is known whether there are
// others, in memory or, if there are many, in a temporary file.
type calls struct {
	lines   bytes.Buffer
	file    *os.File
	out     *bufio.Writer
	encoder *json.Encoder
}

// heldCalls is how much of the calls is held in memory, in bytes.
const heldCalls = 4 << 20

func newCalls() *calls {
	c := &calls{}
	c.encoder = json.NewEncoder(c)
	c.encoder.SetEscapeHTML(false)
	return c
}

// Write takes a line.
func (c *calls) Write(line []byte) (int, error) {
	if c.file == nil && c.lines.Len()+len(line) <= heldCalls {
		return c.lines.Write(line)
	}
	if c.file == nil {
		f, err := os.CreateTemp("", "informerscope-*.jsonl")
		if err != nil {
			return 0, err
		}
		os.Remove(f.Name()) // where that can be done while it is open; else Close does
		c.file, c.out = f, bufio.NewWriterSize(f, 256<<10)
		if _, err := c.lines.WriteTo(c.out); err != nil {
			return 0, err
		}
	}
	return c.out.Write(line)
}

// look writes down which handlers p's last step called.
func (c *calls) look(p *player) error {
	for _, e := range p.w.Log.Events {
		if e.Kind != event.HandlerCalled {
			continue
		}
		if err := c.encoder.Encode(callOf(p.feed.Resource, p.observed.handlers[e.Listener].Name, e, p.w.Now())); err != nil {
			return err
		}
	}
	return nil
}

func callOf(r *trace.Resource, handler string, e event.Event, now int64) called {
	rv := func(o object.Ref) string { return r.Table.RVText(r.Table.RVOf(o)) }
	c := called{Handler: handler, Key: r.Table.KeyText(e.Key), T: now, Initial: e.Flags&event.IsInInitialList != 0, Tombstone: e.Flags&event.Tombstone != 0}
	switch e.Delta {
	case event.Added:
		c.Fn, c.RV = "OnAdd", rv(e.New)
	case event.Updated:
		c.Fn, c.OldRV, c.RV = "OnUpdate", rv(e.Old), rv(e.New)
	default:
		c.Fn, c.RV = "OnDelete", rv(e.Old)
	}
	return c
}

// writeTo writes the lines to w. If informer is not "", each one begins with it.
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

// close takes the temporary file away.
func (c *calls) close() {
	if c != nil && c.file != nil {
		c.file.Close()
		os.Remove(c.file.Name())
	}
}
