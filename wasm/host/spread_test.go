package host

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// largeStream is a watch stream that is worth several readers. Here and there a line is damaged, is not as the API server
// writes it, or is one of several of an event.
func largeStream(size int) []byte {
	var out bytes.Buffer
	managed := `"managedFields":[{"manager":"` + strings.Repeat("m", 100_000) + `"}]`
	for n := 0; out.Len() < size; n++ {
		kind := "MODIFIED"
		if n < 200 {
			kind = "ADDED"
		}
		line := fmt.Sprintf(`{"type":"%s","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-%d","namespace":"shop","uid":"u-%d","resourceVersion":"%d","labels":{"app":"web","n":"%d"},%s},"spec":{}}}`,
			kind, n%200, n%200, 1000+n, n%5, managed)
		switch n % 50 {
		case 17:
			line = strings.Replace(line, `"spec":{}`, `"spec"`, 1)
		case 23:
			line = strings.Replace(line, `"kind":"Pod",`, `"kind": "Pod",`, 1)
		case 31:
			line = strings.Replace(line, `"object":{`, "\"object\":{\n", 1)
		case 47:
			line = line[:len(line)/2]
		}
		out.WriteString(line)
		out.WriteString([]string{"\n", "\r\n", "\n\n"}[n%3])
	}
	return out.Bytes()
}

// A large file is read the same by readers beside one another and by one, and its run shows the same. Readers are asked
// for once something is to be seen, and only for a large file.
func TestReadersBesideOneAnother(t *testing.T) {
	data := largeStream(spreadAfter + spreadFor + 8<<20)
	opens := func(alone bool) (*file, *page) {
		p, f := newPage(t), &file{data: data, piece: 1<<20 + 1, alone: alone}
		p.ask(link.Open{Name: "large"}, f)
		p.pass(settleAfter * 3)
		return f, p
	}
	f, side := opens(false)
	if f.digest == nil {
		t.Fatal("the file is read by one reader")
	}
	_, alone := opens(true)
	got, want := side.h.desk.doc, alone.h.desk.doc
	if g, w := string((&link.Reply{News: got.opened()}).Encode()), string((&link.Reply{News: want.opened()}).Encode()); g != w {
		t.Errorf("by several readers, the page is told\n%.600s\nand by one\n%.600s", g, w)
	}
	sameTrace(t, got.trace(), want.trace())
	card := func(p *page) string {
		card := p.h.opener.cards.card()
		if !slices.ContainsFunc(card.Found, func(f link.Finding) bool { return f.ID == "large-cache" && len(f.Fields) > 0 }) {
			t.Errorf("of the cache, nothing is found: %+v", card.Found)
		}
		return string((&link.Reply{News: card}).Encode())
	}
	if g, w := card(side), card(alone); g != w {
		t.Errorf("by several readers, the card has\n%.600s\nand by one\n%.600s", g, w)
	}
	if want.trace().ProblemCount < 10 || len(want.trace().Resources[0].Records) < 400 {
		t.Errorf("the stream has %d problems and %d records", want.trace().ProblemCount, len(want.trace().Resources[0].Records))
	}
	at := link.Seek{Step: 1 << 40}
	if g, w := string((&link.Reply{News: side.frame(at)}).Encode()), string((&link.Reply{News: alone.frame(at)}).Encode()); g != w {
		t.Errorf("by several readers, the last step is\n%.600s\nand by one\n%.600s", g, w)
	}

	small := &file{data: data[:spreadFor], piece: 1 << 20}
	p := newPage(t)
	p.ask(link.Open{Name: "small"}, small)
	if small.digest != nil {
		t.Error("a small file is read by several readers")
	}
}

// sameTrace compares what was read of two captures.
func sameTrace(t *testing.T, got, want *trace.Trace) {
	t.Helper()
	if len(got.Resources) != len(want.Resources) || got.Records != want.Records || got.Now != want.Now || got.Lost != want.Lost {
		t.Fatalf("there are %d resources with %d records and %d lost events, and should be %d with %d and %d",
			len(got.Resources), got.Records, got.Lost, len(want.Resources), want.Records, want.Lost)
	}
	for i, r := range want.Resources {
		q := got.Resources[i]
		if !slices.Equal(q.Records, r.Records) {
			t.Errorf("%s: the records differ", r.Name())
		}
		for ref := range object.Ref(r.Table.Len()) {
			if g, w := q.Table.Meta(ref), r.Table.Meta(ref); g != w {
				t.Fatalf("%s: object %d is %+v, and should be %+v", r.Name(), ref, g, w)
			}
		}
	}
}

// While the page paints, the readers rest, and cancelling ends them. What was read by then stays.
func TestReadersBesideOneAnotherAreCancelled(t *testing.T) {
	p, f := newPage(t), &file{data: largeStream(spreadAfter + spreadFor + 8<<20), piece: 1 << 20}
	p.quick = 20 * machine.Millisecond
	ended := false
	p.heard = func(*link.Reply) {
		if f.digest != nil && !ended {
			ended = true
			p.turns = append(p.turns, func() { p.h.Handle((&link.Request{ID: 99, Op: link.Cancel{}}).Encode(), nil) })
		}
	}
	p.ask(link.Open{Name: "large"}, f)
	if !ended || !f.over || f.read == len(f.data) {
		t.Fatalf("of %d bytes, %d are read, although the viewer wants no more", len(f.data), f.read)
	}
	if d := p.h.desk.doc; d == nil || d.trace().Records == 0 || d.state.mayGrow() {
		t.Error("what was read is gone")
	}
}
