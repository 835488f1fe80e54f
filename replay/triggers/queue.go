package triggers

import (
	"cmp"
	"math"
	"slices"

	"github.com/informerscope/informerscope/replay/trace/worker"
)

// queue is what a recording has of one workqueue.
type queue struct {
	priority bool // controller-runtime's priority queue, in which a delayed item is merged at once
	keys     map[string]*key
}

// key is what was done to one key of a workqueue.
type key struct {
	adds   []add
	served []window
	loose  [][2]int // Gets before which more may have come than is counted
	solved bool
}

// add is an Add or its like: at some time between from and to it has marked the key as dirty.
type add struct {
	q        *worker.Queued
	from, to int64
	returned int64 // when the call had returned
	timer    bool  // it was put off
	into     int   // a timer that waits already, and with which this one is merged; -1 for none
	doubt    bool  // it may have been merged with another timer
	certain  bool
	lo, hi   int // the Gets before which it may have come; hi is not among them
}

// tolerance is how late a timer may be, and how long an Add may take whose return wasn't recorded, in nanoseconds.
const tolerance = 1_000_000_000

// longest is the longest delay of client-go's own rate limiters. It stands for a delay that wasn't recorded.
const longest = 1000 * tolerance

// mostOpen is how many endless timers are considered.
const mostOpen = 16

// mostGets is how many Gets are considered for one Add. An Add that may have come before more Gets is listed with the first ones, and
// then fewer causes of the others are certain.
const mostGets = 64

// window is a Get: at some time between from and to it has taken the key, and from then on an Add marks the key again.
type window struct {
	q        *worker.Queued
	from, to int64
	next     int64 // when the next Get of the key had returned, 0 for none
	done     int64 // when the worker called Done, 0 where it didn't
	atLeast  bool
	causes   []merged
	omitted  int  // causes that are not kept
	certain  bool // one of its Adds is
	loose    bool // and so may others that are not counted
	possible int  // Adds that may have come before it and are not certain
	sum      int  // of their places among the Adds
}

type merged struct {
	add      int
	possible bool
}

// call notes a call of a method. The times of Adds and Gets are in the order of their lines.
func (q *queue) call(c *worker.Queued) {
	k := q.keys[c.Key]
	if k == nil {
		k = &key{}
		q.keys[c.Key] = k
	}
	a := add{q: c, from: c.Time, returned: c.Time + tolerance, into: -1}
	if c.Duration > 0 {
		a.returned = c.Time + c.Duration
	}
	switch c.Fn {
	case "AddWithOpts":
		q.priority = true
		a.timer = c.After > 0 || c.RateLimited
	case "AddAfter":
		a.timer = c.After > 0
	case "AddRateLimited":
		a.timer = true
	case "Add":
	case "When":
		k.delayed(c)
		return
	case "Get":
		if c.Key == "" {
			return
		}
		g := window{q: c, from: max(c.Time-c.Duration, 0), to: c.Time}
		if n := len(k.served); n > 0 {
			k.served[n-1].next = c.Time
			g.from = max(g.from, k.served[n-1].to, k.served[n-1].done)
		}
		k.served = append(k.served, g)
		return
	case "Done":
		if n := len(k.served); n > 0 {
			k.served[n-1].done = c.Time
		}
		return
	default:
		return
	}
	if a.timer && !c.RateLimited {
		a.from += c.After
	}
	k.adds = append(k.adds, a)
}

// delayed notes what a rate limiter says within AddRateLimited or its like.
func (k *key) delayed(when *worker.Queued) {
	index := -1
	for i := len(k.adds) - 1; i >= 0 && i >= len(k.adds)-4; i-- {
		if a := &k.adds[i]; (a.q.RateLimited || a.q.Fn == "AddRateLimited") && a.returned >= when.Time && a.from == a.q.Time {
			if index >= 0 {
				return // there are two calls at once, and either may have asked
			}
			index = i
		}
	}
	if index < 0 {
		return
	}
	a := &k.adds[index]
	a.from = when.Time + when.After
	if a.q.After > 0 {
		a.from = min(a.from, a.q.Time+a.q.After)
	}
}

// solve finds before which Gets the Adds came. A Get takes what was added since the one before it, so an Add that ended
// before a Get began is the Get's. If the two overlapped, it may be the next one's, unless one of the two has no other.
func (k *key) solve(priority bool, losses []worker.Loss) {
	k.solved = true
	before := int64(-1)
	for i := range k.served {
		g := &k.served[i]
		if priority { // it hands items to any of the workers that wait
			g.from = 0
			if i > 0 {
				g.from = max(k.served[i-1].to, k.served[i-1].done)
			}
		}
		g.atLeast = lost(losses, before, g.to)
		before = g.to
	}
	if !priority {
		k.merge()
	}
	for i := range k.adds {
		if a := &k.adds[i]; a.into < 0 && (priority || !a.endless()) {
			k.findGets(i, priority, losses)
		}
	}
	if !priority {
		k.open()
	}
	k.settle()
	for i := range k.adds {
		a := &k.adds[k.root(i)]
		for g := a.lo; g < a.hi; g++ {
			k.served[g].add(merged{i, !a.certain || k.adds[i].into >= 0})
		}
	}
}

// add notes a cause.
func (g *window) add(m merged) {
	if len(g.causes) == MostCauses {
		g.omitted++
		return
	}
	g.causes = append(g.causes, m)
}

// root returns the timer with which an Add is merged in the end, or the Add.
func (k *key) root(i int) int {
	root := i
	for k.adds[root].into >= 0 {
		root = k.adds[root].into
	}
	for i != root { // the next search is shorter
		i, k.adds[i].into = k.adds[i].into, root
	}
	return root
}

// merge joins timers with those that wait already, as the delaying queue of client-go does: it has one for each
// key, with the earlier of two times. Where one of them may not have been set before the other was over, they are as they were.
func (k *key) merge() {
	waits := -1                      // the first of those that wait
	set, doubt := int64(0), int64(0) // by when all of them were set; until when nobody knows which ones wait
	for i := range k.adds {
		a := &k.adds[i]
		if !a.timer {
			continue
		}
		if a.endless() {
			if a.doubt, doubt = true, math.MaxInt64; waits >= 0 {
				k.adds[waits].doubt = true
			}
			continue
		}
		switch {
		case a.q.Time < doubt:
			a.doubt, doubt = true, max(doubt, a.from+tolerance)
		case waits < 0 || k.adds[waits].from+tolerance <= a.q.Time:
			waits, set = i, a.returned
		case max(set, a.returned) > min(a.from, k.adds[waits].from):
			doubt = max(a.from, k.adds[waits].from) + tolerance
			a.doubt, k.adds[waits].doubt, waits = true, true, -1
		case a.from >= k.adds[waits].from:
			a.into, set = waits, max(set, a.returned)
		default:
			k.adds[waits].into = i
			waits, set = i, max(set, a.returned)
		}
	}
}

// findGets finds the Gets before which an Add may have come.
func (k *key) findGets(add int, priority bool, losses []worker.Loss) {
	a := &k.adds[add]
	since := a.from
	if priority {
		since = a.q.Time
	}
	first, _ := slices.BinarySearchFunc(k.served, since, func(g window, at int64) int {
		if g.to <= at {
			return -1
		}
		return 1
	})
	a.to = a.returned
	if a.timer {
		a.to = min(max(a.from, a.returned), math.MaxInt64-tolerance) + tolerance
	}
	a.lo, a.hi = k.candidateGets(first, a, priority, losses)
	if a.hi == a.lo+1 && !a.doubt && a.to <= k.served[a.lo].from {
		a.certain = true
		k.served[a.lo].certain = true
		return
	}
	if a.hi-a.lo > mostGets {
		k.loose = append(k.loose, [2]int{a.lo, a.hi})
		a.hi = a.lo + 1
		return
	}
	for g := a.lo; g < a.hi; g++ {
		k.served[g].possible++
		k.served[g].sum += add
	}
}

// candidateGets returns the Gets before which an Add may have come. The first one ends after it began.
func (k *key) candidateGets(first int, a *add, priority bool, losses []worker.Loss) (lo, hi int) {
	over := a.to
	if priority { // it takes whatever there is, and does not wait for its time
		over = a.returned
	}
	known := k.served[first:]
	hi, _ = slices.BinarySearchFunc(known, over, func(g window, at int64) int {
		if g.from < at {
			return -1
		}
		return 1
	})
	known = known[:min(hi+1, len(known))]
	if i, _ := slices.BinarySearchFunc(losses, a.q.Time, func(l worker.Loss, at int64) int { return cmp.Or(cmp.Compare(l.To, at), 1) }); i < len(losses) {
		hi, _ = slices.BinarySearchFunc(known, losses[i].From, func(g window, at int64) int {
			if g.to < at {
				return -1
			}
			return 1
		})
		known = known[:hi]
	}
	lo = first
	for hi = first + len(known); lo < hi && a.from >= k.served[lo].to; lo++ {
		continue // a priority queue took it before its time
	}
	return lo, hi
}

// endless reports whether nobody knows when a timer ends.
func (a *add) endless() bool { return a.timer && a.from == a.q.Time }

// open places the endless timers. Where a Get has one such timer and no other Add, the timer has added the key.
func (k *key) open() {
	var open []int
	next, more := 0, false // more than are counted
	for i := range k.served {
		g := &k.served[i]
		if g.atLeast {
			open, more = open[:0], false
		}
		for ; next < len(k.adds) && k.adds[next].q.Time < g.to; next++ {
			if a := &k.adds[next]; a.endless() && !g.atLeast {
				open = append(open, next)
			}
		}
		open = slices.DeleteFunc(open, func(j int) bool { return k.adds[j].q.Time < g.from-longest-tolerance })
		if len(open) > mostOpen {
			open, more = open[:0], true
		}
		g.loose = g.loose || more
		if len(open) == 1 && !g.certain && g.possible == 0 && !g.atLeast && !g.loose {
			a := &k.adds[open[0]]
			a.lo, a.hi, a.certain, g.certain, open = i, i+1, true, true, nil
			continue
		}
		for _, j := range open {
			if a := &k.adds[j]; a.hi == 0 {
				a.lo, a.hi = i, i+1
			}
			g.loose = true
		}
	}
}

// settle makes an Add certain where a Get has no other, since something has added its key.
func (k *key) settle() {
	slices.SortFunc(k.loose, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	to := 0
	for _, l := range k.loose {
		for to = max(to, l[0]); to < l[1]; to++ {
			k.served[to].loose = true
		}
	}
	todo := make([]int, len(k.served))
	for i := range todo {
		todo[i] = len(todo) - 1 - i
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if g := &k.served[i]; g.unambiguous() {
			todo = append(todo, k.decide(g.sum, i)...)
		}
	}
}

// decide gives an Add to a Get that has no other, and returns the Gets that lose it by that. Two Gets can't have the same only
// Add, so then the recording lacks something.
func (k *key) decide(add, i int) (changed []int) {
	a := &k.adds[add]
	for g := a.lo; g < a.hi; g++ {
		if g != i && k.served[g].unambiguous() {
			return nil
		}
	}
	for g := a.lo; g < a.hi; g++ {
		if g != i {
			k.served[g].possible--
			k.served[g].sum -= add
			changed = append(changed, g)
		}
	}
	a.lo, a.hi, a.certain = i, i+1, true
	k.served[i].certain = true
	return changed
}

// unambiguous reports whether a Get has one Add that may have come before it, and no other.
func (g *window) unambiguous() bool { return !g.certain && !g.loose && !g.atLeast && g.possible == 1 }

// lost reports whether calls were left out between two times.
func lost(losses []worker.Loss, from, to int64) bool {
	i, _ := slices.BinarySearchFunc(losses, from, func(l worker.Loss, at int64) int { return cmp.Or(cmp.Compare(l.To, at), 1) })
	return i < len(losses) && losses[i].From <= to
}
