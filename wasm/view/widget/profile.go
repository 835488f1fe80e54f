package widget

import (
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Profiles is the choice of a version of client-go for what is open. Its title says what that
// version has changed.
func Profiles(w *words.Words, o *link.Opened) *tree.Node {
	list := tree.El("select", "").Act("profile", "").Attr("aria-label", w.T("ui.profile.title"))
	for _, x := range o.Profiles {
		list.Add(tree.Text("option", "", "client-go "+x.Versions).Attr("value", x.Name))
	}
	return tree.El("label", "profile", list.Prop("value", o.Setup.Profile)).Attr("title", Changed(w, o, o.Setup.Profile))
}

// Changed says what the versions of client-go with that profile have changed.
func Changed(w *words.Words, o *link.Opened, profile string) string {
	name := words.Or(profile, "classic")
	return w.Tn("profile."+name, "versions", o.Versions(name))
}
