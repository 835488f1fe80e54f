package reportcmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/informerscope/informerscope/replay/report"
)

// calls holds the calls of one resource's handlers, as JSON lines. They are printed
// at the end, resource by resource.
type calls struct {
	spool
	encoder *json.Encoder
}

func newCalls() *calls {
	c := &calls{}
	c.encoder = json.NewEncoder(c)
	c.encoder.SetEscapeHTML(false)
	return c
}

// add adds a call.
func (c *calls) add(call report.Call) error { return c.encoder.Encode(call) }

// writeTo writes the lines to w. If informer is not empty, it becomes the first
// field of each line.
func (c *calls) writeTo(w io.Writer, informer string) error {
	in, err := c.read()
	if err != nil {
		return err
	}
	if informer == "" {
		_, err = io.Copy(w, in)
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
