package link

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/informerscope/informerscope/replay/excerpt"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// A message is a struct that crosses between page and worker as a JSON object, or a part of one.
type message interface {
	// fields hands each field to the coder under its name in JSON, which writes or reads it.
	fields(c *coder)
}

// A coder writes messages as JSON, or reads them. It writes no field that is zero or empty: the message that is read
// has the same value without it. Each message has one method for both ways, and the coder needs no reflection: a JSON
// library would be a quarter of the page's program.
type coder struct {
	b   []byte           // what is written
	r   *jsonscan.Reader // what is read; nil while messages are written
	err error            // why an operation within what is read can't be one
}

// encode appends a message to b.
func encode(b []byte, m message) []byte {
	c := coder{b: b}
	c.object(m)
	return c.b
}

// decode reads b into m. The strings of m are parts of b where they have no escapes, so b must not change.
func decode(b []byte, m message) error {
	r := jsonscan.NewReader(b)
	c := coder{r: &r}
	c.object(m)
	return cmp.Or(r.End(), c.err)
}

// member begins a member of an object. It reports whether its value is to be written or read now.
func (c *coder) member(name string, empty bool) bool {
	if c.r != nil { // fields come in the order in which they were written
		return c.r.Is(name)
	}
	if empty {
		return false
	}
	if c.b[len(c.b)-1] != '{' {
		c.b = append(c.b, ',')
	}
	c.b = append(c.b, '"')
	c.b = append(c.b, name...)
	c.b = append(c.b, '"', ':')
	return true
}

func (c *coder) object(m message) {
	if c.r == nil {
		c.b = append(c.b, '{')
		m.fields(c)
		c.b = append(c.b, '}')
		return
	}
	for range c.r.Members() {
		m.fields(c)
	}
}

func (c *coder) message(name string, m message) {
	if c.member(name, false) {
		c.object(m)
	}
}

func (c *coder) text(name string, s *string) {
	if c.member(name, *s == "") {
		c.textValue(s)
	}
}

func (c *coder) textValue(s *string) {
	if c.r == nil {
		c.b = jsonscan.AppendString(c.b, *s)
	} else {
		c.r.Text(s)
	}
}

func (c *coder) bool(name string, is *bool) {
	if c.member(name, !*is) {
		c.boolValue(is)
	}
}

func (c *coder) boolValue(is *bool) {
	if c.r == nil {
		c.b = strconv.AppendBool(c.b, *is)
	} else {
		c.r.Bool(is)
	}
}

func (c *coder) int(name string, n *int) {
	if c.member(name, *n == 0) {
		number(c, n)
	}
}

func (c *coder) int32(name string, n *int32) {
	if c.member(name, *n == 0) {
		number(c, n)
	}
}

func (c *coder) int64(name string, n *int64) {
	if c.member(name, *n == 0) {
		number(c, n)
	}
}

func number[T int | int32 | int64](c *coder, n *T) {
	wide := int64(*n)
	if c.r == nil {
		c.b = strconv.AppendInt(c.b, wide, 10)
		return
	}
	c.r.Int64(&wide)
	*n = T(wide)
}

// pointer writes or reads a message that may be missing.
func pointer[T any, P interface {
	*T
	message
}](c *coder, name string, m **T) {
	if c.member(name, *m == nil) {
		if c.r != nil {
			*m = new(T)
		}
		c.object(P(*m))
	}
}

// array writes or reads an array, whose values one writes or reads. What doesn't depend on the type is in elements, so
// that the program has it once.
func array[T any](c *coder, all *[]T, one func(c *coder, v *T)) {
	if c.r != nil {
		*all = nil
	}
	c.elements(len(*all), func(i int) { one(c, element(all, i)) })
}

// element returns a value of an array. If it is the one after the last, the array gets it.
func element[T any](all *[]T, i int) *T {
	if i == len(*all) {
		*all = append(*all, make([]T, 1)...)
	}
	return &(*all)[i]
}

// elements has one write each of n values, or read each that is there.
func (c *coder) elements(n int, one func(i int)) {
	if c.r != nil {
		for i := range c.r.Elements() {
			one(i)
		}
		return
	}
	c.b = append(c.b, '[')
	for i := range n {
		if i > 0 {
			c.b = append(c.b, ',')
		}
		one(i)
	}
	c.b = append(c.b, ']')
}

// list writes or reads an array of messages, as array does. It needs no function for each of the many types of messages.
func list[T any, P interface {
	*T
	message
}](c *coder, name string, all *[]T) {
	if !c.member(name, len(*all) == 0) {
		return
	}
	if c.r != nil {
		*all = nil
	}
	c.elements(len(*all), func(i int) { c.object(P(element(all, i))) })
}

// rows writes or reads lists in a list.
func rows[T any, P interface {
	*T
	message
}](c *coder, name string, all *[][]T) {
	if c.member(name, len(*all) == 0) {
		array(c, all, func(c *coder, row *[]T) { array(c, row, func(c *coder, m *T) { c.object(P(m)) }) })
	}
}

func texts[T ~string](c *coder, name string, all *[]T) {
	if c.member(name, len(*all) == 0) {
		array(c, all, func(c *coder, s *T) {
			text := string(*s)
			c.textValue(&text)
			*s = T(text)
		})
	}
}

func bools(c *coder, name string, all *[]bool) {
	if c.member(name, len(*all) == 0) {
		array(c, all, (*coder).boolValue)
	}
}

func numbers[T int | int32 | int64](c *coder, name string, all *[]T) {
	if c.member(name, len(*all) == 0) {
		array(c, all, number[T])
	}
}

func numberRows[T int | int32 | int64](c *coder, name string, all *[][]T) {
	if c.member(name, len(*all) == 0) {
		array(c, all, func(c *coder, row *[]T) { array(c, row, number[T]) })
	}
}

// args writes or reads the arguments of a sentence. They are written in the order of their names, which are any texts.
func (c *coder) args(name string, args *map[string]Arg) {
	if !c.member(name, len(*args) == 0) {
		return
	}
	if c.r != nil {
		*args = map[string]Arg{}
		for key := range c.r.Members() {
			var a Arg
			c.object(&a)
			(*args)[key] = a
		}
		return
	}
	c.b = append(c.b, '{')
	for i, key := range slices.Sorted(maps.Keys(*args)) {
		if i > 0 {
			c.b = append(c.b, ',')
		}
		c.b = append(jsonscan.AppendString(c.b, key), ':')
		a := (*args)[key]
		c.object(&a)
	}
	c.b = append(c.b, '}')
}

// standing writes the operation that a Standing holds, or an object without members.
func (c *coder) standing(name string, s *Standing) {
	switch {
	case !c.member(name, false):
	case c.r == nil && s.Second == nil:
		c.b = append(c.b, "{}"...)
	case c.r == nil:
		c.b = appendOp(append(c.b, '{'), s.Second)
	default:
		if err := s.decode(c.r.Raw()); err != nil && c.err == nil {
			c.err = err
		}
	}
}

// plan is an excerpt.Plan as a message.
type plan excerpt.Plan

func (c *coder) plan(name string, p *excerpt.Plan) { c.message(name, (*plan)(p)) }

func (x *plan) fields(c *coder) {
	c.int("resource", &x.Resource)
	numbers(c, "kept", &x.Records)
	numbers(c, "added", &x.Added)
	c.int64("time", &x.Time)
}
