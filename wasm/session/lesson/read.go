package lesson

import (
	"sort"
	"strconv"
	"strings"
)

// Read is how far each lesson was read, by its name. It is kept for the next visit.
type Read map[string]Mark

// Mark is the furthest stop that was read of a lesson, and how many it has.
type Mark struct{ Far, All int }

// ParseRead reads what String has written. It passes over any other line.
func ParseRead(s string) Read {
	r := Read{}
	for item := range strings.SplitSeq(s, " ") {
		name, mark, _ := strings.Cut(item, "=")
		far, all, _ := strings.Cut(mark, "/")
		var m Mark
		m.Far, _ = strconv.Atoi(far)
		if m.All, _ = strconv.Atoi(all); name != "" && m.All > 0 {
			r[name] = m
		}
	}
	return r
}

// Restore takes in how far lessons were read at the last visit.
func (m *Model) Restore(read string) { m.Read = ParseRead(read) }

// String writes r as a setting.
func (r Read) String() string {
	var all []string
	for name, m := range r {
		all = append(all, name+"="+strconv.Itoa(m.Far)+"/"+strconv.Itoa(m.All))
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] }) // slices.Sort of strings would add 4 kB to the page's program
	return strings.Join(all, " ")
}
