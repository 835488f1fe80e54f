package election

import (
	"reflect"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/utils/clock"
)

// holds reports whether a version asks the elector's clock where tryAcquireOrRenew begins. Up to v0.26 it calls
// metav1.Now, and nobody can hold it up before that.
func holds(version string) bool { return version >= "v0.27" }

// holdable lets the process be held up where an attempt begins, before it looks at the clock.
func (x *process) holdable(le *leaderelection.LeaderElector) {
	if !x.p.holds {
		return
	}
	field := reflect.ValueOf(le).Elem().FieldByName("clock")
	reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(reflect.ValueOf(heldClock{x: x}))
}

// heldClock is the real clock, whose owner can be held up.
type heldClock struct {
	clock.RealClock
	x *process
}

func (c heldClock) Now() time.Time {
	pcs := make([]uintptr, 4)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	if f, _ := frames.Next(); strings.HasSuffix(f.Function, "tryAcquireOrRenew") {
		c.x.holdUp()
	}
	return c.RealClock.Now()
}

func (x *process) holdUp() {
	for {
		x.p.Lock()
		d := time.Until(x.held)
		x.p.Unlock()
		if d <= 0 {
			return
		}
		proof.Pass(d)
	}
}
