package words

import "strings"

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
		all, key = append(all, Or(keyNames[before], before)), after
	}
	if len(key) == 1 && key >= "A" && key <= "Z" {
		return append(all, "Shift", strings.ToLower(key))
	}
	return append(all, Or(keyNames[key], key))
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
