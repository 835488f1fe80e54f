package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/controller"
)

// wanted is a ReplicaSet as rs.* prints it: how many pods it wants, and how many it has.
var wanted = regexp.MustCompile(`want=(\d+) status=(\d+) ready=\d+ avail=\d+ term=\d+( ReplicaFailure\S*)?`)

// TestReplicaSetsConverge: whatever lags and fails, with and without guards, a ReplicaSet has
// the pods that it wants once nothing lags or fails any more, expectations have expired, and
// something wakes it. The same script always gives the same answers.
func TestReplicaSetsConverge(t *testing.T) {
	seeds := int64(150)
	if testing.Short() {
		seeds = 20
	}
	is, err := releaseOf(currentVersion, "")
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for seed := range seeds {
		script := replicaSetScript(rand.New(rand.NewSource(seed)))
		var text strings.Builder
		for _, op := range script {
			line, err := json.Marshal(op)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(append(line, '\n'))
		}
		var got, again bytes.Buffer
		for _, out := range []*bytes.Buffer{&got, &again} {
			if err := playController(is, controller.NewestRuntime, strings.NewReader(text.String()), out); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text.String())
			}
		}
		if !bytes.Equal(got.Bytes(), again.Bytes()) {
			t.Fatalf("seed %d: a script is answered in two ways", seed)
		}
		all := lines(got.Bytes())
		var end struct{ APIRS []string }
		if err := json.Unmarshal([]byte(all[len(all)-1]), &end); err != nil {
			t.Fatal(err)
		}
		ended += len(end.APIRS)
		for _, rs := range end.APIRS {
			if m := wanted.FindStringSubmatch(rs); m == nil || m[1] != m[2] || m[3] != "" {
				t.Errorf("seed %d: at the end there is %s\n%s", seed, rs, text.String())
			}
		}
	}
	if ended == 0 {
		t.Error("no script has a ReplicaSet at its end")
	}
}

// replicaSetScript makes a script up for the ReplicaSet controller.
func replicaSetScript(r *rand.Rand) []map[string]any {
	pick := func(of ...string) string { return of[r.Intn(len(of))] }
	resource := func() string { return pick("pods", "replicasets") }
	script := []map[string]any{
		{"op": "rs.new", "gate": r.Intn(2) == 0, "workers": 1 + r.Intn(2), "graceful": r.Intn(3) == 0, "noExpectations": r.Intn(6) == 0, "burst": r.Intn(4)},
		{"op": "rs.createRS", "name": "a", "replicas": r.Intn(4)}, {"op": "rs.start"},
	}
	for range 15 + r.Intn(30) {
		op := map[string]any{}
		switch verb := pick("advance", "advance", "advance", "scale", "scale", "watch", "watch", "deliver", "bookmark", "fail", "createPod", "deletePod", "podStatus", "podLabels", "touchRS", "reap", "createRS", "deleteRS", "watchExpire", "watchClose", "stop"); verb {
		case "advance":
			op["op"], op["ms"] = "advance", []int{1, 7, 50, 300, 2000, 400_000}[r.Intn(6)]
		case "scale":
			op["op"], op["name"], op["replicas"] = "rs.scale", pick("a", "a", "b"), r.Intn(6)
		case "watch":
			op["op"], op["resource"], op["mode"], op["ms"] = "rs.watch", resource(), pick("hold", "live", "lag"), 50+r.Intn(900)
		case "deliver":
			op["op"], op["resource"], op["n"] = "rs.deliver", resource(), r.Intn(3)
		case "bookmark", "watchExpire", "watchClose":
			op["op"], op["resource"] = "rs."+verb, resource()
		case "fail":
			op["op"], op["verb"], op["err"], op["n"] = "rs.fail", pick("POST", "DELETE", "PATCH", "PUT/status", "GET"), pick("conflict", "forbidden", "timeout", "internal", "notfound"), 1+r.Intn(3)
		case "createPod":
			op["op"], op["name"], op["labels"] = "rs.createPod", fmt.Sprint("o", r.Intn(3)), map[string]string{"app": pick("a", "b", "z")}
		case "deletePod":
			op["op"], op["name"] = "rs.deletePod", fmt.Sprint("a-", 1+r.Intn(5))
		case "podStatus":
			op["op"], op["name"], op["phase"], op["ready"] = "rs.podStatus", fmt.Sprint("a-", 1+r.Intn(5)), pick("", "", "Failed"), r.Intn(2) == 0
		case "podLabels":
			op["op"], op["name"], op["labels"] = "rs.podLabels", fmt.Sprint("a-", 1+r.Intn(5)), map[string]string{"app": pick("a", "z")}
		case "touchRS":
			op["op"], op["name"], op["data"] = "rs.touchRS", "a", fmt.Sprint(r.Intn(9))
		case "reap":
			op["op"] = "rs.reap"
		case "stop":
			script = append(script, map[string]any{"op": "rs.stop"}, map[string]any{"op": "rs.scale", "name": "a", "replicas": r.Intn(6)})
			op["op"] = "rs.start"
		case "createRS":
			op["op"], op["name"], op["replicas"], op["minReadyS"] = "rs.createRS", pick("a", "b"), r.Intn(4), r.Intn(3)
		case "deleteRS":
			op["op"], op["name"] = "rs.deleteRS", pick("a", "b")
		}
		script = append(script, op)
	}
	for i := range 12 { // more than the failures that may be left
		script = append(script,
			map[string]any{"op": "rs.watch", "resource": "pods", "mode": "live"}, map[string]any{"op": "rs.watch", "resource": "replicasets", "mode": "live"},
			map[string]any{"op": "advance", "ms": 400_000}, map[string]any{"op": "rs.reap"},
			map[string]any{"op": "rs.touchRS", "name": "a", "data": fmt.Sprint("end", i)}, map[string]any{"op": "rs.touchRS", "name": "b", "data": fmt.Sprint("end", i)},
			map[string]any{"op": "advance", "ms": 400_000})
	}
	return script
}
