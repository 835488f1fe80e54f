package findings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

// TestKeysAreCountedByNameOnceTheyAreGone: a key that the Table has let go is still
// counted, as long as there is room for its name.
func TestKeysAreCountedByNameOnceTheyAreGone(t *testing.T) {
	table := object.NewTable(nil)
	c := keyCounts{t: table, max: 6}
	change := func(name string, times int) {
		k := table.Key(name)
		c.list(k)
		for range times {
			c.change(k)
		}
	}
	sweep := func() { table.SweepKeys(table.Live(), c.retire) }
	want := func(keys, dropped int, hottest string) {
		t.Helper()
		var hot []string
		for _, h := range c.hottest(100) {
			hot = append(hot, fmt.Sprintf("%s %d %.2f", h.Key, h.Changes, h.Share))
		}
		if got := strings.Join(hot, ", "); c.count() != keys || c.dropped != dropped || got != hottest {
			t.Errorf("%d keys, %d dropped, the hottest %s; want %d, %d, %s", c.count(), c.dropped, got, keys, dropped, hottest)
		}
	}
	change("a", 3)
	change("b", 5)
	change("c", 0)
	want(3, 0, "b 5 0.05, a 3 0.03")
	sweep()
	want(3, 0, "b 5 0.05, a 3 0.03")
	change("d", 4)
	change("a", 3) // a has another number now, and so has d
	want(4, 0, "a 6 0.06, b 5 0.05, d 4 0.04")
	for i := range 4 {
		change(fmt.Sprint("e", i), 1)
	}
	want(8, 0, "a 6 0.06, b 5 0.05, d 4 0.04, e0 1 0.01, e1 1 0.01, e2 1 0.01, e3 1 0.01")
	sweep() // the seventh name is too many: c and two others with few changes are dropped
	if c.count() != 8 || c.dropped != 3 {
		t.Errorf("%d keys, %d dropped", c.count(), c.dropped)
	}
	if hot := c.hottest(100); hot[0].Key != "a" || hot[0].Changes != 6 || hot[1].Key != "b" || hot[2].Key != "d" {
		t.Errorf("the hottest are %v", hot)
	}
}
