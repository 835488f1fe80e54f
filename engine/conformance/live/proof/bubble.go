package proof

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Play plays a script in a bubble of testing/synctest, where time is virtual. Between two operations every
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

// Pass lets a bubble's time pass. Nobody waits for that: the bubble's clock goes on as soon as every goroutine is
// blocked. Nothing else moves it, and nothing outside of a bubble calls Pass.
func Pass(d time.Duration) { time.Sleep(d) }

// Advance calls Pass for so many milliseconds.
func Advance(ms int64) { Pass(time.Duration(ms) * time.Millisecond) }
