package script

import (
	"strings"

	"github.com/informerscope/informerscope/engine/world"
)

// part is one word of a form.
type part struct {
	kind partKind
	name string // of a literal or a flag: the word; of an option: its name
	slot *slot  // of a value, an option or a rest
}

type partKind uint8

const (
	literalPart  partKind = iota // a word that stands as it is
	valuePart                    // a word of a kind that slot names
	optionPart                   // NAME=VALUE
	flagPart                     // a word that may be left out
	informerPart                 // the name of an informer, which may be left out
	restPart                     // any number of words
)

// made is what a line has made.
type made struct {
	line    int
	command world.Command
	refers           // what its words refer to
	labels  []string // name, value, name, value …
	keys    []string // of a queue's Replace
}

// refers are words whose meaning depends on the machine that is set up.
type refers struct{ informer, kind, object, key, handler, name word }

// split takes the form apart.
func (c *command) split() {
	p := &line{}
	if err := p.split(c.form); err != nil {
		panic(err)
	}
	for _, w := range p.words {
		if c.parse != nil && strings.ToLower(w.text) != w.text {
			break // parse reads the rest
		}
		c.parts = append(c.parts, partOf(w.text))
	}
	for c.words < len(c.parts) && c.parts[c.words].kind == literalPart {
		c.words++
	}
}

func partOf(text string) part {
	inner, optional := strings.CutPrefix(text, "[")
	inner = strings.TrimSuffix(inner, "]")
	name, of, named := strings.Cut(inner, "=")
	switch {
	case strings.HasSuffix(inner, "…"):
		return part{kind: restPart, slot: slotNamed(inner)}
	case inner == "INFORMER":
		return part{kind: informerPart}
	case named:
		return part{optionPart, name, slotNamed(of)}
	case optional:
		return part{kind: flagPart, name: name}
	case strings.ToLower(inner) == inner:
		return part{kind: literalPart, name: inner}
	}
	return part{kind: valuePart, slot: slotNamed(inner)}
}

// read reads a line whose first words are the command's.
func (c *command) read(p *line) (*made, error) {
	m := &made{line: p.n, command: c.makes}
	parts := c.parts[c.words:]
	for len(parts) > 0 {
		x := parts[0]
		values := 0
		for values < len(parts)-1 && parts[values+1].kind == valuePart {
			values++
		}
		if x.kind == informerPart && values > 0 { // an informer stands before values that must be there
			if n := p.i + values; n < len(p.words) && !strings.Contains(p.words[n].text, "=") {
				m.informer, _ = p.name(nil)
			}
		} else if x.kind != valuePart {
			break
		} else if err := m.take(p, x.slot, &m.command.N); err != nil {
			return nil, err
		}
		parts = parts[1:]
	}
	return m, c.readRest(p, m, parts)
}

// take reads the next word into a slot.
func (m *made) take(p *line, s *slot, at any) error {
	w, err := p.name(s.what)
	if err != nil {
		return err
	}
	if wrong := s.read(m, w, at); wrong != nil {
		return p.fail(w, wrong)
	}
	return nil
}

// readRest reads the optional parts of a line, in any order. An informer comes last.
func (c *command) readRest(p *line, m *made, parts []part) error {
	for p.more() {
		w, _ := p.next(nil)
		name, text, named := strings.Cut(w.text, "=")
		v := word{unquote(text), w.col + len(name) + 1}
		known, wrong := false, error(nil)
		for _, x := range parts {
			switch {
			case known:
			case x.kind == restPart:
				known = true
				wrong = x.slot.read(m, w, nil)
			case x.kind == optionPart && named && x.name == name:
				known = true
				if wrong = x.slot.read(m, v, c.at(&m.command, name)); wrong != nil {
					w = v
				}
			case x.kind == flagPart && x.name == w.text:
				known = true
				*c.at(&m.command, name).(*bool) = true
			case x.kind == informerPart && !named && !p.more():
				known = true
				m.informer = word{unquote(w.text), w.col}
			}
		}
		switch {
		case wrong != nil:
			return p.fail(w, wrong)
		case !known:
			return p.fail(w, unexpected(parts))
		}
	}
	return nil
}

// unexpected says what may stand where something else stands.
func unexpected(parts []part) error {
	var names []string
	for _, x := range parts {
		switch x.kind {
		case optionPart:
			names = append(names, x.name+"=")
		case flagPart:
			names = append(names, x.name)
		}
	}
	if len(names) == 0 {
		return wantsEnd
	}
	return wants(oneOf(names))
}

// at is where a command has the value of an option.
func (c *command) at(of *world.Command, option string) any {
	if c.place == nil {
		return &of.N
	}
	return c.place(of, option)
}

// write writes the line of a command.
func (c *command) write(w *writer, of *world.Command) string {
	cfg := w.informers[of.Informer].Config()
	usual := c.makes
	var b strings.Builder
	for i, x := range c.parts {
		text := ""
		switch x.kind {
		case literalPart:
			text = x.name
		case valuePart, restPart:
			text = x.slot.write(w, of, &of.N)
		case informerPart:
			if of.Informer > 0 {
				text = Word(cfg.Name)
			}
		case flagPart:
			if *c.at(of, x.name).(*bool) {
				text = x.name
			}
		case optionPart:
			text = x.slot.write(w, of, c.at(of, x.name))
			if text != "" && text == x.slot.write(w, &usual, c.at(&usual, x.name)) {
				text = "" // the value is the usual one, so nothing is written
			}
			if text != "" {
				text = x.name + "=" + text
			}
		}
		if i > 0 && text != "" {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}

// fill writes a line from the texts of its slots.
func (c *command) fill(values []string) string {
	var b strings.Builder
	for i, x := range c.parts {
		text := x.name
		if x.kind != literalPart {
			text = ""
			if len(values) > 0 {
				text, values = values[0], values[1:]
			}
			if x.kind != restPart && x.kind != flagPart {
				text = Word(text)
			}
			if text == `""` {
				continue
			}
			if x.kind == optionPart {
				text = x.name + "=" + text
			}
		}
		if i > 0 && text != "" {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}
