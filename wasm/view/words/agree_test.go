package words_test

import (
	"github.com/informerscope/informerscope/wasm/view/words"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// counts are the arguments that count what the words beside them name, and
// others are the rest. A new argument has to be in one of the two.
var (
	counts      = []string{"deletes", "failures", "busy", "woken", "writes", "duplicates", "stale", "reconciles", "fed", "refused", "accepted", "workers", "stuck", "failing", "handlers", "resources", "n", "count", "total", "lost", "max", "steps", "done", "watches", "lists", "objects", "copies", "calls", "waiting", "changes", "relists", "items", "times", "events", "updates", "added", "updated", "removed"}
	otherCounts = []string{"least", "early", "lasts", "passed", "waited", "controller", "message", "feeder", "rate", "next", "recorder", "server", "from", "to", "first", "second", "fn", "ran", "silent", "open", "others", "compared", "late", "mean", "blind", "span", "shortest", "longest", "created", "changed", "deleted", "other", "fields", "resource", "cached", "held", "queue", "wire",
		"rv", "reason", "delta", "key", "took", "actor", "old", "at", "index", "value", "listener", "lock", "worker", "until", "keys", "name", "on", "time", "left", "of",
		"listeners", "holder", "shard", "step", "line", "byte", "detail", "size", "bytes", "title", "share", "window", "state", "format", "what", "station", "informer", "handler", "manager", "why", "mask", "mark", "text", "most", "all", "right", "answer", "profile", "versions", "wanted",
	}
	// empty are the arguments of sentences that may have no value. Where the words beside
	// them don't depend on that, the entry "empty." and the argument's name stands for it.
	empty = []string{"rv", "old"}
)

var placeholder = regexp.MustCompile(`\{([a-zA-Z]+)(?:\|([^{}]*))?\}`)

// arguments returns the names of a text's arguments.
func arguments(s string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// oneLanguage reports whether an entry concerns one language only.
func oneLanguage(id string) bool { return strings.HasPrefix(id, "plural.") }

// differences are the ids that only one of two catalogues has, and the texts whose
// arguments aren't the same.
func differences(a, b map[string]string) (faults []string) {
	for _, id := range slices.Sorted(maps.Keys(a)) {
		if s, ok := b[id]; !oneLanguage(id) && !ok {
			faults = append(faults, "the second has no "+id)
		} else if x, y := arguments(a[id]), arguments(s); !oneLanguage(id) && !slices.Equal(x, y) {
			faults = append(faults, id+" has "+strings.Join(x, " ")+" in the first, and "+strings.Join(y, " ")+" in the second")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[id]; !ok && !oneLanguage(id) {
			faults = append(faults, "the first has no "+id)
		}
	}
	return faults
}

// disagreements are the texts of a catalogue that have a plural form which its
// language doesn't know, lack one that it knows, or name what is counted
// without any form.
func disagreements(texts map[string]string) (faults []string) {
	known := []string{"other"}
	for _, c := range words.Categories {
		if texts["plural."+c] != "" {
			known = append(known, c)
		}
	}
	slices.Sort(known)
	same := strings.Fields(texts["plural.same"])
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		s := texts[id]
		if oneLanguage(id) || strings.HasPrefix(id, "error.") { // an error counts nothing, and fault_test.go knows its arguments
			continue
		}
		agrees := map[string]bool{}
		for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
			name, forms := m[1], strings.Split(m[2], "|")
			switch {
			case !slices.Contains(counts, name) && !slices.Contains(otherCounts, name):
				faults = append(faults, id+" has the unknown argument "+name)
			case m[2] == "":
			case !slices.Contains(counts, name):
				if got := labels(forms); !slices.Equal(got, []string{"other", words.Unset}) {
					faults = append(faults, id+" has the forms "+strings.Join(got, " ")+" of "+name)
				}
			default:
				agrees[name] = true
				if got := labels(forms); !slices.Equal(got, known) {
					faults = append(faults, id+" has the forms "+strings.Join(got, " ")+" of "+name+", and the language has "+strings.Join(known, " "))
				}
			}
		}
		for _, name := range arguments(s) {
			// A word after a number mostly agrees with it.
			word := regexp.MustCompile(`\{` + name + `\}[\s\x{202f}]+[\p{L}]`).MatchString(s)
			if slices.Contains(counts, name) && len(known) > 1 && word && !agrees[name] && !slices.Contains(same, id) {
				faults = append(faults, id+" counts "+name+" in one form")
			}
		}
	}
	for _, name := range empty {
		if texts["empty."+name] == "" {
			faults = append(faults, "there are no words for an empty "+name)
		}
	}
	for _, id := range same {
		if texts[id] == "" {
			faults = append(faults, "plural.same has "+id+", which there is not")
		}
	}
	return faults
}

// labels are the sorted names of an argument's forms.
func labels(forms []string) (names []string) {
	for _, f := range forms {
		name, _, _ := strings.Cut(f, ":")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestDisagreementsAreFound(t *testing.T) {
	polish := map[string]string{
		"plural.one": "i = 1 and v = 0", "plural.few": "v = 0 and i % 10 = 2..4 and i % 100 != 12..14", "plural.many": "v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14",
		"plural.same": "more", "more": "jeszcze {n} do pokazania",
		"good": "{n} {n|one:obiekt|few:obiekty|many:obiektów|other:obiektu}", "after": "obiekty: {n}.", "rv": "lista {rv|unset:bez wersji|other:od }{rv}",
		"empty.rv": "brak wersji", "empty.old": "brak wersji",
	}
	if faults := disagreements(polish); len(faults) != 0 {
		t.Errorf("the disagreements found are %q", faults)
	}
	for text, want := range map[string]string{
		"{n} obiektów":                       "bad counts n in one form",
		"{n} {n|one:obiekt|other:obiektów}":  "bad has the forms one other of n, and the language has few many one other",
		"lista {rv|one:a|other:b}{rv}":       "bad has the forms one other of rv",
		"{stranger}":                         "bad has the unknown argument stranger",
		"{n|one:a|few:b|many:c|other:d} {n}": "",
	} {
		words := maps.Clone(polish)
		words["bad"] = text
		got := disagreements(words)
		if want == "" && len(got) != 0 || want != "" && !slices.Equal(got, []string{want}) {
			t.Errorf("of %q it found %q, not %q", text, got, want)
		}
	}
	if got := disagreements(map[string]string{"plural.same": "gone", "empty.rv": "none"}); len(got) != 2 {
		t.Errorf("of a missing id and a missing text it found %q", got)
	}
	a, b := map[string]string{"a": "{n} of {key}", "b": "", "plural.one": "n = 1"}, map[string]string{"a": "{n|other:x}", "c": ""}
	if got := differences(a, b); len(got) != 3 {
		t.Errorf("the differences are %q", got)
	}
}
