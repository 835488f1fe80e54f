package session

import "strings"

// Offer is something that the palette offers.
type Offer struct {
	*Command
	Arg     string
	Title   string // in the page's language
	Refusal string // why it can't be done now, under "ui.not." in the catalogues; "" if it can
}

func (m *Model) openPalette() []Cmd {
	p := &m.Palette
	m.Front.Dialog, m.Hands.Menu = "palette", ""
	p.write("")
	cmds := m.Transport.set(false)
	for _, l := range Languages {
		if l.Code != m.Settings.Lang && p.Titles[l.Code] == nil {
			cmds = append(cmds, Speak{l.Code})
		}
	}
	return cmds
}

// maxOffers is how many offers are shown.
const maxOffers = 60

// maxChoices is how many choices of a command are offered before anything is typed.
const maxChoices = 9

// Offers returns the commands that match what was typed, those first that can be done now.
// Before anything is typed, only these are offered.
func (m *Model) Offers() []Offer {
	p := &m.Palette
	words := strings.Fields(strings.ToLower(p.Text))
	var first, more, cannot []Offer
	add := func(c *Command, arg, title, id string) {
		o := Offer{Command: c, Arg: arg, Title: title}
		title = strings.ToLower(title)
		all := title + " " + searchForms(c.Name) + " " + arg
		for code, titles := range p.Titles {
			if code != m.Settings.Lang {
				all += " " + strings.ToLower(titles["ui.do."+c.Name]+" "+titles[id])
			}
		}
		for _, w := range words {
			if !strings.Contains(all, w) {
				return
			}
		}
		switch {
		case !m.provides(c.needs):
			o.Refusal = c.needs
			cannot = append(cannot, o)
		case len(words) > 0 && strings.HasPrefix(title, words[0]):
			first = append(first, o)
		default:
			more = append(more, o)
		}
	}
	for _, g := range Groups {
		for _, c := range g.Commands {
			if c.front || !m.Site.Allows(c) {
				continue
			}
			title := m.Settings.Words["ui.do."+c.Name]
			all := m.choices(c)
			if !c.Digit && (!c.takes || len(c.Keys) > 0) || len(all) == 0 && len(words) > 0 {
				add(c, "", title, "")
			}
			if len(all) > maxChoices && len(words) == 0 {
				continue
			}
			for _, x := range all {
				id := "ui." + c.Name + "." + x.arg
				if c.Name == "script" {
					id = "script." + x.arg
				}
				add(c, x.arg, title+m.Settings.Words["ui.colon"]+x.title, id)
			}
		}
	}
	all := append(first, more...)
	if len(words) > 0 {
		all = append(all, cannot...)
	}
	return all[:min(len(all), maxOffers)]
}

// enterPalette takes in a key in the palette's field.
func (m *Model) enterPalette(key string) []Cmd {
	p, n := &m.Palette, len(m.Offers())
	switch key {
	case "Escape":
		return m.close()
	case "Enter":
		return m.runOffer(p.Selected)
	case "ArrowDown":
		p.Selected++
	case "ArrowUp":
		p.Selected += n - 1
	}
	if n > 0 {
		p.Selected %= n
	}
	return nil
}

// runOffer does what an offer says, if that can be done.
func (m *Model) runOffer(n int) []Cmd {
	all := m.Offers()
	if n < 0 || n >= len(all) || all[n].Refusal != "" {
		return nil
	}
	m.Front.Dialog = ""
	return m.carryOut(all[n].Command, all[n].Arg, "")
}

// searchForms writes a command's name in small letters, once as it is and once with its words
// apart, so that either is found.
func searchForms(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(name + " " + b.String())
}

// Palette is what the viewer has typed to find a command, and which of the offers is
// chosen.
type Palette struct {
	Text     string
	Selected int
	Titles   map[string]map[string]string // of commands, by language and id; the page's own are in Settings.Words
}

// write takes in what the viewer has typed.
func (p *Palette) write(text string) { p.Text, p.Selected = text, 0 }

// titled takes in the catalogue of another language, and keeps its titles only.
func (p *Palette) titled(msg Spoke) {
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
