package logs_test

import (
	"testing"

	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
)

// The recorder of the simulator writes only these fields of a deleted object.
func TestMadeSamples(t *testing.T) {
	pod := converttest.Pod
	converttest.Made(t, map[string]string{
		"made-scheduler.jsonl": converttest.SimulatorLine("01", "Add", pod("a", "1", "5")) + converttest.SimulatorLine("02.5", "Update", pod("a", "1", "6")) +
			converttest.SimulatorLine("03", "Add", pod("b", "2", "7")) + converttest.SimulatorLine("05", "Delete", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"x"}}`),
		"made-sieve.log": "I am another program\n" + sent(1, "ADDED", "a", "1", "5") + heard(1, "Added", "a", "1", "5") + sent(2, "MODIFIED", "a", "1", "6") +
			heard(3, "Updated", "a", "1", "6") + sent(4, "ADDED", "b", "2", "7") + heard(5, "Added", "b", "2", "7") + sieveLine(6, "BEFORE-RECONCILE", "PodReconciler", "1"),
	})
}
