package trace

import "testing"

// The error of a decoder names no type of Go.
func TestDecodeErrors(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"A"`:                                              "the JSON ends too early",
		`{"type":"A","object":{"kind":5}}`:                         "object.kind is a number, and should be a string",
		`{"type":"A","object":{"metadata":"x"}}`:                   "object.metadata is a string, and should be an object",
		`{"type":"A","object":{"metadata":{"labels":[]}}}`:         "object.metadata.labels is an array, and should be an object",
		`{"type":"A","object":{"metadata":{"labels":{"a":true}}}}`: "object.metadata.labels.a is true or false, and should be a string",
		`[]`:            "the value is an array, and should be an object",
		`{"type":A}`:    "the text is not JSON: invalid character 'A' looking for beginning of value",
		`{"type":"A"}x`: "the text is not JSON: invalid character 'x' after top-level value",
	} {
		var e Event
		if err := e.Decode([]byte(in)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
	var l line
	if err := l.decode([]byte(`{"t":1.5}`)); err == nil || err.Error() != "t is a number, and should be a whole number" {
		t.Errorf("the error is %v", err)
	}
}
