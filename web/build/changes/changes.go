// Package changes makes changes.html, the page that says what a release of client-go changes for
// a program.
package changes

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/address"
)

//go:embed page.html
var page string

// zh.json has the texts of each gate in Chinese: what differs, what to do, and why no script shows it.
//
//go:embed zh.json
var zh []byte

// gate is a changes.Gate as the page shows it.
type gate struct {
	Name, Since string
	Has         string // by minor, from v0.22 on: 1 where its last release has the gate as the newest one has it
	Refs        []ref
	Texts       []text

	Script, Before string
	Was, Is        string
}

type ref struct{ Name, URL string }

// text is what is said in a language.
type text struct {
	Lang, Says, Do, Why string
	Open                string       // the words of the link
	Link                template.URL // to a lesson that plays the script in both releases
}

// Make returns the page.
func Make() ([]byte, error) {
	t, err := template.New("changes").Parse(page)
	if err != nil {
		return nil, err
	}
	chinese := map[string][]string{}
	if err := json.Unmarshal(zh, &chinese); err != nil {
		return nil, err
	}
	var data struct {
		Minors []string
		Gates  []gate
	}
	_, newest := world.VersionsKnown()
	for _, r := range world.Releases() {
		if minor, first := strings.CutSuffix(r, ".0"); first {
			data.Minors = append(data.Minors, minor)
		}
	}
	for i := range changes.Gates {
		g := &changes.Gates[i]
		its := chinese[g.Name]
		if len(its) < 2 || (len(its) > 2) != (g.Why != "") {
			return nil, fmt.Errorf("zh.json has no texts of %s", g.Name)
		}
		shown := gate{Name: g.Name, Since: strings.Join(g.Since(), " · ")}
		for _, minor := range data.Minors {
			last, _ := world.Release(minor)
			shown.Has += map[bool]string{true: "0", false: "1"}[g.Differs(last, newest)]
		}
		for _, r := range strings.Fields(g.Refs) {
			repository, number, _ := strings.Cut(r, "#")
			shown.Refs = append(shown.Refs, ref{r, "https://github.com/" + repository + "/issues/" + number})
		}
		english := text{Lang: "en", Says: g.Says, Do: g.Do, Why: g.Why, Open: "See it in both releases"}
		other := text{Lang: "zh", Says: its[0], Do: its[1], Open: "在两个版本中查看"}
		if g.Why != "" {
			other.Why = its[2]
		}
		if g.Script != "" {
			s := g.Show()
			shown.Script, shown.Before = g.Script, s.Before
			shown.Was, shown.Is = strings.Join(s.Was, "\n"), strings.Join(s.Is, "\n")
			for _, t := range []*text{&english, &other} {
				t.Link = template.URL("./" + link(lessonOf(g, s, t), t.Lang))
			}
		}
		shown.Texts = []text{english, other}
		data.Gates = append(data.Gates, shown)
	}
	var b bytes.Buffer
	err = t.Execute(&b, data)
	return b.Bytes(), err
}

// lessonOf is a lesson in which the script is played to both releases.
func lessonOf(g *changes.Gate, s changes.Shown, t *text) string {
	return "---\nminutes: 1\nstations: queue loop store\n---\n\n# " + g.Name + "\n\n" + t.Says + "\n\n```script\nprofile " + s.Before + "\n" + g.Script + "```\n\n" +
		t.Do + "\n\n```compare\nprofile " + s.After + "\n```\n"
}

func link(script, lang string) string {
	a := address.Address{Script: script, Page: address.Page{Lang: lang}}
	return a.String()
}
