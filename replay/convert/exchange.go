package convert

import (
	"errors"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/trace"
)

// exchange writes a list as it was asked for and answered. Of a Table the list
// is made.
func (c *conversion) exchange(path string, r resource, status int, body []byte) error {
	body, err := c.listOf(r, body)
	if err != nil {
		return err
	}
	id, err := c.request(path, status)
	if err != nil {
		return fatal(err)
	}
	return fatal(errors.Join(c.w.Body(c.t, id, body), c.w.End(c.t, id, "eof", "", nil)))
}

// listOf is the list or the Status that the answer to a list is.
func (c *conversion) listOf(r resource, body []byte) ([]byte, error) {
	if err := sound(body); err != nil {
		return nil, err
	}
	switch kind := firstField(body, "kind"); {
	case kind == "Table":
		c.tables.of = r
		_, list, err := c.tableList(body)
		return list, err
	case strings.HasSuffix(kind, "List"), kind == "Status":
		return body, nil
	}
	return nil, errors.New("neither a list nor a Status")
}

var (
	errNotJSON = errors.New("not JSON")
	errTooDeep = errors.New("nested deeper than " + itoa(trace.MaxDepth))
)

// sound returns what is wrong with b if it is not JSON, or nests too deep.
func sound(b []byte) error {
	switch {
	case !trace.Shallow(b):
		return errTooDeep
	case !json.Valid(b):
		return errNotJSON
	}
	return nil
}

// decodeObject reads o from b, which must be JSON.
func decodeObject(b []byte, o *trace.Object) error {
	if !trace.Shallow(b) {
		return errTooDeep
	}
	if err := o.Decode(b); err != nil {
		return undecoded(b, err)
	}
	return nil
}

// undecoded is what is wrong with b, which failed to be decoded.
func undecoded(b []byte, err error) error {
	if json.Valid(b) {
		return err
	}
	return errNotJSON
}
