package controllers

import (
	"math/rand"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// limitScript makes a script up for a controller with one worker. If a reconcile ends when
// a key becomes ready, chance decides which of them is first. So one reconcile at most
// takes time, and until its end all other times are multiples of 5 ms.
func (v *Version) limitScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	priorities := v.Queue != nil
	script := []proof.Op{{"op": "limit.new", "usePQ": r.Intn(2) == 0 && priorities, "limiter": pick("", "", "", "exp", "bucket", "fastslow"),
		"baseMs": 5 * (1 + r.Intn(10)), "maxMs": 100 + 5*r.Intn(400), "qps": 10, "burst": 1 + r.Intn(5), "n": 1 + r.Intn(4)}}
	if r.Intn(4) == 0 {
		script[0]["managed"], script[0]["mgrUsePQ"] = true, r.Intn(2) == 0 && priorities
		if r.Intn(2) == 0 {
			delete(script[0], "usePQ")
		}
	}
	if v.Minor < 19 { // a panic would end the process
		script[0]["recover"] = true
	}
	if r.Intn(6) == 0 && v.Minor >= 22 {
		script[0]["timeoutMs"] = 8
	}
	// If a reconcile runs when the controller is stopped, its result and the queue's
	// ShutDown race. So nothing sleeps where there is a stop.
	stops := r.Intn(3) == 0
	sleeps := 0
	result := func() map[string]any {
		x := map[string]any{}
		for _, name := range []string{"err", "terminal", "wrapped", "requeue", "addDuring", "panic"} {
			if r.Intn(6) == 0 {
				x[name] = true
			}
		}
		if r.Intn(4) == 0 {
			x["afterMs"] = []int{-5, 10, 30, 100}[r.Intn(4)]
		}
		if r.Intn(4) == 0 && v.Minor >= 23 {
			x["prio"] = []int{-5, 0, 7}[r.Intn(3)]
		}
		if r.Intn(3) == 0 && sleeps == 0 && !stops {
			x["sleepMs"] = []int{3, 17}[r.Intn(2)]
			sleeps++
		}
		return x
	}
	for range 20 + r.Intn(60) {
		key := pick("a", "b", "c")
		op := proof.Op{"op": "limit." + pick("add", "add", "add", "addAfter", "addRateLimited", "addWithOpts", "program", "program", "numRequeues", "forget", "when"), "key": key}
		if op["op"] == "limit.addWithOpts" && !priorities {
			op["op"] = "limit.add"
		}
		switch op["op"] {
		case "limit.addAfter":
			op["ms"] = []int{-5, 0, 5, 20, 100}[r.Intn(5)]
		case "limit.addWithOpts":
			op["ms"], op["rateLimited"], op["prio"] = 20*r.Intn(3), r.Intn(2) == 0, []int{-100, 0, 5}[r.Intn(3)]
		case "limit.program":
			var results []any
			for range 1 + r.Intn(3) {
				results = append(results, result())
			}
			if op["results"] = results; r.Intn(6) == 0 {
				op["key"] = "*"
			}
		case "limit.when":
			op["n"] = 1 + r.Intn(3)
		}
		if r.Intn(4) == 0 {
			op = proof.Op{"op": "advance", "ms": []int{5, 10, 15, 50, 200, 1000}[r.Intn(6)]}
		}
		script = append(script, op)
	}
	if stops {
		script = append(script, proof.Op{"op": "limit.stop"}, proof.Op{"op": "advance", "ms": 1000})
	}
	return script
}
