package election

import (
	"math/rand"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// script makes a script up. Every process has its own distance to
// the server, so that no two requests arrive at once. No RenewDeadline is a multiple of its
// RetryPeriod: at the default times the last tick and the deadline come together, and the
// runtime chooses. Nobody is held up where that can't be done.
func script(r *rand.Rand, holds bool) []proof.Op {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
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
