package trace

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/fault"
)

// sameProblem reports whether two Problems say the same, in any language.
func sameProblem(a, b Problem) bool {
	return a.Kind == b.Kind && a.Line == b.Line && a.Offset == b.Offset && a.Lost == b.Lost &&
		a.Error() == b.Error() && string(AppendFault(nil, a.Err)) == string(AppendFault(nil, b.Err))
}

// problems returns what a trace says that has these lines after its header.
func problems(t *testing.T, lines ...string) []Problem {
	t.Helper()
	tr := &Trace{}
	d, err := NewDecoder(tr, []byte(`{"informerscope":"trace","version":1}`))
	for _, line := range lines {
		if err == nil {
			b := []byte(line)
			err = d.Line(b, 0)
			clear(b) // the Decoder keeps nothing of it
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return tr.Problems
}

// An error is read as it was written, with the errors in it; one that is only a text stays
// one.
func TestFaultsAreReadAsTheyWereWritten(t *testing.T) {
	for _, err := range []error{
		errNoItems,
		fault.Number("deepValue max", 1000),
		fault.Quoted("noJSONNumber text", ".nan"),
		ItemError{3, Misread(errors.New("a \"quoted\" word"))},
		Problem{Kind: Cut, Line: 2, Offset: 7, Err: fault.New("named name why", "a.json", errors.New("disk full"))},
	} {
		b := AppendFault(nil, err)
		got := ReadFault(b, "something else")
		if got.Error() != err.Error() || string(AppendFault(nil, got)) != string(b) {
			t.Errorf("%v is written as %s, and read as %v", err, b, got)
		}
	}
	if b := AppendFault(nil, errors.New("disk full")); b != nil {
		t.Errorf("a text is written as %s", b)
	}
	if err := ReadFault(nil, "disk full"); err.Error() != "disk full" || AppendFault(nil, err) != nil {
		t.Errorf("a text is read as %v", err)
	}
}

// Older versions wrote a reason without an id. Newer versions may write an id that is not
// known here. The trace's English text is shown for both.
func TestReasonsOfOtherVersions(t *testing.T) {
	const newer = `{"t":0,"problem":{"kind":"damaged","line":3,"reason":"the moon is full","why":{"id":"ofTomorrow","args":[{"name":"moon","text":"full"},{"name":"why","why":{"id":"noItems"}}],"more":1}}}`
	got := problems(t,
		`{"t":0,"problem":{"kind":"damaged","line":3,"offset":40,"reason":"it hangs"}}`,
		newer,
		`{"t":0,"problem":{"kind":"damaged","reason":"deep","why":`+strings.Repeat(`{"id":"inItem","args":[{"name":"why","why":`, 100)+`null`+strings.Repeat(`}]}`, 100)+`}}`,
		`{"t":0,"problem":{"kind":"damaged"}}`)
	var says []string
	for _, p := range got {
		says = append(says, p.Error())
	}
	want := []string{"line 3, byte 40: it hangs", "line 3, byte 0: the moon is full", strings.Repeat("item  of the list: ", 21), ""}
	if !slices.Equal(says, want) {
		t.Errorf("they say %q, not %q", says, want)
	}
	if b, want := string(AppendFault(nil, got[1].Err)), `"why":{"id":"ofTomorrow","args":[{"name":"moon","text":"full"},{"name":"why","why":{"id":"noItems"}}]`; !strings.Contains(`"why":`+b, want) {
		t.Errorf("it is written again as %s", b)
	}
}

// Whatever is written in the place of an error, it is an error that can be written again.
func FuzzReadFault(f *testing.F) {
	f.Add([]byte(`{"id":"inItem","args":[{"name":"item","text":"3"},{"name":"why","why":{"id":"noItems"}}]}`), "item 3")
	f.Add([]byte(strings.Repeat(`{"id":"a b","args":[{"name":"","why":`, 30)+`null`+strings.Repeat(`}]}`, 30)), "")
	f.Fuzz(func(t *testing.T, b []byte, text string) {
		err := ReadFault(b, text)
		if err == nil || err.Error() == "" && text != "" {
			t.Fatalf("%q is read as %v", b, err)
		}
		again := AppendFault(nil, err)
		if again == nil {
			return
		}
		if third := AppendFault(nil, ReadFault(again, text)); string(third) != string(again) {
			t.Errorf("%q is written as %s, and then as %s", b, again, third)
		}
	})
}

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
