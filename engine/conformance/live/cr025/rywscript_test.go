package cr025

import (
	"fmt"
	"math/rand"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// rywScript makes a script up for the client. The reflector's back-off is random, so after
// the end of a watch so much time passes that it is over, and nothing times out in it.
func rywScript(r *rand.Rand) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	script := []proof.Op{{"op": "ryw.new"}, {"op": "ryw.extCreate", "name": "a", "data": "0"}, {"op": "ryw.get", "name": "a"}, {"op": "advance", "ms": 200}}
	if r.Intn(10) == 0 {
		script[0]["enable"] = false
	}
	unstructured := r.Intn(4) == 0
	if unstructured {
		script = append(script, proof.Op{"op": "ryw.get", "name": "a", "rep": "unstructured"}, proof.Op{"op": "advance", "ms": 200})
	}
	expires := r.Intn(4) == 0 && !unstructured // two informers would be in their back-offs at once
	for i := range 15 + r.Intn(40) {
		name := pick("a", "b", "c")
		op := proof.Op{"name": name}
		switch verb := pick("create", "update", "update", "patch", "delete", "get", "get", "list", "extCreate", "extUpdate", "extDelete", "watch", "watch", "deliver", "deliver", "advance", "cancel", "hold", "answer", "answer", "fail", "bookmark"); verb {
		case "create", "update", "patch", "delete", "get", "list":
			op["op"], op["id"] = "ryw."+verb, fmt.Sprintf("%s%d", verb[:1], i)
			if r.Intn(6) == 0 {
				op["noWait"] = true
			}
			if r.Intn(4) == 0 && !expires {
				op["timeoutMs"] = 500 + i // two that end at once would race
			}
			switch verb {
			case "create", "update", "patch":
				op["data"] = fmt.Sprint(10 + i)
				if verb == "create" && r.Intn(5) == 0 {
					op["fin"] = true
				}
			case "delete":
				if r.Intn(5) == 0 {
					op["precond"] = pick("u1", "u2", "u3")
				} else if r.Intn(5) == 0 {
					op["uid"] = pick("u1", "u2", "u3")
				}
			case "list":
				delete(op, "name")
			}
			if unstructured && (verb == "get" || verb == "update") && r.Intn(2) == 0 {
				op["rep"] = "unstructured"
			}
		case "extCreate", "extUpdate", "extDelete":
			op["op"], op["data"] = "ryw."+verb, fmt.Sprint("x", i)
		case "watch":
			op = proof.Op{"op": "ryw.watch", "mode": pick("hold", "hold", "live", "live", "lag"), "ms": 50}
		case "deliver":
			op = proof.Op{"op": "ryw.deliver", "n": r.Intn(3)}
		case "advance":
			op = proof.Op{"op": "advance", "ms": []int{100, 200, 600, 1000}[r.Intn(4)]}
		case "cancel":
			op = proof.Op{"op": "ryw.cancel", "id": fmt.Sprintf("%s%d", pick("g", "l", "u", "c"), r.Intn(i+1))}
		case "hold":
			op = proof.Op{"op": "ryw.hold", "verb": pick("PUT", "POST", "*", "DELETE", "PATCH")}
			if r.Intn(2) == 0 {
				op = proof.Op{"op": "ryw.hold", "mode": "off"}
			}
		case "answer":
			op = proof.Op{"op": "ryw.answer"}
		case "fail":
			op = proof.Op{"op": "ryw.fail", "verb": pick("PUT", "POST", "DELETE", "PATCH"), "err": pick("conflict", "internal", "timeout", "notfound")}
		case "bookmark":
			op = proof.Op{"op": "ryw.bookmark"}
		}
		script = append(script, op)
		if expires && r.Intn(15) == 0 {
			script = append(script, proof.Op{"op": "ryw." + pick("watchExpire", "watchClose")}, proof.Op{"op": "advance", "ms": 61_002})
		}
	}
	return script
}
