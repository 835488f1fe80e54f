// Package tree is a small retained tree of elements in plain Go. Views build
// Nodes. A Patcher compares them with the page, and writes the difference as
// one buffer of operations, which web/page/apply.js carries out. A call into
// the DOM costs microseconds; an operation in the buffer costs a tenth of that.
package tree

import (
	"slices"
	"strings"
)

// Node is one element. It has text or children and never both, so nothing that
// comes from a trace can be more than the text of one element.
type Node struct {
	tag, class, key, text string
	attrs                 []attr
	kids                  []*Node
	canvas                []byte // a drawing, for canvas elements
	id                    uint32 // on the page, once it is there
}

type attr struct {
	kind        attrKind
	name, value string
}

type attrKind uint8

const (
	isAttr  attrKind = iota
	isProp           // a property: what the user can change too
	isStyle          // a style property, set through the CSSOM
)

// The builders below are not inlined: views call them by the hundred, and each
// copy would weigh on the page's program.

// El makes an element. A tag that begins with "svg:" is in SVG's namespace. Nil
// children are left out.
//
//go:noinline
func El(tag, class string, kids ...*Node) *Node {
	n := &Node{tag: tag, class: class}
	return n.Add(kids...)
}

// Text makes an element that holds only text.
//
//go:noinline
func Text(tag, class, text string) *Node {
	return &Node{tag: tag, class: class, text: text}
}

// Add appends children.
//
//go:noinline
func (n *Node) Add(kids ...*Node) *Node {
	for _, k := range kids {
		if k != nil {
			n.kids = append(n.kids, k)
		}
	}
	return n
}

// Key names the node among its siblings, so that it stays the same element when
// it moves.
//
//go:noinline
func (n *Node) Key(key string) *Node {
	n.key = key
	return n
}

// Attr sets an attribute.
//
//go:noinline
func (n *Node) Attr(name, value string) *Node {
	n.attrs = append(n.attrs, attr{isAttr, name, value})
	return n
}

// Flag sets an attribute without a value where on.
//
//go:noinline
func (n *Node) Flag(name string, on bool) *Node {
	if on {
		n.attrs = append(n.attrs, attr{isAttr, name, ""})
	}
	return n
}

// Is sets an ARIA attribute to "true" or "false".
//
//go:noinline
func (n *Node) Is(name string, on bool) *Node {
	if on {
		return n.Attr(name, "true")
	}
	return n.Attr(name, "false")
}

// Prop sets a property: "value", or "checked" with "true" and "".
//
//go:noinline
func (n *Node) Prop(name, value string) *Node {
	n.attrs = append(n.attrs, attr{isProp, name, value})
	return n
}

// Style sets a style property.
//
//go:noinline
func (n *Node) Style(name, value string) *Node {
	n.attrs = append(n.attrs, attr{isStyle, name, value})
	return n
}

// Act makes the element send a command with an argument when it is activated.
//
//go:noinline
func (n *Node) Act(what, arg string) *Node {
	n.Attr("data-act", what)
	if arg != "" {
		n.Attr("data-arg", arg)
	}
	return n
}

// Place sets which place on the stage the element is.
//
//go:noinline
func (n *Node) Place(name string) *Node { return n.Attr("data-place", name) }

// Inert makes the element, and all below it, stand for nothing: things don't fly to it,
// and it sends no command but the one that is kept, with a prefix before its argument.
//
//go:noinline
func (n *Node) Inert(kept, prefix string) *Node {
	if n == nil {
		return nil
	}
	act, _ := n.Value("data-act")
	n.attrs = slices.DeleteFunc(n.attrs, func(a attr) bool {
		switch a.name {
		case "data-act", "data-arg":
			return act != kept
		case "data-place", "id":
			return true
		}
		return false
	})
	for i := range n.attrs {
		if a := &n.attrs[i]; a.name == "data-arg" {
			a.value = prefix + a.value
		}
	}
	for _, k := range n.kids {
		k.Inert(kept, prefix)
	}
	return n
}

// Draw gives a canvas its drawing.
//
//go:noinline
func (n *Node) Draw(drawing []byte) *Node {
	n.canvas = drawing
	return n
}

// RemoveRefused leaves out all elements below n whose command is refused.
func (n *Node) RemoveRefused(refused func(act string) bool) {
	n.kids = slices.DeleteFunc(n.kids, func(k *Node) bool {
		act, is := k.Value("data-act")
		return is && refused(act)
	})
	for _, k := range n.kids {
		k.RemoveRefused(refused)
	}
}

// Find returns the first node, n or below it, that ok accepts, or nil.
func (n *Node) Find(ok func(*Node) bool) *Node {
	if ok(n) {
		return n
	}
	for _, k := range n.kids {
		if f := k.Find(ok); f != nil {
			return f
		}
	}
	return nil
}

// Value returns the value of an attribute or a style property, and whether there is one.
func (n *Node) Value(name string) (string, bool) {
	if name == "class" {
		return n.class, n.class != ""
	}
	for _, a := range n.attrs {
		if (a.kind == isAttr || a.kind == isStyle) && a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// HasClass reports whether n has a class.
func (n *Node) HasClass(class string) bool { return slices.Contains(strings.Fields(n.class), class) }

// TextContent returns the text of n and of all nodes below it.
func (n *Node) TextContent() string {
	text := n.text
	for _, k := range n.kids {
		text += k.TextContent()
	}
	return text
}

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
