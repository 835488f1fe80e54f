package changes

import "encoding/json"

// listed is a gate in a list.
type listed struct {
	Name   string `json:"name"`
	Since  string `json:"since"`
	Has    string `json:"has"`
	Refs   []ref  `json:"refs,omitempty"`
	Says   string `json:"says"`
	Do     string `json:"do"`
	Why    string `json:"why,omitempty"`
	Script string `json:"script,omitempty"`
	Before string `json:"before,omitempty"`
	Was    string `json:"was,omitempty"`
	Is     string `json:"is,omitempty"`
	Link   string `json:"link,omitempty"` // a fragment of the page's address
}

// words are what a list says beside its gates.
var words = map[string]map[string]string{
	"en": {"from": "From", "to": "to", "fromPatch": "Patch release to start from", "toPatch": "Patch release to end at", "none": "Nothing differs for a program.", "change": "With the change", "open": "See both side by side"},
	"zh": {"from": "从", "to": "到", "fromPatch": "起始的补丁版本", "toPatch": "目标的补丁版本", "none": "对程序没有可见的变化。", "change": "有此变化", "open": "并排查看两个版本"},
}

func (data *contents) lists() (map[string][]byte, error) {
	lists := map[string][]byte{}
	for lang, says := range words {
		list := struct {
			Words  map[string]string `json:"words"`
			Minors []minor           `json:"minors"`
			Gates  []listed          `json:"gates"`
		}{Words: says, Minors: data.Minors}
		for _, g := range data.Gates {
			for _, t := range g.Texts {
				if t.Lang == lang {
					list.Gates = append(list.Gates, listed{g.Name, g.Since, g.Has, g.Refs, t.Says, t.Do, t.Why, g.Script, g.Before, g.Was, g.Is, string(t.Link)})
				}
			}
		}
		b, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		lists[lang] = b
	}
	return lists, nil
}
