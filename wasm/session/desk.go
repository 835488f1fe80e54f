package session

import (
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
)

// modelDesk is the Model as a concern that is a package of its own knows it: each has an interface of
// what it needs of the rest, such as lesson.Desk, which says what a method does. This is all of them.
type modelDesk Model

// desk is m for such a concern.
func (m *Model) desk() *modelDesk { return (*modelDesk)(m) }

func (d *modelDesk) model() *Model { return (*Model)(d) }

// Rest is what a concern that is a package of its own, or the view on its behalf, may know of m.
func (m *Model) Rest() desk.Rest {
	r := desk.Rest{
		Trace: m.Open.Trace, Frame: m.Stage.Frame, Keys: m.Find.Keys,
		Loading: m.Open.Loading, Live: m.Cluster.Live != nil, Reads: m.Lesson.Learning != nil, Fetched: m.Open.Source.URL != "",
		Died: m.Open.Died != "", Playing: m.Transport.Playing, Moving: m.ask.moving != 0, Still: m.Settings.Still, Sent: m.ask.id,
		Text: m.Open.Source.Text, Lang: m.Settings.Lang, Dialog: m.Front.Dialog, Tab: m.Front.Tab,
	}
	if m.Front.Object != nil {
		r.Held = m.Front.Object.Key
	}
	return r
}

func (d *modelDesk) Rest() desk.Rest       { return d.model().Rest() }
func (d *modelDesk) Send(op link.Op) []Cmd { return d.model().send(op, false) }
func (d *modelDesk) Move(op link.Op) []Cmd { return d.model().move(op) }
func (d *modelDesk) Pause() []Cmd          { return d.Transport.set(d.model(), false) }

func (d *modelDesk) SetDialog(name string)  { d.Front.ask(name) }
func (d *modelDesk) Show(t desk.Tab)        { d.Front.show(t) }
func (d *modelDesk) Turn(t desk.Tab)        { d.Front.turn(t) }
func (d *modelDesk) Fail(why *link.Failure) { d.Open.fail(why) }
func (d *modelDesk) EndGuess()              { d.Guess.end() }
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

func (d *modelDesk) PutAway()            { d.Front.put(nil) }
func (d *modelDesk) CloseMenu()          { d.Hands.CloseMenu() }
func (d *modelDesk) Close() []Cmd        { return d.Front.close(d.model()) }
func (d *modelDesk) Subject() string     { return d.Find.Subject(d.Rest()) }
func (d *modelDesk) LeaveForMark() []Cmd { return d.Nav.History.leaveForMark(d.model()) }

func (d *modelDesk) EndSearch() bool {
	searched := d.ask.search != ""
	d.ask.endSearch()
	return searched
}
