package session

import "strings"

// Palette is what the viewer has typed to find a command, and which of the offers is
// chosen.
type Palette struct {
	Text   string
	At     int
	Titles map[string]map[string]string // of commands, by language and id; the page's own are in Settings.Words
}

// Offer is something that the palette offers.
type Offer struct {
	*Command
	Arg   string
	Title string // in the page's language
	Not   string // why it can't be done now, under "ui.not." in the catalogues; "" if it can
}

// maxOffers is how many offers are shown.
const maxOffers = 60

func (p *Palette) open(m *Model) []Cmd {
	m.Front.ask("palette")
	mediator{m}.CloseMenu()
	p.write("")
	cmds := m.Transport.set(m, false)
	for _, l := range Languages {
		if l.Code != m.Settings.Lang && p.Titles[l.Code] == nil {
			cmds = append(cmds, FetchTitles{l.Code})
		}
	}
	return cmds
}

// write takes in what the viewer has typed.
func (p *Palette) write(text string) { p.Text, p.At = text, 0 }

// take takes in the catalogue of another language, and keeps its titles only.
func (p *Palette) take(msg Titled) {
	titles := map[string]map[string]string{}
	for code, known := range p.Titles {
		titles[code] = known
	}
	kept := map[string]string{}
	for id, text := range msg.Words {
		if strings.HasPrefix(id, "ui.do.") || strings.HasPrefix(id, "ui.tab.") || strings.HasPrefix(id, "script.") {
			kept[id] = text
		}
	}
	titles[msg.Lang] = kept
	p.Titles = titles
}

// Offers are the commands that match what was typed, those first that can be done now.
// Before anything is typed, only these are offered.
func (p *Palette) Offers(m *Model) []Offer {
	words := strings.Fields(strings.ToLower(p.Text))
	var first, more, cannot []Offer
	add := func(c *Command, arg, title, id string) {
		o := Offer{Command: c, Arg: arg, Title: title}
		title = strings.ToLower(title)
		all := title + " " + apart(c.Name) + " " + arg
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
		case !m.has(c.needs):
			o.Not = c.needs
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

// maxChoices is how many choices of a command are offered before anything is typed.
const maxChoices = 9

// apart writes a command's name in small letters, once as it is and once with its words
// apart, so that either is found.
func apart(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(name + " " + b.String())
}

// enter is a key in the palette's field.
func (p *Palette) enter(m *Model, key, _ string) []Cmd {
	n := len(p.Offers(m))
	switch key {
	case "Escape":
		return m.Front.close(m)
	case "Enter":
		return p.run(m, p.At)
	case "ArrowDown":
		p.At++
	case "ArrowUp":
		p.At += n - 1
	}
	if n > 0 {
		p.At %= n
	}
	return nil
}

// run does what an offer says, if that can be done.
func (p *Palette) run(m *Model, n int) []Cmd {
	all := p.Offers(m)
	if n < 0 || n >= len(all) || all[n].Not != "" {
		return nil
	}
	m.Front.ask("")
	return all[n].do(m, all[n].Arg, "")
}
