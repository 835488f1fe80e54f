package link

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/goccy/go-json"
)

// Encode returns the buffer that crosses to the page.
func (r *Reply) Encode() []byte { return appendJSON(nil, reflect.ValueOf(r)) }

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

var errOp = errors.New("unknown operation")

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
	return nil, errOp
}

// Encode returns the options of the converting program.
func (r *Redact) Encode() []byte { return appendJSON(nil, reflect.ValueOf(r)) }

// Encode returns e as a trace holds it.
func (e *Edits) Encode() []byte { return appendJSON(nil, reflect.ValueOf(e)) }

// Decode reads what Encode has returned.
func Decode[T Reply | Edits](b []byte) (*T, error) {
	m := new(T)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	return m, nil
}
