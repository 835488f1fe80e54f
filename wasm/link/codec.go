package link

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Encode returns the buffer that crosses to the page: the request's ID, and the news by their name.
func (r *Reply) Encode() []byte {
	b := []byte(replyBegins + strconv.Itoa(r.ID) + `,"` + nameOf(r.News) + `":`)
	return append(encode(b, r.News), '}')
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
			err := decode(b[len(head)+1:len(b)-1], news)
			return &Reply{n, news}, err
		}
	}
	return nil, errReply
}

// Encode returns the buffer that crosses to the worker: the operation's fields, after its
// name and the request's ID.
func (q *Request) Encode() []byte {
	b := append([]byte(`{"id":`), strconv.Itoa(q.ID)...)
	return appendOp(append(b, ','), q.Op)
}

// appendOp appends the members of an operation's object, and the brace that ends it.
func appendOp(b []byte, op Op) []byte {
	b = append(b, `"op":"`...)
	b = append(b, Name(op)...)
	c := coder{b: append(b, '"')}
	p := reflect.New(reflect.TypeOf(op))
	if m, has := p.Interface().(message); has {
		p.Elem().Set(reflect.ValueOf(op))
		m.fields(&c)
	}
	return append(c.b, '}')
}

// Name returns an operation's name.
func Name(op Op) string { return reflect.TypeOf(op).Name() }

// UnknownOp returns the error for an operation of a name that isn't known.
func UnknownOp(name string) error { return errors.New("unknown operation " + strconv.Quote(name)) }

// DecodeRequest reads what Request.Encode has returned.
func DecodeRequest(b []byte) (Request, error) {
	var q Request
	r := jsonscan.NewReader(b)
	for range r.Fields("id") {
		r.Int(&q.ID)
	}
	err := r.End()
	if err == nil {
		q.Op, err = decodeOp(b)
	}
	return q, err
}

// decodeOp reads what appendOp has written.
func decodeOp(b []byte) (Op, error) {
	var name string
	r := jsonscan.NewReader(b)
	for range r.Fields("op") {
		r.Text(&name)
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	for _, op := range Ops {
		if t := reflect.TypeOf(op); t.Name() == name {
			p := reflect.New(t)
			var err error
			if m, has := p.Interface().(message); has {
				err = decode(b, m)
			}
			return p.Elem().Interface().(Op), err
		}
	}
	return nil, UnknownOp(name)
}

// Encode returns the options of the converting program.
func (x *Conversion) Encode() []byte { return encode(nil, x) }

// DecodeConversion reads what Conversion.Encode has returned.
func DecodeConversion(b []byte) (*Conversion, error) {
	x := new(Conversion)
	return x, decode(b, x)
}

// Encode returns x as the converting program writes it.
func (x *OwnWork) Encode() []byte { return encode(nil, x) }

// DecodeOwnWork reads what OwnWork.Encode has returned.
func DecodeOwnWork(b []byte) (*OwnWork, error) {
	x := new(OwnWork)
	return x, decode(b, x)
}

// Encode returns x as a trace holds it.
func (x *Edits) Encode() []byte { return encode(nil, x) }

// DecodeEdits reads what Edits.Encode has returned.
func DecodeEdits(b []byte) (*Edits, error) {
	x := new(Edits)
	if err := decode(b, x); err != nil {
		return nil, err
	}
	return x, nil
}

// Standing holds a Second, so that one can cross in a reply. It is empty for one machine
// alone.
type Standing struct{ Second }

// decode reads an operation, or nothing.
func (s *Standing) decode(b []byte) error {
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
