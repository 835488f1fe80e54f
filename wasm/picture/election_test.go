package picture

import (
	"slices"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// Processes with shards are seen with their shards, and one without a shard is down.
func TestProcessesWithShardsAreSeen(t *testing.T) {
	all := frames(t, DefaultWindow, "profile v0.38", "informer shops", "shards 2 by=namespace processes=3", "run", "reshard namespace:0/3 shops", "run")
	r := all[len(all)-1].Process.Replicas
	for i, want := range []link.Replica{
		{Name: "a", Shard: "namespace:0/3", State: link.ReplicaWorks, Shown: true}, {Name: "b", Shard: "namespace:1/2", State: link.ReplicaWorks}, {Name: "c", State: link.ReplicaDown},
	} {
		if r[i] != want {
			t.Errorf("the process is %+v, not %+v", r[i], want)
		}
	}
}

// An informer with a shard of its own is seen with it, and one of a version without shards is not.
func TestAnInformerIsSeenWithItsShard(t *testing.T) {
	for profile, want := range map[string]string{"v0.38": "1/2", "v0.37": ""} {
		all := frames(t, DefaultWindow, "profile "+profile, "informer shops shard=1/2", "run")
		if got := all[len(all)-1].Reflector.Shard; got != want {
			t.Errorf("in %s the informer has the shard %q, not %q", profile, got, want)
		}
	}
}

// Processes that elect a leader are seen with what each of them does. A leader that was paused
// and another one lead at once, and the Lease names one of them.
func TestProcessesThatElectALeaderAreSeen(t *testing.T) {
	cut := frames(t, DefaultWindow, "profile current", "informer shops", "replicas 2", "run", "cut replica", "advance 12s", "join replica", "advance 1s")
	off := map[link.ReplicaState]bool{}
	for _, f := range cut {
		if r := f.Process.Replicas; r[1].Cut {
			t.Fatalf("the other one is cut off: %+v", r)
		} else if r[0].Cut {
			off[r[0].State] = true
		}
	}
	if !off[link.ReplicaLeads] || !off[link.ReplicaDown] || cut[len(cut)-1].Process.Replicas[0].Cut {
		t.Errorf("the one that was cut off is seen as %v, and at the end as %+v", off, cut[len(cut)-1].Process.Replicas[0])
	}
	all := frames(t, DefaultWindow, "profile current", "informer shops", "replicas 2", "run", "advance 1s", "pause replica 20s", "advance 22s", "kill replica down=forever b/shops", "advance 1s")
	states := map[[2]link.ReplicaState]bool{}
	for _, f := range all {
		r := f.Process.Replicas
		if len(r) != 2 || r[0].Name != "a" || r[1].Name != "b" || !r[0].Shown || r[1].Shown {
			t.Fatalf("the processes are %+v", r)
		}
		states[[2]link.ReplicaState{r[0].State, r[1].State}] = true
	}
	for _, want := range [][2]link.ReplicaState{
		{link.ReplicaDown, link.ReplicaDown}, {link.ReplicaLeads, link.ReplicaWaits}, {link.ReplicaPaused, link.ReplicaWaits},
		{link.ReplicaPaused, link.ReplicaLeads}, {link.ReplicaLeads, link.ReplicaLeads}, {link.ReplicaLeads, link.ReplicaDown},
	} {
		if !states[want] {
			t.Errorf("never %v, only %v", want, states)
		}
	}
	two := slices.IndexFunc(all, func(f *link.Frame) bool {
		r := f.Process.Replicas
		return r[0].State == link.ReplicaLeads && r[1].State == link.ReplicaLeads
	})
	if r := all[two].Process.Replicas; r[0].Leads || !r[1].Leads {
		t.Errorf("of two leaders, the Lease names %+v", r)
	}
}

// A panic ends one process, which is seen as down. What the other one does is seen as it is.
func TestAPanicEndsOneProcess(t *testing.T) {
	setup := []string{"profile current", "informer shops", "controller shops program=panic runtime=v0.18", "replicas 2", "run", "create shop default/a"}
	last := func(lines ...string) *link.Frame {
		all := frames(t, DefaultWindow, append(slices.Clone(setup), lines...)...)
		return all[len(all)-1]
	}
	frame := last("run until ReconcilePanicked")
	if loop, r := frame.Loop.State, frame.Process.Replicas; loop != link.StateCrashed || r[0].State != link.ReplicaDown || r[1].State != link.ReplicaWaits {
		t.Errorf("the process that panics has a loop that is %s, and the processes are %+v", loop, r)
	}
	other := last("run until ReconcilePanicked", "kill replica down=1s", `run until informer("b/shops").crashed()`)
	if loop, w, r := other.Loop.State, other.Work.Workers[0], other.Process.Replicas; loop == link.StateCrashed || w.State == link.StateCrashed || r[1].State != link.ReplicaDown {
		t.Errorf("the other process has a loop that is %s and a worker that is %s, and the processes are %+v", loop, w.State, r)
	}
}
