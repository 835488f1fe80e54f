package widget_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// What a profile has changed is said with the exact versions that it stands for.
func TestProfilesSayTheirVersions(t *testing.T) {
	for _, code := range viewtest.Languages(t) {
		w, o := viewtest.Speaking(viewtest.Catalogue(t, code)), &link.Opened{}
		for _, x := range world.Profiles() {
			o.Profiles = append(o.Profiles, link.Profile{Name: x.Name, Versions: x.Versions})
		}
		for _, x := range o.Profiles {
			o.Setup.Profile = x.Name
			said, _ := widget.Profiles(w, o).Value("title")
			if !strings.HasPrefix(said, x.Versions) || len(regexp.MustCompile(`v0\.\d`).FindAllString(said, -1)) != strings.Count(x.Versions, "v0.") {
				t.Errorf("%s says of %s: %s", code, x.Name, said)
			}
		}
	}
}
