package session

import (
	"strconv"

	"github.com/informerscope/informerscope/wasm/link"
)

// Command is something that the viewer can do. One table feeds the buttons, the
// keyboard, the list of keys and the palette.
type Command struct {
	Name  string   // stable: an element's data-act; the catalogues have its title under "ui.do." and it
	Keys  []string // at first, as Pressed.name writes them
	Digit bool     // its keys are digits, and the one that was pressed says its argument
	Fixed bool     // its keys can't be changed

	front  bool   // its keys work in a dialog and in a field, too
	mode   string // its keys count only where has says yes, and there they go before the keys of other commands
	needs  string // what has must say yes to; the catalogues say under "ui.not." that it is missing
	takes  bool   // it needs one of its choices
	listed bool   // in Groups
	files  bool   // it opens or saves files of the viewer's, or knows a cluster, so it is refused in a frame
	from   int    // the digit that stands for the argument 0
	do     func(m *Model, arg, value string) []Cmd
}

// Group is a part of the table.
type Group struct {
	Name     string // the catalogues have its title under "ui.keys." and it
	Commands []*Command
}

// plain is a command without argument.
func plain(f func(m *Model) []Cmd) func(m *Model, _, _ string) []Cmd {
	return func(m *Model, _, _ string) []Cmd { return f(m) }
}

// Groups is the table of commands.
var Groups = []Group{
	{"play", []*Command{
		{Name: "play", Keys: []string{" "}, needs: "frame", do: plain((*Model).playOrPause)},
		{Name: "slower", Keys: []string{"<"}, do: func(m *Model, _, _ string) []Cmd { return m.changeSpeed(-1) }},
		{Name: "faster", Keys: []string{">"}, do: func(m *Model, _, _ string) []Cmd { return m.changeSpeed(1) }},
		{Name: "pace", Keys: []string{"w"}, do: plain((*Model).changePace)},
		{Name: "unit", takes: true, do: func(m *Model, arg, value string) []Cmd { m.Unit = link.Unit(arg + value); return nil }},
		{Name: "axis", takes: true, do: func(m *Model, arg, _ string) []Cmd { m.Axis = link.Axis(arg); return m.askTimeline() }},
	}},
	{"go", []*Command{
		{Name: "step", Keys: []string{"ArrowRight", "."}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.step(m.Unit, 1) }},
		{Name: "back", Keys: []string{"ArrowLeft", ","}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.step(m.Unit, -1) }},
		{Name: "nextOperation", Keys: []string{"]"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.step(link.Operation, 1) }},
		{Name: "lastOperation", Keys: []string{"["}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.step(link.Operation, -1) }},
		{Name: "nextEvent", Keys: []string{"Shift+ArrowRight"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.step(link.WatchEvent, 1) }},
		{Name: "lastEvent", Keys: []string{"Shift+ArrowLeft"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.step(link.WatchEvent, -1) }},
		{Name: "start", Keys: []string{"Home"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.seek(0) }},
		{Name: "end", Keys: []string{"End"}, needs: "frame", do: plain((*Model).catchUp)},
		{Name: "visitBack", Keys: []string{"Backspace"}, needs: "place", do: func(m *Model, _, _ string) []Cmd { return m.visit(-1) }},
		{Name: "visitForward", Keys: []string{"Shift+Backspace"}, needs: "placeAfter", do: func(m *Model, _, _ string) []Cmd { return m.visit(1) }},
		{Name: "tenth", Keys: digits, Digit: true, needs: "frame", do: func(m *Model, arg, _ string) []Cmd {
			n, _ := strconv.Atoi(arg)
			return m.seekFraction(float64(n) / 10)
		}},
	}},
	{"find", []*Command{
		{Name: "search", Keys: []string{"/"}, needs: "frame", do: plain((*Model).openExpr)},
		{Name: "nextHit", Keys: []string{"v"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.nextHit(1) }},
		{Name: "lastHit", Keys: []string{"V"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.nextHit(-1) }},
		{Name: "goTo", Keys: []string{"g"}, needs: "frame", do: plain((*Model).openGoTo)},
		{Name: "nextMark", Keys: []string{"m"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.toMark(1) }},
		{Name: "lastMark", Keys: []string{"M"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.toMark(-1) }},
		{Name: "nextRelist", Keys: []string{"R"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.toMark(1, link.MarkRelist) }},
		{Name: "nextError", Keys: []string{"E"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.toMark(1, link.MarkExpired, link.MarkError) }},
		{Name: "nextTombstone", Keys: []string{"T"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.toMark(1, link.MarkTombstone) }},
		{Name: "nextOfKey", Keys: []string{"n"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.toKey(m.subject(), 1) }},
		{Name: "lastOfKey", Keys: []string{"N"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.toKey(m.subject(), -1) }},
		{Name: "why", Keys: []string{"y"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.askWhy(m.focused) }},
		{Name: "followKey", Keys: []string{"f"}, needs: "frame", do: plain((*Model).toggleFollow)},
		{Name: "stopSearch", needs: "search", do: plain((*Model).endSearch)},
		{Name: "query", needs: "frame", do: plain((*Model).openQuery)},
	}},
	{"change", []*Command{
		{Name: "console", Keys: []string{"c"}, needs: "frame", do: plain((*Model).openConsole)},
		{Name: "undo", Keys: []string{"u"}, needs: "undo", do: func(m *Model, _, _ string) []Cmd { return m.lane(link.Undo{}) }},
		{Name: "redo", Keys: []string{"r"}, needs: "redo", do: func(m *Model, _, _ string) []Cmd { return m.lane(link.Redo{}) }},
		{Name: "flip", Keys: []string{"b"}, needs: "flip", do: plain((*Model).flip)},
		{Name: "beside", Keys: []string{"="}, needs: "open", do: plain((*Model).compareOrNot)},
		{Name: "nextDiffer", Keys: []string{"d"}, needs: "beside", do: func(m *Model, _, _ string) []Cmd { return m.nextDiffer(1) }},
		{Name: "lastDiffer", Keys: []string{"D"}, needs: "beside", do: func(m *Model, _, _ string) []Cmd { return m.nextDiffer(-1) }},
		{Name: "random", needs: "frame", do: plain((*Model).random)},
		{Name: "enough", needs: "explore", do: func(m *Model, _, _ string) []Cmd { return m.send(link.StopExploring{}, false) }},
		{Name: "profile", takes: true, needs: "profile", do: func(m *Model, arg, value string) []Cmd { return m.chooseProfile(arg + value) }},
	}},
	{"learn", []*Command{
		{Name: "course", Keys: []string{"h"}, do: plain((*Model).openCourse)},
		{Name: "nextStop", Keys: []string{"PageDown", "j"}, mode: "lesson", needs: "lesson", do: plain((*Model).nextStop)},
		{Name: "lastStop", Keys: []string{"PageUp", "k"}, mode: "lesson", needs: "lesson", do: plain((*Model).lastStop)},
		{Name: "backToLesson", Keys: []string{"x"}, mode: "lesson", needs: "lesson", do: plain((*Model).backToLesson)},
		{Name: "predict", Keys: []string{"q"}, needs: "frame", do: plain((*Model).predict)},
		{Name: "guess", Keys: digits, Digit: true, from: 1, mode: "guess", needs: "guess", takes: true, do: func(m *Model, arg, _ string) []Cmd { return m.guess(arg) }},
		{Name: "forgetScore", needs: "score", do: plain((*Model).forgetScore)},
		{Name: "answer", Keys: digits, Digit: true, from: 1, mode: "asked", needs: "question", takes: true, do: func(m *Model, arg, _ string) []Cmd { return m.answer(arg) }},
		{Name: "check", needs: "exercise", do: plain((*Model).checkExercise)},
		{Name: "hint", needs: "exercise", do: plain((*Model).hint)},
		{Name: "lesson", takes: true, do: func(m *Model, arg, _ string) []Cmd { return m.openLink(arg) }},
		{Name: "edit", needs: "lesson", do: plain((*Model).edit)},
		{Name: "checkText", needs: "writing", do: plain((*Model).checkText)},
		{Name: "handout", needs: "lesson", do: plain((*Model).openHandout)},
		{Name: "print", needs: "handout", do: func(*Model, string, string) []Cmd { return []Cmd{Print{}} }},
		{Name: "forgetLessons", needs: "read", do: plain((*Model).forgetLessons)},
		{Name: "code", Keys: []string{"C"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { m.Code = !m.Code; return nil }},
		{Name: "present", Keys: []string{"p"}, needs: "frame", do: func(m *Model, _, _ string) []Cmd { return m.present(!m.Presenting) }},
		{Name: "notes", Keys: []string{"n"}, mode: "presenting", needs: "frame", do: func(m *Model, _, _ string) []Cmd { return []Cmd{OpenNotes{}} }},
		{Name: "spot", Keys: []string{"s"}, mode: "presenting", needs: "presenting", takes: true, do: func(m *Model, arg, _ string) []Cmd { return m.spot(arg) }},
		{Name: "lastSpot", Keys: []string{"S"}, mode: "presenting", needs: "presenting", do: func(m *Model, _, _ string) []Cmd { return m.nextSpot(-1) }},
		{Name: "caption", Keys: []string{"c"}, mode: "presenting", needs: "presenting", do: func(m *Model, _, _ string) []Cmd { m.Covered = !m.Covered; return nil }},
		{Name: "votes", Keys: []string{"v"}, mode: "presenting", needs: "question", do: plain((*Model).openVotes)},
		{Name: "blank", Keys: []string{"b", "."}, mode: "presenting", needs: "presenting", do: func(m *Model, _, _ string) []Cmd { m.Blank = m.Presenting && !m.Blank; return nil }},
	}},
	{"page", []*Command{
		{Name: "palette", Keys: []string{"Ctrl+k"}, front: true, do: plain((*Model).openPalette)},
		{Name: "open", files: true, Keys: []string{"o"}, do: func(m *Model, _, _ string) []Cmd { return []Cmd{Pick{}} }},
		{Name: "bundled", do: func(m *Model, _, _ string) []Cmd { return m.open(bundled) }},
		{Name: "scripts", Keys: []string{"e"}, do: func(m *Model, _, _ string) []Cmd { m.Dialog = "scripts"; return nil }},
		{Name: "script", takes: true, do: func(m *Model, arg, _ string) []Cmd { return m.openScript(arg) }},
		{Name: "live", files: true, Keys: []string{"l"}, do: plain((*Model).openLive)},
		{Name: "unfollow", needs: "live", do: plain((*Model).unfollow)},
		{Name: "save", files: true, Keys: []string{"s"}, needs: "open", do: plain((*Model).openSave)},
		{Name: "link", Keys: []string{"L"}, needs: "frame", do: plain((*Model).share)},
		{Name: "about", Keys: []string{"a"}, needs: "open", do: plain((*Model).about)},
		{Name: "informer", Keys: []string{"i"}, takes: true, needs: "informer", do: (*Model).chooseInformer},
		{Name: "tabs", Keys: []string{"t"}, do: plain((*Model).nextTab)},
		{Name: "tab", takes: true, do: func(m *Model, arg, _ string) []Cmd { return m.chooseTab(Tab(arg)) }},
		{Name: "lang", takes: true, do: func(m *Model, arg, _ string) []Cmd { return []Cmd{m.speak(arg), Keep{"lang", arg}} }},
		{Name: "theme", do: func(m *Model, _, _ string) []Cmd {
			m.Theme = map[bool]string{true: "light", false: "dark"}[m.IsDark()]
			return []Cmd{Keep{"theme", m.Theme}}
		}},
		{Name: "cancel", needs: "loading", do: func(m *Model, _, _ string) []Cmd { return m.send(link.Cancel{}, false) }},
		{Name: "restart", needs: "died", do: plain((*Model).restart)},
		{Name: "help", Keys: []string{"?"}, do: plain((*Model).openKeys)},
		{Name: "close", Keys: []string{"Escape"}, Fixed: true, front: true, needs: "close", do: plain((*Model).close)},
	}},
}

// elements are what single elements of the page do: a field, a row or an entry of a menu.
// Each needs the element's own argument or value, so none of them has a title or a key.
var elements = []*Command{
	{Name: "begin", do: func(m *Model, _, _ string) []Cmd { return m.step(m.Unit, 1) }},
	{Name: "seek", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.ParseInt(arg, 10, 64); return m.seek(n) }},
	{Name: "speed", do: func(m *Model, _, value string) []Cmd { n, _ := strconv.Atoi(value); return m.setSpeed(n) }},
	{Name: "sheet", do: func(m *Model, _, _ string) []Cmd { m.Sheet = !m.Sheet; return nil }},
	{Name: "inspect", do: (*Model).inspect},
	{Name: "keyStep", do: func(m *Model, arg, _ string) []Cmd { return m.toKey(arg, 1) }},
	{Name: "keyBack", do: func(m *Model, arg, _ string) []Cmd { return m.toKey(arg, -1) }},
	{Name: "keyFollow", do: func(m *Model, arg, _ string) []Cmd { return m.follows(arg) }},
	{Name: "markStep", do: func(m *Model, arg, _ string) []Cmd { return m.toMark(1, link.MarkKind(arg)) }},
	{Name: "markBack", do: func(m *Model, arg, _ string) []Cmd { return m.toMark(-1, link.MarkKind(arg)) }},
	{Name: "findKey", do: func(m *Model, _, value string) []Cmd { return m.findKey(value) }},
	{Name: "findFirst", do: (*Model).findFirst},
	{Name: "writeExpr", do: func(m *Model, _, value string) []Cmd { return m.writeExpr(value) }},
	{Name: "enterExpr", do: (*Model).enterExpr},
	{Name: "takeExpr", do: func(m *Model, arg, _ string) []Cmd { return m.takeExpr(arg) }},
	{Name: "watchExpr", do: func(m *Model, _, _ string) []Cmd { cmds, _ := m.watchExpr(); return cmds }},
	{Name: "likelyExpr", do: plain((*Model).likelyExpr)},
	{Name: "stopExpr", do: func(m *Model, _, _ string) []Cmd { return m.stopWatching() }},
	{Name: "dropExpr", do: func(m *Model, _, _ string) []Cmd { return m.dropExpr() }},
	{Name: "runTo", do: func(m *Model, arg, _ string) []Cmd { return m.runToFirst(arg) }},
	{Name: "runBack", do: func(m *Model, arg, _ string) []Cmd { m.Expr.Text = arg; return m.nextHit(-1) }},
	{Name: "hits", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.listHits(n) }},
	{Name: "addBreak", do: func(m *Model, _, _ string) []Cmd { return m.addBreak() }},
	{Name: "toggleBreak", do: func(m *Model, arg, _ string) []Cmd { return m.toggleBreak(arg) }},
	{Name: "dropBreak", do: func(m *Model, arg, _ string) []Cmd { return m.dropBreak(arg) }},
	{Name: "plotted", files: true, do: func(m *Model, _, _ string) []Cmd {
		return m.send(link.SavePlot{Expr: m.Expr.Asked}, false)
	}},
	{Name: "copyText", files: true, do: plain((*Model).copyText)},
	{Name: "minimise", do: plain((*Model).minimise)},
	{Name: "stopMinimise", do: func(m *Model, _, _ string) []Cmd { return m.send(link.StopMinimising{}, false) }},
	{Name: "saveLeast", files: true, do: plain((*Model).saveLeast)},
	{Name: "exprHelp", do: func(m *Model, _, _ string) []Cmd { m.Dialog = "expressions"; return nil }},
	{Name: "unfold", do: func(m *Model, _, _ string) []Cmd { m.Unfold = !m.Unfold; return nil }},
	{Name: "inspectIndex", do: func(m *Model, arg, _ string) []Cmd { return m.askIndex(arg) }},
	{Name: "editQuery", do: func(m *Model, arg, value string) []Cmd { return m.editQuery(arg, value) }},
	{Name: "ask", do: func(m *Model, _, _ string) []Cmd { return m.askWritten() }},
	{Name: "enterValue", do: func(m *Model, key, value string) []Cmd { return m.enterQuery("value", key, value) }},
	{Name: "enterNamespace", do: func(m *Model, key, value string) []Cmd { return m.enterQuery("namespace", key, value) }},
	{Name: "askCell", do: func(m *Model, arg, _ string) []Cmd { return m.askCell(arg) }},
	{Name: "askPage", do: func(m *Model, arg, _ string) []Cmd { return m.askPage(arg) }},
	{Name: "whyAt", do: func(m *Model, place, _ string) []Cmd { return m.askWhy(place) }},
	{Name: "closeWhy", do: func(m *Model, _, _ string) []Cmd { return m.closeWhy() }},
	{Name: "stopWhy", do: func(m *Model, _, _ string) []Cmd { return m.stopWhy() }},
	{Name: "dropAnswer", do: func(m *Model, _, _ string) []Cmd { return m.dropAnswer() }},
	{Name: "discover", files: true, do: func(m *Model, _, _ string) []Cmd { return m.discover() }},
	{Name: "want", files: true, do: func(m *Model, arg, _ string) []Cmd { return m.want(arg) }},
	{Name: "editWant", files: true, do: func(m *Model, arg, value string) []Cmd { return m.editWant(arg, value) }},
	{Name: "follow", files: true, do: func(m *Model, _, _ string) []Cmd { return m.follow() }},
	{Name: "redact", files: true, do: func(m *Model, arg, value string) []Cmd { return m.editRedact(arg, value) }},
	{Name: "saveAs", files: true, do: func(m *Model, _, value string) []Cmd { return m.saveAs(value) }},
	{Name: "shot", files: true, do: func(m *Model, arg, value string) []Cmd { return m.editShot(arg, value) }},
	{Name: "unsave", do: func(m *Model, _, _ string) []Cmd { return m.unsave() }},
	{Name: "saveNow", files: true, do: func(m *Model, _, _ string) []Cmd { return m.save() }},
	{Name: "copyLink", do: func(m *Model, _, _ string) []Cmd { return m.copyLink() }},
	{Name: "saveLink", files: true, do: func(m *Model, _, _ string) []Cmd { return m.saveLink() }},
	{Name: "linkLang", do: func(m *Model, _, value string) []Cmd { return m.editLink(value) }},
	{Name: "notice", do: func(m *Model, _, _ string) []Cmd { m.Noticed = true; return nil }},
	{Name: "setup", do: (*Model).editSetup},
	{Name: "addHandler", do: func(m *Model, _, _ string) []Cmd { return m.addHandler() }},
	{Name: "dropHandler", do: func(m *Model, arg, _ string) []Cmd { return m.dropHandler(arg) }},
	{Name: "applySetup", do: func(m *Model, _, _ string) []Cmd { return m.applySetup() }},
	{Name: "resetSetup", do: func(m *Model, _, _ string) []Cmd { return m.resetSetup() }},
	{Name: "write", do: func(m *Model, _, value string) []Cmd { m.Line, m.recall = value, 0; return nil }},
	{Name: "line", do: (*Model).enter},
	{Name: "menu", do: func(m *Model, arg, _ string) []Cmd { return m.toggleMenu(arg) }},
	{Name: "gesture", do: func(m *Model, arg, _ string) []Cmd { return m.gesture(arg) }},
	{Name: "stop", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.goStop(n, false) }},
	{Name: "rewrite", do: (*Model).rewrite},
	{Name: "vote", do: (*Model).vote},
	{Name: "noting", do: func(m *Model, _, value string) []Cmd { m.Noting = value == "true"; return nil }},
	{Name: "left", do: func(m *Model, _, _ string) []Cmd { return m.leftFullScreen() }},
	{Name: "control", do: func(m *Model, arg, value string) []Cmd { return m.turn(arg + value) }},
	{Name: "compare", do: func(m *Model, arg, _ string) []Cmd { return m.compare(arg) }},
	{Name: "solve", do: func(m *Model, _, _ string) []Cmd { return m.solve() }},
	{Name: "lane", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.lane(link.ShowLane{Lane: n}) }},
	{Name: "dropLane", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.lane(link.DropLane{Lane: n}) }},
	{Name: "renameLane", do: func(m *Model, arg, _ string) []Cmd { m.Renames, _ = strconv.Atoi(arg); return nil }},
	{Name: "laneName", do: func(m *Model, arg, value string) []Cmd { return m.nameLane(arg, value) }},
	{Name: "compareWith", do: func(m *Model, arg, value string) []Cmd { return m.compareWith(arg + value) }},
	{Name: "second", do: func(m *Model, _, _ string) []Cmd { m.Dialog = "second"; return nil }},
	{Name: "pane", do: func(m *Model, arg, _ string) []Cmd { m.Pane, _ = strconv.Atoi(arg); return nil }},
	{Name: "differ", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.differ(n) }},
	{Name: "queueFrom", do: func(m *Model, arg, _ string) []Cmd { return m.moveWindow(arg) }},
	{Name: "findCommand", do: func(m *Model, _, value string) []Cmd { m.Palette = Palette{Text: value}; return nil }},
	{Name: "enterCommand", do: (*Model).enterPalette},
	{Name: "runCommand", do: func(m *Model, arg, _ string) []Cmd { n, _ := strconv.Atoi(arg); return m.runOffer(n) }},
	{Name: "editKeys", do: func(m *Model, _, _ string) []Cmd { m.Keying = Keying{On: !m.Keying.On}; return nil }},
	{Name: "addKey", do: func(m *Model, arg, _ string) []Cmd { m.Keying = Keying{On: true, For: arg}; return nil }},
	{Name: "dropKey", do: func(m *Model, arg, _ string) []Cmd { return m.dropKey(arg) }},
	{Name: "takeKey", do: func(m *Model, _, _ string) []Cmd { return m.takeKey() }},
	{Name: "leaveKey", do: func(m *Model, _, _ string) []Cmd { m.Keying = Keying{On: true}; return nil }},
	{Name: "resetKeys", do: func(m *Model, arg, _ string) []Cmd { return m.resetKeys(arg) }},
	{Name: "singleKeys", do: func(m *Model, _, value string) []Cmd { return m.switchSingleKeys(value == "true") }},
}

// NotInFrame lists what a frame of another page refuses, by the commands' names.
func NotInFrame() (names []string) {
	for _, g := range Groups {
		for _, c := range g.Commands {
			if c.files {
				names = append(names, c.Name)
			}
		}
	}
	for _, c := range elements {
		if c.files {
			names = append(names, c.Name)
		}
	}
	return names
}

var byName = map[string]*Command{}

func init() {
	for _, g := range Groups {
		for _, c := range g.Commands {
			byName[c.Name], c.listed = c, true
		}
	}
	for _, c := range elements {
		byName[c.Name] = c
	}
}
