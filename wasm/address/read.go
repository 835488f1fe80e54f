package address

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/wasm/link"
)

// Read reads a fragment, with its "#". Of one that says nothing of what is open, it returns
// the version of client-go alone. With an error, a has what the fragment names.
func Read(fragment string) (a Address, err error) {
	if len(fragment) > MaxText {
		return a, ErrLong
	}
	rest, is := strings.CutPrefix(fragment, "#")
	if !is {
		return a, nil
	}
	sources, target, beside := 0, &a, ""
	for rest != "" {
		var field string
		field, rest, _ = strings.Cut(rest, "&")
		name, value, _ := strings.Cut(field, "=")
		switch {
		case name == "beside" && target == &a:
			target, beside = new(Address), value
			continue
		case target == &a && isSource(name):
			sources++
		case target != &a && (name == "beside" || name == "loop" || name == "lesson" || name == "script" || name == "capture" || name == "library"):
			err = ErrBroken
			continue
		}
		if name == "lesson" { // what is wrong with a name is said as it stands there
			if a.Source.Lesson = value; !IsName(value) {
				err = ErrLesson
			}
			continue
		}
		text, ok := unescape(value)
		if !ok {
			err = ErrBroken
			continue
		}
		switch why := target.read(name, text); {
		case why == errUnknown:
			a.Strange = true
		case err == nil:
			err = why
		}
	}
	if sources == 0 { // it is about something else than the page, or about what the viewer opens next
		next := Address{Profile: a.Profile}
		next.Page.Lang = a.Page.Lang
		return next, nil
	}
	if sources > 1 && err == nil {
		err = ErrBroken
	}
	if target != &a {
		a.Second = target.second(beside)
		a.Strange = a.Strange || a.Second == nil // a newer version of the page may know it
	}
	return a, err
}

// IsCapture reports whether a text that a link has is a trace of our own format.
func IsCapture(text string) bool { return strings.HasPrefix(text, `{"informerscope":"trace",`) }

// errUnknown is the error of read for a field that it doesn't know.
var errUnknown = errors.New("unknown")

func (a *Address) read(name, text string) error {
	if text == "" && !isSource(name) {
		return nil
	}
	switch name {
	case "script": // any length
		if a.Source.Script = text; text == "" {
			return ErrBroken
		}
		return nil
	case "capture":
		if a.Source.Capture = text; !IsCapture(text) {
			return ErrBroken
		}
		return nil
	case "draft":
		a.Draft = text
		return nil
	case "do":
		if len(text) > link.MaxLine || strings.ContainsAny(text, "\n\r") {
			return ErrBroken
		}
		a.waypoint(func(p *link.PathStep) bool { return p.Line == "" }).Line = text
		if len(a.Steps) > maxSteps {
			return ErrLong
		}
		return nil
	}
	if len(text) > MaxName {
		return ErrBroken
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] == 0x7f {
			return ErrBroken
		}
	}
	ok := true
	switch name {
	case "loop":
		n, is := wholeNumber(text)
		a.Source.Loop, a.Moment, ok = true, text, text == "" || is && n > 0
	case "library":
		a.Source.Library, ok = text, IsName(text)
	case "trace":
		a.Source.Trace, ok = text, IsName(text)
	case "url":
		if a.Source.URL = text; !isPath(text) {
			return ErrPath
		}
	case "file":
		if a.Source.Pasted = text == " "; !a.Source.Pasted {
			a.Source.File, ok = text, text != ""
		}
	case "size":
		a.Source.Size, ok = wholeNumber(text)
	case "path":
		a.Page.Path, ok = text, IsName(text)
	case "at":
		a.Moment = text
	case "choose":
		if ok = len(a.Chosen) < MaxAsks; ok {
			a.Chosen = append(a.Chosen, text)
		}
	case "informer":
		a.Informer = text
	case "profile":
		a.Profile = text
	case "lists":
		if text != recorded {
			return errUnknown
		}
		a.Listed = true
	case "handlers":
		if text != recorded {
			return errUnknown
		}
		a.Recorded = true
	case "when":
		a.waypoint(func(p *link.PathStep) bool { return p.Moment == "" && p.Step < 0 && p.Line == "" }).Moment = text
	case "step":
		n, is := wholeNumber(text)
		ok = is
		a.waypoint(func(p *link.PathStep) bool { return p.Step < 0 && p.Line == "" }).Step = n
	case "follow":
		a.Follow = text
	case "object":
		a.Object.Key = text
	case "rv":
		a.Object.RV = text
	case "tab":
		a.Tab = text
	case "unit":
		a.Unit = text
	case "axis":
		a.Axis = text
	case "search":
		a.Search = text
	case "ask":
		if ok = len(a.Stops) < MaxAsks; ok {
			a.Stops = append(a.Stops, text)
		}
	case "lang":
		a.Page.Lang = text
	case "view":
		if text != card {
			return errUnknown
		}
		a.Page.Card = true
	case "density": // of earlier pages, on which the microscope could be plain or full
	default:
		return a.readSetup(name, text)
	}
	if !ok || len(a.Steps) > maxSteps {
		return ErrBroken
	}
	return nil
}

// waypoint returns the last waypoint if free says that the next field belongs to it. Otherwise it adds one.
func (a *Address) waypoint(free func(*link.PathStep) bool) *link.PathStep {
	if n := len(a.Steps); n == 0 || !free(&a.Steps[n-1]) {
		a.Steps = append(a.Steps, link.PathStep{Step: -1})
	}
	return &a.Steps[len(a.Steps)-1]
}

func wholeNumber(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && n < 1<<53
}

// IsName reports whether s can be the name of a lesson or of a script: it becomes a part of a
// path.
func IsName(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != "" && len(s) <= 80
}

// isPath reports whether s is the path of a file below the page's folder. A proxy may serve an
// API server there, and isPath refuses its paths.
func isPath(s string) bool {
	parts := strings.Split(s, "/")
	for _, p := range parts {
		if p == "" || p[0] == '.' {
			return false
		}
		for i := range len(p) {
			if c := p[i]; c != '-' && c != '_' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
				return false
			}
		}
	}
	last := parts[len(parts)-1]
	return parts[0] != "api" && parts[0] != "apis" && parts[0] != "k8s" && strings.Contains(last, ".")
}

func unescape(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '+':
			b.WriteByte(' ')
		case '%':
			if i+2 >= len(s) {
				return "", false
			}
			n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil {
				return "", false
			}
			b.WriteByte(byte(n))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), utf8.ValidString(b.String())
}
