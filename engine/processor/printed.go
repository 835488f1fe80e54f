package processor

import (
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/object"
)

// MaxPrinted is how many lines a Processor remembers.
const MaxPrinted = 8

// Printed is a line that the simplest program prints: its handlers print what they are called
// with, and its process function prints the deltas that it pops.
type Printed struct {
	Time     int64       // virtual time, in nanoseconds
	Listener int16       // whose handler it is, or ByProcess
	Delta    event.Delta // Added, Updated or Deleted of a handler; any of a process function
	Flags    event.Flags
	Key      object.Key
	Old, New object.Ref
}

// ByProcess stands for the process function, in the place of a listener.
const ByProcess = -1

// printed is a ring of the last lines. It is no part of the machine: no step depends on it, so
// states that differ in it alone are the same.
type printed struct {
	lines [MaxPrinted]Printed
	n     int64 // how many lines there were
}

// Print adds a line.
func (p *Processor) Print(l Printed) { *p.printed.next() = l }

// next returns the place of a line that is added.
func (p *printed) next() *Printed {
	l := &p.lines[uint64(p.n)%MaxPrinted]
	p.n++
	return l
}

// Printed returns how many lines were printed so far.
func (p *Processor) Printed() int64 { return p.printed.n }

// PrintedAt returns the n-th line, counted from 0. Only the last MaxPrinted lines are there.
func (p *Processor) PrintedAt(n int64) Printed { return p.printed.lines[uint64(n)%MaxPrinted] }

// mark adds what the lines are about.
func (p *printed) mark(live *object.Live) {
	for i := range min(p.n, MaxPrinted) {
		l := &p.lines[i]
		live.Key(l.Key)
		live.Ref(l.Old)
		live.Ref(l.New)
	}
}
