package trace

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

// TestNames compares the table with maps, over so many deletions that it forgets twice. Hashes that share their lowest
// bits lie beside one another.
func TestNames(t *testing.T) {
	const seed = 604
	random := rand.New(rand.NewPCG(seed, 0))
	var got names
	there, deleted := map[uint64]name{}, map[uint64]name{}
	for i := range uint64(3 * maxGone) {
		if random.IntN(4) == 0 {
			i = random.Uint64N(i + 1)
		}
		h := i<<60 | (&Metadata{Name: strconv.FormatUint(i>>2, 10)}).hash()>>4 // four at one place
		want := there[h]
		if x, is := deleted[h]; is {
			want = x
		}
		at := got.slot(h)
		if want.state != unknown && *at != want || want.state == unknown && at.state != unknown {
			t.Fatalf("seed %d: %#x is %+v, and should be %+v", seed, h, *at, want)
		}
		n := name{hash: h, uid: object.Sym(random.Int32()), state: alive}
		if random.IntN(5) > 0 {
			n.state, n.rv = deletedState, object.RV(random.Uint64())
		}
		got.set(at, n)
		if at := got.slot(h); *at != n {
			t.Fatalf("seed %d: %#x is %+v, and was made %+v", seed, h, *at, n)
		}
		delete(there, h)
		if n.state == alive {
			delete(deleted, h)
			there[h] = n
			continue
		}
		if len(deleted) >= maxGone {
			clear(deleted)
		}
		deleted[h] = n
	}
	if got.deleted != len(deleted) || got.used != len(deleted)+len(there) || len(got.slots) > 8*maxGone {
		t.Errorf("seed %d: of %d names in %d slots, %d are gone, and there should be %d and %d", seed, got.used, len(got.slots), got.deleted, len(there), len(deleted))
	}
}

// Names whose hashes are the same in their lower bits don't lie beside one another.
func TestNobodyChoosesTheSlots(t *testing.T) {
	var all names
	for i := range uint64(20_000) {
		all.set(all.slot(i<<47), name{hash: i << 47, state: alive})
	}
	row, longest := 0, 0
	for _, n := range all.slots {
		if row++; n.state == unknown {
			row = 0
		}
		longest = max(longest, row)
	}
	if longest > 2000 {
		t.Errorf("%d names lie beside one another", longest)
	}
}
