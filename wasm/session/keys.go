package session

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Keyboard is what the keys do.
type Keyboard struct {
	Map     Keymap
	Keying  Keying
	focused string  // the place at which a key is being pressed, "" for none
	pressed float64 // when a key was pressed last, in milliseconds since some moment
}

// Keymap is what the viewer has changed about the keys. It is kept for the next visit.
type Keymap struct {
	Disabled bool                // keys that are single characters do nothing: WCAG 2.1.4
	Custom   map[string][]string // by commands, in the place of their own keys
}

// parseKeymap reads what String has written. It passes over any other line.
func parseKeymap(s string) Keymap {
	k := Keymap{Custom: map[string][]string{}}
	for line := range strings.SplitSeq(s, "\n") {
		fields := strings.Split(line, "\t")
		switch c := byName[strings.Replace(fields[0], "density", "full", 1)]; { // the name that it had
		case line == keysOff:
			k.Disabled = true
		case c != nil && c.CanHaveKeys():
			k.Custom[c.Name] = fields[1:]
		}
	}
	return k
}

const keysOff = "-"

// String writes k as a setting: a line for each command, with its keys after tabs.
func (k Keymap) String() string {
	var lines []string
	if k.Disabled {
		lines = append(lines, keysOff)
	}
	for name, keys := range k.Custom {
		lines = append(lines, strings.Join(append([]string{name}, keys...), "\t"))
	}
	sort.Slice(lines, func(i, j int) bool { return lines[i] < lines[j] })
	return strings.Join(lines, "\n")
}

// CanHaveKeys reports whether the viewer can give a command keys, or take them away.
func (c *Command) CanHaveKeys() bool {
	return c.listed && !c.Fixed && (!c.takes || len(c.Keys) > 0)
}

// Keys returns the keys that a command has now.
func (k Keymap) Keys(c *Command) []string {
	if keys, ok := k.Custom[c.Name]; ok {
		return keys
	}
	return c.Keys
}

// Changed reports whether the viewer has given a command other keys than it had.
func (k Keymap) Changed(c *Command) bool { _, ok := k.Custom[c.Name]; return ok }

// KeysOf returns the keys that do what an element with data-act name does.
func (k *Keyboard) KeysOf(name string) []string {
	c := byName[name]
	if c == nil {
		return nil
	}
	return k.enabled(k.Map.Keys(c))
}

// enabled returns the keys that aren't switched off.
func (k *Keyboard) enabled(keys []string) []string {
	if !k.Map.Disabled {
		return keys
	}
	var left []string
	for _, key := range keys {
		if !isSingle(key) {
			left = append(left, key)
		}
	}
	return left
}

// withoutKey returns the keys other than one; with "" it returns none.
func withoutKey(keys []string, key string) (left []string) {
	for _, k := range keys {
		if k != key && key != "" {
			left = append(left, k)
		}
	}
	return left
}

// isSingle reports whether a key is a single character, as voice control types them by
// accident.
func isSingle(key string) bool { return len([]rune(key)) == 1 && key != " " }

// name returns the key as the table writes it.
func (p Pressed) name() string {
	key := p.Key
	if p.Ctrl { // and then Shift, or Caps Lock, may have changed the letter
		key = strings.ToLower(key)
		if len(p.Key) > 1 {
			key = p.Key
		}
	}
	if p.Shift && (p.Ctrl || len([]rune(p.Key)) > 1) { // otherwise the character tells it
		key = "Shift+" + key
	}
	if p.Ctrl {
		key = "Ctrl+" + key
	}
	return key
}

// Keying is how far changing the keys has come.
type Keying struct {
	Editing bool   // the list of keys can be changed
	Command string // the command that gets the next key that is pressed, "" for none
	Failed  string // the command that was to get Key
	Key     string // a key that it can't have, or not yet
	Clash   string // the command that has Key
	Wrong   string // why Key can't be had, under "ui.not." in the catalogues
}

// reserved are keys that belong to the browser, to the focus or to the clipboard.
var reserved = []string{
	"Enter", "Escape", "F5", "F11", "F12",
	"Ctrl+a", "Ctrl+c", "Ctrl+f", "Ctrl+l", "Ctrl+n", "Ctrl+p", "Ctrl+r", "Ctrl+t", "Ctrl+v", "Ctrl+w", "Ctrl+x", "Ctrl+z",
}

// isModifier reports whether a key can't belong to a command: a key that only
// changes another one, or Tab, which leads on.
func isModifier(key string) bool {
	switch key {
	case "Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Fn", "Dead", "Process", "Unidentified", "Tab":
		return true
	}
	return false
}

// assign takes in the key that a command is to have.
func (k *Keyboard) assign(p Pressed) []Cmd {
	next := Keying{Editing: true, Failed: k.Keying.Command, Key: p.name()}
	switch c := byName[next.Failed]; {
	case p.Key == "Tab", p.Key == "Escape":
		k.Keying = Keying{Editing: true}
		return nil
	case isModifier(p.Key):
		return nil
	case p.Alt || slices.Contains(reserved, next.Key):
		next.Wrong = "reserved"
	default:
		if other := k.conflicting(c, next.Key); other != nil {
			next.Clash = other.Name
			if other.Fixed || other.Digit {
				next.Clash, next.Wrong = "", "reserved"
			}
			break
		}
		return k.addKey(next.Failed, next.Key)
	}
	k.Keying = next
	return nil
}

// conflicting returns the command that would lose key to c, or nil. Two commands may share a key if
// they are active in different modes.
func (k *Keyboard) conflicting(c *Command, key string) *Command {
	for _, g := range Groups {
		for _, other := range g.Commands {
			if other != c && (other.mode == "") == (c.mode == "") && slices.Contains(k.Map.Keys(other), key) {
				return other
			}
		}
	}
	return nil
}

// takeOver gives a key to the command that was to have it, although another has it.
func (k *Keyboard) takeOver() []Cmd {
	asked := k.Keying
	if asked.Clash == "" {
		return nil
	}
	c := byName[asked.Clash]
	k.setKeys(c, withoutKey(k.Map.Keys(c), asked.Key))
	return k.addKey(asked.Failed, asked.Key)
}

// addKey gives a command one more key.
func (k *Keyboard) addKey(name, key string) []Cmd {
	k.Keying = Keying{Editing: true}
	c := byName[name]
	if c == nil || slices.Contains(k.Map.Keys(c), key) {
		return nil
	}
	return k.setKeys(c, append(withoutKey(k.Map.Keys(c), key), key))
}

// drop takes a key from a command, or all of its keys. Arg is the command's
// name, and after a tab the key.
func (k *Keyboard) drop(arg string) []Cmd {
	k.Keying = Keying{Editing: true}
	name, key, _ := strings.Cut(arg, "\t")
	c := byName[name]
	if c == nil || c.Fixed {
		return nil
	}
	return k.setKeys(c, withoutKey(k.Map.Keys(c), key))
}

// setKeys gives a command other keys, for this visit and the next ones.
func (k *Keyboard) setKeys(c *Command, keys []string) []Cmd {
	if slices.Equal(keys, c.Keys) {
		delete(k.Map.Custom, c.Name)
	} else {
		k.Map.Custom[c.Name] = keys
	}
	return k.save()
}

// reset gives a command, or all commands, the keys that they had at first.
func (k *Keyboard) reset(name string) []Cmd {
	k.Keying = Keying{Editing: true}
	if name == "" {
		k.Map = Keymap{Custom: map[string][]string{}}
		return k.save()
	}
	c := byName[name]
	if c == nil {
		return nil
	}
	for _, key := range c.Keys { // another command may have been given one of them since
		if other := k.conflicting(c, key); other != nil {
			k.Keying = Keying{Editing: true, Failed: name, Key: key, Clash: other.Name}
			return nil
		}
	}
	return k.setKeys(c, c.Keys)
}

// switchSingle chooses whether keys that are single characters do something.
func (k *Keyboard) switchSingle(on bool) []Cmd {
	k.Map.Disabled = !on
	return k.save()
}

// save keeps the keys for the next visit.
func (k *Keyboard) save() []Cmd { return []Cmd{desk.StoreSetting{Name: "keys", Value: k.Map.String()}} }

// change lets the list of keys be changed. The command of that name gets the next key that is
// pressed, none for "".
func (k *Keyboard) change(on bool, name string) { k.Keying = Keying{Editing: on, Command: name} }

// keyCommand returns what a key press does, nil for nothing of the page's.
func (m *Model) keyCommand(p Pressed) *Command {
	k := &m.Keyboard
	if p.Alt {
		return nil
	}
	key := p.name()
	if k.Map.Disabled && isSingle(key) {
		return nil
	}
	var found *Command
	for _, g := range Groups {
		for _, c := range g.Commands {
			switch {
			case (p.Typing || m.Front.Dialog != "") && !c.front, !slices.Contains(k.Map.Keys(c), key), !m.Site.Allows(c):
			case c.mode == "" && found == nil:
				found = c
			case c.mode != "" && m.provides(c.mode):
				return c
			}
		}
	}
	return found
}

// HasKey reports whether a key press is one of the page's commands. Then the browser
// must not act on it.
func (m *Model) HasKey(p Pressed) bool {
	if m.Keyboard.Keying.Command != "" {
		return !isModifier(p.Key)
	}
	return m.keyCommand(p) != nil
}

func (m *Model) press(p Pressed) []Cmd {
	k := &m.Keyboard
	if k.Keying.Command != "" {
		return k.assign(p)
	}
	c := m.keyCommand(p)
	if c == nil {
		return nil
	}
	if m.Room.Blank && c.Name != "blank" { // the audience sees what happens next
		m.Room.Blank = false
		return nil
	}
	arg := ""
	if c.Digit {
		n, _ := strconv.Atoi(p.Key)
		arg = strconv.Itoa(n - c.from)
	}
	if c.Digit && m.Lesson.Learning.Counting() { // it missed the field for votes
		return nil
	}
	m.Save.Report.Note(c.Name)
	k.focused, k.pressed = p.Place, p.Now
	cmds := m.carryOut(c, arg, "")
	k.focused = ""
	return cmds
}
