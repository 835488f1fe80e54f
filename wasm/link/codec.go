package link

import (
	"errors"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-json"
	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Encode returns the buffer that crosses to the page: the request's ID, and the news by their name.
func (r *Reply) Encode() []byte {
	b := []byte(replyBegins + strconv.Itoa(r.ID) + `,"` + nameOf(r.News) + `":`)
	return append(appendJSON(b, reflect.ValueOf(r.News)), '}')
}

// A message begins with replyBegins. Its news begin within maxHead bytes.
const (
	replyBegins = `{"id":`
	maxHead     = 64
)

// nameOf returns the name of news.
func nameOf(n News) string { return reflect.TypeOf(n).Elem().Name() }

var errReply = errors.New("unknown reply")

// DecodeReply reads what Reply.Encode has returned.
func DecodeReply(b []byte) (*Reply, error) {
	head, _, _ := strings.Cut(string(b[:min(len(b), maxHead)]), ":{")
	id, name, _ := strings.Cut(strings.TrimPrefix(head, replyBegins), ",")
	n, err := strconv.Atoi(id)
	if err != nil {
		return nil, errReply
	}
	for _, kind := range AllNews {
		if name == `"`+nameOf(kind)+`"` {
			news := reflect.New(reflect.TypeOf(kind).Elem()).Interface().(News)
			err := json.Unmarshal(b[len(head)+1:len(b)-1], news)
			return &Reply{n, news}, err
		}
	}
	return nil, errReply
}

// Encode returns the buffer that crosses to the worker: the operation's fields, after its
// name and the request's ID.
func (q *Request) Encode() []byte {
	b := append([]byte(`{"id":`), strconv.Itoa(q.ID)...)
	return appendOp(append(b, ','), q.Do)
}

// appendOp appends the members of an operation's object, and the brace that ends it.
func appendOp(b []byte, op Op) []byte {
	b = append(b, `"op":"`...)
	b = append(b, Name(op)...)
	b = append(b, '"')
	if fields := appendJSON(nil, reflect.ValueOf(op))[1:]; len(fields) > 1 {
		b = append(b, ',')
		return append(b, fields...)
	}
	return append(b, '}')
}

// Name returns an operation's name.
func Name(op Op) string { return reflect.TypeOf(op).Name() }

// UnknownOp returns the error for an operation of a name that isn't known.
func UnknownOp(name string) error { return errors.New("unknown operation " + strconv.Quote(name)) }

// DecodeRequest reads what Request.Encode has returned.
func DecodeRequest(b []byte) (Request, error) {
	var q struct {
		ID int `json:"id"`
	}
	if err := json.Unmarshal(b, &q); err != nil {
		return Request{}, err
	}
	op, err := decodeOp(b)
	return Request{q.ID, op}, err
}

// decodeOp reads what appendOp has written.
func decodeOp(b []byte) (Op, error) {
	var q struct {
		Op string `json:"op"`
	}
	if err := json.Unmarshal(b, &q); err != nil {
		return nil, err
	}
	for _, op := range Ops {
		if t := reflect.TypeOf(op); t.Name() == q.Op {
			do := reflect.New(t)
			err := json.Unmarshal(b, do.Interface())
			return do.Elem().Interface().(Op), err
		}
	}
	return nil, UnknownOp(q.Op)
}

// Encode returns the options of the converting program.
func (r *Redact) Encode() []byte { return appendJSON(nil, reflect.ValueOf(r)) }

// Encode returns o as the converting program writes it.
func (o *OwnWork) Encode() []byte { return appendJSON(nil, reflect.ValueOf(o)) }

// DecodeOwnWork reads what OwnWork.Encode has returned.
func DecodeOwnWork(b []byte) (*OwnWork, error) {
	o := new(OwnWork)
	return o, json.Unmarshal(b, o)
}

// Encode returns e as a trace holds it.
func (e *Edits) Encode() []byte { return appendJSON(nil, reflect.ValueOf(e)) }

// DecodeEdits reads what Edits.Encode has returned.
func DecodeEdits(b []byte) (*Edits, error) {
	e := new(Edits)
	if err := json.Unmarshal(b, e); err != nil {
		return nil, err
	}
	return e, nil
}

// Standing holds a Second, so that one can cross in a reply. It is empty for one machine
// alone.
type Standing struct{ Second }

// UnmarshalJSON reads what appendJSON writes of s: an operation, or nothing.
func (s *Standing) UnmarshalJSON(b []byte) error {
	s.Second = nil
	if string(b) == "{}" {
		return nil
	}
	op, err := decodeOp(b)
	if err == nil {
		var is bool
		if s.Second, is = op.(Second); !is {
			err = UnknownOp(Name(op))
		}
	}
	return err
}

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
