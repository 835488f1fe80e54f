// Package fmt stands in for the standard library's in what the page's program has of other modules. Those only make
// the texts of errors with it, and the real one weighs 37 kB, gzipped, since it prints any value by reflection.
package fmt

import (
	"errors"
	"strconv"
)

// Stringer is a value that has a text.
type Stringer interface{ String() string }

// Errorf returns an error with what Sprintf returns as its text.
func Errorf(format string, args ...any) error { return errors.New(Sprintf(format, args...)) }

// Sprint returns the text of a value.
func Sprint(x any) string { return text(x, 'v') }

// Sprintf puts the values into the format. It knows the verbs %s, %v, %q, %d, %c and %f without width and precision,
// for texts, errors, numbers, and whatever is a Stringer.
func Sprintf(format string, args ...any) string {
	var out []byte
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out = append(out, format[i])
			continue
		}
		if i++; format[i] == '+' && i+1 < len(format) {
			i++
		}
		if len(args) == 0 {
			return string(out) + format[i-1:]
		}
		out = append(out, text(args[0], format[i])...)
		args = args[1:]
	}
	return string(out)
}

// text is a value as a verb writes it.
func text(x any, verb byte) string {
	var s string
	switch x := x.(type) {
	case nil:
		return "<nil>"
	case error:
		s = x.Error()
	case Stringer:
		s = x.String()
	case string:
		s = x
	case []byte:
		s = string(x)
	case float64:
		if verb == 'f' {
			return strconv.FormatFloat(x, 'f', 6, 64)
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	case uint64:
		return strconv.FormatUint(x, 10)
	case int64:
		return strconv.FormatInt(x, 10)
	case int:
		return strconv.Itoa(x)
	case rune:
		return character(x, verb)
	case byte:
		return character(rune(x), verb)
	default:
		return "a value of another type"
	}
	if verb == 'q' {
		return strconv.Quote(s)
	}
	return s
}

func character(c rune, verb byte) string {
	if verb == 'c' {
		return string(c)
	}
	return strconv.Itoa(int(c))
}
