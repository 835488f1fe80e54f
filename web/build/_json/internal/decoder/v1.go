package decoder

import (
	"errors"
	"reflect"
	"unsafe"
)

// What reads as encoding/json/v2 does is left out, and so are values that read themselves from a stream of tokens.
// The files that are kept name the following. They use none of it while they read as encoding/json does: then
// RuntimeContext.v2 is nil, Option.V2 is 0, and compiler.v2 is false.

// errLeftOut is returned if they use it all the same.
var errLeftOut = errors.New("json: encoding/json/v2 was left out of this program")

var errNilInterface, errV2DuplicateName, errNonStringValue = errLeftOut, errLeftOut, errLeftOut

// V2Call is the state of a call of the v2 package.
type V2Call struct {
	names    nameSet
	skippers [3]unsafe.Pointer
}

type nameSet struct{ entries []struct{} }

func (*nameSet) truncate(int, int) {}

func releaseSkippers(*V2Call) {}

// UnmarshalFuncs are the functions that the v2 package takes for types.
type UnmarshalFuncs struct{}

func (c *compiler) compileV2(reflect.Type, string, string) (Decoder, error) { return nil, errLeftOut }

func newV2SliceDecoder(d *sliceDecoder) Decoder { return d }

func numberCause([]byte, reflect.Type) error { return errLeftOut }

func isNumberKind(reflect.Kind) bool { return false }

func unquotedName(quoted []byte) []byte { return quoted }

// No type reads itself from a stream of tokens.
func implementsUnmarshalFrom(reflect.Type) bool { return false }

func newUnmarshalFromDecoder(_ reflect.Type, next Decoder) Decoder { return next }
