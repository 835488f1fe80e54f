package session

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// others is the Model as a concern that is a package of its own knows it: each has an interface of
// what it does to the rest, such as lesson.Desk, which says what a method does. This is all of them.
// A Model is converted where a concern is called, since a method that did it would weigh 2 kB.
type others Model

// Rest is what a concern that is a package of its own, or the view on its behalf, may know of m.
func (m *Model) Rest() desk.Rest {
	r := desk.Rest{
		Trace: m.Open.Trace, Frame: m.Stage.Frame, Keys: m.Find.Keys, Least: m.Expr.Least,
		Loading: m.Open.Loading, Live: m.Cluster.Live != nil, Reads: m.Lesson.Learning != nil, Fetched: m.Open.Source.URL != "",
		Died: m.Open.Died != "", Playing: m.Transport.Playing, Moving: m.ask.moving != 0, Dark: m.Settings.IsDark(), Still: m.Settings.Still, Sent: m.ask.id, Pressed: m.Keyboard.pressed,
		Name: m.Open.Name, Text: m.Open.Source.Text, Lang: m.Settings.Lang, Dialog: m.Front.Dialog, Tab: m.Front.Tab,
	}
	r.Solves = r.Tab == desk.Lesson && m.Lesson.Writing == nil && m.Lesson.Learning.HasExercise()
	if m.Front.Object != nil {
		r.Held = m.Front.Object.Key
	}
	return r
}

func (o *others) Rest() desk.Rest       { return (*Model)(o).Rest() }
func (o *others) Send(op link.Op) []Cmd { return (*Model)(o).send(op, false) }
func (o *others) Move(op link.Op) []Cmd { return (*Model)(o).move(op) }
func (o *others) Pause() []Cmd          { return o.Transport.set((*Model)(o), false) }

func (o *others) SetDialog(name string)  { o.Front.ask(name) }
func (o *others) Show(t desk.Tab)        { o.Front.show(t) }
func (o *others) Turn(t desk.Tab)        { o.Front.turn(t) }
func (o *others) Fail(why *link.Failure) { o.Open.fail(why) }
func (o *others) EndGuess()              { o.Guess.end() }
func (o *others) Rewrite(text string)    { o.Open.rewritten(text) }

func (o *others) OpenLesson(name string, chosen []string) []Cmd {
	return (*Model)(o).open(Source{URL: lesson.URL(o.Settings.Lang, name), Name: lesson.FileName(name), Chosen: strings.Join(chosen, "\n")})
}

func (o *others) ReopenLesson(name string, chosen []string) []Cmd {
	dialog := o.Front.Dialog
	var on *address.Address
	if o.Open.Loading {
		if on = o.Nav.back; o.Open.Source.Chosen != "" {
			chosen = strings.Split(o.Open.Source.Chosen, "\n")
		}
	}
	cmds := o.OpenLesson(name, chosen)
	if on != nil {
		cmds = append(cmds, o.Nav.comeTo((*Model)(o), on)...)
	}
	o.Front.ask(dialog)
	o.Nav.History.replaced((*Model)(o))
	return cmds
}

func (o *others) PauseOnTheWay() []Cmd { return o.Transport.turn((*Model)(o), false) }

func (o *others) PlayTo(step int64, seconds float64) []Cmd {
	return o.Transport.playTo((*Model)(o), step, seconds)
}
func (o *others) Skip() (cmds []Cmd, ok bool) { return o.Transport.skip((*Model)(o)) }

func (o *others) CloseMenu()          { o.Hands.CloseMenu() }
func (o *others) Close() []Cmd        { return o.Front.close((*Model)(o)) }
func (o *others) Subject() string     { return o.Find.Subject(o.Rest()) }
func (o *others) LeaveForMark() []Cmd { return o.Nav.History.leave((*Model)(o), navigation.OnMark) }

func (o *others) EndSearch() bool {
	searched := o.ask.search != ""
	o.ask.endSearch()
	return searched
}

func (o *others) MoveOn() (cmds []Cmd, ok bool) {
	if len(o.ask.waiting) == 0 {
		return nil, false
	}
	return (*Model)(o).moveOn(), true
}
