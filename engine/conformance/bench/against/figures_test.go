package main

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	got := read(`goos: linux
BenchmarkEngine/classic-2         	       3	 334484270 ns/op	    962374 events/s
BenchmarkEngine/classic-2         	       3	 234484270 ns/op	   1062374 events/s
BenchmarkClone 	     200	    90000 ns/op	  510000 B/op	      40 allocs/op
BenchmarkClone 	     200	    80000 ns/op	  510000 B/op	      41 allocs/op
BenchmarkSeek-2 	     100	   5000000 ns/op	        31.00 checkpoints
from navigation to first step, the first visit:       310 ms = 7.2 times an empty Go program (43 ms)
  from file to steppable:      101 MB/s, the median of 99 to 103 (wanted: 100)
  memory of the page:         0.30 of the JSON more, the median of 0.29 to 0.31 (wanted: 0.3)
  seek:                         34 ms at the median, 76 at worst (wanted: 50 and 150)
  long tasks while seeking: [60 51]
PASS
`)
	want := figures{
		"Engine/classic, events/s": {1062374, "events/s"},
		"Clone, ns/op":             {80000, "ns/op"},
		"Clone, B/op":              {510000, "B/op"},
		"Clone, allocs/op":         {40, "allocs/op"},
		"Seek, ns/op":              {5000000, "ns/op"},
		"from navigation to first step, the first visit, ms": {310, "ms"},
		"from file to steppable, MB/s":                       {101, "MB/s"},
		"memory of the page, of the JSON more":               {0.30, "of the JSON more"},
		"seek, ms":                                           {34, "ms"},
	}
	if !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestBetter(t *testing.T) {
	for _, c := range []struct {
		now, old figure
		want     float64
	}{
		{figure{200, "events/s"}, figure{100, "events/s"}, 2},
		{figure{200, "ns/op"}, figure{100, "ns/op"}, 0.5},
		{figure{0, "allocs/op"}, figure{0, "allocs/op"}, 1},
		{figure{1, "allocs/op"}, figure{0, "allocs/op"}, 0},
		{figure{0, "allocs/op"}, figure{1, "allocs/op"}, math.Inf(1)},
	} {
		if got := better(c.now, c.old); got != c.want {
			t.Errorf("%v after %v is %v times as good, want %v", c.now, c.old, got, c.want)
		}
	}
}

func TestMedianAndSpread(t *testing.T) {
	for _, c := range []struct {
		values         []float64
		median, spread float64
	}{
		{nil, 0, 0},
		{[]float64{3}, 3, 0},
		{[]float64{4, 1}, 2.5, 1.5},
		{[]float64{1, 100, 2, 4, 3}, 3, 1}, // 1 and 100 don't count for the spread
		{[]float64{1, 1, 1, 1, 9, 9}, 1, 4},
	} {
		before := slices.Clone(c.values)
		if m, s := median(c.values), spread(c.values); m != c.median || s != c.spread {
			t.Errorf("of %v, the median is %v and the spread %v, want %v and %v", c.values, m, s, c.median, c.spread)
		}
		if !slices.Equal(c.values, before) {
			t.Errorf("%v was sorted in place", before)
		}
	}
}

// TestTable checks that a loss is told if it is larger than the spread, and only then.
func TestTable(t *testing.T) {
	r := newResults()
	for turn, noise := range []float64{1, 0.98, 1.02, 0.7, 1.3} {
		now := figures{
			"steady, ns/op": {100, "ns/op"},
			"slower, ns/op": {120 * noise, "ns/op"},
			"noisy, ns/op":  {50 * float64(turn+1), "ns/op"},
			"new, ns/op":    {1, "ns/op"},
		}
		if turn == 0 {
			now["once, ns/op"] = figure{1, "ns/op"}
		}
		r.add("clone", now, figures{
			"steady, ns/op": {100, "ns/op"}, "slower, ns/op": {100, "ns/op"}, "noisy, ns/op": {125, "ns/op"}, "once, ns/op": {1, "ns/op"}, "gone, ns/op": {1, "ns/op"},
		})
	}
	table := r.table(5)
	kept, worse, _ := strings.Cut(table, "worse by more than the spread:\n")
	if n := strings.Count(kept, "\n"); n != 3 || strings.Contains(table, "new") || strings.Contains(table, "once") || strings.Contains(table, "gone") {
		t.Errorf("the table has %d lines:\n%s", n, table)
	}
	if strings.Count(worse, "\n") != 1 || !strings.Contains(worse, "0.83 ± 0.02  clone: slower, ns/op (120, was 100)") {
		t.Errorf("told as worse:\n%s", worse)
	}
	same := newResults()
	same.add("clone", figures{"a, ns/op": {1, "ns/op"}}, figures{"a, ns/op": {1, "ns/op"}})
	if got := same.table(1); !strings.HasSuffix(got, "nothing became worse by more than the spread\n") {
		t.Errorf("of two equal trees:\n%s", got)
	}
}

func TestChoose(t *testing.T) {
	for list, want := range map[string]string{
		"":             "engine seek clone explore start",
		"start,engine": "engine start",
		"clone seek":   "seek clone",
	} {
		chosen, err := choose(list)
		var names []string
		for _, m := range chosen {
			names = append(names, m.name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%q chooses %q, %v, want %q", list, got, err, want)
		}
	}
	if all, err := choose("all"); err != nil || len(all) != len(measures) {
		t.Errorf("all chooses %d of %d measures, %v", len(all), len(measures), err)
	}
	if _, err := choose("engine,speed"); err == nil || err.Error() != "no measure speed" {
		t.Errorf("a measure that there is not: %v", err)
	}
}
