package trace

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"unsafe"

	"github.com/informerscope/informerscope/engine/object"
)

// The records of a large input are copied seldom while they are read, and take no more room than
// they need.
func TestExpectedRecordsHaveRoom(t *testing.T) {
	const n, perPiece = 600_000, 1000
	const each = uint64(unsafe.Sizeof(Record{}) + unsafe.Sizeof(object.Meta{}))
	asked := 0
	fill := func(size int64) (r *Resource, allocated uint64) {
		tr := new(Trace)
		r = tr.NewResource(Resource{Resource: "pods"})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range n {
			r.Append(Record{Kind: WatchEvent, Type: TypeModified, Obj: r.Table.AddVersion(0, object.Meta{RV: object.NumberRV(uint64(i))})})
			if (i+1)%perPiece == 0 {
				tr.Expect(int64(i+1)*3_000, func() int64 {
					asked++
					return size
				})
			}
		}
		runtime.ReadMemStats(&after)
		return r, after.TotalAlloc - before.TotalAlloc
	}
	r, allocated := fill(n * 3_000)
	if got := cap(r.Records); got > n*5/4 {
		t.Errorf("%d records have room for %d", n, got)
	}
	if asked > n/perPiece/4 {
		t.Errorf("the size is asked for %d times in %d pieces", asked, n/perPiece)
	}
	if allocated > n*each*5/2 {
		t.Errorf("%d records, which take %d bytes, took %d while they were read", n, n*each, allocated)
	}
	if _, unknown := fill(0); unknown < 2*allocated {
		t.Errorf("without a word of what will come they took %d, and %d with it", unknown, allocated)
	}
	if r, _ = fill(1 << 62); cap(r.Records) > 4*n {
		t.Errorf("%d records have room for %d, since very many were announced", n, cap(r.Records))
	}
	for i := range n {
		if ref := r.Records[i].Obj; r.Table.RVOf(ref) != object.NumberRV(uint64(i)) {
			t.Fatalf("record %d has version %s", i, r.Table.RVText(r.Table.RVOf(ref)))
		}
	}
}

// TestForgetKeepsTheTextsOfTheRest appends records with and without texts, and
// forgets some of them now and then.
func TestForgetKeepsTheTextsOfTheRest(t *testing.T) {
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		tr := &Trace{}
		r := tr.NewResource(Resource{Resource: "pods"})
		var want []string
		for range 500 {
			text := ""
			if rnd.IntN(2) == 0 {
				text = "error " + strconv.Itoa(rnd.IntN(5))
			}
			r.Append(Record{Kind: ListError, Text: r.text(text)})
			want = append(want, text)
			if rnd.IntN(20) == 0 {
				r.Forget(rnd.IntN(40))
			}
			for i, rec := range r.Records {
				if got := r.Text(rec); got != want[r.Forgotten+i] {
					t.Fatalf("seed %d: record %d says %q, want %q", seed, r.Forgotten+i, got, want[r.Forgotten+i])
				}
			}
		}
		r.Forget(len(r.Records))
		if len(r.texts) > 2 {
			t.Errorf("seed %d: the texts of %d records are kept, and 1 is left", seed, len(r.texts)-1)
		}
	}
}
