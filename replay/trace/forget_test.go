package trace

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

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
