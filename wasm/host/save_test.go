package host

import (
	"bytes"
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

// What the viewer has looked at is what is saved, and nothing is written anew for that, unless
// something else is to be taken out.
func TestWhatWasLookedAtIsSaved(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	looked := func(r link.Redact) *link.Looked {
		t.Helper()
		for _, r := range p.ask(link.Save{Redact: &r, Look: true}, nil) {
			if x, is := r.News.(*link.Looked); is {
				return x
			}
		}
		t.Fatalf("nothing is shown: %s", p.failures())
		return nil
	}
	x := looked(link.Redact{Env: true})
	if len(p.given) > 0 || p.conversions != 1 {
		t.Fatalf("%d files were given, and %d written", len(p.given), p.conversions)
	}
	data := p.saves(link.Redact{Env: true})
	if p.conversions != 1 || int64(len(data)) != x.Size || !bytes.HasPrefix(data, []byte(x.Head)) || len(x.Head) < 1000 {
		t.Errorf("of %d bytes, %d are saved, and the other program was asked %d times", x.Size, len(data), p.conversions)
	}
	if p.saves(link.Redact{Env: true, Tokens: true}); p.conversions != 2 {
		t.Error("what was looked at is saved, and something else was to be taken out")
	}
	looked(link.Redact{Env: true})
	p.ask(link.Seek{Step: 900}, nil)
	p.ask(link.PlayLine{Line: "break watch"}, nil)
	if data := p.saves(link.Redact{Env: true}); !bytes.Contains(data, []byte(`"future"`)) {
		t.Error("what was done after the look isn't saved")
	}
}
