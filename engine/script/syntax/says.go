package syntax

import (
	"slices"
	"strings"
)

// Description is what one line does, or several lines with one form after one another.
type Description struct {
	Form    string   // the words that begin the form, with points between them, as "restart.server"; ".none" follows where the line ends what another one began, and ".forever" where nothing ends it
	Objects []string // what each line does that to, without those that repeat the one before
}

// apart are the forms whose lines are never told together.
var apart = []string{"informer", "controller", "advance", "work.wait"}

// isZero reports whether a word of a line is a value that stands for nothing.
func isZero(word string) bool {
	return slices.Contains([]string{"0", "0s", "none"}, word[strings.IndexByte(word, '=')+1:])
}

// ends reports whether a zero value ends what a line of the form began, as a sample of it shows.
func (f *Form) ends() bool {
	return slices.ContainsFunc(f.samples, func(s string) bool {
		words := strings.Fields(s)
		return len(words) > f.words && isZero(words[f.words])
	})
}

// lasts reports whether what a line of the form begins may last forever.
func (f *Form) lasts() bool {
	return f.words < len(f.parts) && f.parts[f.words].kind == valuePart && f.parts[f.words].slot.name == "TIME|forever"
}

// Describe returns what the lines of a script do, for a catalogue that has the words: the names of objects, handlers and times, without the
// options. Lines that only ask are left out, and so are those that no form takes.
func Describe(lines []string) (all []Description) {
	for i, text := range lines {
		p, f, err := Begin(text, i+1)
		if err != nil || p == nil {
			continue
		}
		rest := p.Words[f.words:]
		var names []string
		for _, w := range f.parts[:f.words] {
			names = append(names, w.name)
		}
		what := ""
		switch f.Verb {
		case Log, Show, Expect, Can:
			continue
		case WriteObject, Exists: // the kind is the informer's
			rest = rest[min(1, len(rest)):]
		case Run:
			if len(rest) > 0 && rest[0].Text == "random" {
				names = append(names, "random")
			}
			if len(rest) > 1 && rest[0].Text == "until" {
				names, rest = append(names, "until"), rest[1:]
				if slices.Contains(untils, rest[0].Text) {
					names, rest = append(names, rest[0].Text), rest[1:]
				} else {
					var until string
					if until, what = untilCondition(p.text[rest[0].Col-1:]); until != "" {
						names = append(names, until)
					}
					rest = nil
				}
			}
		}
		if len(rest) > 0 && isZero(rest[0].Text) && f.ends() {
			names = append(names, "none")
		}
		if len(rest) > 0 && rest[0].Text == "forever" && f.lasts() {
			names = append(names, "forever")
		}
		if what == "" && len(rest) > 0 && !strings.Contains(rest[0].Text, "=") {
			what = Unquote(rest[0].Text)
		}
		form := strings.Join(names, ".")
		if n := len(all); n == 0 || all[n-1].Form != form || slices.Contains(apart, form) {
			all = append(all, Description{Form: form})
		}
		s := &all[len(all)-1]
		if k := len(s.Objects); what != "" && (k == 0 || s.Objects[k-1] != what) {
			s.Objects = append(s.Objects, what)
		}
	}
	return all
}

// untils are the moments of run until that have words of their own.
var untils = []string{
	"synced", "pop", "call", "ListRequested", "ListReceived", "ListStreamed", "ListFailed", "ReplaceEnded", "WatchRequested", "WatchOpened", "WatchFailed", "ReconcileStarted", "ReconcileFailed",
	"WorkGot", "ObjectWritten", "StoreAdded", "StoreUpdated", "StoreDeleted", "Enqueued", "Popped", "WorkAdded", "WorkReady", "WorkQueued", "WorkRateLimited", "WorkDeferred", "WorkRaised", "WatchErrorReceived",
	"WatchClosed", "InformerStarted", "RequestFailed", "RequestRetried", "RequestGaveUp", "ListenerStopped", "HandlerHasSynced", "HandlerReturned", "ListPageReceived", "ResyncFired", "VeryShortWatch", "CacheStale", "WatchListFellBack",
	"ChildrenRead", "LeadershipGained", "LeadershipLost", "WorkDelayed", "exists", "version", "written", "requeues", "count",
}

// untilCondition returns which of untils an expression is, and what it is about: the key, the handler or the number. It returns "" and the
// expression where it is none.
func untilCondition(expr string) (until, what string) {
	fn, rest, _ := strings.Cut(expr, "(")
	args, then, _ := strings.Cut(rest, ")")
	first, _, _ := strings.Cut(args, ",")
	first = Unquote(first)
	number, equals := strings.CutPrefix(then, " == ")
	digits := equals && strings.Trim(number, "0123456789") == ""
	switch {
	case fn == "fact" && then == "" && slices.Contains(untils, first):
		return first, ""
	case fn == "call" && then == "":
		return "call", first
	case (fn == "exists" || fn == "version" || fn == "requeues") && digits:
		return fn, number
	case fn == "version" && number == `written("`+first+`")`:
		return "written", first
	case fn == "count" && args == `fact("ReconcileFailed"` && strings.HasPrefix(then, ") == "):
		return "count", then[len(") == "):]
	}
	return "", expr
}

// SaidForms returns each form that Describe can return.
func SaidForms() (all []string) {
	for i := range forms {
		f := &forms[i]
		if f.Verb == Log || f.Verb == Show || f.Verb == Expect || f.Verb == Can {
			continue
		}
		var names []string
		for _, w := range f.parts[:f.words] {
			names = append(names, w.name)
		}
		form := strings.Join(names, ".")
		all = append(all, form)
		if f.Verb == Run {
			all = append(all, form+".random", form+".until")
			for _, u := range untils {
				all = append(all, form+".until."+u)
			}
		}
		if f.ends() {
			all = append(all, form+".none")
		}
		if f.lasts() {
			all = append(all, form+".forever")
		}
	}
	return all
}
