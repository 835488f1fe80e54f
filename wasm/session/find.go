package session

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/link"
)

// toMark goes to the next mark of some kinds, or with n = -1 to the one before.
// If no kind is named, any mark will do.
func (m *Model) toMark(n int64, kinds ...link.MarkKind) []Cmd {
	m.Dialog = ""
	cmds := m.setPlaying(false)
	if !m.places.marking { // from mark to mark it is one jump
		cmds = append(cmds, m.leave()...)
	}
	return append(cmds, m.move(link.SeekMark{Back: n < 0, Marks: kinds})...)
}

// toKey goes to the next step that concerns a key, or with n = -1 to the one before.
// Without a key, the viewer is asked for one.
func (m *Model) toKey(key string, n int64) []Cmd {
	if key == "" {
		return m.openGoTo()
	}
	m.Dialog, m.Key = "", key
	cmds := m.setPlaying(false)
	return append(cmds, m.move(link.Step{N: n, Key: key})...)
}

// subject is the key that the viewer deals with: the key that he follows or has looked
// for, or else the key of the object in the inspector, or else the key of the step.
func (m *Model) subject() string {
	switch {
	case m.Follow != "":
		return m.Follow
	case m.Tab == Object && m.Object != nil:
		return m.Object.Key
	case m.Key != "":
		return m.Key
	}
	return m.stepKey()
}

// stepKey is the key that the sentence of the step shown names first, or "".
func (m *Model) stepKey() string {
	if m.Frame == nil {
		return ""
	}
	if a, ok := m.Frame.Said.Args["key"]; ok && a.Kind == "key" {
		return a.V
	}
	return ""
}

// follows has stepping visit only the steps that concern a key; all steps with "".
func (m *Model) follows(key string) []Cmd {
	m.Dialog = ""
	if m.Follow = key; key != "" {
		m.Key = key
	}
	m.Missed = nil
	return m.endSearch()
}

func (m *Model) toggleFollow() []Cmd {
	key := m.Key
	switch {
	case m.Follow != "":
		return m.follows("")
	case m.Tab == Object && m.Object != nil:
		key = m.Object.Key
	case m.stepKey() != "":
		key = m.stepKey()
	}
	if key == "" {
		return m.openGoTo()
	}
	return m.follows(key)
}

// openGoTo opens the dialog in which the viewer says where to go.
func (m *Model) openGoTo() []Cmd {
	if m.Frame == nil || m.Died != "" {
		return nil
	}
	cmds := m.setPlaying(false)
	m.Dialog = "goTo"
	return append(cmds, m.findKey("")...)
}

// findKey looks for the keys that contain a text.
func (m *Model) findKey(text string) []Cmd {
	m.Find = text
	return m.send(link.FindKeys{Text: text}, false)
}

// findFirst goes to the next step of the key that was typed, or else of the first one
// that contains what was typed.
func (m *Model) findFirst(key, value string) []Cmd {
	switch {
	case key == "Escape":
		return m.close()
	case key != "Enter":
		return nil
	case m.Keys == nil || m.Keys.Text != value: // the answer is still on its way
		m.entered = value
		return nil
	case len(m.Keys.Keys) == 0:
		return nil
	case slices.Contains(m.Keys.Keys, value):
		return m.toKey(value, 1)
	}
	return m.toKey(m.Keys.Keys[0], 1)
}

// foundKeys takes in the keys that contain what was typed. If the viewer has pressed Enter
// meanwhile, it goes to the first one.
func (m *Model) foundKeys(k *link.Keys) []Cmd {
	m.Keys = k
	if m.entered == "" || m.entered != k.Text || m.Dialog != "goTo" {
		return nil
	}
	m.entered = ""
	return m.findFirst("Enter", k.Text)
}

// endSearch ends the search for a step that is under way, if there is one.
func (m *Model) endSearch() []Cmd {
	if m.ask.search == "" {
		return nil
	}
	m.ask.search, m.Search = "", nil
	return m.send(link.EndSearch{}, false)
}

// forgetKeys forgets the keys of another run that were looked for.
func (m *Model) forgetKeys() {
	m.Follow, m.Key, m.Find, m.Keys, m.Missed, m.Search = "", "", "", nil, nil, nil
}
