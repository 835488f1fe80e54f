package kcm137

import (
	"fmt"
	"math/rand"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// rsScript makes a script up for the ReplicaSet controller. It has a lag and, in most cases, requests that fail. No watch
// ends, because a reflector's back-off is random and the trace tells times. At the start there is one ReplicaSet, and
// with resyncs there is never another one: several reach the handlers in the order of a map. Where there are two workers,
// no request is made to fail: HandleError lets a millisecond pass between errors, and which of two workers that waited
// for the same one goes on first is chance.
func rsScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	one := func(in int) bool { return r.Intn(in) == 0 }
	set := func(name string) proof.Op {
		op := proof.Op{"op": "rs.createRS", "name": name, "replicas": r.Intn(6)}
		if one(4) {
			op["minReadyS"] = 3
		}
		if one(3) {
			op["owner"] = "d#u99"
		}
		if one(5) {
			op["labels"] = map[string]string{"app": "x"}
		}
		if one(8) {
			op["uid"] = pick("r1", "r2")
		}
		return op
	}
	begin := proof.Op{"op": "rs.new"}
	if one(3) {
		begin["graceful"] = true
	}
	for _, name := range []string{"gate", "termGate"} {
		if one(3) {
			begin[name] = false
		}
	}
	two := one(3)
	if two {
		begin["workers"] = 2
	}
	if one(4) {
		begin["burst"] = 2
	}
	resyncs := one(6)
	if resyncs {
		begin["resyncMs"] = 30_000
	}
	script := []proof.Op{begin, set("a"), {"op": "rs.start"}}
	lag := proof.Op{"op": "rs.watch", "resource": pick("pods", "pods", "replicasets"), "mode": pick("hold", "lag"), "ms": []int{50, 300, 2000}[r.Intn(3)]}
	at := 3 + r.Intn(6)
	pod := func() string {
		if one(4) {
			return pick("o1", "o2")
		}
		return fmt.Sprint(pick("a", "a", "b"), "-", 1+r.Intn(8))
	}
	for i := range 20 + r.Intn(30) {
		if len(script) == at {
			script = append(script, lag)
		}
		resource := pick("pods", "pods", "replicasets")
		op := proof.Op{"op": "rs." + pick("createRS", "scale", "scale", "scale", "touchRS", "deleteRS", "finalizeRS", "createPod", "createPod", "podStatus", "podStatus", "podStatus", "podLabels", "deletePod",
			"reap", "watch", "watch", "watch", "deliver", "deliver", "bookmark", "fail", "fail", "advance", "advance", "advance", "advance")}
		switch op["op"] {
		case "rs.createRS":
			if op = set(pick("a", "b", "b")); resyncs {
				op["name"] = "a"
			}
		case "rs.scale":
			op["name"], op["replicas"] = pick("a", "a", "b"), r.Intn(8)
		case "rs.touchRS":
			op["name"], op["data"] = pick("a", "b"), fmt.Sprint(i)
		case "rs.deleteRS", "rs.finalizeRS":
			if op["name"] = pick("a", "b"); op["op"] == "rs.finalizeRS" && !one(3) {
				op["op"] = "rs.deleteRS"
			}
		case "rs.createPod":
			op["name"], op["labels"] = pick("o1", "o2"), map[string]string{"app": pick("a", "a", "b", "x")}
			if one(6) {
				op["owner"] = pick("a#u1", "b#u1", "a#r1", "c#u7")
			}
		case "rs.podStatus":
			op["name"], op["phase"], op["ready"] = pod(), pick("Running", "Running", "Running", "Pending", "Failed", "Succeeded"), !one(3)
		case "rs.podLabels":
			op["name"], op["labels"] = pod(), map[string]string{"app": pick("a", "b", "x", "z")}
		case "rs.deletePod":
			op["name"] = pod()
		case "rs.watch":
			op["resource"], op["mode"] = resource, pick("hold", "lag", "live", "live")
			op["ms"] = []int{50, 300}[r.Intn(2)]
		case "rs.deliver":
			op["resource"], op["n"] = resource, r.Intn(4)
		case "rs.bookmark":
			op["resource"] = resource
		case "rs.fail":
			if two {
				op = proof.Op{"op": "advance", "ms": 50}
				break
			}
			op["verb"], op["resource"], op["err"], op["n"] = pick("POST", "POST", "DELETE", "PATCH"), "pods", pick("conflict", "forbidden", "notfound", "exists", "timeout", "internal"), 1+r.Intn(3)
			switch {
			case op["verb"] == "POST" && one(4):
				op["err"] = "nsterminating"
			case one(3):
				op["verb"], op["resource"] = pick("PUT/status", "GET"), "replicasets"
			}
		case "rs.advance":
			op = proof.Op{"op": "advance", "ms": []int{1, 1, 7, 50, 300, 300, 2000, 2000, 100_000, 300_001}[r.Intn(10)]}
		}
		script = append(script, op)
	}
	return script
}
