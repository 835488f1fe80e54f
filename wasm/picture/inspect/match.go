package inspect

import "slices"

// match is n items that two sequences have in common, from item a of the first one
// and item b of the second one on.
type match struct{ a, b, n int }

// maxEdits is how many items may differ. Sequences that differ in more are treated as
// if they had only their beginning and end in common. So matches needs a few
// megabytes at most.
const maxEdits = 1000

// matches returns the longest common subsequence, in order. It is Myers' greedy
// algorithm: for each number of edits d, it keeps how far along a each diagonal
// comes. (The libraries that we know would bring fmt, log or regexp
// into the page's program.)
func matches[T comparable](a, b []T) []match {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	out := []match{{0, 0, start}}
	for _, m := range middle(a[start:len(a)-end], b[start:len(b)-end]) {
		out = append(out, match{m.a + start, m.b + start, m.n})
	}
	return append(out, match{len(a) - end, len(b) - end, end})
}

// middle returns matches for sequences whose first items differ, and whose last items do.
func middle[T comparable](a, b []T) []match {
	limit := min(len(a)+len(b), maxEdits)
	v := make([]int, 2*limit+2) // v[limit+k] is how far diagonal k has come
	var trace [][]int           // v before each d
	for d := 0; d <= limit; d++ {
		trace = append(trace, slices.Clone(v[limit-d:limit+d+2]))
		for k := -d; k <= d; k += 2 {
			x := v[limit+k+1]
			if k > -d && (k == d || v[limit+k-1] >= v[limit+k+1]) {
				x = v[limit+k-1] + 1
			}
			for x < len(a) && x-k < len(b) && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			v[limit+k] = x
			if x >= len(a) && x-k >= len(b) {
				return backtrack(trace, len(a), len(b))
			}
		}
	}
	return nil
}

// backtrack follows the edits from the end to the beginning, and collects the matches
// between them.
func backtrack(trace [][]int, x, y int) []match {
	var out []match
	for d := len(trace) - 1; d >= 0; d-- {
		at := func(k int) int { return trace[d][k+d] }
		k := x - y
		down := k == -d || k != d && at(k-1) < at(k+1)
		px, py := 0, 0
		if d > 0 {
			if down {
				px, py = at(k+1), at(k+1)-(k+1)
			} else {
				px, py = at(k-1), at(k-1)-(k-1)
			}
		}
		sx, sy := px, py // where the common lines after the edit begin
		if d > 0 && down {
			sy++
		} else if d > 0 {
			sx++
		}
		if x > sx {
			out = append(out, match{sx, sy, x - sx})
		}
		x, y = px, py
	}
	slices.Reverse(out)
	return out
}
