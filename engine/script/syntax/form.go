package syntax

import (
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
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

// Parsed is what a line has made: a command, and what is not known of it before the line is
// played.
type Parsed struct {
	Line       int
	Command    world.Command
	references          // what its words refer to
	Labels     []string // name, value, name, value …
	Keys       []string // of a queue's Replace
}

// references are words whose meaning depends on the machine that is set up.
type references struct{ Informer, Kind, Object, Key, Handler, Name Word }

// split takes the form apart. It uses the memory of p, because the page waits for all forms when
// it starts.
func (f *Form) split(p *Parser) {
	p.Words = p.Words[:0]
	if err := p.split(f.form); err != nil {
		panic(err)
	}
	f.parts = make([]part, 0, len(p.Words))
	for _, w := range p.Words {
		if f.Open && hasCapital(w.Text) {
			break // whoever plays the line reads the rest
		}
		f.parts = append(f.parts, partOf(w.Text))
	}
	for f.words < len(f.parts) && f.parts[f.words].kind == literalPart {
		f.words++
	}
}

// partOf returns the part that a word of a form stands for.
func partOf(text string) part {
	inner, optional := strings.CutPrefix(text, "[")
	inner = strings.TrimSuffix(inner, "]")
	name, values, named := strings.Cut(inner, "=")
	switch {
	case strings.HasSuffix(inner, "…"):
		return part{kind: restPart, slot: slotNamed(inner)}
	case inner == "INFORMER":
		return part{kind: informerPart}
	case named:
		return part{optionPart, name, slotNamed(values)}
	case optional:
		return part{kind: flagPart, name: name}
	case !hasCapital(inner):
		return part{kind: literalPart, name: inner}
	}
	return part{kind: valuePart, slot: slotNamed(inner)}
}

func hasCapital(word string) bool { return strings.ContainsAny(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") }

// Read reads a line whose first words are the form's.
func (f *Form) Read(p *Parser) (*Parsed, error) {
	m := &Parsed{Line: p.Line, Command: f.command()}
	parts := f.parts[f.words:]
	for len(parts) > 0 {
		x := parts[0]
		values := 0
		for values < len(parts)-1 && parts[values+1].kind == valuePart {
			values++
		}
		if x.kind == informerPart && values > 0 { // an informer stands before values that must be there
			if n := p.Pos + values; n < len(p.Words) && !strings.Contains(p.Words[n].Text, "=") {
				m.Informer, _ = p.Name(nil)
			}
		} else if x.kind != valuePart {
			break
		} else if err := m.take(p, x.slot, &m.Command.N); err != nil {
			return nil, err
		}
		parts = parts[1:]
	}
	return m, f.readRest(p, m, parts)
}

// command returns what a line makes that gives no values.
func (f *Form) command() world.Command {
	c := world.Command{Kind: f.kind, N: f.defaultN}
	if f.kind == world.AddHandler {
		c.Handler.Resync = -1 // its informer's
	}
	return c
}

// take reads the next word into a slot.
func (m *Parsed) take(p *Parser, s *slot, at any) error {
	w, err := p.Name(s.term)
	if err != nil {
		return err
	}
	if wrong := s.read(m, w, at); wrong != nil {
		return p.Fail(w, wrong)
	}
	return nil
}

// readRest reads the optional parts of a line, in any order. An informer comes last.
func (f *Form) readRest(p *Parser, m *Parsed, parts []part) error {
	for p.More() {
		w, _ := p.Next(nil)
		name, text, named := strings.Cut(w.Text, "=")
		v := Word{Unquote(text), w.Col + len(name) + 1}
		known, wrong := false, error(nil)
		for _, x := range parts {
			switch {
			case known:
			case x.kind == restPart:
				known = true
				wrong = x.slot.read(m, w, nil)
			case x.kind == optionPart && named && x.name == name:
				known = true
				if wrong = x.slot.read(m, v, field(&m.Command, name)); wrong != nil {
					w = v
				}
			case x.kind == flagPart && x.name == w.Text:
				known = true
				*field(&m.Command, name).(*bool) = true
			case x.kind == informerPart && !named && !p.More():
				known = true
				m.Informer = Word{Unquote(w.Text), w.Col}
			}
		}
		switch {
		case wrong != nil:
			return p.Fail(w, wrong)
		case !known:
			if !named && p.More() && len(parts) == 1 && parts[0].kind == informerPart { // the word behind it is one too many
				w, _ = p.Next(nil)
			}
			return p.Fail(w, unexpected(w, parts))
		}
	}
	return nil
}

// unexpected says what may stand where a word stands.
func unexpected(w Word, parts []part) error {
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
		return WantsEnd(w.Text)
	}
	name, _, _ := strings.Cut(w.Text, "=")
	return fault.Unknown("noOption name", name, names)
}

// writer writes lines about the informers that config returns by their number.
type writer struct {
	config func(informer int) *informer.Config
}

// CommandLine writes a command as a line. Config returns the configuration of an informer
// by its number, with the handlers that were added later. CommandLine reports false if no
// line can express the command: a handler that takes as long as recorded calls took.
func CommandLine(c *world.Command, config func(informer int) *informer.Config) (line string, ok bool) {
	if c.Handler.DurationOf != nil {
		return "", false
	}
	for i := len(forms) - 1; i >= 0; i-- {
		if f := &forms[i]; f.kind == c.Kind {
			return f.write(&writer{config}, c), true
		}
	}
	return "", false
}

// table returns the Table of the objects that a command is about.
func (p *writer) table(c *world.Command) *object.Table { return p.config(c.Informer).Table }

// Quote writes text so that it is parsed as one word.
func Quote(text string) string {
	if text == "" || strings.ContainsAny(text, " \t#[]") {
		return `"` + text + `"`
	}
	return text
}

// Line writes a line that does a kind of thing, with the values of its slots in
// their order. A slot that may be left out is left out if its value is "" or
// not given.
func Line(kind world.CommandKind, values ...string) string {
	for i := range forms {
		if f := &forms[i]; f.kind == kind && !f.Setup {
			return f.fill(values)
		}
	}
	return ""
}

// Forms returns what the lines look like that stand for some kinds of commands.
func Forms(accept func(world.CommandKind) bool) (all []string) {
	for i := range forms {
		if f := &forms[i]; f.Verb == CarryOut && !f.Open && accept(f.kind) {
			all = append(all, f.form)
		}
	}
	return all
}

func (f *Form) write(w *writer, c *world.Command) string {
	usual := f.command()
	var b strings.Builder
	for i, x := range f.parts {
		text := ""
		switch x.kind {
		case literalPart:
			text = x.name
		case valuePart, restPart:
			text = x.slot.write(w, c, &c.N)
		case informerPart:
			if c.Informer > 0 {
				text = Quote(w.config(c.Informer).Name)
			}
		case flagPart:
			if *field(c, x.name).(*bool) {
				text = x.name
			}
		case optionPart:
			text = x.slot.write(w, c, field(c, x.name))
			if text != "" && text == x.slot.write(w, &usual, field(&usual, x.name)) && (x.name != "informer" || w.config(c.Informer).Parts == 0) {
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
func (f *Form) fill(values []string) string {
	var b strings.Builder
	for i, x := range f.parts {
		text := x.name
		if x.kind != literalPart {
			text = ""
			if len(values) > 0 {
				text, values = values[0], values[1:]
			}
			if x.kind != restPart && x.kind != flagPart {
				text = Quote(text)
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
