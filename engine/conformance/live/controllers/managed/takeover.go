package managed

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// Takeovers plays the takeovers of testdata/takeovers.txt to a manager, and compares what it does first. The
// tests of engine/script compare the engine with the same lines.
func Takeovers(t *testing.T) {
	f, err := os.Open(filepath.Join(proof.Top(t), "engine/conformance/testdata/takeovers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	played := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, want, found := strings.Cut(lines.Text(), ": ")
		if !found || name[0] == '#' {
			continue
		}
		played++
		got, can := takeover(t, strings.Fields(name))
		if can && got != want {
			t.Errorf("%s: a process %s, and testdata says %s", name, got, want)
		}
	}
	if played == 0 {
		t.Error("no takeovers")
	}
}

// takeover does what a process does when it gets the lease. It reports false for a warm-up where there is none.
func takeover(t *testing.T, versions []string) (order string, can bool) {
	lock := &lease{since: time.Now(), free: versions[0] == "free"}
	play(t, func(r *run) {
		old("a")(r)
		r.manager.LeaderElection, r.manager.LeaderElectionResourceLockInterface = true, lock
		var first sync.Once
		lock.written = func() {
			r.noteOnce("leads")
			first.Do(func() {
				if lists := r.server.answers; lists != nil {
					close(lists)
				}
				// The cache of a warm-up syncs meanwhile. Warmup holds a mutex until then, which Start
				// asks for, and no time passes in a bubble while a goroutine waits for a mutex.
				proof.Pass(time.Second)
			})
		}
		if lock.free {
			r.server.answers = make(chan struct{}) // no list is answered before the lease is written
		}
		can = !slices.Contains(versions, "warmup") || set(&r.options, "EnableWarmup", yes())
	}, func(r *run) {
		proof.Pass(30 * time.Second)
		lock.free = true
		proof.Pass(2 * time.Minute)
		order = strings.Join(r.order, " ")
	})
	return order, can
}
