package link

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// A coder writes values as JSON, or reads them. A struct is an object, whose members are called as its fields are, with a
// small first letter, or as their tags say. No field that is zero or empty is written, unless it is a struct: the value
// that is read is the same without it. A JSON library would be a quarter of the page's program.
type coder struct {
	b   []byte           // what is written
	r   *jsonscan.Reader // what is read
	err error            // why an operation within what is read can't be one

	last  reflect.Type // whose members are names
	names []string
}

// encode appends what m points to to b.
func encode(b []byte, m any) []byte {
	c := coder{b: b}
	c.write(reflect.ValueOf(m).Elem())
	return c.b
}

// decode reads b into what m points to. The strings of m are parts of b where they have no escapes, so b must not change.
func decode(b []byte, m any) error {
	r := jsonscan.NewReader(b)
	c := coder{r: &r}
	c.read(reflect.ValueOf(m).Elem())
	return cmp.Or(r.End(), c.err)
}

// known has the members of each type of struct: their names in quotes, with a colon, in the order of its fields.
var known sync.Map

// members returns those of a struct.
func (c *coder) members(t reflect.Type) []string {
	if t == c.last { // as in a list
		return c.names
	}
	all, has := known.Load(t)
	if !has {
		names := make([]string, t.NumField())
		for i := range names {
			f := t.Field(i)
			n := 1 // how many letters become small: of RV both, of HasSynced one
			for n < len(f.Name) && f.Name[n]-'A' < 26 && (n+1 == len(f.Name) || f.Name[n+1]-'a' >= 26) {
				n++
			}
			names[i] = `"` + cmp.Or(f.Tag.Get("json"), strings.ToLower(f.Name[:n])+f.Name[n:]) + `":`
		}
		all, _ = known.LoadOrStore(t, names)
	}
	c.last, c.names = t, all.([]string)
	return c.names
}

var standing = reflect.TypeFor[Standing]()

// write writes a value.
func (c *coder) write(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		c.b = jsonscan.AppendString(c.b, v.String())
	case reflect.Bool:
		c.b = strconv.AppendBool(c.b, v.Bool())
	case reflect.Pointer:
		c.write(v.Elem())
	case reflect.Slice:
		c.b = append(c.b, '[')
		for i := range v.Len() {
			if i > 0 {
				c.b = append(c.b, ',')
			}
			c.write(v.Index(i))
		}
		c.b = append(c.b, ']')
	case reflect.Map: // by the order of its names, which are any texts
		c.b = append(c.b, '{')
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for i, name := range names {
			if i > 0 {
				c.b = append(c.b, ',')
			}
			c.b = append(jsonscan.AppendString(c.b, name.String()), ':')
			c.write(v.MapIndex(name))
		}
		c.b = append(c.b, '}')
	case reflect.Struct:
		c.b = append(c.b, '{')
		c.writeFields(v)
		c.b = append(c.b, '}')
	default:
		c.b = strconv.AppendInt(c.b, v.Int(), 10)
	}
}

// writeFields writes the members of a struct, or of the operation that a Standing holds.
func (c *coder) writeFields(v reflect.Value) {
	if v.Type() == standing {
		if op := v.Field(0); !op.IsNil() {
			c.writeOp(op.Elem())
		}
		return
	}
	for i, name := range c.members(v.Type()) {
		f := v.Field(i)
		switch f.Kind() {
		case reflect.Struct:
		case reflect.Slice, reflect.Map:
			if f.Len() == 0 {
				continue
			}
		default:
			if f.IsZero() {
				continue
			}
		}
		if c.b[len(c.b)-1] != '{' {
			c.b = append(c.b, ',')
		}
		c.b = append(c.b, name...)
		c.write(f)
	}
}

// writeOp writes the members of an operation, of which the first has its name.
func (c *coder) writeOp(op reflect.Value) {
	c.b = append(append(append(c.b, `"op":"`...), op.Type().Name()...), '"')
	c.writeFields(op)
}

// read reads the next value into v.
func (c *coder) read(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		var s string
		c.r.Text(&s)
		v.SetString(s)
	case reflect.Bool:
		var is bool
		c.r.Bool(&is)
		v.SetBool(is)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		c.read(v.Elem())
	case reflect.Slice:
		v.SetZero()
		for i := range c.r.Elements() {
			if i == v.Cap() {
				v.Grow(max(4, i))
			}
			v.SetLen(i + 1)
			c.read(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for name := range c.r.Members() {
			x := reflect.New(v.Type().Elem()).Elem()
			c.read(x)
			v.SetMapIndex(reflect.ValueOf(name), x)
		}
	case reflect.Struct:
		if v.Type() == standing {
			if err := v.Addr().Interface().(*Standing).decode(c.r.Raw()); err != nil && c.err == nil {
				c.err = err
			}
			return
		}
		names := c.members(v.Type())
		for range c.r.Members() {
			for i, name := range names { // they come in the order in which they were written
				if c.r.Is(name[1 : len(name)-2]) {
					c.read(v.Field(i))
				}
			}
		}
	default:
		var n int64
		c.r.Int64(&n)
		v.SetInt(n)
	}
}
