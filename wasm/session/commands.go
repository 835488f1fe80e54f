package session

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
)

// Command is something that the viewer can do. One table feeds the buttons, the
// keyboard and the list of keys.
type Command struct {
	Name string   // an element's data-act; the catalogues have its title under "ui.do." and it
	Keys []string // as a KeyboardEvent names them, with "Shift+" before it where that matters
	Show []string // as the list of keys writes them
	do   func(m *Model, arg, value string) []Cmd
}

// Group is a part of the list of keys.
type Group struct {
	Name     string // the catalogues have its title under "ui.keys." and it
	Commands []*Command
}

// Groups lists the commands that have keys.
var Groups = []Group{
	{"play", []*Command{
		{"play", []string{" "}, []string{"Space"}, func(m *Model, _, _ string) []Cmd { return m.playOrPause() }},
		{"slower", []string{"<", "Shift+<"}, []string{"<"}, func(m *Model, _, _ string) []Cmd { return m.changeSpeed(-1) }},
		{"faster", []string{">", "Shift+>"}, []string{">"}, func(m *Model, _, _ string) []Cmd { return m.changeSpeed(1) }},
		{"pace", []string{"w"}, []string{"w"}, func(m *Model, _, _ string) []Cmd { return m.changePace() }},
	}},
	{"go", []*Command{
		{"step", []string{"ArrowRight", "."}, []string{"→", "."}, func(m *Model, _, _ string) []Cmd { return m.step(m.Unit, 1) }},
		{"back", []string{"ArrowLeft", ","}, []string{"←", ","}, func(m *Model, _, _ string) []Cmd { return m.step(m.Unit, -1) }},
		{"nextOperation", []string{"]"}, []string{"]"}, func(m *Model, _, _ string) []Cmd { return m.step(link.Operation, 1) }},
		{"lastOperation", []string{"["}, []string{"["}, func(m *Model, _, _ string) []Cmd { return m.step(link.Operation, -1) }},
		{"nextEvent", []string{"Shift+ArrowRight"}, []string{"Shift", "→"}, func(m *Model, _, _ string) []Cmd { return m.step(link.WatchEvent, 1) }},
		{"lastEvent", []string{"Shift+ArrowLeft"}, []string{"Shift", "←"}, func(m *Model, _, _ string) []Cmd { return m.step(link.WatchEvent, -1) }},
		{"start", []string{"Home"}, []string{"Home"}, func(m *Model, _, _ string) []Cmd { return m.seek(0) }},
		{"end", []string{"End"}, []string{"End"}, func(m *Model, _, _ string) []Cmd { return m.catchUp() }},
		{"visitBack", []string{"Backspace"}, []string{"⌫"}, func(m *Model, _, _ string) []Cmd { return m.visit(-1) }},
		{"visitForward", []string{"Shift+Backspace"}, []string{"Shift", "⌫"}, func(m *Model, _, _ string) []Cmd { return m.visit(1) }},
		{"tenth", []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, []string{"0", "–", "9"}, func(m *Model, arg, _ string) []Cmd {
			n, _ := strconv.Atoi(arg)
			if m.Tab == Lesson && m.Learning.Open() >= 0 {
				return m.answer(strconv.Itoa(n - 1))
			}
			return m.seekFraction(float64(n) / 10)
		}},
	}},
	{"find", []*Command{
		{"search", []string{"/"}, []string{"/"}, func(m *Model, _, _ string) []Cmd { return m.openExpr() }},
		{"nextHit", []string{"v"}, []string{"v"}, func(m *Model, _, _ string) []Cmd { return m.nextHit(1) }},
		{"lastHit", []string{"V"}, []string{"Shift", "v"}, func(m *Model, _, _ string) []Cmd { return m.nextHit(-1) }},
		{"goTo", []string{"g"}, []string{"g"}, func(m *Model, _, _ string) []Cmd { return m.openGoTo() }},
		{"nextMark", []string{"m"}, []string{"m"}, func(m *Model, _, _ string) []Cmd { return m.toMark(1) }},
		{"lastMark", []string{"M"}, []string{"Shift", "m"}, func(m *Model, _, _ string) []Cmd { return m.toMark(-1) }},
		{"nextRelist", []string{"R"}, []string{"Shift", "r"}, func(m *Model, _, _ string) []Cmd { return m.toMark(1, link.MarkRelist) }},
		{"nextError", []string{"E"}, []string{"Shift", "e"}, func(m *Model, _, _ string) []Cmd { return m.toMark(1, link.MarkExpired, link.MarkError) }},
		{"nextTombstone", []string{"T"}, []string{"Shift", "t"}, func(m *Model, _, _ string) []Cmd { return m.toMark(1, link.MarkTombstone) }},
		{"nextOfKey", []string{"n"}, []string{"n"}, func(m *Model, _, _ string) []Cmd { return m.toKey(m.subject(), 1) }},
		{"lastOfKey", []string{"N"}, []string{"Shift", "n"}, func(m *Model, _, _ string) []Cmd { return m.toKey(m.subject(), -1) }},
		{"followKey", []string{"f"}, []string{"f"}, func(m *Model, _, _ string) []Cmd { return m.toggleFollow() }},
	}},
	{"change", []*Command{
		{"console", []string{"c"}, []string{"c"}, func(m *Model, _, _ string) []Cmd { return m.openConsole() }},
		{"undo", []string{"u"}, []string{"u"}, func(m *Model, _, _ string) []Cmd { return m.lane(link.UndoLane, 0, "") }},
		{"redo", []string{"r"}, []string{"r"}, func(m *Model, _, _ string) []Cmd { return m.lane(link.RedoLane, 0, "") }},
		{"flip", []string{"b"}, []string{"b"}, func(m *Model, _, _ string) []Cmd { return m.flip() }},
	}},
	{"learn", []*Command{
		{"course", []string{"h"}, []string{"h"}, func(m *Model, _, _ string) []Cmd { return m.openCourse() }},
		{"nextStop", []string{"PageDown", "j"}, []string{"j", "PageDown"}, func(m *Model, _, _ string) []Cmd { return m.nextStop() }},
		{"lastStop", []string{"PageUp", "k"}, []string{"k", "PageUp"}, func(m *Model, _, _ string) []Cmd { return m.lastStop() }},
		{"backToLesson", []string{"x"}, []string{"x"}, func(m *Model, _, _ string) []Cmd { return m.backToLesson() }},
		{"present", []string{"p"}, []string{"p"}, func(m *Model, _, _ string) []Cmd { return m.present(!m.Presenting) }},
		{"blank", nil, []string{"b", "."}, func(m *Model, _, _ string) []Cmd { m.Blank = m.Presenting && !m.Blank; return nil }},
	}},
	{"page", []*Command{
		{"open", []string{"o"}, []string{"o"}, func(m *Model, _, _ string) []Cmd { return []Cmd{Pick{}} }},
		{"scripts", []string{"e"}, []string{"e"}, func(m *Model, _, _ string) []Cmd { m.Dialog = "scripts"; return nil }},
		{"live", []string{"l"}, []string{"l"}, func(m *Model, _, _ string) []Cmd { return m.openLive() }},
		{"save", []string{"s"}, []string{"s"}, func(m *Model, _, _ string) []Cmd { return m.openSave() }},
		{"about", []string{"a"}, []string{"a"}, func(m *Model, _, _ string) []Cmd { return m.about() }},
		{"informer", []string{"i"}, []string{"i"}, (*Model).chooseInformer},
		{"tabs", []string{"t"}, []string{"t"}, func(m *Model, _, _ string) []Cmd { return m.nextTab() }},
		{"help", []string{"?", "Shift+?"}, []string{"?"}, func(m *Model, _, _ string) []Cmd { m.Dialog = "help"; return nil }},
		{"close", []string{"Escape"}, []string{"Esc"}, func(m *Model, _, _ string) []Cmd { return m.close() }},
	}},
}

// others are the commands that have no key, only elements of the page.
var others = []*Command{
	{Name: "begin", do: func(m *Model, _, _ string) []Cmd { return m.step(m.Unit, 1) }},
	{Name: "seek", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.ParseInt(arg, 10, 64); return m.seek(n) }},
	{Name: "unit", do: func(m *Model, arg, value string) []Cmd { m.Unit = link.Unit(arg + value); return nil }},
	{Name: "speed", do: func(m *Model, _, value string) []Cmd { n, _ := strconv.Atoi(value); return m.setSpeed(n) }},
	{Name: "axis", do: func(m *Model, arg, _ string) []Cmd { m.Axis = link.Axis(arg); return m.askTimeline() }},
	{Name: "lang", do: func(m *Model, arg, _ string) []Cmd { return []Cmd{Speak{arg}, Keep{"lang", arg}} }},
	{Name: "theme", do: func(m *Model, _, _ string) []Cmd {
		m.Theme = map[bool]string{true: "light", false: "dark"}[m.IsDark()]
		return []Cmd{Keep{"theme", m.Theme}}
	}},
	{Name: "tab", do: func(m *Model, arg, _ string) []Cmd { m.Tab, m.Sheet = Tab(arg), true; return nil }},
	{Name: "sheet", do: func(m *Model, _, _ string) []Cmd { m.Sheet = !m.Sheet; return nil }},
	{Name: "inspect", do: func(m *Model, arg, _ string) []Cmd { return m.inspect(arg) }},
	{Name: "keyStep", do: func(m *Model, arg, _ string) []Cmd { return m.toKey(arg, 1) }},
	{Name: "keyBack", do: func(m *Model, arg, _ string) []Cmd { return m.toKey(arg, -1) }},
	{Name: "keyFollow", do: func(m *Model, arg, _ string) []Cmd { return m.follows(arg) }},
	{Name: "markStep", do: func(m *Model, arg, _ string) []Cmd { return m.toMark(1, link.MarkKind(arg)) }},
	{Name: "markBack", do: func(m *Model, arg, _ string) []Cmd { return m.toMark(-1, link.MarkKind(arg)) }},
	{Name: "findKey", do: func(m *Model, _, value string) []Cmd { return m.findKey(value) }},
	{Name: "findFirst", do: (*Model).findFirst},
	{Name: "stopSearch", do: func(m *Model, _, _ string) []Cmd { return m.endSearch() }},
	{Name: "writeExpr", do: func(m *Model, _, value string) []Cmd { return m.writeExpr(value) }},
	{Name: "enterExpr", do: (*Model).enterExpr},
	{Name: "takeExpr", do: func(m *Model, arg, _ string) []Cmd { return m.takeExpr(arg) }},
	{Name: "watchExpr", do: func(m *Model, _, _ string) []Cmd { cmds, _ := m.watchExpr(); return cmds }},
	{Name: "stopExpr", do: func(m *Model, _, _ string) []Cmd { return m.stopWatching() }},
	{Name: "dropExpr", do: func(m *Model, _, _ string) []Cmd { return m.dropExpr() }},
	{Name: "runTo", do: func(m *Model, arg, _ string) []Cmd { return m.runToFirst(arg) }},
	{Name: "runBack", do: func(m *Model, arg, _ string) []Cmd { m.Expr.Text = arg; return m.nextHit(-1) }},
	{Name: "hits", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.listHits(n) }},
	{Name: "addBreak", do: func(m *Model, _, _ string) []Cmd { return m.addBreak() }},
	{Name: "toggleBreak", do: func(m *Model, arg, _ string) []Cmd { return m.toggleBreak(arg) }},
	{Name: "dropBreak", do: func(m *Model, arg, _ string) []Cmd { return m.dropBreak(arg) }},
	{Name: "plotted", do: func(m *Model, _, _ string) []Cmd {
		return m.send(link.Request{Op: link.OpPlotted, Key: m.Expr.Asked}, false)
	}},
	{Name: "exprHelp", do: func(m *Model, _, _ string) []Cmd { m.Dialog = "expressions"; return nil }},
	{Name: "unfold", do: func(m *Model, _, _ string) []Cmd { m.Unfold = !m.Unfold; return nil }},
	{Name: "inspectIndex", do: func(m *Model, arg, _ string) []Cmd { return m.askIndex(arg) }},
	{Name: "query", do: func(m *Model, _, _ string) []Cmd { return m.openQuery() }},
	{Name: "editQuery", do: func(m *Model, arg, value string) []Cmd { return m.editQuery(arg, value) }},
	{Name: "ask", do: func(m *Model, _, _ string) []Cmd { return m.askWritten() }},
	{Name: "enterValue", do: func(m *Model, key, value string) []Cmd { return m.enterQuery("value", key, value) }},
	{Name: "enterNamespace", do: func(m *Model, key, value string) []Cmd { return m.enterQuery("namespace", key, value) }},
	{Name: "askCell", do: func(m *Model, arg, _ string) []Cmd { return m.askCell(arg) }},
	{Name: "askPage", do: func(m *Model, arg, _ string) []Cmd { return m.askPage(arg) }},
	{Name: "dropAnswer", do: func(m *Model, _, _ string) []Cmd { return m.dropAnswer() }},
	{Name: "cancel", do: func(m *Model, _, _ string) []Cmd { return m.send(link.Request{Op: link.OpCancel}, false) }},
	{Name: "discover", do: func(m *Model, _, _ string) []Cmd { return m.discover() }},
	{Name: "want", do: func(m *Model, arg, _ string) []Cmd { return m.want(arg) }},
	{Name: "editWant", do: func(m *Model, arg, value string) []Cmd { return m.editWant(arg, value) }},
	{Name: "follow", do: func(m *Model, _, _ string) []Cmd { return m.follow() }},
	{Name: "unfollow", do: func(m *Model, _, _ string) []Cmd { return m.unfollow() }},
	{Name: "redact", do: func(m *Model, arg, value string) []Cmd { return m.editRedact(arg, value) }},
	{Name: "saveNow", do: func(m *Model, _, _ string) []Cmd { return m.save() }},
	{Name: "bundled", do: func(m *Model, _, _ string) []Cmd { return m.open(bundled) }},
	{Name: "restart", do: func(m *Model, _, _ string) []Cmd { return m.restart() }},
	{Name: "notice", do: func(m *Model, _, _ string) []Cmd { m.Noticed = true; return nil }},
	{Name: "setup", do: (*Model).editSetup},
	{Name: "addHandler", do: func(m *Model, _, _ string) []Cmd { return m.addHandler() }},
	{Name: "dropHandler", do: func(m *Model, arg, _ string) []Cmd { return m.dropHandler(arg) }},
	{Name: "applySetup", do: func(m *Model, _, _ string) []Cmd { return m.applySetup() }},
	{Name: "profile", do: func(m *Model, _, value string) []Cmd { return m.chooseProfile(value) }},
	{Name: "resetSetup", do: func(m *Model, _, _ string) []Cmd { return m.resetSetup() }},
	{Name: "script", do: func(m *Model, arg, _ string) []Cmd { return m.openScript(arg) }},
	{Name: "write", do: func(m *Model, _, value string) []Cmd { m.Line, m.recall = value, 0; return nil }},
	{Name: "line", do: (*Model).enter},
	{Name: "menu", do: func(m *Model, arg, _ string) []Cmd { return m.toggleMenu(arg) }},
	{Name: "gesture", do: func(m *Model, arg, _ string) []Cmd { return m.gesture(arg) }},
	{Name: "enough", do: func(m *Model, _, _ string) []Cmd { return m.send(link.Request{Op: link.OpEnough}, false) }},
	{Name: "random", do: func(m *Model, _, _ string) []Cmd { return m.random() }},
	{Name: "lesson", do: func(m *Model, arg, _ string) []Cmd { return m.openLink(arg) }},
	{Name: "forgetLessons", do: func(m *Model, _, _ string) []Cmd { return m.forgetLessons() }},
	{Name: "stop", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.goStop(n, false) }},
	{Name: "answer", do: func(m *Model, arg, _ string) []Cmd { return m.answer(arg) }},
	{Name: "control", do: func(m *Model, arg, value string) []Cmd { return m.turn(arg + value) }},
	{Name: "compare", do: func(m *Model, arg, _ string) []Cmd { return m.compare(arg) }},
	{Name: "check", do: func(m *Model, _, _ string) []Cmd { return m.checkExercise() }},
	{Name: "hint", do: func(m *Model, _, _ string) []Cmd { return m.hint() }},
	{Name: "solve", do: func(m *Model, _, _ string) []Cmd { return m.solve() }},
	{Name: "lane", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.lane(link.ShowLane, n, "") }},
	{Name: "dropLane", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.lane(link.DropLane, n, "") }},
	{Name: "renameLane", do: func(m *Model, arg, _ string) []Cmd { m.Renames, _ = strconv.Atoi(arg); return nil }},
	{Name: "laneName", do: func(m *Model, arg, value string) []Cmd { return m.nameLane(arg, value) }},
	{Name: "queueFrom", do: func(m *Model, arg, _ string) []Cmd { return m.moveWindow(arg) }},
}

var byName, byKey = map[string]*Command{}, map[string]*Command{}

func init() {
	for _, g := range Groups {
		for _, c := range g.Commands {
			byName[c.Name] = c
			for _, k := range c.Keys {
				byKey[k] = c
			}
		}
	}
	for _, c := range others {
		byName[c.Name] = c
	}
}

// HasKey returns whether a key press is one of the page's commands. Then the browser
// must not act on it.
func (m *Model) HasKey(p Pressed) bool {
	if p.Command || p.Typing && p.Key != "Escape" {
		return false
	}
	c := m.command(p)
	if c == nil {
		return false
	}
	reads := c.Name == "nextStop" || c.Name == "lastStop" || c.Name == "backToLesson"
	return !reads || m.Learning != nil
}

func (m *Model) command(p Pressed) *Command {
	if m.Presenting && (p.Key == "b" || p.Key == ".") { // what remote controls send
		return byName["blank"]
	}
	if p.Shift && len(p.Key) > 1 { // a character already tells whether Shift was held
		return byKey["Shift+"+p.Key]
	}
	return byKey[p.Key]
}

func (m *Model) press(p Pressed) []Cmd {
	if !m.HasKey(p) || m.Dialog != "" && p.Key != "Escape" {
		return nil
	}
	c := m.command(p)
	if m.Blank && c.Name != "blank" { // the audience sees what happens next
		m.Blank = false
		return nil
	}
	return c.do(m, p.Key, "")
}
