package logs_test

import (
	"testing"

	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
)

// The recorder of the simulator writes only these fields of a deleted object.
func TestMadeSamples(t *testing.T) {
	pod := converttest.Pod
	converttest.CheckTestdata(t, map[string]string{
		"made-scheduler.jsonl": converttest.SimulatorLine("01", "Add", pod("a", "1", "5")) + converttest.SimulatorLine("02.5", "Update", pod("a", "1", "6")) +
			converttest.SimulatorLine("03", "Add", pod("b", "2", "7")) + converttest.SimulatorLine("05", "Delete", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"x"}}`),
	})
}
