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
			said, _ := widget.Profiles(w, o, "").Value("title")
			if !strings.HasPrefix(said, x.Versions) || len(regexp.MustCompile(`v0\.\d`).FindAllString(said, -1)) != strings.Count(x.Versions, "v0.") {
				t.Errorf("%s says of %s: %s", code, x.Name, said)
			}
		}
	}
}

// The list of versions says in a line above each what it has brought.
func TestVersionsSayWhatTheyBring(t *testing.T) {
	for _, code := range viewtest.Languages(t) {
		w := viewtest.Speaking(viewtest.Catalogue(t, code))
		for _, x := range world.Profiles() {
			minor := strings.Join(strings.SplitN(x.Versions, ".", 3)[:2], ".")
			says := w.T(x.Summary + ".since")
			if !strings.Contains(says, minor) {
				t.Errorf("%s says %q of %s", code, says, x.Versions)
			}
		}
	}
}

// A single version that a link has named is one of the versions that can be chosen. If it isn't
// known yet, it is said as which one it is played.
func TestProfilesSayWhatANewerVersionIsPlayedAs(t *testing.T) {
	_, newest := world.VersionsKnown()
	newer := newest[:strings.LastIndexByte(newest, '.')] + ".99"
	for _, code := range viewtest.Languages(t) {
		w, o := viewtest.Speaking(viewtest.Catalogue(t, code)), &link.Opened{}
		for _, x := range world.Profiles() {
			o.Profiles = append(o.Profiles, link.Profile{Name: x.Name, Versions: x.Versions})
		}
		for _, version := range []string{"v0.23.4", newest, newer} {
			o.Setup.Profile = version
			n := widget.Profiles(w, o, "")
			said, _ := n.Value("title")
			if !strings.Contains(n.TextContent(), "client-go "+version) || strings.Contains(said, newer) != (version == newer) || version == newer && !strings.Contains(said, newest) {
				t.Errorf("%s says of %s: %s", code, version, said)
			}
		}
	}
}

// The page says why it has chosen a version, as long as nobody has chosen another one.
func TestTheChoiceOfAVersionHasAReason(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "en"))
	o := &link.Opened{}
	for _, x := range world.Profiles() {
		o.Profiles = append(o.Profiles, link.Profile{Name: x.Name, Versions: x.Versions})
	}
	newest := world.Current
	for _, c := range []struct {
		own, script bool
		profile     string
		says        string
	}{
		{own: true, profile: newest.Name, says: newest.Versions + ", the newest"},
		{own: false, profile: "classic", says: "since its DeltaFIFO"},
		{own: true, profile: "classic"},
		{own: false, profile: newest.Name},
		{own: true, profile: newest.Name, script: true},
	} {
		o.Setup.Profile, o.Script = c.profile, c.script
		if said := widget.Chosen(w, o, c.own); c.says == "" && said != "" || !strings.Contains(said, c.says) {
			t.Errorf("own %v, script %v, %s: it says %q", c.own, c.script, c.profile, said)
		}
	}
}
