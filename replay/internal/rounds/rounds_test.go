package rounds

import "testing"

func TestSimulated(t *testing.T) {
	for name, round := range map[string]func(*testing.T, Server){"Paging": Paging, "Streaming": Streaming, "Compaction": Compaction} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			round(t, Simulate(t))
		})
	}
}
