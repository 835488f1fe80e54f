package actor

import (
	"strconv"
	"strings"
)

// Units of time in nanoseconds.
const second = int64(1_000_000_000)

var units = []struct {
	name string
	ns   int64
}{{"h", 3600 * second}, {"m", 60 * second}, {"s", second}, {"ms", 1_000_000}, {"µs", 1000}, {"us", 1000}, {"ns", 1}}

// ParseDuration reads "1m30s", "20ms" or "1.5s" as nanoseconds. ok is false for any other text, and
// for more than half of the virtual time there is.
func ParseDuration(text string) (ns int64, ok bool) {
	if text == "0" {
		return 0, true
	}
	for text != "" {
		i := 0
		for i < len(text) && (text[i] == '.' || '0' <= text[i] && text[i] <= '9') {
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
		part := n * float64(unit)
		if unit == 0 || part > float64(Never/4) {
			return 0, false
		}
		if ns += int64(part + 0.5); ns > Never/2 {
			return 0, false
		}
		ok, text = true, text[j:]
	}
	return ns, ok
}

// DurationText writes nanoseconds in the largest unit that is not longer than they are: "1.005s".
func DurationText(ns int64) string {
	if ns < 0 {
		return "-" + DurationText(-ns)
	}
	for _, u := range units[2:] {
		if ns >= u.ns && u.name != "us" {
			s := strconv.FormatInt(ns/u.ns, 10)
			if part := ns % u.ns; part != 0 {
				s += "." + strings.TrimRight(strconv.FormatInt(u.ns+part, 10)[1:], "0")
			}
			return s + u.name
		}
	}
	return "0s"
}
