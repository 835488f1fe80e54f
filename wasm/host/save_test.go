package host

import (
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

func TestSuspects(t *testing.T) {
	got := suspects([]byte(`{"informerscope":"findings","found":[{"line":3,"count":2,"path":".a","why":"b","mask":"c"}],"more":1}` + "\n"))
	if want := (&link.Suspects{Found: []link.Suspect{{Line: 3, Count: 2, Path: ".a", Why: "b", Mask: "c"}}, More: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("the findings are %+v", got)
	}
	for _, head := range []string{`{"informerscope":"trace","version":1}`, "", `{"informerscope":"findings"`} {
		if got := suspects([]byte(head)); got != nil {
			t.Errorf("%q is read as the findings %+v", head, got)
		}
	}
}
