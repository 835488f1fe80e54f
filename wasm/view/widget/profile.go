package widget

import (
	"strings"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// Profiles returns the choice of a version of client-go for what is open. Its title says what that
// version has changed, and why it is played, if the page has chosen it.
func Profiles(w *words.Words, o *link.Opened, why string) *tree.Node {
	list := tree.El("select", "").Act("profile", "").Attr("aria-label", w.T("ui.profile.title"))
	for _, x := range o.Profiles {
		// The line above an option is seen in the open list, and takes no room in the bar.
		p, _ := world.ProfileFor(x.Name)
		list.Add(tree.El("optgroup", "", tree.Text("option", "", "client-go "+x.Versions).Attr("value", x.Name)).Attr("label", w.T(p.Summary+".since")))
	}
	if p := o.Setup.Profile; p != "" && o.Versions(p) == "" { // a link has named a single version
		list.Add(tree.Text("option", "", "client-go "+p).Attr("value", p))
	}
	return tree.El("label", "profile", list.Prop("value", o.Setup.Profile)).Attr("title", strings.TrimSpace(Changed(w, o.Setup.Profile)+" "+why))
}

// Chosen returns why the page plays what is open as a version of client-go: the viewer's own capture as
// the newest, and the page's recording as v0.22, which most articles describe. It is "" if somebody has
// chosen another version.
func Chosen(w *words.Words, o *link.Opened, own bool) string {
	if o == nil || o.Script || len(o.Profiles) == 0 {
		return ""
	}
	newest := o.Versions(world.Current.Name)
	switch profile := o.Setup.Profile; {
	case own && profile == world.Current.Name:
		return w.Tn("ui.own.newest", "versions", newest)
	case !own && profile == world.Classic.Name:
		return w.Tn("ui.own.classic", "versions", newest)
	}
	return ""
}

// Changed returns what the versions of client-go with that profile have changed, and as which one a
// version is played that isn't known yet.
func Changed(w *words.Words, profile string) string {
	name := words.Or(profile, world.Classic.Name)
	p, _ := world.ProfileFor(name)
	says := w.Tn(p.Summary, "versions", p.Versions)
	if played, newer := world.Newer(name); newer {
		says = w.Tn("ui.profile.newer", "name", name, "versions", played) + " " + says
	}
	return says
}
