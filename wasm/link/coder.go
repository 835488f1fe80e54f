package link

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/informerscope/informerscope/replay/excerpt"
)

// A message is a struct that crosses between page and worker, or a part of one.
type message interface {
	// fields hands the address of each field to the coder, which writes or reads it.
	fields(c *coder)
}

// A coder writes messages, or reads them. Both sides run one program, so a message has neither names nor types: its fields
// follow one another. A number is written in decimal, with a space behind it, and a text behind its length. Each message has
// one method for both ways. Only slices and pointers need reflection: a JSON library would be a quarter of the page's program.
type coder struct {
	b     []byte // what is written, or what is still to be read
	reads bool
	err   error // why what is read is no message
}

var errMessage = errors.New("invalid message")

func encode(m message) []byte {
	var c coder
	m.fields(&c)
	return c.b
}

// decode reads b into m. The strings of m are parts of b, so b must not change.
func decode(b []byte, m message) error {
	c := coder{b: b, reads: true}
	m.fields(&c)
	return c.end()
}

// end returns what was wrong with what was read. More text behind it is wrong, too.
func (c *coder) end() error {
	if len(c.b) > 0 {
		c.fail(errMessage)
	}
	return c.err
}

// fail keeps the first error. Nothing is read after it.
func (c *coder) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.b = nil
}

func (c *coder) fields(all ...any) {
	for _, f := range all {
		c.field(f)
	}
}

func (c *coder) field(f any) {
	switch f := f.(type) {
	case *string:
		c.text(f)
	case *bool:
		c.bool(f)
	case *int:
		number(c, f)
	case *int32:
		number(c, f)
	case *int64:
		number(c, f)
	case *map[string]Arg:
		c.args(f)
	case message:
		f.fields(c)
	default:
		c.parts(reflect.ValueOf(f).Elem())
	}
}

// parts writes or reads the elements of a slice, or what a pointer leads to, which may be missing. Generic code in its place
// would be compiled for each type of element.
func (c *coder) parts(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		is := !v.IsNil()
		if c.bool(&is); c.reads {
			v.SetZero()
		}
		if is && c.reads {
			v.Set(reflect.New(v.Type().Elem()))
		}
		if is {
			c.field(v.Interface())
		}
		return
	}
	n := c.length(v.Len())
	if c.reads {
		v.SetZero() // nil for no elements
	}
	if c.reads && n > 0 {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	}
	for i := range n {
		c.field(v.Index(i).Addr().Interface())
	}
}

func number[T int | int32 | int64](c *coder, n *T) {
	if !c.reads {
		c.b = append(strconv.AppendInt(c.b, int64(*n), 10), ' ')
		return
	}
	*n = T(c.number())
}

// number reads a number, and the space behind it.
func (c *coder) number() int64 {
	i, negative := 0, len(c.b) > 0 && c.b[0] == '-'
	if negative {
		i++
	}
	digits, n := i, int64(0)
	for i < len(c.b) && '0' <= c.b[i] && c.b[i] <= '9' {
		n = n*10 + int64(c.b[i]-'0')
		i++
	}
	if i == digits || i == len(c.b) || c.b[i] != ' ' {
		c.fail(errMessage)
		return 0
	}
	c.b = c.b[i+1:]
	if negative {
		return -n
	}
	return n
}

// length writes how many elements follow, or reads it. There can't be more of them than bytes.
func (c *coder) length(n int) int {
	if number(c, &n); c.reads && (n < 0 || n > len(c.b)) {
		c.fail(errMessage)
		return 0
	}
	return n
}

func (c *coder) text(s *string) {
	n := c.length(len(*s))
	if !c.reads {
		c.b = append(c.b, *s...)
		return
	}
	*s = unsafe.String(unsafe.SliceData(c.b), n)
	c.b = c.b[n:]
}

func (c *coder) bool(is *bool) {
	n := 0
	if *is {
		n = 1
	}
	if number(c, &n); n != 0 && n != 1 {
		c.fail(errMessage)
	}
	*is = n == 1
}

// args writes or reads the arguments of a sentence, in the order of their names.
func (c *coder) args(args *map[string]Arg) {
	keys := slices.Sorted(maps.Keys(*args))
	n := c.length(len(keys))
	if !c.reads {
		for _, key := range keys {
			a := (*args)[key]
			c.fields(&key, &a)
		}
		return
	}
	*args = nil
	if n > 0 {
		*args = make(map[string]Arg, n)
	}
	for range n {
		var key string
		var a Arg
		c.fields(&key, &a)
		(*args)[key] = a
	}
}

// plan is an excerpt.Plan as a message.
type plan excerpt.Plan

func (x *plan) fields(c *coder) { c.fields(&x.Resource, &x.Records, &x.Added, &x.Time) }
