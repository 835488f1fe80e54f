package session

import (
	"slices"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Find is how the viewer finds a step.
type Find struct {
	Follow  string          // the key whose steps are the only ones visited; "" for all
	Key     string          // the key that was looked for last
	Missed  *link.Missed    // there is no such step
	Search  *link.Searching // a step is being searched for
	Text    string          // what the viewer has typed to find a key
	entered string          // the text at which Enter was pressed, while its answer is on its way
	Keys    *link.Keys      // the keys that contain it
}

// toMark goes to the next mark of some kinds, or with n = -1 to the one before.
// If no kind is named, any mark will do.
func (f *Find) toMark(m *Model, n int64, kinds ...link.MarkKind) []Cmd {
	m.Front.ask("")
	cmds := m.Transport.set(m, false)
	cmds = append(cmds, m.Nav.History.leaveForMark(m)...)
	return append(cmds, m.move(link.SeekMark{Back: n < 0, Marks: kinds})...)
}

// toKey goes to the next step that concerns a key, or with n = -1 to the one before.
// Without a key, the viewer is asked for one.
func (f *Find) toKey(m *Model, key string, n int64) []Cmd {
	if key == "" {
		return f.open(m)
	}
	m.Front.ask("")
	f.Key = key
	cmds := m.Transport.set(m, false)
	return append(cmds, m.move(link.Step{N: n, Key: key})...)
}

// subject is the key that the viewer deals with: the key that is followed or was looked
// for, or else the key of the object in the inspector, or else the key of the step.
func (f *Find) subject(m *Model) string {
	switch {
	case f.Follow != "":
		return f.Follow
	case m.Front.Tab == desk.Object && m.Front.Object != nil:
		return m.Front.Object.Key
	case f.Key != "":
		return f.Key
	}
	return f.stepKey(m)
}

// stepKey is the key that the sentence of the step shown names first, or "".
func (f *Find) stepKey(m *Model) string {
	if m.Stage.Frame == nil {
		return ""
	}
	if a, ok := m.Stage.Frame.Said.Args["key"]; ok && a.Kind == "key" {
		return a.V
	}
	return ""
}

// follow has stepping visit only the steps that concern a key; all steps with "".
func (f *Find) follow(m *Model, key string) []Cmd {
	m.Front.ask("")
	if f.Follow = key; key != "" {
		f.Key = key
	}
	f.Missed = nil
	return f.end(m)
}

func (f *Find) toggle(m *Model) []Cmd {
	key := f.Key
	switch {
	case f.Follow != "":
		return f.follow(m, "")
	case m.Front.Tab == desk.Object && m.Front.Object != nil:
		key = m.Front.Object.Key
	case f.stepKey(m) != "":
		key = f.stepKey(m)
	}
	if key == "" {
		return f.open(m)
	}
	return f.follow(m, key)
}

// open opens the dialog in which the viewer says where to go.
func (f *Find) open(m *Model) []Cmd {
	if m.Stage.Frame == nil || m.Open.Died != "" {
		return nil
	}
	cmds := m.Transport.set(m, false)
	m.Front.ask("goTo")
	return append(cmds, f.write(m, "")...)
}

// write looks for the keys that contain a text.
func (f *Find) write(m *Model, text string) []Cmd {
	f.Text = text
	return m.send(link.FindKeys{Text: text}, false)
}

// first goes to the next step of the key that was typed, or else of the first one
// that contains what was typed.
func (f *Find) first(m *Model, key, value string) []Cmd {
	switch {
	case key == "Escape":
		return m.Front.close(m)
	case key != "Enter":
		return nil
	case f.Keys == nil || f.Keys.Text != value: // the answer is still on its way
		f.entered = value
		return nil
	case len(f.Keys.Keys) == 0:
		return nil
	case slices.Contains(f.Keys.Keys, value):
		return f.toKey(m, value, 1)
	}
	return f.toKey(m, f.Keys.Keys[0], 1)
}

// found takes in the keys that contain what was typed. If the viewer has pressed Enter
// meanwhile, it goes to the first one.
func (f *Find) found(m *Model, k *link.Keys) []Cmd {
	f.Keys = k
	if f.entered == "" || f.entered != k.Text || m.Front.Dialog != "goTo" {
		return nil
	}
	f.entered = ""
	return f.first(m, "Enter", k.Text)
}

// end ends the search for a step that is under way, if there is one.
func (f *Find) end(m *Model) []Cmd {
	if m.ask.search == "" {
		return nil
	}
	m.ask.endSearch()
	f.Search = nil
	return m.send(link.EndSearch{}, false)
}

// forget forgets the keys of another run that were looked for.
func (f *Find) forget() {
	f.Follow, f.Key, f.Text, f.Keys, f.Missed, f.Search = "", "", "", nil, nil, nil
}

// visitOnly has stepping visit the steps of a key, or all with "".
func (f *Find) visitOnly(key string) { f.Follow = key }

// missed notes that there is no such step, or with nil that one is looked for.
func (f *Find) missed(x *link.Missed) { f.Missed = x }

// searching takes in how far the search for a step is, nil for none.
func (f *Find) searching(s *link.Searching) { f.Search = s }
