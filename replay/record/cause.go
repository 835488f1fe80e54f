package record

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/informerscope/informerscope/replay/record/follow"
)

// cause is what has an item added to a workqueue: a handler's call, a reconcile, or a source that
// has a name.
type cause struct {
	r       *Recorder
	source  string // "" for a call and a reconcile
	handler bool   // a handler's call
	id      int64  // of the line that tells of it; the writing goroutine's, 0 where there is none
}

// knownID returns the id of a cause, 0 for none.
func (c *cause) knownID() int64 {
	if c == nil {
		return 0
	}
	return c.id
}

// ensureID returns the id of a handler's call, which has one as soon as anything tells of it.
func (c *cause) ensureID(log *follow.Log) int64 {
	if c.id == 0 {
		c.id = log.ID()
	}
	return c.id
}

// Because calls f. What f adds to a workqueue on its own goroutine is recorded as caused by a source
// of that name, such as a channel of events. Of a Because, a handler's call and a reconcile that are
// within one another, the innermost is the cause. It costs about as much as an Add.
func Because(to Recording, source string, f func()) {
	r := to.recorder()
	if r == nil {
		f()
		return
	}
	c := &cause{r: r, source: short(source, maxName)}
	c.runMarked(f)
}

// runMarked calls f, and marks the stack meanwhile.
//
// Nothing tells a goroutine who it is at a cost that each event can bear: runtime.Stack takes ten
// times as long as the rest of an Add. But whoever finds these calls among its own callers runs
// within f, on the same goroutine. Two digits are the number of a place, and a digit is the line
// from which dial calls.
func (c *cause) runMarked(f func()) {
	n := places.take(c)
	defer places.free(n)
	c.r.causes.Add(1)
	defer c.r.causes.Add(-1)
	dial(n%digits, func() { dial(n/digits, f) })
}

// places has each cause that is under way in the process. The first place is for all causes that
// find no other; what they add is unknown.
var places = table{used: 1}

type table struct {
	causes [digits * digits]atomic.Pointer[cause]

	mu   sync.Mutex
	used int   // the places from here on were never taken
	idle []int // places that were given back
}

func (t *table) take(c *cause) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch last := len(t.idle) - 1; {
	case last >= 0:
		n, t.idle = t.idle[last], t.idle[:last]
	case t.used < len(t.causes):
		n, t.used = t.used, t.used+1
	default:
		return 0
	}
	t.causes[n].Store(c)
	return n
}

func (t *table) free(n int) {
	if n == 0 {
		return
	}
	t.causes[n].Store(nil)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle = append(t.idle, n)
}

// How many callers are looked at: first, since most Adds are a few calls away from their cause, then at once, and in all.
const (
	firstCallers = 16
	someCallers  = 48
	mostCallers  = 1024
)

// cause returns the innermost cause of this Recorder that is under way on this goroutine, nil where none is known.
func (r *Recorder) cause() *cause {
	if r.causes.Load() == 0 {
		return nil
	}
	var callers [someCallers]uintptr
	high, at := -1, 0 // a digit, and where the one below it must be: runMarked's function lies between them
	for skip, some := 2, firstCallers; skip < mostCallers; skip, some = skip+some, someCallers {
		n := runtime.Callers(skip, callers[:some])
		for i, pc := range callers[:n] {
			digit, ok := dialled.digit(pc)
			if !ok {
				continue
			}
			if high < 0 {
				high, at = digit, skip+i+2
				continue
			}
			if skip+i != at {
				return nil
			}
			if c := places.causes[high*digits+digit].Load(); c == nil || c.r == r {
				return c
			}
			high = -1
		}
		if n < some {
			break
		}
	}
	return nil
}

// stacks are for the first line of a stack. A buffer that runtime.Stack gets can't lie on the stack.
var stacks = sync.Pool{New: func() any { return new([len("goroutine ") + 20]byte) }}

// goroutine returns the number of the goroutine that calls. No other gets the same while the process lives. It costs some
// microseconds, the more the deeper the stack is.
func goroutine() (n uint64) {
	b := stacks.Get().(*[len("goroutine ") + 20]byte)
	defer stacks.Put(b)
	for _, c := range b[len("goroutine "):runtime.Stack(b[:], false)] {
		if c < '0' || '9' < c {
			break
		}
		n = n*10 + uint64(c-'0')
	}
	return n
}

// dialled knows from which callers dial calls.
var dialled = newDial()

type dialPlate struct {
	name  string
	from  uintptr
	lines map[int]int // digits by lines: a compiler that has a profile may call from several places of a line

	mu     sync.RWMutex
	digits map[uintptr]int // digits by callers; -1 for a caller in another function
}

// longest is more than the code of dial takes, in bytes.
const longest = 1 << 14

func newDial() *dialPlate {
	p := &dialPlate{lines: map[int]int{}, digits: map[uintptr]int{}}
	for digit := range digits {
		dial(digit, func() {
			var caller [1]uintptr
			runtime.Callers(2, caller[:])
			frame, _ := runtime.CallersFrames(caller[:]).Next()
			p.name, p.from, p.lines[frame.Line] = frame.Function, frame.Entry, digit
		})
	}
	return p
}

func (p *dialPlate) digit(pc uintptr) (digit int, ok bool) {
	if pc-p.from >= longest {
		return 0, false
	}
	p.mu.RLock()
	digit, ok = p.digits[pc]
	p.mu.RUnlock()
	if !ok {
		digit = -1
		if frame, _ := runtime.CallersFrames([]uintptr{pc}).Next(); frame.Function == p.name {
			digit = p.lines[frame.Line]
		}
		p.mu.Lock()
		p.digits[pc] = digit
		p.mu.Unlock()
	}
	return digit, digit >= 0
}

const digits = 32

// dial calls f from a line of its own for each digit.
//
//go:noinline
func dial(digit int, f func()) {
	switch digit {
	case 0:
		f()
	case 1:
		f()
	case 2:
		f()
	case 3:
		f()
	case 4:
		f()
	case 5:
		f()
	case 6:
		f()
	case 7:
		f()
	case 8:
		f()
	case 9:
		f()
	case 10:
		f()
	case 11:
		f()
	case 12:
		f()
	case 13:
		f()
	case 14:
		f()
	case 15:
		f()
	case 16:
		f()
	case 17:
		f()
	case 18:
		f()
	case 19:
		f()
	case 20:
		f()
	case 21:
		f()
	case 22:
		f()
	case 23:
		f()
	case 24:
		f()
	case 25:
		f()
	case 26:
		f()
	case 27:
		f()
	case 28:
		f()
	case 29:
		f()
	case 30:
		f()
	case 31:
		f()
	}
}
