// Package controllers compares the engine with versions of controller-runtime. It doesn't import one: each
// module has a Version, which says what that version has and how it is called.
package controllers

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os/exec"
	"testing"
	"time"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"github.com/informerscope/informerscope/engine/conformance/live/measured"
	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// Version is a version of controller-runtime.
type Version struct {
	Minor int
	// Controller makes a controller, which isn't started.
	Controller func(*Options) (*Controller, error)
	// Queue makes a priority queue. It is nil if the version has none.
	Queue func(name string, l LimiterSpec, m *measured.Queues) PriorityQueue
	// Terminal wraps an error in a TerminalError.
	Terminal func(error) error
}

// Options are what a controller is made of.
type Options struct {
	Managed                 bool  // a manager gets the controller
	UsePriorityQueue, ByMgr *bool // ByMgr is the manager's setting
	Limiter                 LimiterSpec
	Workers                 int
	Timeout                 time.Duration // of a reconcile
	RecoverPanic            *bool
	Reconcile               func(ctx context.Context, key string) (Result, error)
}

// Result is what a reconcile returns.
type Result struct {
	RequeueAfter time.Duration
	Requeue      bool
	Priority     *int
}

// Controller is a controller of controller-runtime.
type Controller struct {
	Start func(context.Context) error
	Queue Queue // that a source has got; nil before the start
	Limit Limiter
	Adds  int // how often its manager got it
}

// Queue is a queue of keys.
type Queue interface {
	Real() any // what controller-runtime has
	Add(key string)
	AddAfter(key string, after time.Duration)
	AddRateLimited(key string)
	Len() int
}

// PriorityQueue is controller-runtime's, without AddWithOpts, whose options differ between versions.
type PriorityQueue interface {
	Add(key string)
	AddAfter(key string, after time.Duration)
	AddRateLimited(key string)
	Len() int
	Get() (key string, shutdown bool)
	GetWithPriority() (key string, priority int, shutdown bool)
	Done(key string)
	Forget(key string)
	NumRequeues(key string) int
	ShutDown()
	ShutDownWithDrain()
	ShuttingDown() bool
}

// Limiter is a rate limiter of keys.
type Limiter interface {
	Real() any // what client-go has
	When(key string) time.Duration
	Forget(key string)
	NumRequeues(key string) int
}

// LimiterSpec says which rate limiter a queue gets.
type LimiterSpec struct {
	Limiter       string
	BaseMs, MaxMs int64
	QPS           float64
	Burst, N      int
}

// Delays returns the shortest and the longest delay.
func (s *LimiterSpec) Delays() (base, longest time.Duration) {
	return time.Duration(s.BaseMs) * time.Millisecond, time.Duration(s.MaxMs) * time.Millisecond
}

func (v *Version) families() []proof.Family {
	args := []string{"-runtime", fmt.Sprint(v.Minor)}
	all := []proof.Family{{Name: "limit", Script: v.limitScript, Play: v.playLimit, Args: args}}
	if v.Queue != nil {
		all = append(all, proof.Family{Name: "pq", Script: v.pqScript, Play: v.playPQ, Args: args})
	}
	return all
}

// Random compares random scripts: each version's, and some more. Where a neighbouring version has another priority
// queue, an engine that is that version must differ.
func Random(t *testing.T, v *Version, more ...proof.Family) {
	proof.Controller(t, append(v.families(), more...)...)
	if v.Queue == nil {
		return
	}
	bin := proof.Build(t)
	own, _ := queueGates(t, bin, v.Minor)
	for _, other := range []int{v.Minor - 1, v.Minor + 1} {
		if is, ok := queueGates(t, bin, other); !ok || is == own {
			continue
		}
		t.Run(fmt.Sprint("not v0.", other), func(t *testing.T) {
			wrong := proof.Family{Args: []string{"-runtime", fmt.Sprint(other)}}
			for seed := *proof.From; seed < *proof.From+max(*proof.Seeds, 40); seed++ {
				script := v.pqScript(rand.New(rand.NewSource(seed)))
				if proof.Differs(v.playPQ(t, script), wrong.Engine(t, bin, script)) >= 0 {
					return
				}
			}
			t.Error("no script tells the versions apart")
		})
	}
}

// queueGates returns the gates of a version's priority queue, as the engine has them. It reports false for a version without one.
func queueGates(t *testing.T, bin string, minor int) (is string, ok bool) {
	out, err := exec.Command(bin, "-runtime-gates", "-runtime", fmt.Sprint(minor)).Output()
	var all struct {
		PriorityQueue, HeedsStop bool
		Order                    int
	}
	if err == nil {
		err = json.Unmarshal(out, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(all), all.PriorityQueue
}

// init silences the handlers of errors. They would wait until the clock of the process, which
// is decades ahead of a bubble's.
func init() {
	utilruntime.ErrorHandlers = nil
	klog.SetLogger(logr.Discard())
}
