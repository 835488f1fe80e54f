package objects

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
)

// Exchange writes a list as it was asked for and answered. A Table becomes a list.
func (c *Reader) Exchange(path string, r api.Resource, status int, body []byte) error {
	body, err := c.ListOf(r, body)
	if err != nil {
		return err
	}
	id, err := c.Out.Request(path, status)
	if err != nil {
		return capture.Fatal(err)
	}
	return capture.Fatal(capture.Join(c.Out.Trace.Body(c.Out.Now(), id, body), c.Out.Trace.End(c.Out.Now(), id, "eof", "", nil)))
}

// ListOf returns the answer to a list, which is a list or a Status. A Table of r becomes a
// list.
func (c *Reader) ListOf(r api.Resource, body []byte) ([]byte, error) {
	if err := api.Sound(body); err != nil {
		return nil, err
	}
	switch kind := api.FirstField(body, "kind"); {
	case kind == "Table":
		c.tables.of = r
		_, list, err := c.tableList(body)
		return list, err
	case strings.HasSuffix(kind, "List"), kind == "Status":
		return body, nil
	}
	return nil, fault.Plain("noListNorStatus")
}
