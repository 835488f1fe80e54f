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
	b = append(b, `,"op":"`...)
	b = append(b, Name(q.Do)...)
	b = append(b, '"')
	if fields := appendJSON(nil, reflect.ValueOf(q.Do))[1:]; len(fields) > 1 {
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
		ID int    `json:"id"`
		Op string `json:"op"`
	}
	if err := json.Unmarshal(b, &q); err != nil {
		return Request{}, err
	}
	for _, op := range Ops {
		if t := reflect.TypeOf(op); t.Name() == q.Op {
			do := reflect.New(t)
			err := json.Unmarshal(b, do.Interface())
			return Request{q.ID, do.Elem().Interface().(Op)}, err
		}
	}
	return Request{ID: q.ID}, errOp
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
