package fmt_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	plain "github.com/informerscope/informerscope/web/build/fmt"
)

// The stand-in prints what it knows as the standard library does.
func TestPrintsAsTheStandardLibrary(t *testing.T) {
	fault := errors.New("a fault")
	for _, c := range []struct {
		format string
		args   []any
	}{
		{"nothing", nil},
		{"100 %", nil},
		{"%s and %v", []any{"one", "two"}},
		{"unknown field %q", []any{"a\n\"b\""}},
		{"[%d] of %d", []any{-1, uint64(1 << 63)}},
		{"%d", []any{int64(-5)}},
		{"%c%c as %d and %d", []any{byte('a'), 'é', byte('a'), 'é'}},
		{"from %f and %v", []any{1.5, 1e30}},
		{"`%s`", []any{[]byte(`\u00`)}},
		{"%s of %s, %v", []any{reflect.TypeFor[map[string]int](), reflect.Slice, true}},
		{"%+v, %v, %q, %v", []any{fault, fault, fault, nil}},
		{"", nil},
	} {
		want := fmt.Sprintf(c.format, c.args...)
		if c.format == "100 %" { // the real one says that the verb is missing
			want = c.format
		}
		if got := plain.Sprintf(c.format, c.args...); got != want {
			t.Errorf("%q with %v is %q, and not %q", c.format, c.args, got, want)
		}
		if got := plain.Errorf(c.format, c.args...); got.Error() != want {
			t.Errorf("%q with %v is the error %q", c.format, c.args, got)
		}
	}
	for _, x := range []any{"text", 7, int64(-7), uint64(7), 0.1, false, reflect.Map} {
		if got, want := plain.Sprint(x), fmt.Sprint(x); got != want {
			t.Errorf("%v is %q, and not %q", x, got, want)
		}
	}
	if got := plain.Sprintf("%s %s", "one"); got != "one %s" {
		t.Errorf("a value is missing: %q", got)
	}
}
