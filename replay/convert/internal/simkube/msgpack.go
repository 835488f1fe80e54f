package simkube

import (
	"cmp"
	"encoding/base64"
	"errors"
	"iter"
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
	limit  int // of a value as JSON: bytes
	out    []byte
	buf    []byte
	bad    error // of the value that is read
	failed error // nothing more can be read
}

// text reads a key, or another string; it is good until the next call.
func (m *msgpack) text() []byte {
	b, err := m.ReadStringAsBytes(m.buf)
	if m.failed = cmp.Or(m.failed, err); err != nil {
		return nil
	}
	m.buf = b[:0]
	return b
}

// fields counts the fields of a map, and items counts an array's, until something can't be read.
func (m *msgpack) fields() iter.Seq[int] { return m.times(m.ReadMapHeader()) }
func (m *msgpack) items() iter.Seq[int]  { return m.times(m.ReadArrayHeader()) }

func (m *msgpack) times(n uint32, err error) iter.Seq[int] {
	m.failed = cmp.Or(m.failed, err)
	return func(yield func(int) bool) {
		for i := 0; m.failed == nil && i < int(n) && yield(i); i++ {
		}
	}
}

// json reads the next value and returns it as JSON, which is good until the next
// call. After a valueError one can read on.
func (m *msgpack) json() ([]byte, error) {
	m.out, m.bad = m.out[:0], nil
	if m.value(0); m.failed != nil {
		return nil, m.failed
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

func (m *msgpack) value(depth int) {
	if depth > jsonscan.MaxDepth {
		m.failed = api.ErrTooDeep
		return
	}
	m.check()
	t, err := m.NextType()
	switch {
	case err != nil:
	case t == msgp.MapType:
		m.out = append(m.out, '{')
		for i := range m.fields() {
			if i > 0 {
				m.out = append(m.out, ',')
			}
			m.out = append(api.AppendText(m.out, string(m.text())), ':')
			m.value(depth + 1)
		}
		m.out = append(m.out, '}')
	case t == msgp.ArrayType:
		m.out = append(m.out, '[')
		for i := range m.items() {
			if i > 0 {
				m.out = append(m.out, ',')
			}
			m.value(depth + 1)
		}
		m.out = append(m.out, ']')
	default:
		err = m.scalar(t)
	}
	m.failed = cmp.Or(m.failed, err)
}

// scalar reads a value that holds no others.
func (m *msgpack) scalar(t msgp.Type) error {
	switch t {
	case msgp.StrType:
		m.out = api.AppendText(m.out, string(m.text()))
		return nil
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
