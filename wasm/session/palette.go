package session

import "strings"

// Palette is what the viewer has typed to find a command, and which of the offers is
// chosen.
type Palette struct {
	Text   string
	At     int
	Titles map[string]map[string]string // of commands, by language and id; the page's own are in Settings.Words
}

// write takes in what the viewer has typed.
func (p *Palette) write(text string) { p.Text, p.At = text, 0 }

// titled takes in the catalogue of another language, and keeps its titles only.
func (p *Palette) titled(msg Titled) {
	if p.Titles == nil {
		p.Titles = map[string]map[string]string{}
	}
	kept := map[string]string{}
	for id, text := range msg.Words {
		if strings.HasPrefix(id, "ui.do.") || strings.HasPrefix(id, "ui.tab.") || strings.HasPrefix(id, "script.") {
			kept[id] = text
		}
	}
	p.Titles[msg.Lang] = kept
}
