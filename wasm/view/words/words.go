// Package words says things in the page's language: texts and sentences of a catalogue, with
// their plurals, and numbers.
package words

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/wasm/link"
)

// Words are what the page says in a language.
type Words struct {
	Lang      string
	Texts     map[string]string             // the catalogue, by id; nil until it was fetched
	Listeners []link.Listener               // their goroutines are named after them
	Keys      func(command string) []string // the keys of a command
}

// New returns the words of a language, without its Texts.
func New(lang string) *Words { return &Words{Lang: lang} }

// WithListeners returns the words for a machine that has other listeners.
func (w *Words) WithListeners(l []link.Listener) *Words {
	other := *w
	other.Listeners = l
	return &other
}

// T returns a text of the catalogue.
func (w *Words) T(id string) string {
	if s, ok := w.Texts[id]; ok {
		return s
	}
	if w.Texts == nil {
		return ""
	}
	return id
}

// Tn returns a text of the catalogue with its arguments filled in. They are name,
// value, name, value …
func (w *Words) Tn(id string, args ...string) string {
	var b strings.Builder
	for rest := w.T(id); rest != ""; {
		text, name, forms, after := argument(rest)
		b.WriteString(text)
		for i := 0; name != "" && i < len(args); i += 2 {
			switch value := args[i+1]; {
			case args[i] != name:
			case forms != "":
				b.WriteString(w.form(forms, value))
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

// Named returns the catalogue's text for an id that comes from elsewhere, or the id
// itself if there is no text.
func (w *Words) Named(prefix, id string) string { return FirstNonEmpty(w.Texts[prefix+id], id) }

// Pieces cuts a sentence at its arguments. It calls arg with each argument, and text
// with what is between them. An argument without a value becomes the words for that: one
// of the forms that the sentence has for the argument, or else what the catalogue has
// under "empty." and the argument's name.
func (w *Words) Pieces(s link.Sentence, text func(string), arg func(link.Arg)) {
	whole, between := w.T(s.ID), ""
	for rest := whole; rest != ""; {
		before, name, forms, after := argument(rest)
		between += before
		switch a := s.Args[name]; {
		case forms != "":
			between += w.form(forms, a.V)
		case a.V != "" || a.Kind == "why":
			if a.Kind == "why" {
				between, after = closed(between, w.Value(a), after)
			}
			if between != "" {
				text(between)
			}
			between = ""
			arg(a)
		case name != "" && !strings.Contains(whole, "{"+name+"|"):
			between += w.T("empty." + name)
		}
		rest = after
	}
	if between != "" {
		text(between)
	}
}

// closed returns what is before words and after them, without a space that parts them from other Chinese words.
func closed(before, words, after string) (string, string) {
	chinese := func(r rune, n int) bool { return n > 0 && r >= '⺀' }
	if t := strings.TrimSuffix(before, " "); chinese(utf8.DecodeRuneInString(words)) && chinese(utf8.DecodeLastRuneInString(t)) {
		before = t
	}
	if t := strings.TrimPrefix(after, " "); chinese(utf8.DecodeLastRuneInString(words)) && chinese(utf8.DecodeRuneInString(t)) {
		after = t
	}
	return before, after
}

// Fault returns what an error says, "" for none. An error that the catalogue doesn't know, such
// as one of the browser or of an API server, is the text that came with it. So is one that a
// trace has from a newer version: that text is in English.
func (w *Words) Fault(s *link.Sentence) string {
	if s == nil {
		return ""
	}
	if _, known := w.Texts[s.ID]; !known {
		return FirstNonEmpty(s.Args[fault.Text].V, s.Args[fault.English].V)
	}
	return w.Plain(*s)
}

// Plain returns a sentence as plain text.
func (w *Words) Plain(s link.Sentence) string {
	var b strings.Builder
	w.Pieces(s, func(text string) { b.WriteString(text) }, func(a link.Arg) { b.WriteString(w.Value(a)) })
	return b.String()
}

// Value returns the text of an argument in the language.
func (w *Words) Value(a link.Arg) string {
	if n, err := strconv.ParseInt(a.V, 10, 64); err == nil {
		switch a.Kind {
		case "num":
			return Grouped(n)
		case "time":
			return Duration(n)
		case "size":
			return Weight(n)
		}
	}
	switch a.Kind {
	case "percent":
		return a.V + thin + "%"
	case "why":
		return FirstNonEmpty(w.Fault(a.Reason), a.V)
	case "word":
		return w.T("reason." + a.V)
	case "lock", "who":
		return w.T(a.Kind + "." + a.V)
	case "text":
		if w.Texts["actor."+Kind(a.V)] != "" {
			return w.Actor(a.V)
		}
	}
	return a.V
}

// Kind returns the kind of an actor: "pop" for "pop/0".
func Kind(actor string) string {
	k, _, _ := strings.Cut(actor, "/")
	return k
}

// Actor returns the name of an actor. A listener's goroutines are named after the
// listener.
func (w *Words) Actor(id string) string {
	k, number, numbered := strings.Cut(id, "/")
	name := w.T("actor." + k)
	if !numbered {
		return name
	}
	if n, err := strconv.Atoi(number); err == nil {
		for _, l := range w.Listeners {
			if l.ID == n && (k == link.ActorPop || k == link.ActorRun) {
				return l.Name + "." + name
			}
		}
		return name + " " + strconv.Itoa(n+1)
	}
	return name
}

// Lock returns a lock as a reader knows it.
func (w *Words) Lock(id string) string { return w.Named("lock.", id) }

// Lane returns the name of a future. Script tells that what was opened is a script.
func (w *Words) Lane(x link.Lane, script bool) string {
	switch {
	case x.Name != "":
		return x.Name
	case x.Parent >= 0 && len(x.Lines) > 0:
		return x.Lines[0]
	case script:
		return w.T("ui.lane.script")
	}
	return w.T("ui.lane.recorded")
}

// keyNames are the short or visible names that are shown for keys.
var keyNames = map[string]string{
	" ": "Space", "ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", "Backspace": "⌫", "Escape": "Esc", "Ctrl": "Ctrl/⌘",
}

// Caps returns the names of the keys that are held and pressed for a key of the table.
func Caps(key string) (all []string) {
	for {
		before, after, found := strings.Cut(key, "+")
		if !found || after == "" { // the key + itself
			break
		}
		all, key = append(all, FirstNonEmpty(keyNames[before], before)), after
	}
	if len(key) == 1 && key >= "A" && key <= "Z" {
		return append(all, "Shift", strings.ToLower(key))
	}
	return append(all, FirstNonEmpty(keyNames[key], key))
}

// Shortcut returns the first key of a command, "" for none.
func (w *Words) Shortcut(command string) string {
	if keys := w.Keys(command); len(keys) > 0 {
		return strings.Join(Caps(keys[0]), " ")
	}
	return ""
}

// Title returns the title of a command with its keys, as a button's tooltip.
func (w *Words) Title(command string) string {
	var keys []string
	for _, k := range w.Keys(command) {
		keys = append(keys, strings.Join(Caps(k), " "))
	}
	if len(keys) == 0 {
		return w.T("ui.do." + command)
	}
	return w.T("ui.do."+command) + " (" + strings.Join(keys, ", ") + ")"
}
