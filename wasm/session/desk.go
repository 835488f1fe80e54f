package session

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
)

// Desk is the Model as a concern that is a package of its own knows it: each has an interface of
// what it needs of the rest, such as lesson.Desk, which says what a method does. This is all of them.
type Desk Model

// Desk is m for such a concern.
func (m *Model) Desk() *Desk { return (*Desk)(m) }

func (d *Desk) model() *Model { return (*Model)(d) }

func (d *Desk) Send(op link.Op) []Cmd { return d.model().send(op, false) }
func (d *Desk) Move(op link.Op) []Cmd { return d.model().move(op) }
func (d *Desk) Moving() bool          { return d.ask.moving != 0 }
func (d *Desk) Pause() []Cmd          { return d.Transport.set(d.model(), false) }

func (d *Desk) Dialog() string         { return d.Front.Dialog }
func (d *Desk) SetDialog(name string)  { d.Front.ask(name) }
func (d *Desk) Show(t desk.Tab)        { d.Front.show(t) }
func (d *Desk) Turn(t desk.Tab)        { d.Front.turn(t) }
func (d *Desk) Fail(why *link.Failure) { d.Open.fail(why) }
func (d *Desk) Lang() string           { return d.Settings.Lang }
func (d *Desk) Still() bool            { return d.Settings.Still }
func (d *Desk) Trace() *link.Opened    { return d.Open.Trace }
func (d *Desk) Frame() *link.Frame     { return d.Stage.Frame }
func (d *Desk) Tab() desk.Tab          { return d.Front.Tab }
func (d *Desk) Reads() bool            { return d.Lesson.Learning != nil }
func (d *Desk) EndGuess()              { d.Guess.end() }
func (d *Desk) Fetched() bool          { return d.Open.Source.URL != "" }
func (d *Desk) Text() string           { return d.Open.Source.Text }
func (d *Desk) Rewrite(text string)    { d.Open.rewritten(text) }

func (d *Desk) OpenLesson(name string, chosen []string) []Cmd {
	return d.model().open(Source{URL: lesson.URL(d.Settings.Lang, name), Name: lesson.FileName(name), Chosen: strings.Join(chosen, "\n")})
}

func (d *Desk) ReopenLesson(name string, chosen []string) []Cmd {
	dialog := d.Front.Dialog
	cmds := d.OpenLesson(name, chosen)
	d.Front.ask(dialog)
	d.Nav.History.replaced(d.model())
	return cmds
}

func (d *Desk) PauseOnTheWay() []Cmd { return d.Transport.turn(d.model(), false) }

func (d *Desk) PlayTo(step int64, seconds float64) []Cmd {
	return d.Transport.playTo(d.model(), step, seconds)
}
func (d *Desk) Skip() (cmds []Cmd, ok bool) { return d.Transport.skip(d.model()) }

func (d *Desk) Held() string {
	if d.Front.Object == nil {
		return ""
	}
	return d.Front.Object.Key
}
