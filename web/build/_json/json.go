// Package json is what the page's program has of github.com/goccy/go-json: reading, and copying as it stands or
// indented. It has no encoder, no streams, no paths and none of what reads as encoding/json/v2 does. Code that uses
// any of these doesn't compile into the page.
package json

import (
	"bytes"
	"encoding/json"
	"unsafe"

	"github.com/goccy/go-json/internal/decoder"
	"github.com/goccy/go-json/internal/encoder"
	"github.com/goccy/go-json/internal/errors"
	"github.com/goccy/go-json/internal/runtime"
)

type (
	// A RawMessage is JSON that is read later.
	RawMessage = json.RawMessage
	// A Number is a number as it was written.
	Number = json.Number

	DecodeOption     = decoder.Option
	DecodeOptionFunc func(*DecodeOption)
)

// DecodeNoCopyString has strings share the memory of the input, which must not change any more.
func DecodeNoCopyString() DecodeOptionFunc {
	return func(o *DecodeOption) { o.Flags |= decoder.NoCopyStringOption }
}

// Unmarshal reads data, and stores the value in what v points to.
func Unmarshal(data []byte, v any) error { return UnmarshalWithOption(data, v) }

// UnmarshalWithOption is Unmarshal with options.
func UnmarshalWithOption(data []byte, v any, options ...DecodeOptionFunc) error {
	to := (*struct{ typ, ptr unsafe.Pointer })(unsafe.Pointer(&v))
	if to.typ == nil || to.ptr == nil {
		return &InvalidUnmarshalError{Type: runtime.TypeOfPtr(to.typ)}
	}
	ctx := decoder.TakeRuntimeContext()
	d, err := ctx.DecoderOf(to.typ)
	if err != nil {
		decoder.ReleaseRuntimeContext(ctx)
		return err
	}
	input := ctx.SetInput(data)
	ctx.Option.Flags = 0
	for _, set := range options {
		set(ctx.Option)
	}
	end, err := d.Decode(ctx, 0, 0, to.ptr)
	if err == nil && end != int64(len(input))-1 {
		err = decoder.ValidateEnd(input, end)
	}
	if err != nil || ctx.HasTypeError() {
		err = failed(ctx, to.typ, err)
	}
	decoder.ReleaseRuntimeContext(ctx)
	return err
}

// failed returns what a reading into the type typ returns that ended with err, or with nil and an error of a type.
// Of an input that isn't valid, the first error counts, which the reading may not have come to.
func failed(ctx *decoder.RuntimeContext, typ unsafe.Pointer, err error) error {
	if _, ok := err.(*errors.SyntaxError); ok {
		if first := ctx.InputSyntaxError(); first != nil {
			err = first
		}
	}
	if err == nil {
		err = ctx.TypeError(runtime.TypeOfPtr(typ), 0, 0, nil)
	}
	ctx.DiscardTypeError()
	return err
}

// Valid reports whether data is one JSON value.
func Valid(data []byte) bool {
	ctx := decoder.TakeRuntimeContext()
	valid := decoder.Valid(ctx.SetInput(data))
	decoder.ReleaseRuntimeContext(ctx)
	return valid
}

// Compact appends src to dst without the spaces between its tokens. Where src isn't valid, dst stays as it was.
func Compact(dst *bytes.Buffer, src []byte) error {
	if encoder.Compact(dst, src) {
		return nil
	}
	return syntaxError(src)
}

// Indent appends src to dst with a line for each element of an object or an array, as encoding/json does. Where src
// isn't valid, dst stays as it was.
func Indent(dst *bytes.Buffer, src []byte, prefix, indent string) error {
	if encoder.Indent(dst, src, prefix, indent) {
		return nil
	}
	return syntaxError(src)
}

// syntaxError returns the first error in src, which has one.
func syntaxError(src []byte) error {
	ctx := decoder.TakeRuntimeContext()
	ctx.SetInput(src)
	err := ctx.InputSyntaxError()
	decoder.ReleaseRuntimeContext(ctx)
	return err
}
