package script

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/controller/guard"
	"github.com/informerscope/informerscope/engine/event"
	"github.com/informerscope/informerscope/engine/history"
	"github.com/informerscope/informerscope/engine/manager"
	"github.com/informerscope/informerscope/engine/world"
)

// Whatever happens to pods, ReplicaSets and their watches, and whoever moves first: once nothing lags any more, each
// ReplicaSet has as many pods as it wants. All of them match its selector, and no orphan does. On the way, nobody takes
// a pod that is another's, and an owner that adopts was there when it was asked for.
func TestClaims(t *testing.T) {
	adopted, released, refused, skipped := 0, 0, 0, 0
	for seed := range int64(80) {
		r := rand.New(rand.NewSource(seed))
		pick := func(choices ...string) string { return choices[r.Intn(len(choices))] }
		names := guard.Names()
		lines := []string{"profile current", "informer replicasets", "informer pods quota=6",
			"controller replicasets owns=pods program=replicaset workers=2 guard=" + names[r.Intn(len(names))], "log none", "create replicaset default/a .spec.replicas=2 .spec.selector=app=a"}
		for range 60 {
			switch r.Intn(4) {
			case 0:
				name := pick("a", "b")
				if r.Intn(4) == 0 {
					lines = append(lines, "delete replicaset default/"+name)
				} else {
					lines = append(lines, pick("create", "update")+fmt.Sprintf(" replicaset default/%s .spec.replicas=%d .spec.selector=app=%s", name, r.Intn(4), pick(name, "x")))
				}
			case 1:
				if r.Intn(5) == 0 {
					lines = append(lines, "delete pod default/"+pick("p", "q"))
				} else {
					lines = append(lines, pick("create", "create", "update")+" pod default/"+pick("p", "q")+" app="+pick("a", "b", "x"))
				}
			case 2:
				lines = append(lines, "lag server "+pick("0s", "30ms", "2s")+" "+pick("pods", "replicasets"))
			}
			lines = append(lines, "")
		}
		lines = append(lines, "lag server 0s pods", "lag server 0s replicasets", "advance 40m")
		text := strings.Join(lines, "\n")
		play, anyone := NewRunner(func(Entry) {}), history.NewRandomSchedule(uint64(seed))
		for i, line := range lines {
			if err := play.Play(line); err != nil && i >= len(lines)-3 { // others may name what there isn't, or what there is already
				t.Fatalf("seed %d: %s: %v\n%s", seed, line, err, text)
			}
			for range r.Intn(60) {
				if line == "" {
					if id, ok := anyone.Next(play.History().Front()); ok {
						play.History().Choose(id)
					}
				}
			}
		}
		h := play.History()
		for step := int64(1); step <= h.Steps(); step++ {
			h.SeekTo(step)
			w := h.World()
			tbl := w.Informers[0].Config().Table
			owner := func(e event.Event, old bool) string {
				o := e.New
				if old {
					o = e.Old
				}
				return tbl.FieldOf(o, apiserver.Owner)
			}
			for _, e := range w.Log.Events {
				switch {
				case e.Kind == event.CreatesSkipped:
					skipped++
				case e.Kind == event.WriteAnswered && e.Code() == 422:
					refused++
				case e.Kind != event.ObjectWritten || e.Delta != event.Updated || int(w.Last.Informer) != 0 || owner(e, true) == owner(e, false):
				case owner(e, true) == "":
					adopted++
				case owner(e, false) == "":
					released++
				default:
					t.Errorf("seed %d, step %d: %s was the owner, and %s is", seed, step, owner(e, true), owner(e, false))
				}
			}
		}
		atRest(t, seed, h.Front(), text)
	}
	t.Log(adopted, "adopted,", released, "released,", refused, "refused,", skipped, "slow starts ended early")
	if adopted == 0 || released == 0 || refused == 0 || skipped == 0 {
		t.Errorf("%d adopted, %d released, %d refused, %d slow starts ended early", adopted, released, refused, skipped)
	}
}

// atRest holds a world in which nothing more happens against what its ReplicaSets want.
func atRest(t *testing.T, seed int64, w *world.World, text string) {
	t.Helper()
	tbl := w.Informers[0].Config().Table
	for _, set := range w.Objects(0) {
		m := tbl.Meta(set)
		has, orphans := 0, 0
		for _, pod := range w.Objects(1) {
			matches := manager.Selects(tbl, set, pod)
			switch tbl.FieldOf(pod, apiserver.Owner) {
			case tbl.Text(m.Name) + "#" + tbl.Text(m.UID):
				if has++; !matches {
					t.Errorf("seed %d: %s has a pod that it doesn't select\n%s", seed, tbl.Text(m.Name), text)
				}
			case "":
				if matches {
					orphans++
				}
			}
		}
		full := w.Simulated(1).Storage.Full()
		if wants := tbl.Field(m.Labels, ".spec.replicas"); orphans > 0 || fmt.Sprint(has) != wants && !full {
			t.Errorf("seed %d: %s has %d pods and wants %s; %d orphans match\n%s", seed, tbl.Text(m.Name), has, wants, orphans, text)
		}
	}
}

// A ReplicaSet counts neither pods that have ended nor such that are being deleted, and deletes pending ones first, as
// kube-controller-manager does.
func TestActivePods(t *testing.T) {
	play := NewRunner(func(Entry) {})
	for _, line := range []string{
		"profile current", "informer replicasets", "informer pods", "controller replicasets owns=pods program=replicaset",
		`controller pods program="if .spec.phase = Running set .status.phase Running; if .spec.phase = Succeeded set .status.phase Succeeded"`,
		"create pod default/done app=web .spec.phase=Succeeded", "create pod default/going app=web .finalizers=f",
		"create pod default/a app=web .spec.phase=Running", "create pod default/b app=web", "create pod default/c app=web .spec.phase=Running",
		"run", "delete pod default/going", "run",
		"create replicaset default/web .spec.replicas=3 .spec.selector=app=web", "run",
		"expect pods server [default/a@11 default/b@12 default/c@13 default/done@6 default/going@9]",
		"update replicaset default/web .spec.replicas=2 .spec.selector=app=web", "run",
		"expect pods server [default/a@11 default/c@13 default/done@6 default/going@9]",
	} {
		if err := play.Play(line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}
