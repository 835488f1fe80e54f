package trace

import "strings"

// Plural guesses a resource's name from its kind, as discovery would tell it
// (meta.UnsafeGuessKindToResource); "objects" where there is none.
func Plural(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case s == "":
		return "objects"
	case s == "endpoints":
		return s
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	case strings.HasSuffix(s, "y") && !strings.HasSuffix(s, "ay") && !strings.HasSuffix(s, "ey") && !strings.HasSuffix(s, "oy"):
		return s[:len(s)-1] + "ies"
	}
	return s + "s"
}
