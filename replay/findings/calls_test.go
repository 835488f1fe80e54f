package findings_test

import (
	"math"
	"slices"
	"testing"
)

// A panic with which the recording ends is said to be that, and one after which the process went on isn't.
func TestTheLastCall(t *testing.T) {
	const begin = `{"informerscope":"trace","version":1,"level":"transport"}
{"t":0,"id":1,"req":{"method":"GET","url":"/api/v1/pods?watch=true&resourceVersion=10"}}
{"t":1000000,"id":1,"resp":{"status":200,"contentType":"application/json"}}
{"t":2000000,"id":1,"event":{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"shop","name":"web","resourceVersion":"11"}}}}
{"t":3000000,"call":{"handler":"web","fn":"OnAdd","key":"shop/web","rv":"11","took":1000,"panicked":true}}
`
	for later, last := range map[string]bool{
		"": true,
		`{"t":203000000,"mark":{"text":"written"}}`:     true,
		`{"t":3000000000,"mark":{"text":"a while on"}}`: false,
	} {
		var notes []string
		for _, f := range found([]byte(begin+later), math.MaxInt, math.MaxInt) {
			if f.ID == "handler-panic" {
				notes = append(f.Notes(), f.ID)
			}
		}
		want := []string{"handler-panic"}
		if last {
			want = []string{"last", "handler-panic"}
		}
		if !slices.Equal(notes, want) {
			t.Errorf("%q: %q", later, notes)
		}
	}
}
