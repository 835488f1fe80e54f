package controller

import "strings"

// namedAlike reports whether two keys differ in a random part that a client has made up. Two parts that tell something, such as numbers or
// the names of zones, don't look so: they are alike, or have other letters. One of the two may do so by chance.
func namedAlike(a, b string) bool {
	from, until := 0, 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if strings.IndexByte("-./", a[i]) >= 0 {
			from = i + 1
		}
	}
	a, b = a[from:], b[from:]
	for i := 1; i <= min(len(a), len(b)) && a[len(a)-i] == b[len(b)-i]; i++ {
		if strings.IndexByte("-.", a[len(a)-i]) >= 0 {
			until = i
		}
	}
	a, b = a[:len(a)-until], b[:len(b)-until]
	if len(a) != len(b) {
		return false
	}
	first, different := 0, 0
	for i := range a {
		if a[i] != b[i] {
			if different++; different == 1 {
				first = i
			}
		}
	}
	numbers := len(a) < timeDigits && strings.Trim(a[first:]+b[first:], digits) == ""
	return different >= 3 && !numbers && (isRandom(a) || isRandom(b))
}

const (
	digits    = "0123456789"
	hexDigits = digits + "abcdef"
	// timeDigits is how many digits the time has in microseconds since 1970. Numbers have fewer.
	timeDigits = 16
)

// isRandom reports whether a part of a name looks random: five letters and digits or more, as rand.String of k8s.io/apimachinery makes them,
// the digits of a hash, a UUID, or a time. Few words have a digit and only letters that these have, and few have digits in their midst.
func isRandom(s string) bool {
	if len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' {
		s = strings.ReplaceAll(s, "-", "")
	}
	numbers, turns := 0, 0
	for i := range len(s) {
		number := strings.IndexByte(digits, s[i]) >= 0
		if number {
			numbers++
		} else if s[i] < 'a' || s[i] > 'z' {
			return false
		}
		if i > 0 && number != (strings.IndexByte(digits, s[i-1]) >= 0) {
			turns++
		}
	}
	switch {
	case numbers == len(s):
		return numbers >= timeDigits
	case numbers == 0 || len(s) < suffix:
		return false
	case strings.Trim(s, suffixLetters) == "" || strings.Trim(s, hexDigits) == "":
		return true
	}
	return turns > 2 || s[0] <= '9'
}
