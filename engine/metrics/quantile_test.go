package metrics

import "testing"

// TestQuantile has what BucketQuantile of Prometheus v3.5 gives for the same buckets, in seconds.
func TestQuantile(t *testing.T) {
	below := []int64{0, 0, 0, 0, 0, 2, 6, 8, 8, 8}
	for _, c := range []struct {
		q     float64
		count int64
		below []int64
		want  int64 // ns
	}{
		{0.5, 8, below, 5_500_000},
		{0.99, 8, below, 96_400_000},
		{1, 8, below, 100_000_000},
		{0.99, 9, below, 10_000_000_000}, // in the bucket without an upper bound
		{0.1, 3, []int64{3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, 1},
		{0.5, 0, make([]int64, 10), 0},
	} {
		o := Observed{Count: c.count, Below: c.below}
		if got := o.Quantile(&QueueDuration, c.q); got != c.want {
			t.Errorf("the quantile %v of %d observations is %d ns, and not %d", c.q, c.count, got, c.want)
		}
	}
}
