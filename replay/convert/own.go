package convert

import (
	"bytes"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/trace"
)

// isOwn reports whether head begins with our own format's header.
func isOwn(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return bytes.HasPrefix(head, []byte{'{'}) && trace.Shallow(line) && trace.IsHeader(line)
}

// ownLine is what a line's place in another trace depends on.
type ownLine struct {
	T  int64 `json:"t"`
	ID int64 `json:"id"`
}

// own passes lines of our own format on as they are. A line that isn't JSON is left out.
func (c *conversion) own() error {
	first := true
	return c.lines(func(line []byte, _, _ int64) error {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
			return nil
		case !trace.Shallow(line):
			return errTooDeep
		case first:
			first = false
			return fatal(c.ownHeader(line))
		}
		var l ownLine
		if err := trace.Decode(line, &l); err != nil {
			return err
		}
		if !json.Valid(line) {
			return errNotJSON
		}
		c.t = max(c.t, l.T)
		return fatal(c.w.Raw(line))
	})
}

// ownHeader begins a trace with the header of another.
func (c *conversion) ownHeader(line []byte) error {
	var t trace.Trace
	if _, err := trace.NewDecoder(&t, line); err != nil {
		return err
	}
	c.header = t.Header
	return c.begin()
}
