package link

import (
	"reflect"

	"github.com/goccy/go-json"
)

// Encode returns the buffer that crosses to the page.
func (r *Reply) Encode() []byte { return appendJSON(nil, reflect.ValueOf(r)) }

// Encode returns the buffer that crosses to the worker.
func (q *Request) Encode() []byte { return appendJSON(nil, reflect.ValueOf(q)) }

// Encode returns the options of the converting program.
func (r *Redact) Encode() []byte { return appendJSON(nil, reflect.ValueOf(r)) }

// Encode returns f as a trace holds it.
func (f *Future) Encode() []byte { return appendJSON(nil, reflect.ValueOf(f)) }

// Decode reads what Encode has returned.
func Decode[T Request | Reply | Future](b []byte) (*T, error) {
	m := new(T)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	return m, nil
}
