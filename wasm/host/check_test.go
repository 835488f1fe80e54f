package host

import (
	"bytes"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/machine"
	"github.com/informerscope/informerscope/wasm/link"
)

// Memory is let go of once all was read and run, and the page has drawn that.
func TestSettlesWhenThereIsTime(t *testing.T) {
	p := newPage(t)
	f := shop(t)
	p.h.Handle((&link.Request{ID: 1, Op: link.Open{}}).Encode(), []browser.Input{f})
	f.chunk(f.data[:1<<18], 1<<18)
	p.pass(settleAfter)
	if f.settled {
		t.Error("memory is given back while the file is read")
	}
	p.ask(link.Cancel{}, nil)
	if f.settled {
		t.Error("memory is given back before the page has drawn")
	}
	p.pass(settleAfter)
	if !f.settled {
		t.Error("what was read stays in memory")
	}
}

// While the viewer asks for something, a piece is settled only now and then.
func TestSettlesWhileNobodyAsks(t *testing.T) {
	f := shop(t)
	f.inMemory = 9
	p := newPage(t)
	p.ask(link.Open{}, f)
	p.pass(settleAfter - pauseBetween/2)
	p.frame(link.Seek{Step: 200})
	if p.pass(pauseBetween); f.inMemory != 9 {
		t.Errorf("%d pieces are settled before a rest", 9-f.inMemory)
	}
	p.frame(link.Seek{Step: 300})
	if p.pass(pauseBetween * 3 / 4); f.inMemory != 8 {
		t.Errorf("%d pieces are settled after a rest", 9-f.inMemory)
	}
	if p.pass(pauseBetween); f.inMemory >= 0 {
		t.Error("tidying has not ended, although nobody asks for anything")
	}
}

// A capture that is left for another one gives its memory back, too.
func TestSettlesWhatIsLeft(t *testing.T) {
	p := newPage(t)
	first, second := shop(t), shop(t)
	p.h.Handle((&link.Request{ID: 1, Op: link.Open{}}).Encode(), []browser.Input{first})
	first.chunk(first.data[:1<<18], 1<<18)
	p.h.Handle((&link.Request{ID: 2, Op: link.Open{}}).Encode(), []browser.Input{second})
	if first.settled {
		t.Error("the first capture is given up before there is anything of the other one")
	}
	p.ask(link.Open{}, shop(t))
	p.pass(pauseBetween)
	if !first.settled || !first.over || !second.settled || !second.over {
		t.Errorf("what was shown is given back: %v, and what was never shown: %v", first.settled, second.settled)
	}
}

// Damage in a part of an object that the glance skips is found by the check. Nothing
// that was read is taken back.
func TestFindsTheRestOfTheDamage(t *testing.T) {
	f := shop(t)
	at := bytes.Index(f.data, []byte(`"type":"MODIFIED"`))
	at += bytes.Index(f.data[at:], []byte(`"spec":{`)) + len(`"spec":`)
	at += bytes.IndexByte(f.data[at:], ':')
	f.data[at] = ';'
	p := newPage(t)
	p.ask(link.Open{}, f)
	if len(p.h.desk.doc.opened().Problems) != 0 {
		t.Error("there was no glance")
	}
	p.replies = nil
	p.pass(settleAfter)
	f.again.pump()
	var problems []link.Failure
	for _, r := range p.replies {
		if news[*link.Opened](r) != nil {
			problems = news[*link.Opened](r).Problems
		}
	}
	if len(problems) != 1 || problems[0].Offset != int64(at+1) {
		t.Errorf("the check finds %+v", problems)
	}
	if fr := p.frame(link.Seek{Step: 1 << 40}); !fr.Complete {
		t.Error("the run has not come to its end")
	}
}

// checked opens a capture, and begins to check it in small pieces.
func checked(t *testing.T) (*page, *file) {
	p, f := newPage(t), shop(t)
	p.ask(link.Open{}, f)
	p.pass(settleAfter + pauseBetween)
	f.again.piece = 1 << 12
	return p, f
}

// While the viewer asks for something, a piece is checked only now and then.
func TestChecksWhileNobodyAsks(t *testing.T) {
	p, f := checked(t)
	p.frame(link.Seek{Step: 300})
	f.again.pump()
	if f.again.read != 1<<12 {
		t.Fatalf("%d bytes were checked at once", f.again.read)
	}
	p.frame(link.Seek{Step: 200})
	if p.pass(pauseBetween); f.again.held {
		t.Fatal("the check never goes on")
	}
	if f.again.pump(); f.again.read != len(f.data) {
		t.Errorf("%d of %d bytes were checked while nobody asked", f.again.read, len(f.data))
	}
}

// A seek in a long recording takes longer than the check rests. The check rests after it all the same.
func TestChecksNothingAfterALongSeek(t *testing.T) {
	p, f := checked(t)
	p.heard = func(r *link.Reply) {
		if news[*link.Frame](r) != nil {
			p.clock += 2 * pauseBetween
		}
	}
	p.frame(link.Seek{Step: 300})
	if f.again.pump(); f.again.read != 1<<12 {
		t.Errorf("%d bytes were checked at once", f.again.read)
	}
}

// While a search is under way, a piece is checked only now and then: the viewer waits for the search.
func TestChecksWhileNobodySearches(t *testing.T) {
	p, f := checked(t)
	p.h.Handle((&link.Request{Op: link.WatchFor{Watches: []link.Watch{{Text: "pop()"}}}}).Encode(), nil)
	p.clock += pauseBetween
	f.again.pump()
	if f.again.read != 1<<12 {
		t.Fatalf("%d bytes were checked at once", f.again.read)
	}
	p.settle()
	if w := p.watched("pop()"); w == nil || !w.Done {
		t.Fatal("the search has not ended")
	}
	p.pass(pauseBetween)
	if f.again.pump(); f.again.read != len(f.data) {
		t.Errorf("%d of %d bytes were checked after the search", f.again.read, len(f.data))
	}
}

// A capture that the glance has misread is read for the second time, and the viewer
// stays where it was.
func TestReadsAgainWhatWasMisread(t *testing.T) {
	f := shop(t)
	at := bytes.LastIndex(f.data, []byte(`"type":"MODIFIED"`))
	at += bytes.Index(f.data[at:], []byte(`,"spec":{`))
	f.data = slices.Concat(f.data[:at], []byte(`,"kind":"Node"`), f.data[at:])
	p := newPage(t)
	p.ask(link.Open{}, f)
	p.frame(link.Seek{Step: 300})
	before := p.h.desk.doc
	now := before.run().Now()
	p.pass(settleAfter)
	p.pump(f.again)
	p.pump(f.again)
	for p.h.desk.doc.run().Goal != machine.NoGoal {
		p.pass(1)
	}
	if d := p.h.desk.doc; d == before || d.reader.Check() != nil || d.input != browser.Input(f) || d.run().Now() != now || d.shown != before.shown {
		t.Errorf("another document is shown: %v, at %d ns and not at %d ns", d != before, d.run().Now(), now)
	}
}

// It is read for the second time, too, after another capture could not be opened.
func TestReadsAgainAfterAnotherFailed(t *testing.T) {
	f, other := shop(t), shop(t)
	at := bytes.LastIndex(f.data, []byte(`"type":"MODIFIED"`))
	at += bytes.Index(f.data[at:], []byte(`,"spec":{`))
	f.data = slices.Concat(f.data[:at], []byte(`,"kind":"Node"`), f.data[at:])
	p := newPage(t)
	p.ask(link.Open{}, f)
	before := p.h.desk.doc
	p.pass(settleAfter)
	p.h.Handle((&link.Request{ID: 9, Op: link.Open{}}).Encode(), []browser.Input{other})
	f.again.pump()
	if p.h.desk.doc != before || p.h.desk.opening == nil || p.h.desk.opening.input != browser.Input(other) {
		t.Fatal("the other one isn't being opened any more")
	}
	p.h.Handle((&link.Request{ID: 10, Op: link.Cancel{}}).Encode(), nil)
	f.again.pump()
	if p.h.desk.doc == before || p.h.desk.doc.reader.Check() != nil {
		t.Error("what was misread stays")
	}
}

// What the glance skipped may nest deeper than anything that is shown.
func TestNothingTooDeepIsShown(t *testing.T) {
	f := shop(t)
	at := bytes.LastIndex(f.data, []byte(`"type":"MODIFIED"`))
	at += bytes.Index(f.data[at:], []byte(`,"spec":{`))
	deep := append(bytes.Repeat([]byte("["), jsonscan.MaxDepth), bytes.Repeat([]byte("]"), jsonscan.MaxDepth)...)
	f.data = slices.Concat(f.data[:at], []byte(`,"deep":`), deep, f.data[at:])
	p := newPage(t)
	p.ask(link.Open{}, f)
	refused := 0
	for _, r := range p.h.desk.doc.trace().Resources {
		for ref := range object.Ref(r.Table.Len()) {
			if _, err := p.h.desk.doc.objectJSON(r.Table, ref); err == errTooDeep {
				refused++
			} else if err != nil {
				t.Error(err)
			}
		}
	}
	if refused != 1 {
		t.Errorf("%d objects are refused", refused)
	}
}
