package session

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
)

// modelDesk is the Model as a concern that is a package of its own knows it: each has an interface
// of what it needs of the rest, such as lesson.Desk.
type modelDesk Model

// desk is m for such a concern.
func (m *Model) desk() *modelDesk { return (*modelDesk)(m) }

func (d *modelDesk) model() *Model { return (*Model)(d) }

func (d *modelDesk) Send(op link.Op) []Cmd { return d.model().send(op, false) }
func (d *modelDesk) Move(op link.Op) []Cmd { return d.model().move(op) }
func (d *modelDesk) Moving() bool          { return d.ask.moving != 0 }
func (d *modelDesk) Pause() []Cmd          { return d.Transport.set(d.model(), false) }

func (d *modelDesk) Dialog() string         { return d.Front.Dialog }
func (d *modelDesk) SetDialog(name string)  { d.Front.ask(name) }
func (d *modelDesk) Show(t desk.Tab)        { d.Front.show(t) }
func (d *modelDesk) Turn(t desk.Tab)        { d.Front.turn(t) }
func (d *modelDesk) Fail(why *link.Failure) { d.Open.fail(why) }
func (d *modelDesk) Lang() string           { return d.Settings.Lang }
func (d *modelDesk) Still() bool            { return d.Settings.Still }
func (d *modelDesk) EndGuess()              { d.Guess.end() }
func (d *modelDesk) Fetched() bool          { return d.Open.Source.URL != "" }
func (d *modelDesk) Text() string           { return d.Open.Source.Text }
func (d *modelDesk) Rewrite(text string)    { d.Open.rewritten(text) }

func (d *modelDesk) OpenLesson(name string, chosen []string) []Cmd {
	return d.model().open(Source{URL: lesson.URL(d.Settings.Lang, name), Name: lesson.FileName(name), Chosen: strings.Join(chosen, "\n")})
}

func (d *modelDesk) ReopenLesson(name string, chosen []string) []Cmd {
	dialog := d.Front.Dialog
	cmds := d.OpenLesson(name, chosen)
	d.Front.ask(dialog)
	d.Nav.History.replaced(d.model())
	return cmds
}

func (d *modelDesk) PauseOnTheWay() []Cmd { return d.Transport.turn(d.model(), false) }

func (d *modelDesk) PlayTo(step int64, seconds float64) []Cmd {
	return d.Transport.playTo(d.model(), step, seconds)
}
func (d *modelDesk) Skip() (cmds []Cmd, ok bool) { return d.Transport.skip(d.model()) }
