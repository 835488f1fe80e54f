package kcm137

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/features"
)

// staleControllers are the feature gates of controllers with a consistency store.
var staleControllers = map[string]featuregate.Feature{
	"daemonsets":               features.StaleControllerConsistencyDaemonSet,
	"horizontalpodautoscalers": features.StaleControllerConsistencyHPA,
	"jobs":                     features.StaleControllerConsistencyJob,
	"replicasets":              features.StaleControllerConsistencyReplicaSet,
	"statefulsets":             features.StaleControllerConsistencyStatefulSet,
}

// defaults are the feature gates as they are registered. Other tests set some of them.
var defaults = utilfeature.DefaultMutableFeatureGate.DeepCopy()

// TestGates holds which controllers the engine gives a consistency store in a version of Kubernetes, and whether a status has
// terminatingReplicas, against the registry of feature gates, which knows the defaults of older versions, too.
func TestGates(t *testing.T) {
	bin := proof.Build(t)
	for minor := 33; minor <= 37; minor++ {
		gates := defaults.DeepCopy()
		if err := gates.SetEmulationVersion(version.MajorMinor(1, uint(minor))); err != nil {
			t.Fatal(err)
		}
		want := []string{}
		for resource, gate := range staleControllers {
			if gates.Enabled(gate) {
				want = append(want, resource)
			}
		}
		slices.Sort(want)
		out, err := exec.Command(bin, "-kubernetes", strconv.Itoa(minor)).Output()
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Stale       []string
			Terminating bool
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		if slices.Sort(got.Stale); !slices.Equal(got.Stale, want) {
			t.Errorf("in v1.%d the engine gives %v a consistency store, and Kubernetes %v", minor, got.Stale, want)
		}
		if want := gates.Enabled(features.DeploymentReplicaSetTerminatingReplicas); got.Terminating != want {
			t.Errorf("in v1.%d the engine's status has terminatingReplicas: %t, and that of Kubernetes: %t", minor, got.Terminating, want)
		}
	}
}
