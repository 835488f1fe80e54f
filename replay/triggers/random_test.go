package triggers

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

// simulated is a workqueue of client-go under a random load, and what a recorder says of it. Everything that takes time
// takes a random time, so that Adds and Gets race.
type simulated struct {
	rnd    *rand.Rand
	calm   bool // and each delay is recorded
	events []event
	seq    int

	dirty, processing map[string]bool
	queue             []string
	merged            map[string][]int // Adds by key, since the key was got
	waiting           map[string]*timer
	idle              []int64 // workers that wait, since when

	log    []worker.Queued
	truth  [][]int // by Get, in the order of the lines: the Adds that it took
	causes []int   // Gets by place in log
}

type event struct {
	at  int64
	seq int
	do  func(now int64)
}

type timer struct {
	ready int64
	adds  []int
	void  bool
}

func (s *simulated) schedule(schedule int64, do func(now int64)) {
	s.seq++
	s.events = append(s.events, event{schedule, s.seq, do})
}

func (s *simulated) short() int64 { return 1 + s.rnd.Int64N(40_000) }

// pause sometimes lets the scheduler take a goroutine's time away.
func (s *simulated) pause() int64 {
	if s.rnd.IntN(20) == 0 {
		return s.rnd.Int64N(20_000_000)
	}
	return s.short()
}

func (s *simulated) line(q worker.Queued) int {
	s.log = append(s.log, q)
	return len(s.log) - 1
}

func (s *simulated) add(now int64, id int, key string, after int64) {
	fn := "Add"
	if after > 0 {
		fn = "AddAfter"
	}
	effect := now + 2 + s.pause()
	returned := effect + s.pause()
	seen := after
	if after > 0 && s.rnd.IntN(4) == 0 {
		fn, seen = "AddRateLimited", 0
		if s.calm || s.rnd.IntN(2) == 0 {
			s.schedule(now+1, func(now int64) {
				s.line(worker.Queued{Time: now, Queued: trace.Queued{Queue: "q", Fn: "When", Key: key, After: after}})
			})
		}
	}
	q := worker.Queued{Time: now, Queued: trace.Queued{Queue: "q", Fn: fn, Key: key, After: seen, From: fmt.Sprint(id)}}
	if s.rnd.IntN(50) > 0 {
		q.Duration = returned - now
	}
	s.line(q)
	s.schedule(effect, func(now int64) {
		if after == 0 {
			s.mark(now, key, id)
			return
		}
		ready := now + after
		if t := s.waiting[key]; t != nil {
			t.adds = append(t.adds, id)
			if ready < t.ready {
				t.void = true
				s.wait(key, &timer{ready: ready, adds: t.adds})
			}
			return
		}
		s.wait(key, &timer{ready: ready, adds: []int{id}})
	})
}

func (s *simulated) wait(key string, t *timer) {
	s.waiting[key] = t
	s.schedule(t.ready+s.pause(), func(now int64) {
		if !t.void {
			delete(s.waiting, key)
			s.mark(now, key, t.adds...)
		}
	})
}

func (s *simulated) mark(now int64, key string, ids ...int) {
	s.merged[key] = append(s.merged[key], ids...)
	if s.dirty[key] {
		return
	}
	s.dirty[key] = true
	if !s.processing[key] {
		s.push(now, key)
	}
}

func (s *simulated) push(now int64, key string) {
	s.queue = append(s.queue, key)
	s.serve(now)
}

func (s *simulated) serve(now int64) {
	for len(s.queue) > 0 && len(s.idle) > 0 {
		key, began := s.queue[0], s.idle[0]
		s.queue, s.idle = s.queue[1:], s.idle[1:]
		delete(s.dirty, key)
		s.processing[key] = true
		took := s.merged[key]
		delete(s.merged, key)
		s.schedule(now+s.pause(), func(now int64) {
			s.causes = append(s.causes, s.line(worker.Queued{Time: now, Queued: trace.Queued{Queue: "q", Fn: "Get", Key: key, Duration: now - began}}))
			s.truth = append(s.truth, took)
			s.schedule(now+s.pause()*10, func(now int64) {
				s.line(worker.Queued{Time: now, Queued: trace.Queued{Queue: "q", Fn: "Done", Key: key}})
				s.schedule(now+s.pause(), func(now int64) {
					delete(s.processing, key)
					if s.dirty[key] {
						s.push(now, key)
					}
					s.schedule(now+s.pause(), func(now int64) {
						s.idle = append(s.idle, now)
						s.serve(now)
					})
				})
			})
		})
	}
}

func simulate(seed uint64, calm bool) *simulated {
	s := &simulated{
		rnd: rand.New(rand.NewPCG(seed, 1)), calm: calm, dirty: map[string]bool{}, processing: map[string]bool{},
		merged: map[string][]int{}, waiting: map[string]*timer{},
	}
	for range 1 + s.rnd.IntN(3) {
		s.idle = append(s.idle, 0)
	}
	keys, gap, timers := 1+s.rnd.IntN(5), 1+s.rnd.Int64N(1<<(10+s.rnd.IntN(20))), 4
	if calm {
		gap, timers = 1<<30, 10
	}
	now := int64(1000)
	for id := range 200 {
		now += s.rnd.Int64N(gap)
		key, after := fmt.Sprint("k", s.rnd.IntN(keys)), int64(0)
		if s.rnd.IntN(timers) == 0 {
			after = 1 + s.rnd.Int64N(500_000_000)
		}
		s.schedule(now, func(now int64) { s.add(now, id, key, after) })
	}
	for len(s.events) > 0 {
		i := 0
		for j, e := range s.events {
			if b := s.events[i]; cmp.Or(cmp.Compare(e.at, b.at), cmp.Compare(e.seq, b.seq)) < 0 {
				i = j
			}
		}
		e := s.events[i]
		s.events = slices.Delete(s.events, i, i+1)
		e.do(e.at)
	}
	return s
}

// What is certain is true, and what is true is certain or possible, whatever races.
func TestRandomQueues(t *testing.T) {
	for name, calm := range map[string]bool{"calm": true, "busy": false} {
		t.Run(name, func(t *testing.T) {
			var all, certain, possible, missing int
			for seed := range uint64(300) {
				s := simulate(seed, calm)
				gets := List(&trace.Trace{}, &worker.Log{Queued: s.log})
				if len(gets) != len(s.truth) {
					t.Fatalf("seed %d: %d Gets of %d", seed, len(gets), len(s.truth))
				}
				for i, g := range gets {
					all += len(s.truth[i])
					seen := 0
					for _, c := range g.Causes {
						var id int
						fmt.Sscan(c.Added.From, &id)
						switch is := slices.Contains(s.truth[i], id); {
						case is && c.Possible:
							seen++
							possible++
						case is:
							seen++
							certain++
						case !c.Possible:
							t.Errorf("seed %d: Get %d of %s at %d is said to be caused by the Add %d, and was by %v", seed, i, g.Key, g.Time, id, s.truth[i])
						}
					}
					if g.Omitted == 0 {
						missing += len(s.truth[i]) - seen
					}
				}
			}
			t.Logf("of %d Adds %d are certain, %d possible, %d missing", all, certain, possible, missing)
			if calm && (certain*100 < all*90 || missing*1000 > all) || missing*10 > all {
				t.Errorf("of %d Adds only %d are certain, and %d are missing", all, certain, missing)
			}
		})
	}
}
