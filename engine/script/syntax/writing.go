package syntax

import (
	"strings"

	"github.com/informerscope/informerscope/engine/informer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/world"
)

// writer writes lines about the informers that config returns by their number.
type writer struct {
	config func(informer int) *informer.Config
}

// CommandLine writes a command as a line. Config returns the configuration of an informer
// by its number, with the handlers that were added later. CommandLine reports false if no
// line can express the command: a handler that takes as long as recorded calls took.
func CommandLine(c *world.Command, config func(informer int) *informer.Config) (line string, ok bool) {
	if c.Handler.Took != nil {
		return "", false
	}
	for i := len(forms) - 1; i >= 0; i-- {
		if f := &forms[i]; f.kind == c.Kind {
			return f.write(&writer{config}, c), true
		}
	}
	return "", false
}

// table has the objects that a command is about.
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

// write writes the line of a command.
func (f *Form) write(w *writer, of *world.Command) string {
	usual := f.command()
	var b strings.Builder
	for i, x := range f.parts {
		text := ""
		switch x.kind {
		case literalPart:
			text = x.name
		case valuePart, restPart:
			text = x.slot.write(w, of, &of.N)
		case informerPart:
			if of.Informer > 0 {
				text = Quote(w.config(of.Informer).Name)
			}
		case flagPart:
			if *f.field(of, x.name).(*bool) {
				text = x.name
			}
		case optionPart:
			text = x.slot.write(w, of, f.field(of, x.name))
			if text != "" && text == x.slot.write(w, &usual, f.field(&usual, x.name)) {
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
