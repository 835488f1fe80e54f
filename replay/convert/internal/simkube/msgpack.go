package simkube

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/tinylib/msgp/msgp"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// msgpack reads msgpack and turns values into JSON: msgp's own way to do so ends
// with its input only, and writes numbers that are none.
type msgpack struct {
	*msgp.Reader
	limit int // of a value as JSON: bytes
	out   []byte
	buf   []byte
	bad   error // of the value that is read
}

// text reads a key, or another string; it is good until the next call.
func (m *msgpack) text() ([]byte, error) {
	b, err := m.ReadStringAsBytes(m.buf)
	if err != nil {
		return nil, err
	}
	m.buf = b[:0]
	return b, nil
}

// json reads the next value and returns it as JSON, which is good until the next
// call. After a valueError one can read on.
func (m *msgpack) json() ([]byte, error) {
	m.out, m.bad = m.out[:0], nil
	if err := m.value(0); err != nil {
		return nil, err
	}
	m.check()
	return m.out, m.bad
}

// valueError is an error in one value. What follows the value can be read.
type valueError struct{ error }

// Fault returns the error with an id.
func (e valueError) Fault() error { return e.error }

// refuse marks the value as bad. It is read to its end, and then skipped.
func (m *msgpack) refuse(why error) {
	if m.bad == nil {
		m.bad = valueError{why}
	}
	m.out = m.out[:0]
}

func (m *msgpack) check() {
	if len(m.out) > m.limit {
		m.refuse(fault.Number("longAsJSON max", int64(m.limit)))
	}
}

// limited says which limit err is about, if it is msgp's.
func (m *msgpack) limited(err error) error {
	switch {
	case errors.Is(err, msgp.ErrLimitExceeded):
		return fault.Number("longString max", int64(m.limit))
	case errors.Is(err, msgp.ErrRecursion):
		return api.ErrTooDeep
	}
	return err
}

func (m *msgpack) value(depth int) error {
	if depth > jsonscan.MaxDepth {
		return api.ErrTooDeep
	}
	m.check()
	t, err := m.NextType()
	if err != nil {
		return err
	}
	switch t {
	case msgp.MapType:
		return m.object(depth)
	case msgp.ArrayType:
		return m.array(depth)
	}
	return m.scalar(t)
}

func (m *msgpack) object(depth int) error {
	n, err := m.ReadMapHeader()
	if err != nil {
		return err
	}
	m.out = append(m.out, '{')
	for i := range n {
		if i > 0 {
			m.out = append(m.out, ',')
		}
		key, err := m.text()
		if err != nil {
			return err
		}
		m.out = append(api.AppendText(m.out, string(key)), ':')
		if err := m.value(depth + 1); err != nil {
			return err
		}
	}
	m.out = append(m.out, '}')
	return nil
}

func (m *msgpack) array(depth int) error {
	n, err := m.ReadArrayHeader()
	if err != nil {
		return err
	}
	m.out = append(m.out, '[')
	for i := range n {
		if i > 0 {
			m.out = append(m.out, ',')
		}
		if err := m.value(depth + 1); err != nil {
			return err
		}
	}
	m.out = append(m.out, ']')
	return nil
}

// scalar reads a value that holds no others.
func (m *msgpack) scalar(t msgp.Type) error {
	switch t {
	case msgp.StrType:
		b, err := m.text()
		m.out = api.AppendText(m.out, string(b))
		return err
	case msgp.BinType:
		b, err := m.ReadBytesLimit(m.buf, int64(m.limit))
		m.out = append(m.out, '"')
		m.out = append(base64.StdEncoding.AppendEncode(m.out, b), '"')
		return err
	case msgp.BoolType:
		b, err := m.ReadBool()
		m.out = strconv.AppendBool(m.out, b)
		return err
	case msgp.NilType:
		m.out = append(m.out, "null"...)
		return m.ReadNil()
	case msgp.IntType:
		i, err := m.ReadInt64()
		m.out = strconv.AppendInt(m.out, i, 10)
		return err
	case msgp.UintType:
		u, err := m.ReadUint64()
		m.out = strconv.AppendUint(m.out, u, 10)
		return err
	case msgp.Float32Type, msgp.Float64Type:
		f, err := m.ReadFloat64()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			m.refuse(fault.Plain("infinite"))
		}
		m.out = strconv.AppendFloat(m.out, f, 'g', -1, 64)
		return err
	case msgp.TimeType:
		at, err := m.ReadTime()
		m.out = api.AppendText(m.out, at.UTC().Format(time.RFC3339Nano))
		return err
	}
	m.refuse(fault.Plain("noJSONValue"))
	return m.Skip()
}
