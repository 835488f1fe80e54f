package fleet

import (
	"container/heap"

	"github.com/informerscope/informerscope/engine/actor"
)

// fleet is a Config that is played.
type fleet struct {
	cfg     *Config
	now     int64
	from    int64 // when it happens
	events  alarms
	seq     int64
	rand    actor.Rand
	server  server
	clients []*client
	synced  int
	times   []int64 // at which replicas have synced, in their order
	out     Result
}

func newFleet(cfg *Config) *fleet {
	f := &fleet{cfg: cfg, rand: actor.Rand(cfg.Seed)}
	f.server = server{f: f, listed: firstRevision}
	f.server.reset()
	for i := range cfg.Replicas {
		f.clients = append(f.clients, newClient(f, i))
	}
	return f
}

// alarm is something that is going to happen.
type alarm struct {
	at, seq int64
	do      func()
}

type alarms []alarm

func (e alarms) Len() int { return len(e) }
func (e alarms) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].seq < e[j].seq
}
func (e alarms) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *alarms) Push(x any)   { *e = append(*e, x.(alarm)) }
func (e *alarms) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// at does something at a time.
func (f *fleet) at(at int64, do func()) {
	f.seq++
	heap.Push(&f.events, alarm{max(at, f.now), f.seq, do})
}

// step does what comes next, unless that comes after a time.
func (f *fleet) step(until int64) bool {
	if len(f.events) == 0 || f.events[0].at > until {
		return false
	}
	e := heap.Pop(&f.events).(alarm)
	f.now = e.at
	e.do()
	return true
}

// happen is what the Config says: all connections end.
func (f *fleet) happen() {
	f.server.happens(f)
	for _, c := range f.clients {
		c.cut()
	}
}

// counts reports whether what happens now counts.
func (f *fleet) counts() bool { return f.now >= f.from }

// perSecond is the present second.
func (f *fleet) perSecond() *Second {
	i := max(int((f.now-f.from)/second), 0)
	for len(f.out.PerSecond) <= i {
		f.out.PerSecond = append(f.out.PerSecond, Second{})
	}
	return &f.out.PerSecond[i]
}

func (f *fleet) finish() {
	o := &f.out
	o.Synced, o.MedianAt, o.LastAt = len(f.times), -1, -1
	if n := len(f.times); n > 0 {
		o.FirstAt = f.times[0]
		if half := (len(f.clients) - 1) / 2; half < n {
			o.MedianAt = f.times[half]
		}
		if n == len(f.clients) {
			o.LastAt = f.times[n-1]
		}
	}
}
