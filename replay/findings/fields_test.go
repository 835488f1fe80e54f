package findings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// TestFieldsThatChange compares versions of an object, damaged ones among them.
func TestFieldsThatChange(t *testing.T) {
	for versions, want := range map[string]string{
		`{"a":1,"b":{"c":1,"d":{"e":1}}} {"a":1,"b":{"c":2,"d":{"e":1}}}`: "[{b.c 1}]",
		`{"b":{"c":{"d":{"e":1}}}} {"b":{"c":{"d":{"e":2}}}}`:             "[{b.c.d 1}]",
		`{"a":1} {"b":1}`: "[{a 1} {b 1}]",
		`{"metadata":{"resourceVersion":"1","managedFields":[1]},"a":1} {"metadata":{"resourceVersion":"2","managedFields":[2]},"a":2}`: "[{a 1}]",
		`{"metadata":{"resourceVersion":"1","managedFields":[1]}} {"metadata":{"resourceVersion":"2","managedFields":[2]}}`:             "[{metadata.managedFields 1}]",
		`{"metadata":{"resourceVersion":"1"}} {"metadata":{"resourceVersion":"2"}}`:                                                     "[]",
		`{"a":1} {"a":2} {"a":3} {"a":3,"z":1}`: "[{a 2} {z 1}]",
		`{"a\u002fb":[1]} {"a/b":[1]}`:          "[]",
		`{"a":{"b": {"a":{"b":2}}`:              "[{a.b 1}]",
		`[1] {}`:                                "[]",
	} {
		f := &fields{}
		for i, v := range strings.Fields(versions) {
			now := fieldsOf([]byte(v))
			if f.versions++; i > 0 {
				f.compare(now)
			}
			f.last = now
		}
		if got := fmt.Sprint(f.mostFrequent()); got != want {
			t.Errorf("%s: %s, want %s", versions, got, want)
		}
	}
	deep := strings.Repeat(`{"a":`, 100_000)
	if all := fieldsOf([]byte(deep)); len(all) > 1 || jsonscan.WithinMaxDepth([]byte(deep)) {
		t.Errorf("there are %d fields", len(all))
	}
}
