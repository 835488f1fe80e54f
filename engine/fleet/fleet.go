// Package fleet plays many reflectors against one API server: at their start, when the server
// restarts, and when their connections are cut. The reflectors are the engine's, each with a seed of its
// own. The server is a model of kube-apiserver's watch cache and of its priority and fairness. It
// knows the number and the size of the objects, and no object itself.
//
// Comments name the place of each number and rule in k8s.io/apiserver v0.37.2, from its pkg on.
package fleet

import (
	"container/heap"

	"github.com/informerscope/informerscope/engine/actor"
	"github.com/informerscope/informerscope/engine/informer"
)

const second = int64(1_000_000_000)

// Happening is what happens to a fleet.
type Happening uint8

const (
	Start   Happening = iota // all replicas start at once
	Restart                  // the server restarts: its watch cache begins anew, with an empty window
	Cut                      // all connections are cut, and the server goes on
)

// Config describes a fleet. Times are in nanoseconds.
type Config struct {
	Replicas int
	Profile  informer.Profile // the version of client-go, and how it lists
	Objects  int64
	Size     int64 // of an object on the wire, in bytes
	Seed     uint64

	Server      Server
	Happens     Happening
	Downtime    int64   // for how long nobody can connect
	Warm        int64   // how long the watch cache takes to begin, after a restart
	Writes      float64 // of the resource, each second
	OtherWrites float64 // of other resources
	Selects     float64 // the share of the writes that a replica gets, because of its selector; 0 for all

	Limit int64 // how long to look on at most, after what happens; 0 for ten minutes
}

// Server is a kube-apiserver.
type Server struct {
	Minor       int   // of its version: 37 is v1.37
	Seats       int   // of the priority level of the fleet
	Flows       int   // how many accounts the replicas have; each account is a flow
	Bytes       int64 // how many bytes it writes in a second, over all answers
	NoBookmarks bool
}

// warmUp is how long the fleet watches before anything happens.
const warmUp = 150 * second

// Result is what came of it. Times count from what happened.
type Result struct {
	Lists     int64 `json:"lists"`     // requests for a list, or for the first page of one
	Pages     int64 `json:"pages"`     // for another page
	Streaming int64 `json:"streaming"` // for a streaming list
	Watches   int64 `json:"watches"`   // for an ordinary watch

	FromCache int64 `json:"fromCache"` // lists and pages that the watch cache answered, and streaming lists
	FromEtcd  int64 `json:"fromEtcd"`  // lists and pages that etcd answered
	Bytes     int64 `json:"bytes"`     // of lists, pages and initial events

	Refused   int64 `json:"refused"`   // nobody listened
	Broken    int64 `json:"broken"`    // the connection broke before the answer was there
	Beginning int64 `json:"beginning"` // 429, because the watch cache had not begun
	Full      int64 `json:"full"`      // 429, because the queues were full
	TimedOut  int64 `json:"timedOut"`  // 429, because the request had waited too long
	Invalid   int64 `json:"invalid"`   // 422: the server has no streaming lists
	Expired   int64 `json:"expired"`   // 410 on a watch, and on a list of a revision that etcd has forgotten
	Backoffs  int64 `json:"backoffs"`

	SeatsMost   int   `json:"seatsMost"`
	WaitingMost int   `json:"waitingMost"`
	AnswersMost int   `json:"answersMost"` // with objects, under way at once
	ObjectsMost int64 `json:"objectsMost"` // in lists that are under way at once

	Synced   int   `json:"synced"`   // replicas that watch again, up to date
	FirstAt  int64 `json:"firstAt"`  // when the first of them did
	MedianAt int64 `json:"medianAt"` // -1 where fewer than half did
	LastAt   int64 `json:"lastAt"`   // -1 where not all did

	PerSecond []Second `json:"perSecond"`
}

// Second counts requests that came in a second.
type Second struct {
	Lists     int64 `json:"lists"` // and pages
	Streaming int64 `json:"streaming"`
	Watches   int64 `json:"watches"`
	Refused   int64 `json:"refused"` // connections
}

// Run plays a fleet.
func Run(cfg *Config) *Result {
	f := newFleet(cfg)
	if cfg.Happens == Start {
		f.server.applyEvents(f)
		for _, c := range f.clients {
			c.refl.Run(0)
			c.listAndWatch()
		}
	} else {
		f.from = warmUp
		for _, c := range f.clients {
			c.refl.Run(0)
			c.watchesSince(f.rand.Float())
		}
		f.schedule(warmUp, func() { f.happen() })
	}
	limit := cfg.Limit
	if limit == 0 {
		limit = 600 * second
	}
	for f.step(f.from+limit) && f.synced < len(f.clients) {
	}
	f.finish()
	return &f.out
}

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
	time, seq int64
	call      func()
}

type alarms []alarm

func (e alarms) Len() int { return len(e) }
func (e alarms) Less(i, j int) bool {
	return e[i].time < e[j].time || e[i].time == e[j].time && e[i].seq < e[j].seq
}
func (e alarms) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *alarms) Push(x any)   { *e = append(*e, x.(alarm)) }
func (e *alarms) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// schedule plans something for a time.
func (f *fleet) schedule(at int64, do func()) {
	f.seq++
	heap.Push(&f.events, alarm{max(at, f.now), f.seq, do})
}

// step does what comes next, unless that comes after a time.
func (f *fleet) step(until int64) bool {
	if len(f.events) == 0 || f.events[0].time > until {
		return false
	}
	e := heap.Pop(&f.events).(alarm)
	f.now = e.time
	e.call()
	return true
}

// happen does what the Config says: all connections end.
func (f *fleet) happen() {
	f.server.applyEvents(f)
	for _, c := range f.clients {
		c.cut()
	}
}

func (f *fleet) counts() bool { return f.now >= f.from }

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
