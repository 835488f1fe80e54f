package runtime

import "reflect"

// The library doesn't copy what it gives to an UnmarshalJSON of the standard library that is known to keep nothing of
// it. To find out whose method one is, it needs what reflect makes of methods, 20 kB of the page's program. Here each
// gets a copy.

// MethodLookup names a method of a type.
type MethodLookup struct{}

// UnmarshalJSONMethod stands for UnmarshalJSON.
var UnmarshalJSONMethod MethodLookup

// IsStdMarshalerType reports whether a type of the standard library is known to keep nothing.
func IsStdMarshalerType(reflect.Type) bool { return false }

// PromotedStdMethod tells the same of a type that has the method by embedding.
func PromotedStdMethod(reflect.Type, MethodLookup) (reflect.Type, uintptr, bool, bool) {
	return nil, 0, false, false
}
