package session

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session/desk"
	"github.com/informerscope/informerscope/wasm/session/lesson"
	"github.com/informerscope/informerscope/wasm/session/loop"
	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// groups is the table of commands.
var groups = []Group{
	{"play", []*Command{
		{Name: "play", Keys: []string{" "}, needs: "frame", run: plain(func(m *Model) []Cmd { return m.Transport.toggle() })},
		{Name: "slower", Keys: []string{"<"}, run: func(m *Model, _, _ string) []Cmd { return m.Transport.changeSpeed(-1) }},
		{Name: "faster", Keys: []string{">"}, run: func(m *Model, _, _ string) []Cmd { return m.Transport.changeSpeed(1) }},
		{Name: "pace", Keys: []string{"w"}, run: plain(func(m *Model) []Cmd { return m.Transport.changePace() })},
		{Name: "unit", takes: true, run: func(m *Model, arg, value string) []Cmd { m.Transport.Unit = link.Unit(arg + value); return m.fit() }},
		{Name: "axis", takes: true, run: func(m *Model, arg, _ string) []Cmd { m.Stage.Axis = link.Axis(arg); return m.askTimeline() }},
	}},
	{"loop", []*Command{
		{Name: "loopPlay", Keys: []string{" "}, mode: "loop", needs: "loop", run: plain(func(m *Model) []Cmd { return m.Loop.Play() })},
		{Name: "loopDelete", Keys: []string{"d"}, mode: "loop", needs: "loop", run: plain(func(m *Model) []Cmd { return m.Loop.Toggle() })},
		{Name: "loopBreak", Keys: []string{"b"}, mode: "loop", needs: "loop", run: plain(func(m *Model) []Cmd { return m.Loop.Break() })},
		{Name: "loopBeat", Keys: digits[1:], Digit: true, mode: "loop", needs: "loop", takes: true, run: numbered(func(m *Model, n int) []Cmd { return m.Loop.GoToBeat(n) })},
		{Name: "loop", run: plain((*Model).openLoop)},
	}},
	{"go", []*Command{
		{Name: "step", Keys: []string{"ArrowRight", "."}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Transport.step(m.unit(), 1) }},
		{Name: "back", Keys: []string{"ArrowLeft", ","}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Transport.step(m.unit(), -1) }},
		{Name: "nextOperation", Keys: []string{"]"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Transport.step(link.Operation, 1) }},
		{Name: "lastOperation", Keys: []string{"["}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Transport.step(link.Operation, -1) }},
		{Name: "nextEvent", Keys: []string{"Shift+ArrowRight"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Transport.step(link.WatchEvent, 1) }},
		{Name: "lastEvent", Keys: []string{"Shift+ArrowLeft"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Transport.step(link.WatchEvent, -1) }},
		{Name: "start", Keys: []string{"Home"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Transport.seek(0) }},
		{Name: "end", Keys: []string{"End"}, needs: "frame", run: plain(func(m *Model) []Cmd { return m.Transport.catchUp() })},
		{Name: "visitBack", Keys: []string{"Backspace"}, needs: "place", run: func(m *Model, _, _ string) []Cmd { return m.Nav.Visit(-1) }},
		{Name: "visitForward", Keys: []string{"Shift+Backspace"}, needs: "placeAfter", run: func(m *Model, _, _ string) []Cmd { return m.Nav.Visit(1) }},
		{Name: "tenth", Keys: digits, Digit: true, needs: "frame", run: func(m *Model, arg, _ string) []Cmd {
			n, _ := strconv.Atoi(arg) // the palette gives none
			return m.Transport.seekFraction(float64(n) / 10)
		}},
	}},
	{"find", []*Command{
		{Name: "search", Keys: []string{"/"}, needs: "frame", run: set(func(m *Model) { m.Expr.Open() })},
		{Name: "nextHit", Keys: []string{"v"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Expr.NextHit(1) }},
		{Name: "lastHit", Keys: []string{"V"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Expr.NextHit(-1) }},
		{Name: "goTo", Keys: []string{"g"}, needs: "frame", run: plain(func(m *Model) []Cmd { return m.Find.Open() })},
		{Name: "nextMark", Keys: []string{"m"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Find.ToMark(1) }},
		{Name: "lastMark", Keys: []string{"M"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Find.ToMark(-1) }},
		{Name: "nextRelist", Keys: []string{"R"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Find.ToMark(1, link.MarkRelist) }},
		{Name: "nextError", Keys: []string{"E"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd {
			return m.Find.ToMark(1, link.MarkExpired, link.MarkError)
		}},
		{Name: "nextTombstone", Keys: []string{"T"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Find.ToMark(1, link.MarkTombstone) }},
		{Name: "nextOfKey", Keys: []string{"n"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Find.ToKey(m.Find.Subject(), 1) }},
		{Name: "lastOfKey", Keys: []string{"N"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Find.ToKey(m.Find.Subject(), -1) }},
		{Name: "why", Keys: []string{"y"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Causes.Ask(m.Keyboard.focused) }},
		{Name: "followKey", Keys: []string{"f"}, needs: "frame", run: plain(func(m *Model) []Cmd { return m.Find.Toggle() })},
		{Name: "stopSearch", needs: "search", run: plain(func(m *Model) []Cmd { return m.Find.End() })},
		{Name: "query", needs: "frame", run: set(func(m *Model) { m.Indexer.Open() })},
	}},
	{"change", []*Command{
		{Name: "console", Keys: []string{"c"}, needs: "frame", run: set(func(m *Model) { m.Hands.Open() })},
		{Name: "undo", Keys: []string{"u"}, needs: "undo", run: func(m *Model, _, _ string) []Cmd { return m.Hands.Lane(link.Undo{}) }},
		{Name: "redo", Keys: []string{"r"}, needs: "redo", run: func(m *Model, _, _ string) []Cmd { return m.Hands.Lane(link.Redo{}) }},
		{Name: "flip", Keys: []string{"b"}, needs: "flip", run: plain(func(m *Model) []Cmd { return m.Hands.Flip() })},
		{Name: "beside", Keys: []string{"="}, needs: "open", run: plain(func(m *Model) []Cmd { return m.Second.toggle() })},
		{Name: "nextDiffer", Keys: []string{"d"}, needs: "beside", run: func(m *Model, _, _ string) []Cmd { return m.Second.next(1) }},
		{Name: "lastDiffer", Keys: []string{"D"}, needs: "beside", run: func(m *Model, _, _ string) []Cmd { return m.Second.next(-1) }},
		{Name: "random", needs: "frame", run: plain(func(m *Model) []Cmd { return m.Hands.PlayRandom() })},
		{Name: "enough", needs: "explore", run: func(m *Model, _, _ string) []Cmd { return m.send(link.StopExploring{}, false) }},
		{Name: "profile", takes: true, needs: "profile", run: func(m *Model, arg, value string) []Cmd { return m.Draft.chooseProfile(arg + value) }},
	}},
	{"learn", []*Command{
		{Name: "course", Keys: []string{"h"}, run: plain(func(m *Model) []Cmd { return m.Lesson.OpenCourse() })},
		{Name: "nextStop", Keys: []string{"PageDown", "j"}, mode: "lesson", needs: "lesson", run: plain(func(m *Model) []Cmd { return m.Lesson.Next() })},
		{Name: "lastStop", Keys: []string{"PageUp", "k"}, mode: "lesson", needs: "lesson", run: plain(func(m *Model) []Cmd { return m.Lesson.Last() })},
		{Name: "backToLesson", Keys: []string{"x"}, mode: "lesson", needs: "lesson", run: plain(func(m *Model) []Cmd { return m.Lesson.Back() })},
		{Name: "predict", Keys: []string{"q"}, needs: "frame", run: plain(func(m *Model) []Cmd { return m.Guess.ask() })},
		{Name: "guess", Keys: digits, Digit: true, from: 1, mode: "guess", needs: "guess", takes: true, run: numbered(func(m *Model, n int) []Cmd { return m.Guess.answer(n) })},
		{Name: "forgetScore", needs: "score", run: plain(func(m *Model) []Cmd { return m.Guess.forget() })},
		{Name: "answer", Keys: digits, Digit: true, from: 1, mode: "asked", needs: "question", takes: true, run: numbered(func(m *Model, n int) []Cmd { return m.Lesson.Answer(n) })},
		{Name: "mendLine", Keys: digits, Digit: true, from: 1, mode: "mends", needs: "mend", takes: true, run: numbered(func(m *Model, n int) []Cmd { return m.Lesson.Mend(n) })},
		{Name: "check", needs: "exercise", run: plain(func(m *Model) []Cmd { return m.Lesson.Check() })},
		{Name: "hint", needs: "exercise", run: set(func(m *Model) { m.Lesson.Hint() })},
		{Name: "lesson", takes: true, run: func(m *Model, arg, _ string) []Cmd { return m.Lesson.OpenLink(arg) }},
		{Name: "newLesson", run: plain(func(m *Model) []Cmd { return m.Lesson.OpenLink(lesson.Template) })},
		{Name: "edit", needs: "lesson", run: plain(func(m *Model) []Cmd { return m.Lesson.Edit() })},
		{Name: "checkText", needs: "writing", run: plain(func(m *Model) []Cmd { return m.Lesson.CheckText() })},
		{Name: "handout", needs: "lesson", run: plain(func(m *Model) []Cmd { return m.Lesson.OpenHandout() })},
		{Name: "print", needs: "handout", run: func(*Model, string, string) []Cmd { return []Cmd{lesson.Print{}} }},
		{Name: "answerAnew", needs: "lesson", run: plain(func(m *Model) []Cmd { return m.Lesson.AnswerAnew() })},
		{Name: "forgetLessons", needs: "read", run: plain(func(m *Model) []Cmd { return append(m.Lesson.Forget(), m.Last.forget()...) })},
		{Name: "changes", run: set(func(m *Model) { m.Front.Dialog = "changes" })},
		{Name: "code", Keys: []string{"C"}, needs: "frame", run: set(func(m *Model) { m.Front.Code = !m.Front.Code })},
		{Name: "present", Keys: []string{"p"}, needs: "frame", run: func(m *Model, _, _ string) []Cmd { return m.Room.present(!m.Room.Active) }},
		{Name: "notes", Keys: []string{"n"}, mode: "presenting", needs: "frame", run: func(m *Model, _, _ string) []Cmd { return []Cmd{OpenNotes{}} }},
		{Name: "spot", Keys: []string{"s"}, mode: "presenting", needs: "presenting", takes: true, run: change(func(m *Model, arg, _ string) { m.spot(arg) })},
		{Name: "lastSpot", Keys: []string{"S"}, mode: "presenting", needs: "presenting", run: set(func(m *Model) { m.Room.next(m.stations(), -1) })},
		{Name: "caption", Keys: []string{"c"}, mode: "presenting", needs: "presenting", run: set(func(m *Model) { m.Room.Covered = !m.Room.Covered })},
		{Name: "votes", Keys: []string{"v"}, mode: "presenting", needs: "question", run: set(func(m *Model) { m.Lesson.OpenVotes() })},
		{Name: "blank", Keys: []string{"b", "."}, mode: "presenting", needs: "presenting", run: set(func(m *Model) { m.Room.Blank = !m.Room.Blank })},
	}},
	{"page", []*Command{
		{Name: "palette", Keys: []string{"Ctrl+k"}, front: true, run: plain((*Model).openPalette)},
		{Name: "open", files: true, Keys: []string{"o"}, run: func(m *Model, _, _ string) []Cmd { return []Cmd{Pick{}} }},
		{Name: "bundled", run: func(m *Model, _, _ string) []Cmd { return m.open(navigation.Bundled) }},
		{Name: "scripts", Keys: []string{"e"}, run: set(func(m *Model) { m.Front.Dialog = "scripts" })},
		{Name: "script", takes: true, run: func(m *Model, arg, _ string) []Cmd { return m.open(navigation.Script(arg)) }},
		{Name: "live", files: true, Keys: []string{"l"}, run: plain(func(m *Model) []Cmd { return m.Cluster.open() })},
		{Name: "unfollow", needs: "live", run: plain(func(m *Model) []Cmd { m.Transport.Following = false; return m.send(link.Cancel{}, false) })},
		{Name: "save", files: true, Keys: []string{"s"}, needs: "open", run: plain(func(m *Model) []Cmd { return m.Save.Open() })},
		{Name: "link", Keys: []string{"L"}, needs: "frame", run: plain(func(m *Model) []Cmd { return m.Sharing.share() })},
		{Name: "embed", needs: "frame", run: plain(func(m *Model) []Cmd { return m.Sharing.embed() })},
		{Name: "picture", files: true, needs: "frame", run: plain(func(m *Model) []Cmd { return m.Save.OpenPicture() })},
		{Name: "card", Keys: []string{"O"}, needs: "card", run: plain(func(m *Model) []Cmd { return m.showCard(!m.OnCard()) })},
		{Name: "about", Keys: []string{"a"}, needs: "open", run: set(func(m *Model) { m.Front.Dialog = "about" })},
		{Name: "informer", Keys: []string{"i"}, takes: true, needs: "informer", run: func(m *Model, arg, value string) []Cmd {
			i, err := strconv.Atoi(arg + value)
			if err != nil {
				i = -1
			}
			return m.showInformer(i)
		}},
		{Name: "tabs", Keys: []string{"t"}, run: set(func(m *Model) { m.Front.nextTab() })},
		{Name: "tab", takes: true, run: change(func(m *Model, arg, _ string) { m.Front.show(desk.Tab(arg)) })},
		{Name: "lang", takes: true, run: func(m *Model, arg, value string) []Cmd {
			return []Cmd{m.Settings.speak(arg + value), desk.StoreSetting{Name: "lang", Value: arg + value}}
		}},
		{Name: "full", Keys: []string{"z"}, needs: "less", run: plain((*Model).toggleFull)},
		{Name: "theme", run: plain(func(m *Model) []Cmd { return m.Settings.changeTheme() })},
		{Name: "cancel", needs: "loading", run: func(m *Model, _, _ string) []Cmd { return m.send(link.Cancel{}, false) }},
		{Name: "restart", needs: "died", run: plain((*Model).restart)},
		{Name: "help", Keys: []string{"?"}, run: change(func(m *Model, _, _ string) { m.Front.Dialog = "help"; m.Keyboard.change(false, "") })},
		{Name: "report", files: true, run: plain((*Model).report)},
		{Name: "close", Keys: []string{"Escape"}, Fixed: true, front: true, needs: "close", run: plain((*Model).close)},
	}},
}

// elements are what single elements of the page do: a field, a row or an entry of a menu.
// Each needs the element's own argument or value, so none of them has a title or a key.
var elements = []*Command{
	{Name: "begin", run: func(m *Model, _, _ string) []Cmd { return m.Transport.step(m.Transport.Unit, 1) }},
	{Name: "seek", run: numbered(func(m *Model, n int) []Cmd { return m.Transport.seek(int64(n)) })},
	{Name: "show", run: func(m *Model, arg, _ string) []Cmd { return m.showMoment(arg) }},
	{Name: "addHandlers", run: plain((*Model).addHandlers)},
	{Name: "chooseGuard", run: numbered((*Model).chooseGuard)},
	{Name: "openOwn", files: true, run: plain(func(m *Model) []Cmd { m.Lesson.SeekOwn(); return []Cmd{Pick{}} })},
	{Name: "toLogged", needs: "frame", run: numbered(func(m *Model, n int) []Cmd { return m.Transport.seekLogged(int64(n)) })},
	{Name: "speed", run: numbered(func(m *Model, n int) []Cmd { return m.Transport.setSpeed(n) })},
	{Name: "sheet", run: set(func(m *Model) { m.Front.Sheet = !m.Front.Sheet })},
	{Name: "inspect", run: func(m *Model, arg, place string) []Cmd { return m.Front.inspect(arg, place) }},
	{Name: "keyStep", run: func(m *Model, arg, _ string) []Cmd { return m.Find.ToKey(arg, 1) }},
	{Name: "keyBack", run: func(m *Model, arg, _ string) []Cmd { return m.Find.ToKey(arg, -1) }},
	{Name: "keyFollow", run: func(m *Model, arg, _ string) []Cmd { return m.Find.FollowKey(arg) }},
	{Name: "markStep", run: func(m *Model, arg, _ string) []Cmd { return m.Find.ToMark(1, link.MarkKind(arg)) }},
	{Name: "markBack", run: func(m *Model, arg, _ string) []Cmd { return m.Find.ToMark(-1, link.MarkKind(arg)) }},
	{Name: "findKey", run: func(m *Model, _, value string) []Cmd { return m.Find.Write(value) }},
	{Name: "findFirst", run: func(m *Model, key, value string) []Cmd { return m.Find.First(key, value) }},
	{Name: "writeKind", run: change(func(m *Model, _, value string) { m.Kinds.Typed = value })},
	{Name: "enterKind", run: func(m *Model, key, value string) []Cmd { return m.enterKind(key, value) }},
	{Name: "openKind", run: plain(func(m *Model) []Cmd { return m.enterKind("Enter", m.Kinds.Typed) })},
	{Name: "writeExpr", run: func(m *Model, _, value string) []Cmd { return m.Expr.Write(value) }},
	{Name: "enterExpr", run: func(m *Model, key, value string) []Cmd { return m.Expr.Enter(key, value) }},
	{Name: "takeExpr", run: func(m *Model, arg, _ string) []Cmd { return m.Expr.Complete(arg) }},
	{Name: "watchExpr", run: func(m *Model, _, _ string) []Cmd { cmds, _ := m.Expr.Watch(); return cmds }},
	{Name: "likelyExpr", run: plain(func(m *Model) []Cmd { return m.Expr.AskLikely() })},
	{Name: "stopExpr", run: func(m *Model, _, _ string) []Cmd { return m.Expr.Stop() }},
	{Name: "plotSeries", run: func(m *Model, arg, _ string) []Cmd { return m.Expr.Plot(arg) }},
	{Name: "dropExpr", run: func(m *Model, _, _ string) []Cmd { return m.Expr.Drop() }},
	{Name: "runTo", run: func(m *Model, arg, _ string) []Cmd { return m.Expr.RunTo(arg, 1) }},
	{Name: "runBack", run: func(m *Model, arg, _ string) []Cmd { return m.Expr.RunTo(arg, -1) }},
	{Name: "hits", run: numbered(func(m *Model, n int) []Cmd { return m.Expr.List(n) })},
	{Name: "addBreak", run: func(m *Model, _, _ string) []Cmd { return m.Expr.AddBreak() }},
	{Name: "toggleBreak", run: func(m *Model, arg, _ string) []Cmd { return m.Expr.ToggleBreak(arg) }},
	{Name: "dropBreak", run: func(m *Model, arg, _ string) []Cmd { return m.Expr.DropBreak(arg) }},
	{Name: "plotted", files: true, run: func(m *Model, _, _ string) []Cmd {
		return m.send(link.SavePlot{Expr: m.Expr.Asked}, false)
	}},
	{Name: "copyText", files: true, run: plain(func(m *Model) []Cmd { return m.Save.CopyText() })},
	{Name: "askOwn", run: func(m *Model, _, _ string) []Cmd { return m.Expr.ToggleOwnWork() }},
	{Name: "minimise", run: plain(func(m *Model) []Cmd { return m.Expr.Minimise() })},
	{Name: "stopMinimise", run: func(m *Model, _, _ string) []Cmd { return m.send(link.StopMinimising{}, false) }},
	{Name: "saveLeast", files: true, run: plain(func(m *Model) []Cmd { return m.Save.OpenLeast() })},
	{Name: "exprHelp", run: set(func(m *Model) { m.Front.Dialog = "expressions" })},
	{Name: "group", run: change(func(m *Model, arg, _ string) { m.Front.chooseGroup(arg) })},
	{Name: "unfold", run: set(func(m *Model) { m.Front.Unfold = !m.Front.Unfold })},
	{Name: "inspectIndex", run: func(m *Model, arg, _ string) []Cmd { return m.Indexer.AskIndex(arg) }},
	{Name: "editQuery", run: change(func(m *Model, arg, value string) { m.Indexer.Edit(arg, value) })},
	{Name: "ask", run: func(m *Model, _, _ string) []Cmd { return m.Indexer.AskWritten() }},
	{Name: "enterValue", run: func(m *Model, key, value string) []Cmd { return m.Indexer.Enter("value", key, value) }},
	{Name: "enterNamespace", run: func(m *Model, key, value string) []Cmd { return m.Indexer.Enter("namespace", key, value) }},
	{Name: "askCell", run: numbered(func(m *Model, n int) []Cmd { return m.Indexer.AskCell(n) })},
	{Name: "askPage", run: numbered(func(m *Model, n int) []Cmd { return m.Indexer.AskPage(n) })},
	{Name: "whyAt", needs: "frame", run: func(m *Model, place, _ string) []Cmd { return m.Causes.Ask(place) }},
	{Name: "closeWhy", run: func(m *Model, _, _ string) []Cmd { return m.Causes.Close() }},
	{Name: "stopWhy", run: func(m *Model, _, _ string) []Cmd { return m.Causes.Stop() }},
	{Name: "dropAnswer", run: set(func(m *Model) { m.Indexer.Drop() })},
	{Name: "discover", files: true, run: func(m *Model, _, _ string) []Cmd { return m.Cluster.discover() }},
	{Name: "want", files: true, run: change(func(m *Model, arg, _ string) { m.Cluster.choose(arg) })},
	{Name: "editWant", files: true, run: change(func(m *Model, arg, value string) { m.Cluster.edit(arg, value) })},
	{Name: "follow", files: true, run: func(m *Model, _, _ string) []Cmd { return m.followCluster() }},
	{Name: "redact", files: true, run: func(m *Model, arg, value string) []Cmd { return m.Save.EditRedact(arg, value) }},
	{Name: "saveAs", files: true, run: func(m *Model, _, value string) []Cmd { return m.Save.Choose(value) }},
	{Name: "shot", files: true, run: change(func(m *Model, arg, value string) { m.Save.EditShot(arg, value) })},
	{Name: "unsave", run: func(m *Model, _, _ string) []Cmd { return m.Save.Stop() }},
	{Name: "saveReport", files: true, run: plain((*Model).giveReport)},
	{Name: "saveNow", files: true, run: func(m *Model, _, _ string) []Cmd { return m.Save.Begin() }},
	{Name: "copyLink", run: func(m *Model, _, _ string) []Cmd { return m.Sharing.copy() }},
	{Name: "loopPart", run: change(func(m *Model, arg, _ string) { m.Loop.Enlarge(loop.Stop(arg)) })},
	{Name: "loopGuess", run: numbered(func(m *Model, n int) []Cmd { return m.Loop.Guess(n) })},
	{Name: "loopSlow", run: func(m *Model, _, value string) []Cmd {
		if ms, err := strconv.Atoi(value); err == nil {
			return m.Loop.Slow(ms)
		}
		return nil
	}},
	{Name: "loopLink", run: func(m *Model, _, _ string) []Cmd { return m.copyLoop() }},
	{Name: "saveLink", files: true, run: func(m *Model, _, _ string) []Cmd { return m.Sharing.download() }},
	{Name: "linkLang", run: func(m *Model, _, value string) []Cmd { return m.Sharing.edit(value) }},
	{Name: "reload", run: func(*Model, string, string) []Cmd { return []Cmd{Reload{}} }},
	{Name: "old", run: set(func(m *Model) { m.Site.Version.Noticed = true })},
	{Name: "unkept", run: set(func(m *Model) { m.Site.Noticed = true })},
	{Name: "notice", run: set(func(m *Model) { m.Open.Noticed = true })},
	{Name: "setup", run: change(func(m *Model, arg, value string) { m.Draft.edit(arg, value) })},
	{Name: "addHandler", run: set(func(m *Model) { m.Draft.addHandler() })},
	{Name: "dropHandler", run: numbered(func(m *Model, n int) []Cmd { m.Draft.dropHandler(n); return nil })},
	{Name: "applySetup", run: func(m *Model, _, _ string) []Cmd { return m.Draft.apply() }},
	{Name: "resetSetup", run: set(func(m *Model) { m.Draft.reset() })},
	{Name: "write", run: change(func(m *Model, _, value string) { m.Hands.Write(value) })},
	{Name: "line", run: func(m *Model, key, value string) []Cmd { return m.Hands.Enter(key, value) }},
	{Name: "menu", run: change(func(m *Model, arg, _ string) { m.Hands.Toggle(arg) })},
	{Name: "gesture", run: func(m *Model, arg, _ string) []Cmd { return m.Hands.Gesture(arg) }},
	{Name: "toFault", needs: "writing", run: set(func(m *Model) { m.Lesson.Writing.ToFault() })},
	{Name: "path", run: func(m *Model, arg, _ string) []Cmd { return m.Lesson.Follow(arg) }},
	{Name: "record", run: change(func(m *Model, arg, _ string) { m.Lesson.OpenRecord(arg) })},
	{Name: "reader", run: change(func(m *Model, _, value string) { m.Lesson.NameReader(value) })},
	{Name: "word", run: change(func(m *Model, arg, _ string) { m.Lesson.LookUp(arg) })},
	{Name: "findLesson", run: func(m *Model, _, value string) []Cmd { return m.Lesson.Search(value) }},
	{Name: "stop", run: numbered(func(m *Model, n int) []Cmd { return m.Lesson.GoStop(n, false) })},
	{Name: "rewrite", needs: "writing", run: func(m *Model, line, text string) []Cmd { return m.Lesson.Rewrite(line, text) }},
	{Name: "vote", run: change(func(m *Model, arg, value string) { m.Lesson.Vote(arg, value) })},
	{Name: "noting", run: change(func(m *Model, _, value string) { m.Room.Noting = value == "true" })},
	{Name: "left", needs: "presenting", run: plain((*Model).leaveRoom)},
	{Name: "control", run: func(m *Model, arg, _ string) []Cmd { return m.Lesson.Turn(arg) }},
	{Name: "drag", run: func(m *Model, arg, value string) []Cmd { return m.Lesson.Drag(arg, value) }},
	{Name: "compare", needs: "lesson", run: numbered(func(m *Model, n int) []Cmd { return m.Lesson.Compare(n) })},
	{Name: "schedule", needs: "lesson", run: func(m *Model, _, _ string) []Cmd { return m.Lesson.SeekSchedule() }},
	{Name: "solve", needs: "lesson", run: func(m *Model, _, _ string) []Cmd { return m.Lesson.Solve() }},
	{Name: "lane", run: numbered(func(m *Model, n int) []Cmd { return m.Hands.Lane(link.ShowLane{Lane: n}) })},
	{Name: "dropLane", run: numbered(func(m *Model, n int) []Cmd { return m.Hands.Lane(link.DropLane{Lane: n}) })},
	{Name: "renameLane", run: numbered(func(m *Model, n int) []Cmd { m.Hands.Renames = n; return nil })},
	{Name: "laneName", run: func(m *Model, arg, value string) []Cmd { return m.Hands.Name(arg, value) }},
	{Name: "compareWith", run: func(m *Model, arg, value string) []Cmd { return m.Second.choose(arg + value) }},
	{Name: "versions", run: plain((*Model).showVersions)},
	{Name: "noticed", run: plain(func(m *Model) []Cmd { m.Hands.Noticed = nil; return nil })},
	{Name: "countGuards", run: plain(func(m *Model) []Cmd { return m.Second.count() })},
	{Name: "standBeside", run: func(m *Model, arg, _ string) []Cmd { m.Hands.Menu = ""; return m.Second.choose(arg) }},
	{Name: "second", run: set(func(m *Model) { m.Front.Dialog = "second" })},
	{Name: "pane", run: numbered(func(m *Model, n int) []Cmd { m.Second.Pane = n; return nil })},
	{Name: "differ", run: numbered(func(m *Model, n int) []Cmd { return m.Second.showDifference(n) })},
	{Name: "queueFrom", run: numbered((*Model).moveWindow)},
	{Name: "findCommand", run: change(func(m *Model, _, value string) { m.Palette.write(value) })},
	{Name: "enterCommand", run: func(m *Model, key, _ string) []Cmd { return m.enterPalette(key) }},
	{Name: "runCommand", run: numbered((*Model).runOffer)},
	{Name: "editKeys", run: set(func(m *Model) { m.Keyboard.change(!m.Keyboard.Keying.Editing, "") })},
	{Name: "addKey", run: change(func(m *Model, arg, _ string) { m.Keyboard.change(true, arg) })},
	{Name: "dropKey", run: func(m *Model, arg, _ string) []Cmd { return m.Keyboard.drop(arg) }},
	{Name: "takeKey", run: func(m *Model, _, _ string) []Cmd { return m.Keyboard.takeOver() }},
	{Name: "leaveKey", run: set(func(m *Model) { m.Keyboard.change(true, "") })},
	{Name: "resetKeys", run: func(m *Model, arg, _ string) []Cmd { return m.Keyboard.reset(arg) }},
	{Name: "singleKeys", run: func(m *Model, _, value string) []Cmd { return m.Keyboard.switchSingle(value == "true") }},
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

func init() {
	Groups = groups
	for _, g := range groups {
		for _, c := range g.Commands {
			byName[c.Name], c.listed = c, true
			c.machine = slices.Contains([]string{"play", "go", "find", "change"}, g.Name) || slices.Contains(ofMachine, c.Name)
		}
	}
	for _, c := range elements {
		byName[c.Name] = c
	}
}

// Command is something that the viewer can do. One table feeds the buttons, the
// keyboard, the list of keys and the palette.
type Command struct {
	Name  string   // stable: an element's data-act; the catalogues have its title under "ui.do." and it
	Keys  []string // at first, as Pressed.name writes them
	Digit bool     // its keys are digits, and the one that was pressed says its argument
	Fixed bool     // its keys can't be changed

	front   bool   // its keys work in a dialog and in a field, too
	mode    string // its keys count only where provides says yes, and there they go before the keys of other commands
	needs   string // what provides must say yes to, or the command does nothing; the catalogues say under "ui.not." that it is missing
	takes   bool   // it needs one of its choices
	listed  bool   // in Groups
	machine bool   // it is about the machine, which is shown then
	files   bool   // it opens or saves files of the viewer's, or knows a cluster, so it is refused in a frame
	from    int    // the digit that stands for the argument 0
	run     func(m *Model, arg, value string) []Cmd
}

// Group is a part of the table.
type Group struct {
	Name     string // the catalogues have its title under "ui.keys." and it
	Commands []*Command
}

// Groups has the commands that have a title, in the order of the list of keys. byName has the commands of single elements, too.
// The functions of commands look others up here, so commands.go fills them when the program starts.
var (
	Groups []Group
	byName = map[string]*Command{}
)

// plain makes a command of a function without argument.
func plain(f func(m *Model) []Cmd) func(m *Model, _, _ string) []Cmd {
	return func(m *Model, _, _ string) []Cmd { return f(m) }
}

// numbered makes a command of a function whose argument is a number. Without a number the command does nothing. The value is the
// number of a field without an argument; where the viewer has clicked, it is the place.
func numbered(f func(m *Model, n int) []Cmd) func(m *Model, arg, value string) []Cmd {
	return func(m *Model, arg, value string) []Cmd {
		n, err := strconv.Atoi(cmp.Or(arg, value))
		if err != nil {
			return nil
		}
		return f(m, n)
	}
}

// change makes a command of a function that only changes the model.
func change(f func(m *Model, arg, value string)) func(m *Model, arg, value string) []Cmd {
	return func(m *Model, arg, value string) []Cmd { f(m, arg, value); return nil }
}

// set does what change does, for a function without argument.
func set(f func(m *Model)) func(m *Model, _, _ string) []Cmd {
	return func(m *Model, _, _ string) []Cmd { f(m); return nil }
}

var digits = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}

// Can reports whether a command can be given now.
func (m *Model) Can(command string) bool { return m.provides(byName[command].needs) }

// provides reports whether there is what a command needs: one of these names, "" for nothing.
func (m *Model) provides(need string) bool {
	l := m.Hands.Lanes
	switch need {
	case "open":
		return m.Open.Trace != nil
	case "frame":
		return m.Stage.Frame != nil && m.Open.Died == ""
	case "card":
		return m.HasCard()
	case "place":
		return m.Nav.PreviousStep() >= 0
	case "placeAfter":
		return m.Nav.ForwardTo() >= 0
	case "search":
		return m.Find.Search != nil
	case "undo":
		return l != nil && l.Undo
	case "redo":
		return l != nil && l.Redo
	case "loop":
		return m.Loop.Visible()
	case "less":
		return m.Open.Source.Loop || m.hasSubjects() || m.Lesson.Learning == nil && !m.Open.Source.IsViewers()
	case "flip":
		return l != nil && len(l.List) > 1
	case "beside":
		return m.Second.Comparison != nil && m.Stage.Frame != nil
	case "explore":
		return m.Hands.Explored != nil
	case "profile":
		return m.Open.Trace != nil && !m.Open.Trace.Script
	case "informer":
		return m.Open.Trace != nil && len(m.Open.Trace.Informers) > 1
	case "lesson":
		return m.Lesson.Learning != nil
	case "question":
		return m.Lesson.Learning.OpenQuestion() >= 0
	case "asked":
		return m.Front.Tab == desk.Lesson && m.Lesson.Learning.OpenQuestion() >= 0
	case "mend":
		return m.Lesson.Learning.MendPart() >= 0
	case "mends":
		return m.Front.Tab == desk.Lesson && m.Lesson.Learning.MendPart() >= 0
	case "guess":
		return m.Guess.Asked.Open()
	case "score":
		return m.Guess.Score.Guesses > 0
	case "writing":
		return m.Lesson.Writing != nil
	case "handout":
		return m.Lesson.OnPaper()
	case "exercise":
		return m.Lesson.Learning.HasExercise()
	case "read":
		return len(m.Lesson.Read) > 0
	case "presenting":
		return m.Room.Active
	case "live":
		return m.Cluster.Live != nil && m.Cluster.Live.Following
	case "loading":
		return m.Open.Loading || m.Open.Rereading != nil
	case "died":
		return m.Open.Died != ""
	case "close":
		return m.canClose()
	}
	return true
}

// choice is what a command can be done with.
type choice struct{ arg, title string }

// choices returns what a command can be done with now, with their titles in the page's
// language.
func (m *Model) choices(c *Command) (all []choice) {
	named := func(arg string) { all = append(all, choice{arg, m.Settings.Words["ui."+c.Name+"."+arg]}) }
	o := m.Open.Trace
	switch c.Name {
	case "unit":
		for _, u := range link.Units {
			named(string(u))
		}
	case "loopBeat":
		for i, b := range loop.Beats {
			all = append(all, choice{strconv.Itoa(i + 1), m.Settings.Words["loop.beat."+b.Name]})
		}
	case "axis":
		for _, a := range link.Axes {
			named(string(a))
		}
	case "tab":
		for _, t := range m.Front.Tabs() {
			named(string(t))
		}
	case "spot":
		for _, name := range link.Stations {
			all = append(all, choice{name, m.Settings.Words["ui.station."+name]})
		}
	case "lang":
		for _, l := range Languages {
			all = append(all, choice{l.Code, l.Name})
		}
	case "script":
		for _, name := range navigation.Scripts {
			all = append(all, choice{name, m.Settings.Words["script."+name]})
		}
	case "profile":
		for i := 0; o != nil && i < len(o.Profiles); i++ {
			all = append(all, choice{o.Profiles[i].Name, "client-go " + o.Profiles[i].Versions})
		}
	case "informer":
		for i := 0; o != nil && i < len(o.Informers); i++ {
			all = append(all, choice{strconv.Itoa(i), o.Informers[i].Name})
		}
	case "answer":
		if q := m.Lesson.Learning.OpenQuestion(); q >= 0 {
			for i, text := range m.Lesson.Learning.Parts[q].Options {
				all = append(all, choice{strconv.Itoa(i), text})
			}
		}
	case "mendLine":
		if x := m.Lesson.Learning.MendPart(); x >= 0 {
			for i, c := range m.Lesson.Learning.Parts[x].Mend.Choices {
				all = append(all, choice{strconv.Itoa(i), strings.TrimSpace(strings.Join(c.Code, " "))})
			}
		}
	case "lesson":
		for i := 0; m.Lesson.Course != nil && i < len(m.Lesson.Course.Chapters); i++ {
			for _, l := range m.Lesson.Course.Chapters[i].Lessons {
				all = append(all, choice{l.Name, l.Title})
			}
		}
	}
	return all
}

func (m *Model) canClose() bool {
	f := &m.Front
	return f.Dialog != "" || m.Lesson.Handout != nil || m.Lesson.Record != nil || m.Find.Search != nil || m.Hands.Menu != "" || m.Room.Active || f.Sheet || f.Tab == desk.WhyTab || m.Open.Failure != nil && m.Stage.Frame != nil
}

// Allows reports whether a command can ever be given: not in a frame, if it is about the viewer's
// own files or a cluster.
func (s *Site) Allows(c *Command) bool { return !(c.files && s.Embedded) }

// Refuses reports whether an element with data-act name can never do anything here.
func (s *Site) Refuses(name string) bool {
	c := byName[name]
	return c != nil && !s.Allows(c)
}
