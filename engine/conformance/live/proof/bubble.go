package proof

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Play plays a script in a bubble of testing/synctest. Time is virtual there, so an operation
// may call time.Sleep to let it pass, and nobody waits for that. Between two operations every
// goroutine is blocked.
func Play(t *testing.T, script []Op, do func(op Op, res map[string]any), end func()) []string {
	var out []string
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		for i, op := range script {
			res := map[string]any{}
			func() {
				defer func() {
					if why := recover(); why != nil {
						res = map[string]any{"panic": fmt.Sprint(why)}
					}
				}()
				do(op, res)
				res["t"] = fmt.Sprint(time.Since(began).Milliseconds())
			}()
			res["op"], res["i"] = op["op"], i
			line, err := json.Marshal(res)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(line))
		}
		end()
	})
	return out
}
