package workqueue

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

func fullState(q *RateLimiting) string {
	return fmt.Sprint(q.queue[q.head:], q.sets, q.dirty, q.processing, q.shuttingDown, q.sent, q.waiting.heap, q.counters, q.Limiter.inner[1].tokens)
}

func TestLaws(t *testing.T) {
	seeds := int64(40)
	if testing.Short() {
		seeds = 8
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewSource(seed))
		q := NewRateLimiting(MaxOf(Exponential(5, 1000), Bucket(1e7, 3)))
		now := int64(0)
		var held []object.Key
		for range 500 {
			c := new(RateLimiting)
			c.CopyFrom(q)
			k, at, delay := object.Key(1+rnd.Intn(8)), rnd.Intn(8), int64(rnd.Intn(60)-5)
			var i int
			if len(held) > 0 {
				i = rnd.Intn(len(held))
			}
			play := func(q *RateLimiting, log *event.Log) (got object.Key) {
				switch at {
				case 0, 1:
					q.Add(k, log)
				case 2:
					q.AddAfter(k, delay, now, log)
				case 3:
					q.AddRateLimited(k, now, log)
				case 4, 5:
					got, _ = q.Get(0, log)
				case 6:
					if len(held) > 0 {
						q.Done(held[i], 0, log)
					}
				default:
					for q.LoopTurn(now, log) {
					}
				}
				return got
			}
			var log event.Log
			got := play(q, &log)
			play(c, nil)
			if fullState(q) != fullState(c) {
				t.Fatalf("seed %d: the copy came to another state:\n%v\n%v", seed, fullState(q), fullState(c))
			}
			if got != 0 {
				held = append(held, got)
			}
			if at == 6 && len(held) > 0 {
				held = slices.Delete(held, i, i+1)
			}
			now += int64(rnd.Intn(20))
			check(t, q, held)
		}
	}
}

// check checks what holds when every Done follows a Get.
func check(t *testing.T, q *RateLimiting, held []object.Key) {
	t.Helper()
	seen := map[object.Key]bool{}
	for i := range q.Len() {
		k := q.At(i)
		if seen[k] || !q.IsDirty(k) || q.IsProcessing(k) {
			t.Fatalf("key %d is queued; twice: %v, dirty: %v, processing: %v", k, seen[k], q.IsDirty(k), q.IsProcessing(k))
		}
		seen[k] = true
	}
	for _, k := range q.Dirty(nil, 100) {
		if !seen[k] && !q.IsProcessing(k) {
			t.Fatalf("key %d is dirty, but neither queued nor being processed", k)
		}
	}
	got := q.Processing(nil, 100)
	slices.Sort(held)
	if q.ProcessingLen() != len(held) || len(held) > 0 && !slices.Equal(got, held) {
		t.Fatalf("processing has %v, and the workers hold %v", got, held)
	}
	for i, w := range q.waiting.heap {
		if q.waiting.place[w.Key] != int32(i+1) {
			t.Fatalf("key %d is number %d in the heap, and place says %d", w.Key, i+1, q.waiting.place[w.Key])
		}
	}
}

// reference is a container/heap, on which client-go's delaying queue is built.
type reference []Waiting

func (h reference) Len() int           { return len(h) }
func (h reference) Less(i, j int) bool { return h[i].ReadyAt < h[j].ReadyAt }
func (h reference) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *reference) Push(x any)        { *h = append(*h, x.(Waiting)) }
func (h *reference) Pop() any {
	last := len(*h) - 1
	w := (*h)[last]
	*h = (*h)[:last]
	return w
}

func TestHeapOrder(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	var d Delaying
	var want reference
	for range 2000 {
		if rnd.Intn(3) > 0 {
			w := Waiting{object.Key(1 + rnd.Intn(40)), int64(1 + rnd.Intn(6))}
			d.waiting.push(w)
			if i := slices.IndexFunc(want, func(o Waiting) bool { return o.Key == w.Key }); i < 0 {
				heap.Push(&want, w)
			} else if w.ReadyAt < want[i].ReadyAt {
				want[i].ReadyAt = w.ReadyAt
				heap.Fix(&want, i)
			}
		} else if len(want) > 0 {
			if got, w := d.waiting.pop(), heap.Pop(&want).(Waiting); got != w.Key {
				t.Fatalf("popped %d, want %d", got, w.Key)
			}
		}
		if !slices.Equal(d.waiting.heap, []Waiting(want)) {
			t.Fatalf("heap %v, want %v", d.waiting.heap, want)
		}
	}
}

func TestLimiters(t *testing.T) {
	exp := Exponential(5, 100)
	var got []int64
	for range 7 {
		got = append(got, exp.When(1, 0))
	}
	if want := []int64{5, 10, 20, 40, 80, 100, 100}; !slices.Equal(got, want) {
		t.Errorf("Exponential gives %v, want %v", got, want)
	}
	for range 2000 {
		exp.When(2, 0)
	}
	if exp.When(2, 0) != 100 || exp.NumRequeues(2) != 2001 {
		t.Errorf("after 2001 failures NumRequeues is %d", exp.NumRequeues(2))
	}
	if exp.Forget(1); exp.When(1, 0) != 5 {
		t.Error("after Forget the delay is not the first one again")
	}
	fs := FastSlow(1, 9, 2)
	if a, b, c := fs.When(1, 0), fs.When(1, 0), fs.When(1, 0); a != 1 || b != 1 || c != 9 {
		t.Errorf("FastSlow gives %d, %d and %d", a, b, c)
	}
	tokens := Bucket(10, 2)
	if a, b, c, d := tokens.When(1, 0), tokens.When(2, 0), tokens.When(3, 0), tokens.When(4, 50e6); a != 0 || b != 0 || c != 100e6 || d != 150e6 {
		t.Errorf("Bucket gives %d, %d, %d and %d", a, b, c, d)
	}
	both := MaxOf(Exponential(5, 1000), FastSlow(50, 50, 1))
	if a, b := both.When(1, 0), both.When(1, 0); a != 50 || b != 50 {
		t.Errorf("MaxOf gives %d and %d", a, b)
	}
}

func TestFullChannelMakesAddAfterWait(t *testing.T) {
	var d Delaying
	for i := range waitingForAddCap {
		if !d.AddAfter(object.Key(i+1), 5, 0, nil) {
			t.Fatalf("the channel is full after %d items", i)
		}
	}
	if d.AddAfter(1, 5, 0, nil) {
		t.Error("a full channel takes another item")
	}
	d.LoopTurn(0, nil)
	if !d.AddAfter(1, 5, 0, nil) {
		t.Error("the channel is still full after the loop has taken an item")
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	q := NewRateLimiting(DefaultController())
	var log event.Log
	now := int64(0)
	run := func() {
		log.Reset()
		for k := object.Key(1); k < 60; k++ {
			q.Add(k, &log)
			q.AddRateLimited(k, now, &log)
		}
		for q.LoopTurn(now, &log) {
		}
		for now += 1e12; q.LoopTurn(now, &log); {
		}
		for {
			k, got := q.Get(0, &log)
			if got != Item {
				break
			}
			q.Done(k, 0, &log)
			q.Forget(k, &log)
		}
	}
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("a round through the queue makes %v allocations", n)
	}
	c := new(RateLimiting)
	c.CopyFrom(q)
	if n := testing.AllocsPerRun(20, func() { c.CopyFrom(q) }); n != 0 {
		t.Errorf("CopyFrom makes %v allocations", n)
	}
}

// TestHugeDelay checks that a delay beyond the last time that there is never ends. If
// now + delay overflowed, it would be over at once.
func TestHugeDelay(t *testing.T) {
	q := NewRateLimiting(Bucket(1, 0))
	q.AddAfter(1, math.MaxInt64, 1e9, nil)
	q.AddRateLimited(2, 1e9, nil)
	for q.LoopTurn(1e9, nil) {
	}
	if at, ok := q.NextReady(); q.Len() != 0 || q.WaitingLen() != 2 || !ok || at != math.MaxInt64 {
		t.Errorf("%d keys are queued and %d wait, the first one until %d", q.Len(), q.WaitingLen(), at)
	}
}
