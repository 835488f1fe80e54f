package host

import (
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/wasm/link"
)

func TestSuspects(t *testing.T) {
	got := suspects([]byte(`{"informerscope":"findings","found":[{"line":3,"count":2,"path":".a","why":"b","mask":"c"},` +
		`{"line":4,"count":1,"path":".d","why":"value of e","said":{"id":"secretValue","args":[{"name":"name","text":"e"}]},"mask":"f"}],"more":1}` + "\n"))
	value := link.Fault(fault.Of("secretValue name", "e"))
	value.Args[fault.English] = link.Arg{Kind: "why", V: "value of e"}
	if want := (&link.Suspects{Found: []link.Suspect{
		{Line: 3, Count: 2, Path: ".a", Why: link.FaultText("b"), Mask: "c"}, {Line: 4, Count: 1, Path: ".d", Why: value, Mask: "f"}}, More: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("the findings are %+v", got)
	}
	for _, head := range []string{`{"informerscope":"trace","version":1}`, "", `{"informerscope":"findings"`} {
		if got := suspects([]byte(head)); got != nil {
			t.Errorf("%q is read as the findings %+v", head, got)
		}
	}
}
