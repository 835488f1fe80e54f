//go:build !js

package script

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/explore"
)

// managed is a controller that is to make one child, and whose workers start now.
func managed(guard string) string {
	return "profile current\ninformer replicasets\ninformer pods\ncontroller replicasets owns=pods guard=" + guard +
		"\nexists pod default/other\nexists replicaset default/web .spec.replicas=1\nlog none\nrun until CachesSynced\n"
}

const tooMany = `exists("default/web") > 1`

// Whether a controller can make a child too many is answered over all interleavings, and
// random runs agree: without a guard some do, and where the answer is no,
// none does. That is 50 000 states, which take a minute as WebAssembly, where they are the same.
func TestCanMakeAChildTooMany(t *testing.T) {
	for _, c := range []struct {
		guard  string
		can    string // how the answer begins
		states int
	}{
		{"none", "yes, in 20 steps: ", 20_000},
		{"expectations", "not within 8000 states", 8_000},
		{"consistency", "not within 8000 states", 8_000},
		{"readyourwrites", "not within 15m, in none of ", 20_000},
		{"mutation", "not within 15m, in none of ", 20_000},
	} {
		var answer Entry
		r := NewRunner(func(e Entry) {
			if e.Kind == Answer {
				answer = e
			}
		})
		r.Limit(MaxSteps, explore.Limits{States: c.states})
		if err := r.Play(managed(c.guard) + "can " + tooMany); err != nil {
			t.Fatal(c.guard, err)
		}
		if !strings.HasPrefix(answer.Text, c.can) {
			t.Errorf("%s: %s", c.guard, answer.Text)
		}
		reached := 0
		for seed := 1; seed <= 200; seed++ {
			err := NewRunner(func(Entry) {}).Play(managed(c.guard) + "run random " + strconv.Itoa(seed) + " until " + tooMany)
			var wrong Error
			switch {
			case err == nil:
				reached++
			case !errors.As(err, &wrong):
				t.Fatal(c.guard, seed, err)
			}
		}
		if yes := strings.HasPrefix(c.can, "yes"); yes != (reached > 0) {
			t.Errorf("%s: %d random runs have a child too many, and the answer is %s", c.guard, reached, answer.Text)
		}
		t.Log(c.guard, reached, answer.Text)
	}
}

// Workers of a controller are alike: a state in which two of them have changed places is no
// other state. Without that, there would be 99 467 states.
func TestWorkersAreAlike(t *testing.T) {
	states := 0
	r := NewRunner(func(e Entry) { states = max(states, e.States) })
	r.Limit(MaxSteps, explore.Limits{States: 100_000})
	if err := r.Play("profile current\ninformer shops\ncontroller shops program=\"set .status.phase Open\" workers=2\nexists shop default/a\nexists shop default/b\n" +
		"log none\nrun until CachesSynced\ncan workqueue() > 3"); err != nil {
		t.Fatal(err)
	}
	if states != 50_756 {
		t.Errorf("%d states", states)
	}
}
