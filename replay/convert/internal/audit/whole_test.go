package audit

import (
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// FuzzWhole: what is read in one pass is what a decoder reads, wherever the line is cut.
func FuzzWhole(f *testing.F) {
	const line = `{"kind":"Event","level":"RequestResponse","stage":"ResponseComplete","requestURI":"/api/v1/pods?a=1\u0026b=2","verb":"patch",` +
		`"objectRef":{"resource":"pods","namespace":"x","name":"a","uid":"u","apiGroup":"g","apiVersion":"v1","subresource":"status"},` +
		`"responseStatus":{"metadata":{},"reason":"Created","code":201},"requestObject":[1,{"a":null}],` +
		`"responseObject":{"kind":"Pod","metadata":{"name":"a","namespace":"x","uid":"u","resourceVersion":"5","continue":"c",` +
		`"deletionTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":30,"finalizers":["a/b","c"]},"spec":{"x":[-1.5e3]}},` +
		`"requestReceivedTimestamp":"2026-01-01T00:00:00.5Z","stageTimestamp":"2026-01-01T00:00:01Z"}`
	f.Add([]byte(line))
	for _, s := range []string{`{"responseObject":{"metadata":{"finalizers":[]}}}`, `{"responseObject":{"metadata":{"finalizers":["a",]}}}`,
		`{"stage":"a","STAGE":"b"}`, `{"requestURI":"/\u0026\""}`, `{"responseStatus":{"code":1.0}}`, `{"responseObject":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for cut := range b[:min(len(b), 2000)] {
			new(event).whole(b[:cut:cut], new(answer))
		}
		var got, want event
		var o, wanted answer
		if !got.whole(b, &o) {
			return
		}
		if err := trace.Decode(b, &want); err != nil {
			t.Fatalf("%q is taken: %v", b, err)
		}
		uri := got.RequestURI
		if err := trace.Decode([]byte(`"`+uri+`"`), &got.RequestURI); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is read as\n%+v\nand should be\n%+v", b, got, want)
		}
		if len(want.ResponseObject) == 0 {
			return
		}
		if err := trace.Decode(want.ResponseObject, &wanted); err != nil || !reflect.DeepEqual(o, wanted) {
			t.Fatalf("the object of %q is read as\n%+v\nand should be\n%+v, %v", b, o, wanted, err)
		}
	})
}
