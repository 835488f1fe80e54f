package host

import (
	"bytes"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

func TestCountsAtTheEnd(t *testing.T) {
	const end = `{"t":1}` + "\n" + `{"t":9,"redacted":{"texts":3,"names":0},"kept":{"metadata.name":12}}` + "\n"
	if got := redactionCounts([]byte(end), "redacted"); !slices.Equal(got, []link.RedactionCount{{Name: "texts", N: 3}, {Name: "names"}}) {
		t.Errorf("taken out was %v", got)
	}
	if got := redactionCounts([]byte(end), "kept"); !slices.Equal(got, []link.RedactionCount{{Name: "metadata.name", N: 12}}) {
		t.Errorf("kept was %v", got)
	}
	for _, tail := range []string{"", `{"t":9}`, `{"redacted":["a"]}`, `{"redacted":{"a":1}`} {
		if got := redactionCounts([]byte(tail), "redacted"); got != nil {
			t.Errorf("%q has the counts %v", tail, got)
		}
	}
}

// What the viewer has looked at is what is saved, and nothing is written anew for that, unless
// something else is to be taken out.
func TestWhatWasLookedAtIsSaved(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop"}, shop(t))
	looked := func(r link.Redact) *link.SavePreview {
		t.Helper()
		for _, r := range p.ask(link.Save{Redact: &r, Look: true}, nil) {
			if x, is := r.News.(*link.SavePreview); is {
				return x
			}
		}
		t.Fatalf("nothing is shown: %s", p.failures())
		return nil
	}
	x := looked(link.Redact{Share: true})
	if len(p.given) > 0 || p.conversions != 1 {
		t.Fatalf("%d files were given, and %d written", len(p.given), p.conversions)
	}
	data := p.saves(link.Redact{Share: true})
	if p.conversions != 1 || int64(len(data)) != x.Size || !bytes.HasPrefix(data, []byte(x.Head)) || len(x.Head) < 1000 {
		t.Errorf("of %d bytes, %d are saved, and the other program was asked %d times", x.Size, len(data), p.conversions)
	}
	if p.saves(link.Redact{Share: true, Names: true}); p.conversions != 2 {
		t.Error("what was looked at is saved, and something else was to be taken out")
	}
	looked(link.Redact{Share: true})
	p.ask(link.Seek{Step: 900}, nil)
	p.ask(link.PlayLine{Line: "break watch"}, nil)
	if data := p.saves(link.Redact{Share: true}); !bytes.Contains(data, []byte(`"future"`)) {
		t.Error("what was done after the look isn't saved")
	}
}
