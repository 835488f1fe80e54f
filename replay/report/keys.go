package report

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/engine/object"
)

// The limits of a resource's keys: how many its Table holds before it lets go of
// those that the engine doesn't refer to, and how many of the latter are counted
// by name.
const (
	maxKeys    = 1 << 17
	maxRetired = 1 << 16
)

// keyCounts counts changes by key. A long capture has more keys than memory. When
// the Table lets go of a key that nobody refers to, the key is counted by its name
// from then on. When there are too many names, those with the fewest changes are
// dropped; if such a key comes back, it counts as a new one.
type keyCounts struct {
	t       *object.Table
	most    int              // names that retired may hold
	changed []int64          // by key
	listed  []bool           // by key
	retired map[string]int64 // changes by name
	dropped int
}

func (c *keyCounts) change(k object.Key) {
	c.changed = grown(c.changed, k)
	c.changed[k]++
}

func (c *keyCounts) list(k object.Key) {
	c.listed = grown(c.listed, k)
	c.listed[k] = true
}

// grown makes room for k in a slice that is indexed by keys.
func grown[T any, I ~int | ~int32](s []T, k I) []T {
	if int(k) < len(s) {
		return s
	}
	return append(s, make([]T, int(k)+1-len(s))...)
}

// has reports whether k was counted.
func (c *keyCounts) has(k object.Key) bool {
	return int(k) < len(c.changed) && c.changed[k] > 0 || int(k) < len(c.listed) && c.listed[k]
}

// gone moves the count of k to its name, because the number k will be given to
// another key.
func (c *keyCounts) gone(k object.Key) {
	if !c.has(k) {
		return
	}
	if c.retired == nil {
		c.retired = map[string]int64{}
	}
	name := c.t.KeyText(k)
	n := c.retired[name]
	if int(k) < len(c.changed) {
		n, c.changed[k] = n+c.changed[k], 0
	}
	if int(k) < len(c.listed) {
		c.listed[k] = false
	}
	c.retired[name] = n
	if len(c.retired) > c.most {
		c.drop()
	}
}

// drop forgets about half of the names.
func (c *keyCounts) drop() {
	counts := make([]int64, 0, len(c.retired))
	for _, n := range c.retired {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	least, left := counts[len(counts)/2], len(c.retired)/2
	for name, n := range c.retired {
		if left > 0 && n <= least {
			delete(c.retired, name)
			c.dropped++
			left--
		}
	}
}

// count returns how many different keys there were, or an upper bound if some were
// dropped.
func (c *keyCounts) count() int {
	n := c.dropped
	for k := range max(len(c.changed), len(c.listed)) {
		if c.has(object.Key(k)) {
			n++
		}
	}
	for name := range c.retired {
		if k, ok := c.t.LookupKey(name); !ok || !c.has(k) {
			n++
		}
	}
	return n
}

// hottestKeys is how many keys a report names.
const hottestKeys = 10

// hottest returns the keys with the most changes. changes is how many there were
// in all.
func (c *keyCounts) hottest(changes int64) []HotKey {
	var out []HotKey
	add := func(name string, n int64) {
		h := HotKey{Key: name, Changes: n, Share: float64(n) / float64(changes)}
		at, _ := slices.BinarySearchFunc(out, h, func(a, b HotKey) int {
			return cmp.Or(cmp.Compare(b.Changes, a.Changes), cmp.Compare(a.Key, b.Key))
		})
		if n == 0 || at == hottestKeys {
			return
		}
		if len(out) == hottestKeys {
			out = out[:hottestKeys-1]
		}
		out = slices.Insert(out, at, h)
	}
	for k, n := range c.changed {
		if n > 0 {
			name := c.t.KeyText(object.Key(k))
			add(name, n+c.retired[name])
		}
	}
	for name, n := range c.retired {
		if k, ok := c.t.LookupKey(name); !ok || int(k) >= len(c.changed) || c.changed[k] == 0 {
			add(name, n)
		}
	}
	return out
}
