package host

import (
	"flag"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"github.com/informerscope/informerscope/wasm/host/browser"
	"github.com/informerscope/informerscope/wasm/host/schedule"
	"github.com/informerscope/informerscope/wasm/link"
)

var nonsenseSeed = flag.Int64("seed", 1, "of the random requests")

func TestEachOperationHasARow(t *testing.T) {
	h := newPage(t).h
	for _, op := range link.Ops {
		if h.operations[link.Name(op)].run == nil {
			t.Errorf("%s has no row", link.Name(op))
		}
	}
	if rows := len(h.operations); rows != len(link.Ops) {
		t.Errorf("%d operations have %d rows", len(link.Ops), rows)
	}
}

// idleJob does nothing, and waits for its end.
type idleJob struct{ ended bool }

func (*idleJob) Work(int64) bool         { return true }
func (*idleJob) Report()                 {}
func (j *idleJob) Stop(_ schedule.Event) { j.ended = true }

// Each operation ends the jobs that its row says, and no others.
func TestWhatOperationsEnd(t *testing.T) {
	events := []schedule.Event{machineMoves, futuresChange, runReplaced}
	for _, op := range link.Ops {
		name := link.Name(op)
		p := newPage(t)
		p.site = &file{data: []byte("nothing")}
		row := p.h.operations[name]
		p.h.Handle((&link.Request{ID: 7, Op: op}).Encode(), []browser.Input{&file{data: []byte("nothing")}})
		if nothing := len(p.replies) > 0 && news[*link.Failure](p.replies[0]) != nil && news[*link.Failure](p.replies[0]).Sentence.ID == "fail.nothingOpen"; nothing != (row.effect&anytime == 0) {
			t.Errorf("%s: where nothing is open, the answer is %q", name, p.failures())
		}

		p = newPage(t)
		p.site = &file{data: []byte("nothing")}
		p.ask(link.Open{}, shop(t))
		p.h.desk.doc.touched, p.h.desk.doc.edits = false, &link.Edits{}
		jobs := map[schedule.Event]*idleJob{}
		for _, on := range events {
			jobs[on] = &idleJob{}
			p.h.desk.jobs.Start(jobs[on], schedule.Terms{Kind: string(rune('0' + on)), Ends: on})
		}
		d := p.h.desk.doc
		p.h.Handle((&link.Request{ID: 8, Op: op}).Encode(), []browser.Input{&file{data: []byte("nothing")}})
		for _, on := range events {
			if jobs[on].ended != (row.ends&on != 0) {
				t.Errorf("%s: what event %d ends is ended: %v", name, on, jobs[on].ended)
			}
		}
		if (d.edits == nil) != (row.ends&runReplaced != 0) || d.touched != (row.effect&touches != 0) {
			t.Errorf("%s: the document is touched: %v, and has the edits %v", name, d.touched, d.edits)
		}
	}
}

// An operation that nobody knows is refused by its name, as is one without a row.
func TestUnknownOperationsAreNamed(t *testing.T) {
	p := newPage(t)
	delete(p.h.operations, "Undo")
	for name, message := range map[string]string{"Dance": "9 5 Dance", "Undo": "9 4 Undo", "": "9 0 "} {
		p.replies = nil
		p.h.Handle([]byte(message), nil)
		if got, want := p.failures(), `unknown operation "`+name+`"`; len(p.replies) != 1 || p.replies[0].ID != 9 || !strings.Contains(got, want) {
			t.Errorf("%s is answered with %q, and not with %s", message, got, want)
		}
	}
}

// A request that ends too early, or has more than its operation knows, is answered with a failure.
func TestWrongArgumentsAreRefused(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{}, shop(t))
	r := rand.New(rand.NewSource(1))
	for _, op := range link.Ops {
		v, _ := quick.Value(reflect.TypeOf(op), r)
		whole := (&link.Request{ID: 9, Op: v.Interface().(link.Op)}).Encode()
		wrong := [][]byte{append(slices.Clip(whole), "7 "...)}
		for n := len("9 "); n < len(whole); n++ {
			wrong = append(wrong, whole[:n:n])
		}
		for _, message := range wrong {
			p.replies = nil
			p.h.Handle(message, nil)
			if got := p.failures(); len(p.replies) != 1 || p.replies[0].ID != 9 || news[*link.Failure](p.replies[0]) == nil || news[*link.Failure](p.replies[0]).Sentence.ID != "fail.request" {
				t.Errorf("%q is answered with %q", message, got)
			}
		}
	}
}

// Whatever the arguments are, no operation panics, and afterwards the page can go on.
func TestNonsense(t *testing.T) {
	t.Logf("-seed %d", *nonsenseSeed)
	r := rand.New(rand.NewSource(*nonsenseSeed))
	nonsense := func(op link.Op) link.Op {
		v, ok := quick.Value(reflect.TypeOf(op), r)
		if !ok {
			t.Fatalf("there are no random values of %s", link.Name(op))
		}
		return v.Interface().(link.Op)
	}
	for _, text := range []string{"", "informer pods\nhandler a\ncreate pod a/b\nrun\n", smallLesson} {
		p := newPage(t)
		f := shop(t)
		if text != "" {
			f = asFile(text)
		}
		p.site = &file{data: []byte("nothing"), fails: errEmpty}
		for _, op := range link.Ops {
			switch op.(type) {
			case link.Open, link.FollowCluster, link.Discover:
				continue
			}
			if p.h.desk.doc == nil {
				p.ask(link.Open{}, f)
			}
			for range 10 {
				op := nonsense(op)
				func() {
					defer func() {
						if why := recover(); why != nil {
							t.Fatalf("%s panics: %v", (&link.Request{Op: op}).Encode(), why)
						}
					}()
					p.h.Handle((&link.Request{ID: 1, Op: op}).Encode(), nil)
					for n := 0; n < 20 && len(p.turns) > 0; n++ {
						turn := p.turns[0]
						p.turns = p.turns[1:]
						turn()
					}
				}()
			}
			if f := p.frame(link.Seek{Step: 3}); f.Step != 3 {
				t.Fatalf("after %s it is at step %d", link.Name(op), f.Step)
			}
		}
	}
}
