package workqueue

import "github.com/informerscope/informerscope/engine/object"

// Waiting is an item that waits for its time: waitFor.
type Waiting struct {
	Key     object.Key
	ReadyAt int64
}

// waitForPriorityQueue are the items that wait for their times, in the layout of container/heap.
type waitForPriorityQueue struct {
	heap  []Waiting
	place []int32 // by key: its place in heap, counted from 1
}

func (q *waitForPriorityQueue) copyFrom(src *waitForPriorityQueue) {
	q.heap = append(q.heap[:0], src.heap...)
	q.place = append(q.place[:0], src.place...)
}

// push adds w. If its key waits already, the earlier of the two times counts. It returns that time, and
// reports whether the time that was known was kept.
func (q *waitForPriorityQueue) push(w Waiting) (at int64, kept bool) {
	if int(w.Key) >= len(q.place) {
		q.place = append(q.place, make([]int32, int(w.Key)+1-len(q.place))...)
	}
	i := int(q.place[w.Key]) - 1
	if i < 0 {
		q.heap = append(q.heap, w)
		q.place[w.Key] = int32(len(q.heap))
		q.up(len(q.heap) - 1)
		return w.ReadyAt, false
	}
	if at = q.heap[i].ReadyAt; w.ReadyAt >= at {
		return at, true
	}
	q.heap[i].ReadyAt = w.ReadyAt
	q.fix(i)
	return w.ReadyAt, false
}

// remove takes k out, if it waits.
func (q *waitForPriorityQueue) remove(k object.Key) {
	if int(k) >= len(q.place) || q.place[k] == 0 {
		return
	}
	at, last := int(q.place[k])-1, len(q.heap)-1
	q.swap(at, last)
	q.heap, q.place[k] = q.heap[:last], 0
	if at < last {
		q.fix(at)
	}
}

// fix puts the i-th item where its time belongs.
func (q *waitForPriorityQueue) fix(i int) {
	if !q.down(i, len(q.heap)) {
		q.up(i)
	}
}

// pop removes the first item as container/heap does, because the layout of
// the heap decides the order of items that become ready at the same time.
func (q *waitForPriorityQueue) pop() object.Key {
	last := len(q.heap) - 1
	q.swap(0, last)
	q.down(0, last)
	k := q.heap[last].Key
	q.heap = q.heap[:last]
	q.place[k] = 0
	return k
}

func (q *waitForPriorityQueue) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if q.heap[i].ReadyAt >= q.heap[parent].ReadyAt {
			return
		}
		q.swap(i, parent)
		i = parent
	}
}

// down reports whether the item moved; n is the length of the heap.
func (q *waitForPriorityQueue) down(i, n int) bool {
	start := i
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n && q.heap[right].ReadyAt < q.heap[child].ReadyAt {
			child = right
		}
		if q.heap[child].ReadyAt >= q.heap[i].ReadyAt {
			break
		}
		q.swap(i, child)
		i = child
	}
	return i > start
}

func (q *waitForPriorityQueue) swap(i, j int) {
	q.heap[i], q.heap[j] = q.heap[j], q.heap[i]
	q.place[q.heap[i].Key], q.place[q.heap[j].Key] = int32(i+1), int32(j+1)
}
