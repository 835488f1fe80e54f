package session

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// mediator is the Model as its concerns know it. Each concern that is a package of its own has an interface
// of what it does to the rest, such as lesson.Desk, and gets it once, when it is made. This is all of them.
type mediator struct{ m *Model }

// Rest is what a concern that is a package of its own, or the view on its behalf, may know of m.
func (m *Model) Rest() desk.Rest {
	r := desk.Rest{
		Trace: m.Open.Trace, Frame: m.Stage.Frame, Lanes: m.Hands.Lanes, Keys: m.Find.Keys, Least: m.Expr.Least,
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

func (o mediator) Rest() desk.Rest       { return o.m.Rest() }
func (o mediator) Send(op link.Op) []Cmd { return o.m.send(op, false) }
func (o mediator) Move(op link.Op) []Cmd { return o.m.move(op) }
func (o mediator) Pause() []Cmd          { return o.m.Transport.set(o.m, false) }

func (o mediator) SetDialog(name string)  { o.m.Front.ask(name) }
func (o mediator) Show(t desk.Tab)        { o.m.Front.show(t) }
func (o mediator) Turn(t desk.Tab)        { o.m.Front.turn(t) }
func (o mediator) Fail(why *link.Failure) { o.m.Open.Failure = why }
func (o mediator) EndGuess()              { o.m.Guess.Asked = nil }
func (o mediator) Rewrite(text string)    { o.m.Open.Source.URL, o.m.Open.Source.Text = "", text }

func (o mediator) OpenLesson(name string, chosen []string) []Cmd {
	return o.m.open(o.lesson(name, chosen))
}

func (o mediator) ReopenLesson(name string, chosen []string) []Cmd {
	dialog := o.m.Front.Dialog
	cmds := o.m.Nav.ReopenLesson(o.lesson(name, chosen))
	o.m.Front.ask(dialog)
	return cmds
}

// lesson returns the Source of a lesson of the course.
func (o mediator) lesson(name string, chosen []string) navigation.Source {
	return navigation.Source{URL: lesson.URL(o.m.Settings.Lang, name), Name: lesson.FileName(name), Chosen: strings.Join(chosen, "\n")}
}

func (o mediator) Open(s navigation.Source) []Cmd             { return o.m.open(s) }
func (o mediator) CaptureBeside(s navigation.Source) []Cmd    { return o.m.Second.capture(o.m, s) }
func (o mediator) StandBeside(x link.Second, files int) []Cmd { return o.m.Second.stand(o.m, x, files) }
func (o mediator) ShowInformer(i int) []Cmd                   { return o.m.chooseInformer("", strconv.Itoa(i)) }
func (o mediator) NextHit() []Cmd                             { return o.m.Expr.Next(1) }
func (o mediator) RefuseLine(f *link.LineFailure)             { o.m.Hands.Wrong = f }
func (o mediator) BeginLesson(path, name, moment string, chosen []string) []Cmd {
	return o.m.Lesson.Open(path, name, moment, chosen)
}
func (o mediator) WantMoment(moment string)  { o.m.Lesson.Want(moment) }
func (o mediator) GoStop(n int) []Cmd        { return o.m.Lesson.GoStop(n, false) }
func (o mediator) OpenCourse() []Cmd         { return o.m.Lesson.OpenCourse() }
func (o mediator) SetDensity(density string) { o.m.Density.link = density }
func (o mediator) Speak(lang string) []Cmd {
	if l, spoken := languageOf(lang); spoken && l.Code != o.m.Settings.Lang {
		return []Cmd{o.m.Settings.choose(l.Code)}
	}
	return nil
}
func (o mediator) Notice() { o.m.Open.Noticed = true }
func (o mediator) load()   { o.m.Open.Loading = true }

func (o mediator) PauseOnTheWay() []Cmd { return o.m.Transport.turn(o.m, false) }

func (o mediator) PlayTo(step int64, seconds float64) []Cmd {
	return o.m.Transport.playTo(o.m, step, seconds)
}
func (o mediator) Skip() (cmds []Cmd, ok bool) { return o.m.Transport.skip(o.m) }

func (o mediator) CloseMenu()          { o.m.Hands.Menu = "" }
func (o mediator) Close() []Cmd        { return o.m.Front.close(o.m) }
func (o mediator) Subject() string     { return o.m.Find.Subject() }
func (o mediator) LeaveForMark() []Cmd { return o.m.Nav.Leave(navigation.OnMark) }

func (o mediator) EndSearch() bool {
	searched := o.m.ask.search != ""
	o.m.ask.endSearch()
	return searched
}

func (o mediator) MoveOn() (cmds []Cmd, ok bool) {
	if len(o.m.ask.waiting) == 0 {
		return nil, false
	}
	return o.m.moveOn(), true
}
