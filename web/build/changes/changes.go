// Package changes makes changes.html, the page that says what a release of client-go changes for
// a program.
package changes

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/changes"
	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

//go:embed page.html
var page string

// translated has, for each language but the first, the texts of each gate: what differs, what to do, and why no script
// shows it. Those in the first language are in engine/changes.
//
//go:embed *.json
var translated embed.FS

// contents is what the page has.
type contents struct {
	Languages []language
	Minors    []minor
	Gates     []gate
}

// language has what the page says beside its gates.
type language struct {
	Code  string
	Words map[string]string // the catalogue's entries below ui.changes
}

// Patches returns the attributes that label the choices of a patch release: of the release to start "from", or "to" end at.
func (c *contents) Patches(end string) template.HTMLAttr {
	var all []string
	for _, l := range c.Languages {
		all = append(all, fmt.Sprintf(`data-%s="%s"`, l.Code, html.EscapeString(l.Words[end+"Patch"])))
	}
	return template.HTMLAttr(strings.Join(all, " "))
}

// minor is a minor version, such as v0.22, and the number of its last patch release.
type minor struct {
	Name string `json:"name"`
	Last int    `json:"last"`
	// Of a minor without a release these are what it is called, and what its pre-release adds to the name.
	Called string `json:"called,omitempty"`
	Beta   string `json:"beta,omitempty"`
}

// release returns the name of a patch release of the minor, or of its pre-release.
func (m minor) release(n int) string {
	if m.Beta != "" {
		return m.Name + m.Beta
	}
	return fmt.Sprintf("%s.%d", m.Name, n)
}

// gate is a changes.Gate as the page shows it.
type gate struct {
	Name      string `json:"name"`
	Since     string `json:"since"`
	Has       string `json:"has"` // by minor, apart by spaces: from which patch release on it has the gate as the newest one has it, or -
	Refs      []ref  `json:"refs,omitempty"`
	Texts     []text `json:"-"`
	Script    string `json:"script,omitempty"`
	Before    string `json:"before,omitempty"`
	OldOutput string `json:"was,omitempty"`
	NewOutput string `json:"is,omitempty"`
}

type ref struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// text is what is said in a language.
type text struct {
	Lang        string       `json:"-"`
	Description string       `json:"says"`
	Advice      string       `json:"do"`
	Reason      string       `json:"why,omitempty"`
	Open        string       `json:"-"`              // the words of the link
	Link        template.URL `json:"link,omitempty"` // to a lesson with both releases side by side, where the script shows the change
}

// listed is a gate in the list of a language.
type listed struct {
	gate
	text
}

// NewFile returns the page, and by language what the page says, as files of JSON that page/releases.js
// fetches and draws. Files are those that the page is served: the words are in its catalogues.
func NewFile(files map[string][]byte) (html []byte, lists map[string][]byte, err error) {
	t, err := template.New("changes").Parse(page)
	if err != nil {
		return nil, nil, err
	}
	data, err := gather(files)
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

// readLanguages returns the languages with their words, and by language the texts of each gate.
func readLanguages(files map[string][]byte) (all []language, texts map[string]map[string][]string, err error) {
	texts = map[string]map[string][]string{}
	for i, l := range session.Languages {
		var catalogue map[string]string
		if err := json.Unmarshal(files["locales/"+l.Code+".json"], &catalogue); err != nil {
			return nil, nil, fmt.Errorf("locales/%s.json: %w", l.Code, err)
		}
		words := map[string]string{}
		for id, text := range catalogue {
			if name, ok := strings.CutPrefix(id, "ui.changes."); ok {
				words[name] = text
			}
		}
		all = append(all, language{l.Code, words})
		if i == 0 {
			continue
		}
		b, err := translated.ReadFile(l.Code + ".json")
		if err != nil {
			return nil, nil, err
		}
		var its map[string][]string
		if err := json.Unmarshal(b, &its); err != nil {
			return nil, nil, fmt.Errorf("changes/%s.json: %w", l.Code, err)
		}
		texts[l.Code] = its
	}
	return all, texts, nil
}

// gather plays the script of each gate.
func gather(files map[string][]byte) (data *contents, err error) {
	languages, translations, err := readLanguages(files)
	if err != nil {
		return nil, err
	}
	data = &contents{Languages: languages}
	newest := world.Releases()[len(world.Releases())-1]
	for _, r := range world.Releases() {
		if r == world.Beta.Name {
			name, _, _ := strings.Cut(world.Beta.Versions, " ")
			data.Minors = append(data.Minors, minor{Name: name, Called: world.Beta.Versions, Beta: strings.TrimPrefix(r, name)})
		} else if name, first := strings.CutSuffix(r, ".0"); first {
			data.Minors = append(data.Minors, minor{Name: name})
		} else {
			data.Minors[len(data.Minors)-1].Last++
		}
	}
	for i := range changes.Gates {
		g := &changes.Gates[i]
		shown := gate{Name: g.Name, Since: strings.Join(g.Since(), " · ")}
		since := make([]string, len(data.Minors))
		for m, minor := range data.Minors {
			if since[m], err = firstPatch(g, minor, newest); err != nil {
				return nil, err
			}
		}
		shown.Has = strings.Join(since, " ")
		for _, r := range strings.Fields(g.Refs) {
			repository, number, _ := strings.Cut(r, "#")
			shown.Refs = append(shown.Refs, ref{r, "https://github.com/" + repository + "/issues/" + number})
		}
		for i, l := range languages {
			its := []string{g.Difference, g.Advice, g.Reason}
			if i > 0 {
				its = translations[l.Code][g.Name]
				if len(its) < 2 || (len(its) > 2) != (g.Reason != "") {
					return nil, fmt.Errorf("changes/%s.json has no texts of %s", l.Code, g.Name)
				}
			}
			t := text{Lang: l.Code, Description: its[0], Advice: its[1], Open: l.Words["open"]}
			if g.Reason != "" {
				t.Reason = its[2]
			}
			shown.Texts = append(shown.Texts, t)
		}
		if g.Script != "" {
			s := g.Show()
			shown.Script, shown.Before = g.Script, s.Before
			shown.OldOutput, shown.NewOutput = strings.Join(s.Old, "\n"), strings.Join(s.New, "\n")
			place := g.Place()
			for i := range shown.Texts {
				t := &shown.Texts[i]
				t.Link = template.URL("./" + lessonLink(g.Name, g.Script, s, t, place))
			}
		}
		data.Gates = append(data.Gates, shown)
	}
	return data, nil
}

// firstPatch returns the number of the first patch release of a minor that has the gate as the newest release has it, or - if
// none has. All that come after it must have the gate, too.
func firstPatch(g *changes.Gate, m minor, newest string) (string, error) {
	first := -1
	for n := range m.Last + 1 {
		has := !g.Differs(m.release(n), newest)
		if has && first < 0 {
			first = n
		} else if !has && first >= 0 {
			return "", fmt.Errorf("%s has lost the gate %s", m.release(n), g.Name)
		}
	}
	if first < 0 {
		return "-", nil
	}
	return strconv.Itoa(first), nil
}

// lessonLink returns the fragment of the page that opens a lesson whose script is played to both releases, at a step.
func lessonLink(name, script string, s changes.Effect, t *text, place int64) string {
	lesson := "---\nminutes: 1\nstations: queue loop store\n---\n\n# " + name + "\n\n" + t.Description + "\n\n```script\nprofile " + s.Before + "\n" + script + "```\n\n" + t.Advice + "\n"
	a := address.Address{Source: address.Source{Script: lesson}, Tab: string(desk.Lesson), Steps: []link.PathStep{{Step: place}}, Page: address.Page{Lang: t.Lang}, Second: link.SecondProfile{Profile: s.After}}
	return a.String()
}

func (c *contents) lists() (map[string][]byte, error) {
	lists := map[string][]byte{}
	for i, l := range c.Languages {
		list := struct {
			Words  map[string]string `json:"words"`
			Minors []minor           `json:"minors"`
			Gates  []listed          `json:"gates"`
		}{map[string]string{}, c.Minors, nil}
		for _, name := range []string{"from", "to", "fromPatch", "toPatch", "none", "change", "open"} {
			list.Words[name] = l.Words[name]
		}
		for _, g := range c.Gates {
			list.Gates = append(list.Gates, listed{g, g.Texts[i]})
		}
		b, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		lists[l.Code] = b
	}
	return lists, nil
}
