//go:build js && wasm

package dom

import (
	"errors"
	"syscall/js"

	"github.com/hack-pad/safejs"
)

// These ask for what every browser has. Should it be missing, the answer is
// undefined, and whatever uses it gets a zero value.

// scope returns the one global that the scripts of web/ set: web/page/boot.js on the
// page, web/worker/engine.js in the worker.
func scope() safejs.Value { return get(safejs.Global(), "informerscope") }

func get(v safejs.Value, name string) safejs.Value {
	r, err := v.Get(name)
	if err != nil {
		return safejs.Undefined()
	}
	return r
}

func set(v safejs.Value, name string, x any) {
	v.Set(name, x) // a property that can't be set stays what it is
}

func index(v safejs.Value, i int) safejs.Value {
	r, err := v.Index(i)
	if err != nil {
		return safejs.Undefined()
	}
	return r
}

func call(v safejs.Value, name string, args ...any) safejs.Value {
	r, err := v.Call(name, args...)
	if err != nil {
		Complain(name + ": " + err.Error())
		return safejs.Undefined()
	}
	return r
}

// Debug writes to the console what helps somebody to find a fault.
func Debug(what string) { js.Global().Get("console").Call("debug", what) }

// Complain writes to the console what should not have happened.
func Complain(what string) { js.Global().Get("console").Call("error", what) }

func construct(global safejs.Value, class string, args ...any) safejs.Value {
	r, err := get(global, class).New(args...)
	if err != nil {
		return safejs.Undefined()
	}
	return r
}

func function(f func(args []safejs.Value) any) safejs.Func {
	fn, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any { return f(args) })
	if err != nil {
		panic(err) // FuncOf has no way to fail
	}
	return fn
}

func truthy(v safejs.Value) bool {
	t, err := v.Truthy()
	return err == nil && t
}

func text(v safejs.Value) string {
	if v.Type() != safejs.TypeString {
		return ""
	}
	s, err := v.String()
	if err != nil {
		return ""
	}
	return s
}

func float(v safejs.Value) float64 {
	f, err := v.Float()
	if err != nil {
		return 0
	}
	return f
}

func integer(v safejs.Value) int { return int(float(v)) }

// copyOut copies b into an array of JavaScript: the one copy that a message costs on its way out.
func copyOut(array safejs.Value, b []byte) { js.CopyBytesToJS(safejs.Unsafe(array), b) }

// copyIn copies an array of JavaScript into b.
func copyIn(b []byte, array safejs.Value) { js.CopyBytesToGo(b, safejs.Unsafe(array)) }

// bytesOf returns a copy of an array of JavaScript: the one that a message costs on its way in.
func bytesOf(array safejs.Value) []byte {
	b := make([]byte, integer(get(array, "length")))
	copyIn(b, array)
	return b
}

func jsError(v safejs.Value) error {
	if m := text(get(v, "message")); m != "" {
		return errors.New(m)
	}
	return errors.New(text(v))
}
