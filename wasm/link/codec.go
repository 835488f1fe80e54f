package link

import (
	"reflect"

	"github.com/goccy/go-json"
)

// Encode makes the one buffer that crosses to the page.
func (r *Reply) Encode() []byte { return appendJSON(nil, reflect.ValueOf(r)) }

// Encode makes the one buffer that crosses to the worker.
func (q *Request) Encode() []byte { return appendJSON(nil, reflect.ValueOf(q)) }

// Encode makes the options of the converting program.
func (r *Redact) Encode() []byte { return appendJSON(nil, reflect.ValueOf(r)) }

// Decode reads what Encode made.
func Decode[T Request | Reply](b []byte) (*T, error) {
	m := new(T)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	return m, nil
}
