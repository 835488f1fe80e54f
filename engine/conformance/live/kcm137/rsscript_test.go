package kcm137

import (
	"fmt"
	"math/rand"
	"strings"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// rsScript makes a script up for the ReplicaSet controller. No watch ends, because a reflector's back-off is random. At the start there is one ReplicaSet, and with resyncs there is never another one: several
// reach the handlers in the order of a map. One kind of request fails, twice at most: the text of
// its error and the second when it came are in a condition, and the engine's has neither. Where there are two workers, no request is made to fail: HandleError lets a
// millisecond pass between errors, and which of two workers that waited for the same one goes on first is chance. Nor do two
// ReplicaSets want the same pods then: which worker comes first would decide.
func rsScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	one := func(in int) bool { return r.Intn(in) == 0 }
	two := one(3)
	set := func(name string) proof.Op {
		op := proof.Op{"op": "rs.createRS", "name": name, "replicas": r.Intn(6)}
		if one(4) {
			op["minReadyS"] = 3
		}
		if one(3) {
			op["owner"] = "d#u99"
		}
		if one(5) && !two {
			op["labels"] = map[string]string{"app": "x"}
		}
		if one(8) {
			op["uid"] = pick("r1", "r2")
		}
		return op
	}
	begin := proof.Op{"op": "rs.new"}
	gated := !one(3)
	begin["gate"] = gated
	if one(6) {
		begin["termGate"] = false
	}
	if two {
		begin["workers"] = 2
	}
	resyncs := one(6)
	if resyncs {
		begin["resyncMs"] = 30_000
	}
	script := []proof.Op{begin, set("a"), {"op": "rs.start"}}
	if one(3) {
		begin["graceful"] = true
	}
	if one(3) {
		begin["burst"] = 2
	}
	resources := []string{"pods", "pods", "replicasets"}
	lag := proof.Op{"op": "rs.watch", "resource": pick(resources...), "mode": pick("hold", "lag"), "ms": []int{37, 411, 2311}[r.Intn(3)]}
	at := 3 + r.Intn(6)
	pod := func() string {
		if one(4) {
			return pick("o1", "o2")
		}
		return fmt.Sprint(pick("a", "a", "b"), "-", 1+r.Intn(8))
	}
	fails := !two && one(2)
	failing, err := pick("POST", "POST", "PATCH", "DELETE", "PUT/status"), pick("conflict", "forbidden", "notfound", "exists", "timeout", "internal", "nsterminating")
	for i := range 20 + r.Intn(30) {
		if i == at {
			script = append(script, lag, proof.Op{"op": "advance", "ms": 50})
		}
		resource := pick(resources...)
		op := proof.Op{"op": "rs." + pick("createRS", "scale", "scale", "scale", "touchRS", "deleteRS", "finalizeRS", "createPod", "createPod", "podStatus", "podStatus", "podStatus", "podLabels", "deletePod", "reap",
			"watch", "watch", "watch", "watch", "bookmark", "fail", "fail", "advance", "advance", "advance", "advance")}
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
			op["name"] = pick("a", "b")
		case "rs.createPod":
			op["name"], op["labels"], op["phase"] = pick("o1", "o2"), map[string]string{"app": pick("a", "a", "b", "x")}, "Unknown"
			if op["name"] == "o1" {
				op["phase"] = "Running"
			}
			if one(6) {
				op["owner"] = "c#u007"
			}
		case "rs.podStatus": // no pod is like one that was adopted: which of the two is deleted would be left to chance
			if op["name"], op["phase"] = pod(), pick("Pending", "Failed", "Succeeded"); strings.HasPrefix(op["name"].(string), "o") {
				op["phase"] = "Failed"
			}
			op["ready"] = one(2)
		case "rs.podLabels":
			if op["name"], op["labels"] = pod(), map[string]string{"app": "z"}; strings.HasPrefix(op["name"].(string), "o") {
				op["labels"] = map[string]string{"app": pick("a", "b", "x", "z")}
			}
		case "rs.deletePod":
			op["name"] = pod()
		case "rs.watch":
			op["resource"], op["mode"] = resource, pick("hold", "lag", "live", "live", "live")
			op["ms"] = []int{37, 411}[r.Intn(2)]
		case "rs.bookmark":
			op["resource"] = resource
		case "rs.fail":
			if !fails {
				op = proof.Op{"op": "advance", "ms": 50}
				break
			}
			fails = false
			op["verb"], op["err"], op["n"] = failing, err, 1+r.Intn(2)
			if failing == "DELETE" || failing == "PATCH" {
				op["n"] = 999 // which of several comes first is chance
			}
		case "rs.advance":
			op = proof.Op{"op": "advance", "ms": []int{50, 300, 300, 2000, 2000, 20_000}[r.Intn(6)]}
		}
		script = append(script, op, proof.Op{"op": "advance", "ms": []int{50, 300}[r.Intn(2)]})
	}
	return script
}
