package syntax

import (
	"strconv"
	"strings"
)

// Number reads w as one of 0 to limit.
func Number(w Word, limit int64) (int64, bool) {
	n, err := strconv.ParseInt(w.Text, 10, 64)
	return n, err == nil && n >= 0 && n <= limit
}

// MaxTime is the longest time that a line may have.
const MaxTime = 240 * hour

// Units of time in nanoseconds.
const (
	Millisecond = int64(1_000_000)
	Second      = 1000 * Millisecond
	hour        = 3600 * Second
)

var units = []struct {
	name string
	ns   int64
}{{"h", hour}, {"m", 60 * Second}, {"s", Second}, {"ms", Millisecond}, {"µs", 1000}, {"us", 1000}, {"ns", 1}}

// Duration reads "1m30s", "20ms" or "1.5s".
func Duration(text string) (ns int64, ok bool) {
	if text == "0" {
		return 0, true
	}
	for text != "" {
		i := 0
		for i < len(text) && (text[i] == '.' || text[i] >= '0' && text[i] <= '9') {
			i++
		}
		n, err := strconv.ParseFloat(text[:i], 64)
		if err != nil {
			return 0, false
		}
		j := i
		for j < len(text) && text[j] != '.' && (text[j] < '0' || text[j] > '9') {
			j++
		}
		unit := int64(0)
		for _, u := range units {
			if u.name == text[i:j] {
				unit = u.ns
			}
		}
		if unit == 0 || n*float64(unit) > float64(MaxTime) {
			return 0, false
		}
		ns += int64(n*float64(unit) + 0.5)
		ok, text = ns <= MaxTime, text[j:]
	}
	return ns, ok
}

// TimeText writes a time in the largest unit that is not longer than it: "1.005s".
func TimeText(ns int64) string {
	for _, u := range units[2:] {
		if ns >= u.ns && u.name != "us" {
			whole, part := strconv.FormatInt(ns/u.ns, 10), ns%u.ns
			if part == 0 {
				return whole + u.name
			}
			digits := strconv.FormatInt(u.ns+part, 10)[1:]
			return whole + "." + strings.TrimRight(digits, "0") + u.name
		}
	}
	return "0s"
}
