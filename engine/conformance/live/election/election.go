// Package election compares the engine with client-go's leader election. It is a package of its own because leader
// election imports the clientset, which is large.
package election

import (
	"flag"
	"io"
	"math/rand"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"github.com/informerscope/informerscope/engine/conformance/live/releases"
)

// quiet makes client-go log nothing.
func quiet() {
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	flags.Set("logtostderr", "false")
	flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
}

// Random compares a version of client-go with the engine on random scripts, and the engine with each gate of the
// election turned over in which the version differs from one that is next to it.
func Random(t *testing.T, version string) {
	quiet()
	can := canHold(version)
	proof.Controller(t, proof.Family{
		Name: "le", Fixed: 1, Args: []string{"-client-go", version},
		Script: func(r *rand.Rand) []proof.Op { return script(r, can) },
		Play:   func(t *testing.T, s []proof.Op) []string { return play(t, s, can) },
		Gates:  func(bin string) []string { return releases.Gates(t, bin, version, "-controller") },
	})
}

// Transcripts plays the scripts of testdata/controller/le.jsonl to a version of client-go. What stands there of this
// version must be what it prints. On the scripts of other versions the engine must be like it.
func Transcripts(t *testing.T, version string) {
	quiet()
	bin := proof.Build(t)
	can := canHold(version)
	proof.Replay(t, "le", func(t *testing.T, s []proof.Op) []string { return play(t, s, can) }, func(s *proof.Transcript) (lines []string, own bool) {
		held := slices.ContainsFunc(s.Script, func(op proof.Op) bool { return op["op"] == "le.hold" })
		switch {
		case held && !can:
			return nil, false
		case s.Version == version:
			return s.Out, true
		}
		return proof.Answers(t, bin, s.Script, "-controller", "-client-go", version), false
	})
}

// canHold reports whether a version asks the elector's clock where tryAcquireOrRenew begins. Up to v0.26 it calls
// metav1.Now, and nobody can hold it up before that.
func canHold(version string) bool { return version >= "v0.27" }

// holdable lets the process be held up where an attempt begins, before it looks at the clock.
func (x *process) holdable(le *leaderelection.LeaderElector) {
	if !x.p.canHold {
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

// script makes a script up. Every process has its own distance to
// the server, so that no two requests arrive at once. No RenewDeadline is a multiple of its
// RetryPeriod: at the default times the last tick and the deadline come together, and the
// runtime chooses. Nobody is held up where that can't be done.
func script(r *rand.Rand, holds bool) []proof.Op {
	pick := func(choices ...string) string { return choices[r.Intn(len(choices))] }
	times := [][3]int64{{15000, 9900, 2000}, {6000, 4500, 1000}, {3000, 2500, 700}, {2900, 1700, 300}, {1500, 700, 110}}[r.Intn(5)]
	script := []proof.Op{{"op": "le.new", "leaseMs": times[0], "renewMs": times[1], "retryMs": times[2], "release": r.Intn(2) == 0, "seed": 1 + r.Int63n(1000)}}
	ids := []string{"a", "b", "c", "d"}[:2+r.Intn(3)]
	again := script[0]["seed"].(int64)%3 == 0 // a third of the programs call Run again
	distance := func(op proof.Op, id string, most int64) proof.Op {
		op["id"], op["before"], op["after"] = id, 1000*(1+r.Int63n(most))+int64(id[0]), 1000*(1+r.Int63n(most))+2*int64(id[0])
		return op
	}
	for _, id := range ids {
		script = append(script, distance(proof.Op{"op": "le.start", "again": again}, id, 20))
	}
	for range 10 + r.Intn(30) {
		id := pick(ids...)
		switch r.Intn(20) {
		case 0:
			script = append(script, proof.Op{"op": "le.stop", "id": id})
		case 1:
			script = append(script, proof.Op{"op": "le.kill", "id": id})
		case 2:
			if hold := 1 + r.Int63n(2*times[0]); holds {
				script = append(script, proof.Op{"op": "le.hold", "id": id, "ms": hold})
			}
		case 3:
			script = append(script, distance(proof.Op{"op": "le.pace"}, id, []int64{20, times[2], 2 * times[1]}[r.Intn(3)]))
		case 4, 5:
			script = append(script, proof.Op{"op": "le.fail", "id": id, "verb": pick("any", "any", "get", "update", "create"), "result": pick("failed", "lost", "conflict", "notfound"), "n": 1 + r.Intn(6)})
		case 6:
			script = append(script, proof.Op{"op": "le." + pick("touch", "clear", "delete")})
		case 16, 17:
			script = append(script, proof.Op{"op": "le." + pick("cut", "join"), "id": id})
		case 18: // what may go wrong with a release
			if r.Intn(2) == 0 {
				script = append(script, proof.Op{"op": "le.fail", "id": id, "verb": "update", "result": "conflict", "n": 1})
			} else {
				script = append(script, proof.Op{"op": "le.fail", "id": id, "verb": "get", "result": "failed", "n": 1},
					proof.Op{"op": "advance", "ms": 1 + r.Int63n(2*times[2])})
			}
			script = append(script, proof.Op{"op": "le.stop", "id": id})
		case 19:
			script = append(script, distance(proof.Op{"op": "le.pace"}, id, 2*times[1]), proof.Op{"op": "le.stop", "id": id})
		case 7, 8:
			script = append(script, distance(proof.Op{"op": "le.start", "again": again}, id, 20))
		default:
			script = append(script, proof.Op{"op": "advance", "ms": 1 + r.Int63n([]int64{times[2], times[1], 2 * times[0]}[r.Intn(3)])}, proof.Op{"op": "le.ask", "id": id})
		}
	}
	return append(script, proof.Op{"op": "advance", "ms": 3 * times[0]})
}
