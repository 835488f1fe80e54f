// Package ask is what the viewer asks about the run, as the page's model has it: where a key or a
// mark comes next (Find), when an expression comes about (Expr), what the cache holds (Indexer), and
// what caused a thing (Causes). The worker answers.
package ask

import (
	"cmp"
	"slices"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
)

// Desk is what questions know of the rest of the model, and do to it.
type Desk interface {
	desk.Desk

	// Close closes the dialog that is open.
	Close() []desk.Cmd

	// Subject is the key that the viewer deals with, as Find.Subject has it.
	Subject() string
	// EndSearch no longer waits for the step that is searched for. It reports false if there is none.
	EndSearch() bool
	// LeaveForMark notes where the viewer is before a jump to a mark or a hit.
	LeaveForMark() []desk.Cmd
}

// Find is how the viewer finds a step.
type Find struct {
	desk    Desk
	Follow  string          // the key whose steps are the only ones visited; "" for all
	Key     string          // the key that was looked for last
	Missed  *link.Missed    // there is no such step
	Search  *link.Searching // a step is being searched for
	Text    string          // what the viewer has typed to find a key
	entered string          // the text at which Enter was pressed, while its answer is on its way
	Keys    *link.Keys      // the keys that contain it
}

// NewFind returns a Find with which nothing was looked for.
func NewFind(d Desk) Find { return Find{desk: d} }

// ToMark goes to the next mark of some kinds, or with n = -1 to the one before.
// If no kind is named, any mark will do.
func (f *Find) ToMark(n int64, kinds ...link.MarkKind) []desk.Cmd {
	f.desk.SetDialog("")
	cmds := append(f.desk.Pause(), f.desk.LeaveForMark()...)
	return append(cmds, f.desk.Move(link.SeekMark{Back: n < 0, Marks: kinds})...)
}

// ToKey goes to the next step that concerns a key, or with n = -1 to the one before.
// Without a key, the viewer is asked for one.
func (f *Find) ToKey(key string, n int64) []desk.Cmd {
	if key == "" {
		return f.Open()
	}
	f.desk.SetDialog("")
	f.Key = key
	return append(f.desk.Pause(), f.desk.Move(link.Step{N: n, Key: key})...)
}

// Subject returns the key that the viewer deals with: the key that is followed or was looked
// for, or else the key of the object in the inspector, or else the key of the step.
func (f *Find) Subject() string {
	r := f.desk.Surroundings()
	switch {
	case f.Follow != "":
		return f.Follow
	case inspected(r) != "":
		return inspected(r)
	case f.Key != "":
		return f.Key
	}
	return stepKey(r.Frame)
}

// inspected returns the key of the object that the inspector shows, or "".
func inspected(r desk.Surroundings) string {
	if r.Tab != desk.Object {
		return ""
	}
	return r.Inspected
}

// stepKey returns the key that the sentence of the step shown names first, or "".
func stepKey(f *link.Frame) string {
	if f == nil {
		return ""
	}
	if a, ok := f.Sentence.Args["key"]; ok && a.Kind == "key" {
		return a.V
	}
	return ""
}

// FollowKey makes stepping visit only the steps that concern a key; all steps with "".
func (f *Find) FollowKey(key string) []desk.Cmd {
	f.desk.SetDialog("")
	if f.Follow = key; key != "" {
		f.Key = key
	}
	f.Missed = nil
	return f.End()
}

// Toggle stops following the key that is followed. If none is, it follows the first of these keys
// that there is: the key of the object in the inspector, the key that the step shown is about, and
// the key that was looked for. If there is none, the viewer is asked.
func (f *Find) Toggle() []desk.Cmd {
	if f.Follow != "" {
		return f.FollowKey("")
	}
	r := f.desk.Surroundings()
	key := cmp.Or(inspected(r), stepKey(r.Frame), f.Key)
	if key == "" {
		return f.Open()
	}
	return f.FollowKey(key)
}

// Open opens the dialog in which the viewer says where to go.
func (f *Find) Open() []desk.Cmd {
	cmds := f.desk.Pause()
	f.desk.SetDialog("goTo")
	return append(cmds, f.Write("")...)
}

// Write looks for the keys that contain a text.
func (f *Find) Write(text string) []desk.Cmd {
	f.Text = text
	return f.desk.Send(link.FindKeys{Text: text})
}

// First goes to the next step of the key that was typed, or else of the first one
// that contains what was typed.
func (f *Find) First(key, value string) []desk.Cmd {
	switch {
	case key == "Escape":
		return f.desk.Close()
	case key != "Enter":
		return nil
	case f.Keys == nil || f.Keys.Text != value: // the answer is still on its way
		f.entered = value
		return nil
	case len(f.Keys.Keys) == 0:
		return nil
	case slices.Contains(f.Keys.Keys, value):
		return f.ToKey(value, 1)
	}
	return f.ToKey(f.Keys.Keys[0], 1)
}

// SetKeys takes in the keys that contain what was typed. If the viewer has pressed Enter
// meanwhile, it goes to the first one.
func (f *Find) SetKeys(k *link.Keys) []desk.Cmd {
	f.Keys = k
	if f.entered == "" || f.entered != k.Text || f.desk.Surroundings().Dialog != "goTo" {
		return nil
	}
	f.entered = ""
	return f.First("Enter", k.Text)
}

// End ends the search for a step that is under way, if there is one.
func (f *Find) End() []desk.Cmd {
	if !f.desk.EndSearch() {
		return nil
	}
	f.Search = nil
	return f.desk.Send(link.EndSearch{})
}

// Reset forgets what was open.
func (f *Find) Reset() { *f = NewFind(f.desk) }

// Forget forgets the keys of another run that were looked for.
func (f *Find) Forget() { *f = Find{desk: f.desk, entered: f.entered} }
