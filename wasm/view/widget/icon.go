package widget

import "github.com/informerscope/informerscope/wasm/dom/tree"

// icons are the paths of the icons, on a grid of 16 by 16. Characters would look
// different in each font.
var icons = map[string]string{
	"play":      "M4.5 2.8v10.4L13 8z",
	"pause":     "M4 3h3v10H4zM9 3h3v10H9z",
	"step":      "M4 3.2v9.6L10.4 8zM11 3h2v10h-2z",
	"back":      "M12 3.2v9.6L5.6 8zM3 3h2v10H3z",
	"end":       "M2.5 3.5v9L7.3 8zM7.3 3.5v9L12 8zM12 3h1.8v10H12z",
	"start":     "M13.5 3.5v9L8.7 8zM8.7 3.5v9L4 8zM2.2 3H4v10H2.2z",
	"find":      "M6.8 1.8a5 5 0 0 1 4 8l3.5 3.5-1.2 1.2-3.5-3.5a5 5 0 1 1-2.8-9.2zm0 1.7a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6z",
	"track":     "M8 1.6a6.4 6.4 0 1 1 0 12.8A6.4 6.4 0 0 1 8 1.6zm0 1.7a4.7 4.7 0 1 0 0 9.4 4.7 4.7 0 0 0 0-9.4zm0 2.6a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2z",
	"lock":      "M4.6 7V5.2a3.4 3.4 0 0 1 6.8 0V7h.8v6.5H3.8V7zm1.7 0h3.4V5.2a1.7 1.7 0 0 0-3.4 0z",
	"open":      "M1.8 3.2h4.4l1.4 1.6h6.6v1.6H3.9l-1 5.2 1.5-3.8h10.3l-2 5H1.8z",
	"theme":     "M8 1.8a6.2 6.2 0 1 0 0 12.4zM8 1.8a6.2 6.2 0 0 1 0 12.4v-1.5a4.7 4.7 0 0 0 0-9.4z",
	"help":      "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 11a.9.9 0 1 1 0 1.8A.9.9 0 0 1 8 11zm0-7.6c1.6 0 2.7 1 2.7 2.4 0 1.2-.7 1.8-1.3 2.3-.5.4-.7.6-.7 1.2v.5H7.3v-.6c0-1.2.6-1.7 1.2-2.2.5-.4.7-.6.7-1.2 0-.5-.5-.9-1.2-.9-.8 0-1.3.5-1.3 1.2H5.2c0-1.6 1.2-2.7 2.8-2.7z",
	"close":     "M3.6 2.4 8 6.8l4.4-4.4 1.2 1.2L9.2 8l4.4 4.4-1.2 1.2L8 9.2l-4.4 4.4-1.2-1.2L6.8 8 2.4 3.6z",
	"plus":      "M7.1 2.5h1.8v4.6h4.6v1.8H8.9v4.6H7.1V8.9H2.5V7.1h4.6z",
	"up":        "M8 4.6l5 5-1.3 1.3L8 7.2l-3.7 3.7L3 9.6z",
	"down":      "M8 11.4l5-5-1.3-1.3L8 8.8 4.3 5.1 3 6.4z",
	"left":      "M10.4 2.6 11.7 4l-4 4 4 4-1.3 1.4L5 8z",
	"right":     "M5.6 2.6 4.3 4l4 4-4 4 1.3 1.4L11 8z",
	"file":      "M3.5 1.5h6l3 3v10h-9zM5 3v10h6V5.5H8.5V3z",
	"info":      "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM7.1 7h1.8v4.6H7.1zM8 4a1 1 0 1 1 0 2 1 1 0 0 1 0-2z",
	"live":      "M8 6.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4zM10.3 5.7l.9-.9a4.5 4.5 0 0 1 0 6.4l-.9-.9a3.25 3.25 0 0 0 0-4.6zM5.7 5.7l-.9-.9a4.5 4.5 0 0 0 0 6.4l.9-.9a3.25 3.25 0 0 1 0-4.6zM12.2 3.8l.9-.9a7.2 7.2 0 0 1 0 10.2l-.9-.9a5.9 5.9 0 0 0 0-8.4zM3.8 3.8l-.9-.9a7.2 7.2 0 0 0 0 10.2l.9-.9a5.9 5.9 0 0 1 0-8.4z",
	"save":      "M7.2 2h1.6v5.6l2.1-2.1L12 6.6 8 10.6 4 6.6l1.1-1.1 2.1 2.1zM2.5 10h1.6v2.9h7.8V10h1.6v4.5h-11z",
	"check":     "M6.4 12.2 2.6 8.4l1.2-1.2 2.6 2.6 5.8-5.8 1.2 1.2z",
	"more":      "M3.2 6.6a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8zM8 6.6a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8zM12.8 6.6a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8z",
	"edit":      "M11.3 1.9l2.8 2.8-8.4 8.4-3.5.7.7-3.5zM10 4.9 4.2 10.7l-.3 1.4 1.4-.3L11.1 6z",
	"code":      "M5.2 3.6 6.4 4.8 3.2 8l3.2 3.2-1.2 1.2L.8 8zM10.8 3.6 15.2 8l-4.4 4.4-1.2-1.2L12.8 8 9.6 4.8zM8.5 2.6H10L7.5 13.4H6z",
	"script":    "M3 2h10v12H3zM4.6 3.6v8.8h6.8V3.6zM5.6 5h4.8v1.3H5.6zM5.6 7.4h4.8v1.3H5.6zM5.6 9.8h3.2v1.3H5.6z",
	"command":   "M1.5 3h13v10h-13zm1.6 1.6v6.8h9.8V4.6zM4.2 5.6l2.6 2.4-2.6 2.4-.9-1L4.9 8 3.3 6.6zM7.4 9.4h4.2v1.3H7.4z",
	"guess":     "M8 1.4c2.7 0 4.6 1.7 4.6 4 0 1.6-.8 2.6-1.7 3.4-.6.5-.8.9-.8 1.6v.5H5.9v-.5c0-.7-.2-1.1-.8-1.6-.9-.8-1.7-1.8-1.7-3.4 0-2.3 1.9-4 4.6-4zm0 1.6C6.300 3 5 4 5 5.500c0 1 .5 1.600 1.200 2.200.6.500 1 1 1.200 1.700h1.200c.2-.7.6-1.200 1.200-1.700.7-.600 1.200-1.200 1.200-2.200C11 4 9.700 3 8 3zM6 11.900h4v1.200H6zM6.700 13.700h2.600v1H6.700z",
	"learn":     "M8 2.2 15.2 5.5 8 8.8.8 5.5zM3.4 7.6 8 9.8l4.6-2.2v3.3C11.6 12.2 9.9 13 8 13s-3.6-.8-4.6-2.1zM13.9 6.4h1.2v4.4h-1.2z",
	"shield":    "M8 1.3l5.4 2v4.2c0 3.4-2.2 5.9-5.4 7.2-3.2-1.3-5.4-3.8-5.4-7.2V3.3zm-.7 9.1L11.5 6l-1.1-1.1-3.1 3.2-1.5-1.5-1.1 1.1z",
	"plugged":   "M1 7.1h3.1a4 4 0 0 1 7.8 0H15v1.8h-3.1a4 4 0 0 1-7.8 0H1zM8 5.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z",
	"plug":      "M1 7.1h3.1a4 4 0 0 1 3-3v1.8a2.3 2.3 0 0 0 0 4.2v1.8a4 4 0 0 1-3-3H1zM8.9 4.1a4 4 0 0 1 3 3H15v1.8h-3.1a4 4 0 0 1-3 3v-1.8a2.3 2.3 0 0 0 0-4.2z",
	"unplugged": "M1 7.1h3.6v1.8H1zM7.1 7.1h1.8v1.8H7.1zM11.4 7.1H15v1.8h-3.6z",
	"broken":    "M1 7.1h3.4l1.8-1.8 1.3 1.3L6.1 8l1.4 1.4-1.3 1.3-1.8-1.8H1zM9.8 5.3l1.8 1.8H15v1.8h-3.4l-1.8 1.8-1.3-1.3L9.9 8 8.5 6.6z",
	"beside":    "M1.5 2.5h5.7v11H1.5zM3.1 4.1v7.8h2.5V4.1zM8.8 2.5h5.7v11H8.8zM10.4 4.1v7.8h2.5V4.1z",
	"again":     "M8 2.2a5.8 5.8 0 0 1 4.4 2L14 2.6v4.6H9.4l1.8-1.8A4.1 4.1 0 1 0 12 9.2h1.7A5.8 5.8 0 1 1 8 2.2z",
	"why":       "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm0 1.7a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6zM8.9 4.6v3l2.2 1.6-1 1.4-2.9-2.1V4.6z",
	"link":      "M7 4.2 8.6 2.6a3.4 3.4 0 0 1 4.8 4.8L11.8 9l-1.2-1.2 1.6-1.6a1.7 1.7 0 0 0-2.4-2.4L8.2 5.4zM9 11.8l-1.6 1.6a3.4 3.4 0 0 1-4.8-4.8L4.2 7l1.2 1.2-1.6 1.6a1.7 1.7 0 0 0 2.4 2.4l1.6-1.6zM6 8.8 8.8 6 10 7.2 7.2 10z",
	"card":      "M2 2.5h12v11H2zM3.6 4.1v7.8h8.8V4.1zM5 8.4h1.6v2.4H5zM7.2 5.4h1.6v5.4H7.2zM9.4 7H11v3.8H9.4z",
	"list":      "M2 3.2h1.8V5H2zM5.4 3.2H14V5H5.4zM2 7.1h1.8v1.8H2zM5.4 7.1H14v1.8H5.4zM2 11h1.8v1.8H2zM5.4 11H14v1.8H5.4z",
}

// Icon returns an icon by its name. A screen reader doesn't see it.
func Icon(name string) *tree.Node {
	return tree.El("svg:svg", "icon", tree.El("svg:path", "").Attr("d", icons[name])).
		Attr("viewBox", "0 0 16 16").Attr("aria-hidden", "true")
}

// Logo returns the page's logo: a lens over Deltas.
func Logo() *tree.Node {
	rect := func(x, y, w, class string) *tree.Node {
		return tree.El("svg:rect", class).Attr("x", x).Attr("y", y).Attr("width", w).Attr("height", "2.6").Attr("rx", "1.3")
	}
	return tree.El("svg:svg", "logo",
		tree.El("svg:circle", "logo-lens").Attr("cx", "13").Attr("cy", "13").Attr("r", "9"),
		tree.El("svg:path", "logo-grip").Attr("d", "M20 20l8 8"),
		rect("8", "8.2", "8", "fill-A"), rect("8", "11.8", "10.5", "fill-U"), rect("8", "15.4", "6", "fill-D"),
	).Attr("viewBox", "0 0 30 30").Attr("aria-hidden", "true")
}

// IconButton returns a button that shows only an icon. Its text is a tooltip, and what a screen reader
// says. Act and arg are the command that it sends.
func IconButton(class, name, text, act, arg string) *tree.Node {
	return Action("button "+class, act, arg, Icon(name)).
		Attr("aria-label", text).Attr("title", text)
}

// Button returns a button with text, which sends the command act with arg.
func Button(class, text, act, arg string) *tree.Node {
	return TextAction("button "+class, act, arg, text)
}

// Labeled returns a button with an icon and text, which sends the command act with arg.
func Labeled(class, icon, text, act, arg string) *tree.Node {
	return Action("button "+class, act, arg, Icon(icon), tree.Text("span", "", text))
}

// TextAction returns text that sends the command act with arg when it is clicked.
func TextAction(class, act, arg, text string) *tree.Node {
	return tree.Text("button", class, text).Attr("type", "button").Act(act, arg)
}

// Action returns an element of some parts that sends the command act with arg when it is clicked.
func Action(class, act, arg string, parts ...*tree.Node) *tree.Node {
	return tree.El("button", class, parts...).Attr("type", "button").Act(act, arg)
}
