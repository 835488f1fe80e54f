// Package changes makes changes.html, the page that says what a release of client-go changes for
// a program.
package changes

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

//go:embed page.html
var page string

// zh.json has the texts of each gate in Chinese: what differs, what to do, and why no script shows it.
//
//go:embed zh.json
var zh []byte

// contents is what the page has.
type contents struct {
	Minors []minor
	Gates  []gate
}

// minor is a minor version, such as v0.22, and the number of its last patch release.
type minor struct {
	Name string `json:"name"`
	Last int    `json:"last"`
}

// gate is a changes.Gate as the page shows it.
type gate struct {
	Name, Since string
	Has         string // by minor, apart by spaces: from which patch release on it has the gate as the newest one has it, or -
	Refs        []ref
	Texts       []text

	Script, Before string
	Was, Is        string
}

type ref struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// text is what is said in a language.
type text struct {
	Lang, Says, Do, Why string
	Open                string       // the words of the link
	Link                template.URL // to a lesson with both releases side by side, where the script shows the change
}

// Make returns the page, and by language what the page says, as files of JSON that page/releases.js
// fetches and draws.
func Make() (html []byte, lists map[string][]byte, err error) {
	t, err := template.New("changes").Parse(page)
	if err != nil {
		return nil, nil, err
	}
	data, err := gather()
	if err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, nil, err
	}
	lists, err = data.lists()
	return b.Bytes(), lists, err
}

// gather plays the script of each gate.
func gather() (data *contents, err error) {
	chinese := map[string][]string{}
	if err := json.Unmarshal(zh, &chinese); err != nil {
		return nil, err
	}
	data = &contents{}
	_, newest := world.VersionsKnown()
	for _, r := range world.Releases() {
		if name, first := strings.CutSuffix(r, ".0"); first {
			data.Minors = append(data.Minors, minor{Name: name})
		} else {
			data.Minors[len(data.Minors)-1].Last++
		}
	}
	for i := range changes.Gates {
		g := &changes.Gates[i]
		its := chinese[g.Name]
		if len(its) < 2 || (len(its) > 2) != (g.Why != "") {
			return nil, fmt.Errorf("zh.json has no texts of %s", g.Name)
		}
		shown := gate{Name: g.Name, Since: strings.Join(g.Since(), " · ")}
		since := make([]string, len(data.Minors))
		for m, minor := range data.Minors {
			if since[m], err = from(g, minor, newest); err != nil {
				return nil, err
			}
		}
		shown.Has = strings.Join(since, " ")
		for _, r := range strings.Fields(g.Refs) {
			repository, number, _ := strings.Cut(r, "#")
			shown.Refs = append(shown.Refs, ref{r, "https://github.com/" + repository + "/issues/" + number})
		}
		english := text{Lang: "en", Says: g.Says, Do: g.Do, Why: g.Why, Open: words["en"]["open"]}
		other := text{Lang: "zh", Says: its[0], Do: its[1], Open: words["zh"]["open"]}
		if g.Why != "" {
			other.Why = its[2]
		}
		if g.Script != "" {
			s := g.Show()
			shown.Script, shown.Before = g.Script, s.Before
			shown.Was, shown.Is = strings.Join(s.Was, "\n"), strings.Join(s.Is, "\n")
			place := g.Place()
			for _, t := range []*text{&english, &other} {
				t.Link = template.URL("./" + leads(g.Name, g.Script, s, t, place))
			}
		}
		shown.Texts = []text{english, other}
		data.Gates = append(data.Gates, shown)
	}
	return data, nil
}

// from returns the number of the first patch release of a minor that has the gate as the newest release has it, or - if
// none has. All that come after it must have the gate, too.
func from(g *changes.Gate, m minor, newest string) (string, error) {
	first := -1
	for n := range m.Last + 1 {
		has := !g.Differs(fmt.Sprintf("%s.%d", m.Name, n), newest)
		if has && first < 0 {
			first = n
		} else if !has && first >= 0 {
			return "", fmt.Errorf("%s.%d has lost the gate %s", m.Name, n, g.Name)
		}
	}
	if first < 0 {
		return "-", nil
	}
	return strconv.Itoa(first), nil
}

// leads returns the fragment of the page that leads to a lesson whose script is played to both releases, at a step.
func leads(name, script string, s changes.Shown, t *text, place int64) string {
	lesson := "---\nminutes: 1\nstations: queue loop store\n---\n\n# " + name + "\n\n" + t.Says + "\n\n```script\nprofile " + s.Before + "\n" + script + "```\n\n" + t.Do + "\n"
	a := address.Address{Source: address.Source{Script: lesson}, Tab: string(desk.Lesson), Way: []link.Waypoint{{Step: place}}, Page: address.Page{Lang: t.Lang}, Beside: link.SecondProfile{Profile: s.After}}
	return a.String()
}
