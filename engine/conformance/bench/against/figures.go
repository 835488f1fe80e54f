package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// figure is what a benchmark says of one thing: the best of what it has said.
type figure struct {
	value float64
	unit  string
}

// figures are by what they are figures of.
type figures map[string]figure

// goLine is a line that package testing prints, and said is one that a benchmark prints by
// itself: "from file to steppable:   101 MB/s, the median of 99 to 103".
var (
	goLine     = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)
	figureLine = regexp.MustCompile(`^\s*(\S.*?):\s+([\d.]+) (\S.*?)(?: = .*|, .*| \(.*| at the .*)?$`)
)

// read reads the figures of a benchmark's output.
func read(text string) figures {
	all := figures{}
	for _, line := range strings.Split(text, "\n") {
		if m := goLine.FindStringSubmatch(line); m != nil {
			all.readGo(m[1], strings.Fields(m[2]))
		} else if m := figureLine.FindStringSubmatch(line); m != nil {
			all.keep(m[1], m[2], m[3])
		}
	}
	return all
}

// readGo reads pairs of a value and its unit. A benchmark that reports a rate has
// prepared something within its time, so its ns/op is passed over.
func (all figures) readGo(name string, pairs []string) {
	rate := slices.ContainsFunc(pairs, perSecond)
	for i := 0; i+1 < len(pairs); i += 2 {
		switch unit := pairs[i+1]; {
		case unit == "ns/op" && !rate, unit == "B/op", unit == "allocs/op", perSecond(unit):
			all.keep(name, pairs[i], unit)
		}
	}
}

func perSecond(unit string) bool { return strings.HasSuffix(unit, "/s") }

// keep keeps a value if it is the best one so far.
func (all figures) keep(name, value, unit string) {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return
	}
	key := name + ", " + unit
	if had, ok := all[key]; !ok || perSecond(unit) == (v > had.value) {
		all[key] = figure{v, unit}
	}
}

// better returns how many times as good now is as old. Of what is counted in a second, more is
// better, and less of everything else.
func better(now, old figure) float64 {
	switch {
	case now.value == old.value: // both may be 0
		return 1
	case perSecond(now.unit):
		return now.value / old.value
	}
	return old.value / now.value
}

// results are the turns of all figures, in the order in which they came.
type results struct {
	order    []string
	byFigure map[string]*result
}

type result struct {
	ratios   []float64 // a turn each
	now, old []float64
	unit     string
}

func newResults() *results { return &results{byFigure: map[string]*result{}} }

// add adds a turn of a measure. Figures that only one of the two trees has are left out.
func (r *results) add(measure string, now, old figures) {
	names := make([]string, 0, len(now))
	for name := range now {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		was, ok := old[name]
		if !ok {
			continue
		}
		key := measure + ": " + name
		if r.byFigure[key] == nil {
			r.byFigure[key] = &result{unit: was.unit}
			r.order = append(r.order, key)
		}
		x := r.byFigure[key]
		x.ratios = append(x.ratios, better(now[name], was))
		x.now, x.old = append(x.now, now[name].value), append(x.old, was.value)
	}
}

// median returns the median of values, 0 if there are none.
func median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	switch n := len(v); {
	case n == 0:
		return 0
	case n%2 == 1:
		return v[n/2]
	default:
		return (v[n/2-1] + v[n/2]) / 2
	}
}

// spread returns by how much the turns differ: half of the distance between the lowest and the
// highest one. Of five turns or more, the lowest and the highest don't count, since
// another program may have run in one of them.
func spread(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	if len(v) >= 5 {
		v = v[1 : len(v)-1]
	}
	if len(v) == 0 {
		return 0
	}
	return (v[len(v)-1] - v[0]) / 2
}

// worse reports whether the figure became worse by more than the spread.
func (x *result) worse() bool { return median(x.ratios)+spread(x.ratios) < 1 }

// table says how good this tree is, and what became worse. A figure that a turn did not
// have is left out.
func (r *results) table(turns int) string {
	var b strings.Builder
	var worse []string
	for _, key := range r.order {
		x := r.byFigure[key]
		if len(x.ratios) < turns {
			continue
		}
		line := fmt.Sprintf("%5.2f ± %.2f  %s (%.4g, was %.4g)", median(x.ratios), spread(x.ratios), key, median(x.now), median(x.old))
		fmt.Fprintln(&b, line)
		if x.worse() {
			worse = append(worse, line)
		}
	}
	if len(worse) == 0 {
		fmt.Fprintln(&b, "nothing became worse by more than the spread")
		return b.String()
	}
	fmt.Fprintln(&b, "worse by more than the spread:")
	for _, line := range worse {
		fmt.Fprintln(&b, line)
	}
	return b.String()
}
