package words

import (
	"strconv"
	"strings"
)

// categories are those into which CLDR sorts numbers, in the order in which a language's
// rules are tried. A number that no rule takes is "other". A catalogue has the rule of
// a category under "plural." and its name, as CLDR writes it, such as
// "n % 10 = 2..4 and n % 100 != 12..14".
var categories = []string{"zero", "one", "two", "few", "many"}

// unset is the form of an argument that has no value.
const unset = "unset"

// form chooses one of an argument's forms, which are written as
// "one:item|other:items". Value is the argument, as a number may be shown.
func (w *Words) form(forms, value string) string {
	want := unset
	if value != "" {
		want = w.category(value)
	}
	other := ""
	for f := range strings.SplitSeq(forms, "|") {
		switch name, text, _ := strings.Cut(f, ":"); name {
		case want:
			return text
		case "other":
			other = text
		}
	}
	return other
}

// category returns the category of a number in the page's language. What isn't a whole
// number is "other".
func (w *Words) category(number string) string {
	n, err := strconv.ParseUint(strings.ReplaceAll(number, thin, ""), 10, 64)
	if err != nil {
		return "other"
	}
	for _, c := range categories {
		if rule := w.Texts["plural."+c]; rule != "" && ruleTakes(rule, n) {
			return c
		}
	}
	return "other"
}

// ruleTakes reports whether a rule of CLDR takes a whole number
// (https://unicode.org/reports/tr35/tr35-numbers.html#Plural_rules_syntax).
func ruleTakes(rule string, n uint64) bool {
	for either := range strings.SplitSeq(rule, " or ") {
		all := true
		for relation := range strings.SplitSeq(either, " and ") {
			all = all && related(relation, n)
		}
		if all {
			return true
		}
	}
	return false
}

// related reports whether one relation of a rule holds, such as "n % 10 = 2..4,7".
func related(relation string, n uint64) bool {
	left, ranges, _ := strings.Cut(relation, "=")
	left, not := strings.CutSuffix(left, "!")
	operand, mod, has := strings.Cut(left, "%")
	if o := strings.TrimSpace(operand); o != "n" && o != "i" {
		n = 0 // the others count a fraction's digits, or an exponent
	}
	if m := whole(mod); has && m > 0 {
		n %= m
	}
	for r := range strings.SplitSeq(ranges, ",") {
		from, to, is := strings.Cut(r, "..")
		if !is {
			to = from
		}
		if whole(from) <= n && n <= whole(to) {
			return !not
		}
	}
	return not
}

func whole(s string) uint64 {
	n, _ := strconv.ParseUint(strings.TrimSpace(s), 10, 64)
	return n
}
