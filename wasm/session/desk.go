package session

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/address"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/ask"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/hands"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/loop"
	"github.com/informerscope/informerscope/wasm/session/navigation"
	"github.com/informerscope/informerscope/wasm/session/save"
)

// mediator is the Model behind the interfaces by which its concerns change the rest of it, such as lesson.Desk, where each
// method is described. A concern gets its interface once, when it is made.
type mediator struct{ m *Model }

// New returns the Model before anything is known. Lang is the browser's language tag.
// A speed that isn't an index of Speeds means the usual one.
func New(lang, theme string, speed int) *Model {
	if speed < 0 || speed >= len(Speeds) {
		speed = usualSpeed
	}
	m := &Model{
		Settings: Settings{Lang: LanguageOf(lang).Code, Theme: theme},
		Screen:   Screen{Width: 1440, Height: 900},
		Keyboard: Keyboard{Map: parseKeymap("")},
		Open:     navigation.Document{Loading: true},
		Stage:    Stage{Axis: link.ByStep},
	}
	d := mediator{m}
	m.Nav = navigation.New(d, &m.Open)
	m.Front = Front{desk: d, stage: &m.Stage, Tab: desk.Explain}
	m.Sharing = Sharing{desk: d, settings: &m.Settings, site: &m.Site}
	m.Transport = Transport{desk: d, nav: &m.Nav, stage: &m.Stage, cluster: &m.Cluster, screen: &m.Screen, find: &m.Find, Speed: speed, Unit: link.Micro}
	m.Find, m.Expr, m.Indexer, m.Causes = ask.NewFind(d), ask.NewExpr(d), ask.NewIndexer(d), ask.NewCauses(d)
	m.Draft = Draft{desk: d, open: &m.Open}
	m.Second = SecondMachine{desk: d, nav: &m.Nav, open: &m.Open, stage: &m.Stage, draft: &m.Draft}
	m.Hands, m.Lesson, m.Save, m.Loop = hands.New(d), lesson.New(d), save.New(d), loop.New(d)
	m.Guess, m.Cluster = Guesses{desk: d}, Cluster{desk: d}
	return m
}

// Restore restores the settings that the viewer's device has kept since the last visit. Saved returns a setting
// by the name that desk.StoreSetting has given it, "" for none.
func (m *Model) Restore(saved func(name string) string) {
	m.Keyboard.Map = parseKeymap(saved("keys"))
	m.Kinds.answers = strings.FieldsFunc(saved("kinds"), func(r rune) bool { return r == '\n' })
	density := saved("density")
	m.Whole = cmp.Or(saved("whole"), strconv.FormatBool(strings.Contains(density, "lesson=full"))) == "true"
	m.Last.restore(saved("last"))
	m.Nav.Used = m.usedMicroscope(saved("view"), density)
	m.Guess.Score = parseScore(saved("score"))
	m.Lesson.Read = lesson.ParseRead(saved("lessons"))
}

// Surroundings returns what a concern, or the view on its behalf, may know of the rest of m.
func (m *Model) Surroundings() desk.Surroundings {
	r := desk.Surroundings{
		Trace: m.Open.Trace, Frame: m.Stage.Frame, Lanes: m.Hands.Lanes, Keys: m.Find.Keys, Minimised: m.Expr.Minimised,
		Loading: m.Open.Loading, Live: m.Cluster.Live != nil, Reads: m.Lesson.Learning != nil, Fetched: m.Open.Source.URL != "",
		Died: m.Open.Died != "", Playing: m.Transport.Playing, Moving: m.ask.moving != 0, Dark: m.Settings.IsDark(), ReducedMotion: m.Settings.ReducedMotion, Sent: m.ask.id, Pressed: m.Keyboard.pressed,
		Name: m.Open.Name, Text: m.Open.Source.Text, Lang: m.Settings.Lang, Dialog: m.Front.Dialog, Tab: m.Front.Tab,
	}
	r.Solves = r.Tab == desk.Lesson && m.Lesson.Writing == nil && m.Lesson.Learning.HasExercise()
	if m.Front.Object != nil {
		r.Inspected = m.Front.Object.Key
	}
	return r
}

func (d mediator) Surroundings() desk.Surroundings        { return d.m.Surroundings() }
func (d mediator) Word(id string) string                  { return d.m.Settings.Words[id] }
func (d mediator) Subject() string                        { return d.m.Find.Subject() }
func (d mediator) Send(op link.Op) []Cmd                  { return d.m.send(op, false) }
func (d mediator) SendFiles(op link.Op, files bool) []Cmd { return d.m.send(op, files) }
func (d mediator) Move(op link.Op) []Cmd                  { return d.m.move(op) }
func (d mediator) Rerun(op link.Op) []Cmd                 { return d.m.rerun(op) }
func (d mediator) Fit() []Cmd                             { return d.m.fit() }

func (d mediator) MoveOn() (cmds []Cmd, ok bool) {
	if len(d.m.ask.waiting) == 0 {
		return nil, false
	}
	return d.m.moveOn(), true
}

func (d mediator) EndSearch() bool {
	searched := d.m.ask.search != ""
	d.m.ask.search = ""
	return searched
}

func (d mediator) Pause() []Cmd                { return d.m.Transport.set(false) }
func (d mediator) PauseOnTheWay() []Cmd        { return d.m.Transport.turn(false) }
func (d mediator) Skip() (cmds []Cmd, ok bool) { return d.m.Transport.skip() }
func (d mediator) PlayTo(step int64, seconds float64) []Cmd {
	return d.m.Transport.playTo(step, seconds)
}

func (d mediator) SetDialog(name string)              { d.m.Front.Dialog = name }
func (d mediator) Show(t desk.Tab)                    { d.m.Front.show(t) }
func (d mediator) Turn(t desk.Tab)                    { d.m.Front.turn(t) }
func (d mediator) Close() []Cmd                       { return d.m.close() }
func (d mediator) CloseMenu()                         { d.m.Hands.Menu = "" }
func (d mediator) Fail(why *link.Failure)             { d.m.Open.Failure = why }
func (d mediator) RefuseLine(f *link.LineFailure)     { d.m.Hands.Wrong = f }
func (d mediator) EndGuess()                          { d.m.Guess.Asked = nil }
func (d mediator) KindOf(s *navigation.Source) string { return d.m.Kinds.Named(s) }
func (d mediator) EditSetup(s link.Setup)             { d.m.Draft.Setup = cloneSetup(s) }

func (d mediator) LeaveForMark() []Cmd                     { return d.m.Nav.Leave(navigation.OnMark) }
func (d mediator) Open(s navigation.Source) []Cmd          { return d.m.open(s) }
func (d mediator) SetUp(a *address.Address) []Cmd          { return d.m.Draft.follow(a) }
func (d mediator) ShowInformer(i int) []Cmd                { return d.m.showInformer(i) }
func (d mediator) CaptureBeside(s navigation.Source) []Cmd { return d.m.Second.capture(s) }
func (d mediator) StandBeside(x link.Second, files int) []Cmd {
	return d.m.Second.openSecond(x, files)
}
func (d mediator) NextHit() []Cmd { return d.m.Expr.NextHit(1) }

func (d mediator) Speak(lang string) []Cmd {
	if l, spoken := languageOf(lang); spoken && l.Code != d.m.Settings.Lang {
		return []Cmd{d.m.Settings.choose(l.Code)}
	}
	return nil
}

func (d mediator) OpenCourse() []Cmd        { return d.m.Lesson.OpenCourse() }
func (d mediator) Beat() int                { return d.m.Loop.Beat }
func (d mediator) GoBeat(beat int) []Cmd    { return d.m.Loop.GoToBeat(beat) }
func (d mediator) Tick() []Cmd              { return []Cmd{Tick{}} }
func (d mediator) ShowLoop(on bool) []Cmd   { return d.m.showLoop(on) }
func (d mediator) WantMoment(moment string) { d.m.Lesson.BeginAt(moment) }
func (d mediator) GoStop(n int) []Cmd       { return d.m.Lesson.GoStop(n, false) }
func (d mediator) BeginLesson(path, name, moment string, chosen []string) []Cmd {
	return d.m.Lesson.Open(path, name, moment, chosen)
}
func (d mediator) Rewrite(text string) { d.m.Open.Source.URL, d.m.Open.Source.Text = "", text }

func (d mediator) OpenLesson(name string, chosen []string) []Cmd {
	return d.m.open(d.lesson(name, chosen))
}

func (d mediator) ReopenLesson(name string, chosen []string) []Cmd {
	dialog := d.m.Front.Dialog
	cmds := d.m.Nav.ReopenLesson(d.lesson(name, chosen))
	d.m.Front.Dialog = dialog
	return cmds
}

func (d mediator) lesson(name string, chosen []string) navigation.Source {
	return navigation.Source{URL: lesson.URL(d.m.Settings.Lang, name), Name: lesson.FileName(name), Chosen: strings.Join(chosen, "\n")}
}
