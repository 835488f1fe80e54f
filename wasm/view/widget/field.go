package widget

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Field returns an input of a kind, such as "number", with its name and perhaps a unit. Act and arg
// are the command that it sends when its value changes.
func Field(act, kind, arg, name, value, unit string) *tree.Node {
	in := tree.El("input", "").Attr("type", kind).Act(act, arg).Prop("value", value)
	if kind == "number" {
		in.Attr("min", "0").Attr("step", "any").Attr("inputmode", "decimal")
	} else {
		in.Attr("spellcheck", "false").Attr("autocomplete", "off").Attr("maxlength", "200")
	}
	l := tree.El("label", "field", tree.Text("span", "", name), in)
	if unit != "" {
		l.Add(tree.Text("span", "unit", unit))
	}
	return l
}

// Check returns a checkbox, disabled if off is set. Act and arg are the command that it sends.
func Check(act, arg, name string, on, off bool) *tree.Node {
	in := tree.El("input", "").Attr("type", "checkbox").Act(act, arg).Prop("checked", Truth(on)).Flag("disabled", off)
	return tree.El("label", "check", in, tree.Text("span", "", name))
}

// Truth returns "true" or "false", as attributes have them.
func Truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// SaveButton leads to the dialog that saves what is open.
func SaveButton(w *words.Words) *tree.Node {
	return tree.El("button", "button", Icon("save"), tree.Text("span", "", w.T("ui.save.ask"))).Attr("type", "button").Act("save", "")
}
