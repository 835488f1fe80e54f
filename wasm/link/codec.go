package link

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
)

// Encode returns the buffer that crosses to the page: the request's ID, and the news after their name.
func (r *Reply) Encode() []byte {
	var c coder
	name := nameOf(r.News)
	c.fields(&r.ID, &name, r.News)
	return c.b
}

func nameOf(n News) string { return reflect.TypeOf(n).Elem().Name() }

var errReply = errors.New("unknown reply")

// DecodeReply reads what Reply.Encode has returned.
func DecodeReply(b []byte) (*Reply, error) {
	var r Reply
	var name string
	c := coder{b: b, reads: true}
	c.fields(&r.ID, &name)
	for _, kind := range AllNews {
		if nameOf(kind) == name {
			r.News = reflect.New(reflect.TypeOf(kind).Elem()).Interface().(News)
			r.News.fields(&c)
			return &r, c.end()
		}
	}
	return nil, errReply
}

// Encode returns the buffer that crosses to the worker: the request's ID, and the operation's fields after its name.
func (q *Request) Encode() []byte {
	var c coder
	c.fields(&q.ID)
	c.operation(&q.Op)
	return c.b
}

// DecodeRequest reads what Request.Encode has returned.
func DecodeRequest(b []byte) (Request, error) {
	var q Request
	c := coder{b: b, reads: true}
	c.fields(&q.ID)
	c.operation(&q.Op)
	return q, c.end()
}

// operation writes or reads an operation. It has no fields where its type is empty.
func (c *coder) operation(op *Op) {
	var name string
	if !c.reads {
		name = Name(*op)
	}
	if c.text(&name); c.err != nil {
		return
	}
	i := slices.IndexFunc(Ops, func(known Op) bool { return Name(known) == name })
	if i < 0 {
		c.fail(UnknownOp(name))
		return
	}
	p := reflect.New(reflect.TypeOf(Ops[i]))
	if !c.reads {
		p.Elem().Set(reflect.ValueOf(*op))
	}
	if m, has := p.Interface().(message); has {
		m.fields(c)
	}
	*op = p.Elem().Interface().(Op)
}

// Name returns an operation's name.
func Name(op Op) string { return reflect.TypeOf(op).Name() }

// UnknownOp returns the error for an operation of a name that isn't known.
func UnknownOp(name string) error { return errors.New("unknown operation " + strconv.Quote(name)) }

// Encode returns the options of the converting program.
func (x *Conversion) Encode() []byte { return encode(x) }

// DecodeConversion reads what Conversion.Encode has returned.
func DecodeConversion(b []byte) (*Conversion, error) {
	x := new(Conversion)
	return x, decode(b, x)
}

// Encode returns x as the converting program writes it.
func (x *OwnWork) Encode() []byte { return encode(x) }

// DecodeOwnWork reads what OwnWork.Encode has returned.
func DecodeOwnWork(b []byte) (*OwnWork, error) {
	x := new(OwnWork)
	return x, decode(b, x)
}

// Standing holds a Second, so that one can cross in a reply. It is empty for one machine
// alone.
type Standing struct{ Second }

func (s *Standing) fields(c *coder) {
	is := s.Second != nil
	op := Op(s.Second)
	if c.bool(&is); !is {
		s.Second = nil
		return
	}
	if c.operation(&op); c.err != nil {
		return
	}
	if s.Second, is = op.(Second); !is {
		c.fail(UnknownOp(Name(op)))
	}
}
