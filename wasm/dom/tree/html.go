package tree

import (
	"slices"
	"strings"
)

// void are the elements that have no end tag in HTML, of those that views use.
var void = []string{"br", "hr", "img", "input"}

// HTML returns the node as a document has it, for a page that is to be seen before the program runs. What HTML can't
// say is left out: drawings, and styles, which the page's policy refuses there.
func (n *Node) HTML() string {
	var b strings.Builder
	n.html(&b, "")
	return b.String()
}

// html writes the node. Chosen is the value of the select around it.
func (n *Node) html(b *strings.Builder, chosen string) {
	tag := strings.TrimPrefix(n.tag, "svg:")
	b.WriteString("<" + tag)
	write := func(name, value string) { b.WriteString(" " + name + `="` + escape(value) + `"`) }
	if n.class != "" {
		write("class", n.class)
	}
	for _, a := range n.attrs {
		switch {
		case a.kind == isProp && tag == "select":
			chosen = a.value
		case a.kind == isProp && a.name == "checked" && a.value != "true", a.kind == isStyle:
		default:
			write(a.name, a.value)
		}
	}
	if value, _ := n.Value("value"); tag == "option" && value == chosen {
		write("selected", "")
	}
	b.WriteString(">")
	if slices.Contains(void, tag) {
		return
	}
	b.WriteString(escape(n.text))
	for _, k := range n.kids {
		k.html(b, chosen)
	}
	b.WriteString("</" + tag + ">")
}

// escape returns html.EscapeString. That package would be initialized in the page's program, which never writes HTML.
func escape(text string) string {
	for _, c := range [][2]string{{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {`"`, "&quot;"}} {
		text = strings.ReplaceAll(text, c[0], c[1])
	}
	return text
}
