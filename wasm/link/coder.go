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

// layout is what the coder knows of a type. A message is a struct that crosses between page and worker as a JSON object, in
// which each field has the name that newLayout gives it. It is made of strings, ints, bools, structs and pointers to them,
// slices, and maps whose keys are strings. A field that is zero or empty isn't written, unless it is a struct: the message
// that is read has the same value without it.
//
// A JSON library would be a quarter of the page's program, and would copy each string that it reads.
type layout struct {
	kind   reflect.Kind
	fields []field // of a struct, in the order of their declaration
	elem   *layout // of a pointer, a slice or a map
}

// field is a field of a message.
type field struct {
	name   string // in JSON
	key    string // the name as it is written, with a colon
	layout *layout
}

// layouts has the layout of each type that was written or read.
var layouts = struct {
	sync.Mutex
	of map[reflect.Type]*layout
}{of: map[reflect.Type]*layout{}}

// standing is the type of what holds an operation, or nothing.
var standing = reflect.TypeFor[Standing]()

// layoutOf returns the layout of a type.
func layoutOf(t reflect.Type) *layout {
	layouts.Lock()
	defer layouts.Unlock()
	return newLayout(t)
}

// newLayout returns the layout of a type, which it makes where there is none. A field's name is that of its json tag, or
// else its own with a small first letter, or in small letters where it has capitals alone: oldRV, rv.
func newLayout(t reflect.Type) *layout {
	if l, known := layouts.of[t]; known {
		return l
	}
	l := &layout{kind: t.Kind()}
	layouts.of[t] = l // a message may hold messages of its own type
	switch {
	case t == standing:
		l.kind = reflect.Interface
	case l.kind == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case name != "":
			case f.Name == strings.ToUpper(f.Name):
				name = strings.ToLower(f.Name)
			default:
				name = strings.ToLower(f.Name[:1]) + f.Name[1:]
			}
			l.fields = append(l.fields, field{name, `"` + name + `":`, newLayout(f.Type)})
		}
	case l.kind == reflect.Pointer || l.kind == reflect.Slice || l.kind == reflect.Map:
		l.elem = newLayout(t.Elem())
	}
	return l
}

// encode appends a message to b.
func encode(b []byte, m any) []byte {
	v := reflect.Indirect(reflect.ValueOf(m))
	return appendValue(b, v, layoutOf(v.Type()))
}

func appendValue(b []byte, v reflect.Value, l *layout) []byte {
	switch l.kind {
	case reflect.String:
		return jsonscan.AppendString(b, v.String())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Struct:
		return append(appendMembers(append(b, '{'), v, l), '}')
	case reflect.Pointer:
		return appendValue(b, v.Elem(), l.elem)
	case reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, v.Index(i), l.elem)
		}
		return append(b, ']')
	case reflect.Map: // in the order of the keys
		b = append(b, '{')
		keys := v.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return cmp.Compare(x.String(), y.String()) })
		for i, key := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(jsonscan.AppendString(b, key.String()), ':')
			b = appendValue(b, v.MapIndex(key), l.elem)
		}
		return append(b, '}')
	case reflect.Interface:
		if op, _ := v.Field(0).Interface().(Op); op != nil {
			return appendOp(append(b, '{'), op)
		}
		return append(b, "{}"...)
	default:
		return strconv.AppendInt(b, v.Int(), 10)
	}
}

// appendMembers appends the fields of a message that are neither zero nor empty.
func appendMembers(b []byte, v reflect.Value, l *layout) []byte {
	for i := range l.fields {
		f := &l.fields[i]
		value := v.Field(i)
		switch f.layout.kind {
		case reflect.Struct, reflect.Interface: // are written even so
		case reflect.String, reflect.Slice, reflect.Map:
			if value.Len() == 0 {
				continue
			}
		default:
			if value.IsZero() {
				continue
			}
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = appendValue(append(b, f.key...), value, f.layout)
	}
	return b
}

// decode reads b into the message that m points to. Its strings are parts of b where they have no escapes, so b must not
// change.
func decode(b []byte, m any) error {
	r := jsonscan.NewReader(b)
	d := decoder{r: &r}
	v := reflect.ValueOf(m).Elem()
	d.value(v, layoutOf(v.Type()))
	return cmp.Or(r.End(), d.err)
}

// decoder reads a message.
type decoder struct {
	r   *jsonscan.Reader
	err error // why an operation within what is read can't be one
}

func (d *decoder) value(v reflect.Value, l *layout) {
	switch l.kind {
	case reflect.String:
		s := ""
		d.r.Text(&s)
		v.SetString(s)
	case reflect.Bool:
		is := false
		d.r.Bool(&is)
		v.SetBool(is)
	case reflect.Struct:
		for range d.r.Members() {
			for i := range l.fields {
				if f := &l.fields[i]; d.r.Is(f.name) {
					d.value(v.Field(i), f.layout)
				}
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(v.Elem(), l.elem)
	case reflect.Slice:
		v.SetZero()
		for i := range d.r.Elements() {
			if i == v.Cap() {
				v.Grow(max(4, i))
			}
			v.SetLen(i + 1)
			d.value(v.Index(i), l.elem)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for name := range d.r.Members() {
			value := reflect.New(v.Type().Elem()).Elem()
			d.value(value, l.elem)
			v.SetMapIndex(reflect.ValueOf(name), value)
		}
	case reflect.Interface:
		if err := v.Addr().Interface().(*Standing).decode(d.r.Raw()); err != nil {
			d.err = cmp.Or(d.err, err)
		}
	default:
		var n int64
		d.r.Int64(&n)
		v.SetInt(n)
	}
}
