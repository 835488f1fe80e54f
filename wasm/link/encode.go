package link

import (
	"reflect"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// appendJSON appends a Request, a Reply, or a part of one. It leaves out fields that
// are zero or empty.
//
// It exists because a JSON library's encoder is one function of 200 kB. After a few
// messages the browser decides to optimize that function, which keeps it busy for
// most of a second in each program that encodes.
func appendJSON(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct:
		b = append(b, '{')
		if v.Type() == standing {
			if s := v.Interface().(Standing); s.Second != nil {
				return appendOp(b, s.Second)
			}
			return append(b, '}')
		}
		first := len(b)
		for _, f := range fieldsOf(v.Type()) {
			if x := v.Field(f.index); !empty(x) {
				b = appendComma(b, first)
				b = append(b, f.name...)
				b = appendJSON(b, x)
			}
		}
		return append(b, '}')
	case reflect.Pointer:
		return appendJSON(b, v.Elem())
	case reflect.Slice:
		b = append(b, '[')
		first := len(b)
		for i := range v.Len() {
			b = appendComma(b, first)
			b = appendJSON(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.Map:
		b = append(b, '{')
		first := len(b)
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		for _, k := range keys {
			b = appendComma(b, first)
			b = jsonscan.AppendString(b, k.String())
			b = append(b, ':')
			b = appendJSON(b, v.MapIndex(k))
		}
		return append(b, '}')
	case reflect.String:
		return jsonscan.AppendString(b, v.String())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	}
	return strconv.AppendInt(b, v.Int(), 10)
}

var standing = reflect.TypeFor[Standing]()

func appendComma(b []byte, first int) []byte {
	if len(b) > first {
		return append(b, ',')
	}
	return b
}

// empty reports whether a field is left out: reading the message gives it the same
// value without.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		return false
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

// field is a field of a struct, with its name in JSON.
type field struct {
	index int
	name  string
}

var fields sync.Map // []field by reflect.Type

func fieldsOf(t reflect.Type) []field {
	if known, ok := fields.Load(t); ok {
		return known.([]field)
	}
	var all []field
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		all = append(all, field{i, `"` + name + `":`})
	}
	fields.Store(t, all)
	return all
}
