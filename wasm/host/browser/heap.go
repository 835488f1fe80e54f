package browser

import "runtime/debug"

// ballast is how many bytes the worker's heap holds that nobody uses.
const ballast = 32 << 20

// BoundHeap makes the collector run before the heap has grown by a third, because a
// WebAssembly instance never gives memory back. A small heap would then be collected
// again and again, so the heap is made to look larger. What BoundHeap returns must be
// kept; as nobody touches it, it takes no memory. BenchmarkBallast counts the
// collections with it and without it.
func BoundHeap() []byte {
	debug.SetGCPercent(30)
	return make([]byte, ballast)
}
