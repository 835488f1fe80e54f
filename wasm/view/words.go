package view

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
)

// t returns a text of the catalogue.
func (p *page) t(id string) string {
	if s, ok := p.m.Settings.Words[id]; ok {
		return s
	}
	if p.m.Settings.Words == nil {
		return ""
	}
	return id
}

// tn returns a text of the catalogue with its arguments filled in. They are name,
// value, name, value …
func (p *page) tn(id string, args ...string) string {
	var b strings.Builder
	for rest := p.t(id); rest != ""; {
		text, name, forms, after := argument(rest)
		b.WriteString(text)
		for i := 0; name != "" && i < len(args); i += 2 {
			switch value := args[i+1]; {
			case args[i] != name:
			case forms != "":
				b.WriteString(p.form(forms, value))
			default:
				b.WriteString(value)
			}
		}
		rest = after
	}
	return b.String()
}

// argument cuts a text of the catalogue at its first argument, a name in braces. It
// returns the text before it, the name, or "" if there is none, the forms that the
// argument chooses from, and the text after it.
func argument(s string) (text, name, forms, after string) {
	open := strings.IndexByte(s, '{')
	end := strings.IndexByte(s, '}')
	if open < 0 || end < open {
		return s, "", "", ""
	}
	name, forms, _ = strings.Cut(s[open+1:end], "|")
	return s[:open], name, forms, s[end+1:]
}

// named returns the catalogue's text for an id that comes from elsewhere, or the id
// itself if there is no text.
func (p *page) named(prefix, id string) string { return or(p.m.Settings.Words[prefix+id], id) }

// pieces cuts a sentence at its arguments. It calls arg with each argument, and text
// with what is between them. An argument without a value becomes the words for that: one
// of the forms that the sentence has for the argument, or else what the catalogue has
// under "empty." and the argument's name.
func (p *page) pieces(s link.Sentence, text func(string), arg func(link.Arg)) {
	whole, between := p.t(s.ID), ""
	for rest := whole; rest != ""; {
		before, name, forms, after := argument(rest)
		between += before
		switch a := s.Args[name]; {
		case forms != "":
			between += p.form(forms, a.V)
		case a.V != "" || a.Kind == "why":
			if between != "" {
				text(between)
			}
			between = ""
			arg(a)
		case name != "" && !strings.Contains(whole, "{"+name+"|"):
			between += p.t("empty." + name)
		}
		rest = after
	}
	if between != "" {
		text(between)
	}
}

// say shows a sentence, with its keys, versions and types set off.
func (p *page) say(tag, class string, s link.Sentence) *tree.Node {
	n := tree.El(tag, class)
	var chip *tree.Node // not added yet: a full stop after it must stay on its line
	p.pieces(s,
		func(text string) {
			if chip != nil {
				stop := len(text) - len(strings.TrimLeft(text, ".,;:!?。，；：！？"))
				n.Add(tree.El("span", "together", chip, tree.Text("span", "", text[:stop])))
				chip, text = nil, text[stop:]
			}
			if text != "" {
				n.Add(tree.Text("span", "", text))
			}
		},
		func(a link.Arg) {
			n.Add(chip)
			chip = nil
			switch a.Kind {
			case "key", "code":
				n.Add(tree.Text("code", "key", a.V))
			case "rv":
				n.Add(tree.Text("code", "rv", a.V))
			case "delta":
				letter := deltaLetter(a.V)
				chip = tree.El("span", "chip chip-"+letter, tree.Text("span", "l", letter), tree.Text("span", "v", a.V))
			default:
				n.Add(tree.Text("span", "arg", p.shown(a)))
			}
		})
	return n.Add(chip)
}

// why returns what an error says, "" for none. An error that the catalogue doesn't know,
// such as one of the browser or of an API server, is the text that came with it.
func (p *page) why(s *link.Sentence) string {
	if s == nil {
		return ""
	}
	if _, known := p.m.Settings.Words[s.ID]; !known {
		return p.detail(s.Args[fault.Text].V)
	}
	return p.plain(*s)
}

// plain returns a sentence as plain text.
func (p *page) plain(s link.Sentence) string {
	var b strings.Builder
	p.pieces(s, func(text string) { b.WriteString(text) }, func(a link.Arg) { b.WriteString(p.shown(a)) })
	return b.String()
}

func (p *page) shown(a link.Arg) string {
	switch a.Kind {
	case "num":
		if n, err := strconv.ParseInt(a.V, 10, 64); err == nil {
			return grouped(n)
		}
	case "time":
		if n, err := strconv.ParseInt(a.V, 10, 64); err == nil {
			return duration(n)
		}
	}
	switch a.Kind {
	case "why":
		return or(p.why(a.Why), a.V)
	case "word":
		return p.t("reason." + a.V)
	case "lock", "who":
		return p.t(a.Kind + "." + a.V)
	}
	if a.Kind == "text" {
		if id := "actor." + kind(a.V); p.m.Settings.Words[id] != "" {
			return p.actorName(a.V)
		}
	}
	return a.V
}

// kind returns the kind of an actor: "pop" for "pop/0".
func kind(actor string) string {
	k, _, _ := strings.Cut(actor, "/")
	return k
}

// actorName returns the name of an actor. A listener's goroutines are named after the
// listener.
func (p *page) actorName(id string) string {
	k, number, numbered := strings.Cut(id, "/")
	name := p.t("actor." + k)
	if !numbered {
		return name
	}
	if n, err := strconv.Atoi(number); err == nil {
		for _, l := range p.f.Processor.Listeners {
			if l.ID == n && (k == link.ActorPop || k == link.ActorRun) {
				return l.Name + "." + name
			}
		}
		return name + " " + strconv.Itoa(n+1)
	}
	return name
}

func itoa[T int | int32 | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// thin is the narrow space within numbers, and between a number and its unit.
const thin = "\u202f"

// grouped writes a number with thin spaces between its thousands.
func grouped[T int | int64](n T) string {
	s := itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + thin + s[i:]
	}
	return s
}

// duration writes nanoseconds with three digits and the unit that fits.
func duration(ns int64) string {
	for _, u := range []struct {
		of   int64
		name string
	}{{3600e9, "h"}, {60e9, "min"}, {1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.of {
			v := float64(ns) / float64(u.of)
			digits := 2
			if v >= 100 {
				digits = 0
			} else if v >= 10 {
				digits = 1
			}
			s := strconv.FormatFloat(v, 'f', digits, 64)
			if strings.Contains(s, ".") {
				s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
			}
			return s + thin + u.name
		}
	}
	return itoa(max(ns, 0)) + thin + "ns"
}

// weight writes bytes with three digits and the unit that fits.
func weight(n int64) string {
	of, unit := int64(1), "B"
	for _, u := range []string{"kB", "MB", "GB"} {
		if n < of*1000 {
			break
		}
		of, unit = of*1000, u
	}
	digits := 1
	if of == 1 || n >= 100*of {
		digits = 0
	}
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)/float64(of), 'f', digits, 64), ".0") + thin + unit
}

// clock writes nanoseconds since the start as a time of fixed width.
func clock(ns int64) string {
	us := max(ns, 0) / 1e3
	two := func(n int64) string { return string([]byte{byte('0' + n/10%10), byte('0' + n%10)}) }
	s := us / 1e6
	frac := itoa(us%1e6 + 1e6)[1:]
	return two(s/3600) + ":" + two(s/60%60) + ":" + two(s%60) + "." + frac[:3] + thin + frac[3:]
}
