package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/session/navigation"
)

// write writes a line in the console, and plays it.
func (b *tab) write(line string) {
	b.t.Helper()
	b.wait(`document.activeElement?.id === 'console-line'`)
	b.wait(`document.getElementById('console-line').value === ''`)
	for _, r := range line {
		b.key(string(r))
	}
	b.wait(`document.getElementById('console-line').value === ` + quote(line))
	b.key("Enter")
}

// futures are the names of the futures above the timeline, the shown one in
// brackets.
const futures = `[...document.querySelectorAll('.future')].map(f => f.dataset.shown ? '[' + f.innerText.trim().split('\n')[0] + ']' : f.innerText.trim().split('\n')[0]).join(' | ')`

func (b *tab) futuresAre(want string) {
	b.t.Helper()
	b.wait(futures + ` === ` + quote(want))
}

// A viewer who changes something in a recording gets another future, beside the
// recorded one, in which the API server is simulated.
func TestAnotherFuture(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("5")
	at := b.stepMoves(0)
	b.click(`.st-server .menu > button`)
	b.wait(`document.querySelector('.st-server [role=menu]')?.innerText.includes('compact')`)
	b.click(`.st-server [role=menuitem][data-arg="compact"]`)
	b.stepIs(at + 1)
	b.wait(`document.querySelector('.said').textContent.includes('etcd is compacted')`)
	b.wait(`document.querySelector('.why').textContent.includes('simulated from here')`)
	b.wait(`document.querySelector('.st-server').textContent.includes('simulated')`)
	b.futuresAre("As recorded | [compact]")
	b.shot("future")

	b.key("c")
	b.write("create pods shop/extra app=extra")
	b.stepIs(at + 2)
	b.key("Escape")
	b.run(`document.activeElement.blur()`)
	b.wait(`+document.querySelector('.timeline [role=slider]').getAttribute('aria-valuemax') > ` + num(at+10)) // the run goes on
	b.key("End")
	b.wait(`document.querySelector('.st-store').textContent.includes('extra')`)
	b.futuresAre("As recorded | [compact]") // it goes on

	b.key("b")
	b.futuresAre("[As recorded] | compact")
	b.wait(`!document.querySelector('.st-store').textContent.includes('extra') && !document.querySelector('.st-server').textContent.includes('simulated')`)
	b.key("b")
	b.futuresAre("As recorded | [compact]")
	b.key("u")
	b.wait(`!document.querySelector('[data-act=redo]').disabled`)
	b.key("u")
	b.futuresAre("[As recorded]")
	b.stepIs(at)
	b.key("r")
	b.futuresAre("As recorded | [compact]")

	b.click(`[data-act=renameLane]`)
	b.wait(`document.activeElement?.dataset.act === 'laneName'`)
	b.run(`document.activeElement.select()`)
	for _, r := range "squeezed" {
		b.key(string(r))
	}
	b.key("Enter")
	b.futuresAre("As recorded | [squeezed]")
	b.click(`[data-act=dropLane]`)
	b.futuresAre("[As recorded]")
}

// The console says where a line is wrong, keeps the line to be mended, and gives back the lines from before.
func TestConsole(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("c")
	b.write("show bogus")
	b.wait(`document.querySelector('.wrong pre')?.textContent === 'show bogus\n     ^'`)
	b.wait(`document.getElementById('console-line').value === 'show bogus'`)
	b.shot("console")
	b.key("Escape")
	b.wait(`document.getElementById('console-line').value === ''`)
	b.write("show revision")
	b.wait(`document.querySelector('.transcript').textContent.includes('> show revision')`)
	b.key("ArrowUp")
	b.wait(`document.getElementById('console-line').value === 'show revision'`)
	b.key("ArrowUp")
	b.wait(`document.getElementById('console-line').value === 'show bogus'`)
	b.wait(`document.querySelectorAll('#console-completions option').length === 0`)
	b.key("Escape")
	b.wait(`document.querySelectorAll('#console-completions option').length > 10`)

	// Typed and played between two paintings, a line leaves the field, too.
	b.run(`(() => {
		const field = document.getElementById('console-line');
		field.value = 'show revision';
		field.dispatchEvent(new Event('input', {bubbles: true}));
		field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true}));
	})()`)
	b.wait(`document.querySelector('.transcript').textContent.split('> show revision').length === 3`)
	b.wait(`document.getElementById('console-line').value === ''`)
}

// The viewer can choose which goroutine moves next.
func TestChoosesWhoMoves(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("e")
	b.wait(`document.querySelector('[data-act=script]')`)
	b.click(`[data-arg="07-two-handlers"]`)
	b.loaded()
	b.wait(`document.querySelector('.source-name').textContent === '07-two-handlers.txt'`)
	b.key("]")
	at := b.stepMoves(0)
	b.opensTab("actors")
	b.wait(`document.querySelectorAll('.actors [data-act=gesture]').length > 1`)
	b.click(`.actors tbody [data-act=gesture]`)
	b.stepIs(at + 1)
}

// The answer to a can line is looked for while the page goes on, and the way
// there is played in a future of its own. A search that finds nothing can be
// stopped.
func TestExplores(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("e")
	b.wait(`document.querySelector('[data-act=script]')`)
	b.click(`[data-arg="26-explore"]`)
	b.loaded()
	b.wait(`document.querySelector('.source-name').textContent === '26-explore.txt'`)
	b.key("1")
	b.key("c")
	b.write("can audit OnAdd default/web before metrics OnAdd default/web")
	b.wait(`document.querySelector('.transcript').textContent.includes('= yes, in ')`)
	b.futuresAre("As written | [can audit OnAdd default/web before metrics OnAdd default/web]")
	b.wait(`!document.querySelector('.exploring')`)
	b.opensTab("explain")
	b.wait(`document.querySelector('[data-act=play]').getAttribute('aria-pressed') !== 'true' && document.querySelector('.said').textContent.includes('audit')`)
	b.shot("explored")

	b.key("1")
	b.opensTab("actors")
	b.wait(`document.querySelector('[data-act=random]')`)
	b.click(`[data-act=random]`)
	b.wait(`document.querySelectorAll('.future').length === 3`)
	b.opensTab("actors")
	b.wait(`document.querySelector('.schedules')`)
	b.click(`.schedules [data-act=gesture]`)
	b.wait(`document.activeElement?.id === 'console-line' && document.getElementById('console-line').value === 'can '`)
}

// Every script of the library opens, and the console shows what the command line prints of it.
func TestEveryScriptOpens(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	for _, name := range navigation.Scripts {
		golden, err := os.ReadFile(filepath.Join("../../engine/script/testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		b.key("e")
		b.wait(`document.querySelector('[data-act=script]')`)
		b.click(`[data-act=script][data-arg=` + quote(name) + `]`)
		b.wait(`document.querySelector('.source-name').textContent === ` + quote(name+".txt"))
		b.loaded()
		b.opensTab("console")
		var want []string
		for line := range strings.Lines(string(golden)) {
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(line, "> ") || strings.HasPrefix(line, "= ") {
				want = append(want, line)
			}
		}
		last := want[len(want)-1]
		b.wait(`[...document.querySelectorAll('.transcript code')].some(c => c.textContent === ` + quote(last) + `)`)
		got := eval[[]string](b, `[...document.querySelectorAll('.transcript code')].map(c => c.textContent)`)
		if n := len(got); n == 0 || strings.Join(got, "\n") != strings.Join(want[len(want)-n:], "\n") {
			t.Errorf("%s shows\n%s", name, strings.Join(got, "\n"))
		}
		b.run(`document.activeElement.blur()`)
		b.key("End")
		b.stepMoves(0)
		b.key("Home")
		b.stepIs(0)
	}
}

// A script that is wrong says where.
func TestAWrongScript(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	file := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(file, []byte("informer pods\nhandler h\ncreate pod a/x\nexpect calls h 7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.drop(onStage, file)
	b.wait(`document.querySelector('.source-name').textContent === 'mine.txt'`)
	b.wait(`document.querySelector('.wrong')?.textContent.includes('got 0, not 7')`)
	b.wait(`document.querySelector('.wrong')?.textContent.includes('4')`)
	b.run(`document.activeElement.blur()`)
	b.key("End")
	b.stepMoves(0)
}

// pickEntry opens a station's menu, by mouse or by keyboard, and does what the entry
// with this line says.
func (b *tab) pickEntry(station, line string, byKey bool) {
	b.t.Helper()
	press := func(selector string) {
		if byKey {
			b.run(`document.querySelector(` + quote(selector) + `).focus()`)
			b.key("Enter")
			return
		}
		b.click(selector)
	}
	b.run(`document.activeElement.blur()`)
	b.key("End")
	menu := `.st-` + station + ` .menu`
	press(menu + ` > button`)
	entry := menu + ` [role=menuitem][data-arg=` + quote(line) + `]`
	b.wait(`document.querySelector(` + quote(entry) + `)`)
	press(entry)
	b.wait(`!document.querySelector(` + quote(menu+` [role=menu]`) + `)`)
}

// plays plays a line, which leads to the step that has the sentence.
func (b *tab) plays(line, sentence string) {
	b.t.Helper()
	// Its key isn't used: that leaves a letter in the line, and sometimes after write has looked.
	b.opensTab("console")
	b.wait(`document.getElementById('console-line')`)
	b.run(`document.getElementById('console-line').focus()`)
	b.write(line)
	b.wait(`[...document.querySelectorAll('.transcript code')].at(-1)?.textContent === ` + quote("> "+line) + ` || document.querySelector('.transcript li:last-child')?.className === 'said-step'`)
	b.run(`document.activeElement.blur()`)
	b.opensTab("explain")
	b.waitForSentence(sentence)
}

// waitForSentence waits until the sentence of the step shown has a text.
func (b *tab) waitForSentence(text string) {
	b.t.Helper()
	b.wait(`document.querySelector('.said')?.textContent.includes(` + quote(text) + `)`)
}

// Reconciles are made to fail at the workqueue: the worker says so, the key waits among
// the delayed ones, and succeeds once that is taken back.
func TestReconcilesFailByGesture(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	file := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(file, []byte("profile current\ninformer pods\nhandler audit workqueue\nexists pod default/a app=web\nrun\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.drop(onStage, file)
	b.wait(`document.querySelector('.source-name').textContent === 'mine.txt'`)
	b.loaded()
	const work, worker = `document.querySelector('.st-work')`, `document.querySelector('.st-work .worker')`
	waits := func(key string) string {
		return `[...document.querySelectorAll('.st-work .set-delayed li')].some(e => e.textContent.includes('` + key + `') && e.textContent.includes('in '))`
	}
	if eval[bool](b, work+`.querySelector('.set-delayed') !== null`) {
		t.Error("keys can wait before anything can fail")
	}

	b.pickEntry("work", "fail reconciles", true)
	b.waitForSentence("The next 1 reconcile will fail")
	b.wait(work + `.textContent.includes('next 1 fails')`)
	b.plays("update pods default/a app=one", "default/a")
	b.plays("run until ReconcileFailed", "fails to reconcile default/a")
	b.wait(worker + `.hasAttribute('data-fault') && ` + worker + `.textContent.includes('failed') && !` + work + `.textContent.includes('next 1 fails')`)
	b.shot("failed")
	b.plays("run until WorkDelayed", "default/a")
	b.wait(waits("default/a") + ` && !` + worker + `.hasAttribute('data-fault')`)
	b.shot("delayed")
	b.plays("run until WorkForgotten", "default/a")
	b.wait(`!` + waits("default/a"))

	b.pickEntry("work", "fail reconciles n=all key=default/a…", false)
	b.wait(`document.getElementById('console-line').value === 'fail reconciles n=all key=default/a'`)
	b.key("Enter")
	b.wait(work + `.textContent.includes('all fail · default/a')`)
	b.plays("update pods default/a app=two", "default/a")
	b.plays("run", "finds the workqueue empty")
	for range 2 { // the run ends while the key waits, and time lets it fail again
		b.wait(waits("default/a"))
		b.plays("advance 100ms", "Time has passed")
	}
	b.pickEntry("work", "fail reconciles n=0", false)
	b.waitForSentence("no longer made to fail")
	b.wait(`!` + work + `.textContent.includes('all fail')`)
	b.plays("run until WorkForgotten", "default/a")
}

// On a recording, reconciles fail as well, and the server stays the recorded one.
func TestReconcilesFailOnARecording(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("5")
	at := b.stepMoves(0)
	b.click(`.st-work .menu > button`)
	b.wait(`document.querySelector('.st-work [role=menu]')?.innerText.includes('fail reconciles')`)
	b.click(`.st-work [role=menuitem][data-arg="fail reconciles n=all"]`)
	b.stepIs(at + 1)
	b.waitForSentence("Every reconcile fails from now on")
	b.futuresAre("As recorded | [fail reconciles n=all]")
	b.plays("run until ReconcileFailed", "fails to reconcile")
	b.wait(`document.querySelector('.st-work .worker[data-fault]')`)
	b.plays("run until WorkDelayed", "")
	b.wait(`document.querySelector('.st-work .set-delayed li')`)
	if text := b.text(`.st-server`); strings.Contains(text, "simulated") {
		t.Errorf("the server is %q", text)
	}
	b.shot("recorded")
}

// Each gesture does at its station what its entry says, and the stage shows it.
func TestGestures(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	file := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(file, []byte("profile current\ninformer pods\nhandler metrics\nhandler audit workqueue\nexists pod default/a app=web\nrun\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.drop(onStage, file)
	b.wait(`document.querySelector('.source-name').textContent === 'mine.txt'`)
	b.loaded()
	audit := `[...document.querySelectorAll('.st-processor .lane')].find(l => l.querySelector('.lane-title')?.textContent === 'audit').textContent`
	store := `document.querySelector('.st-store').textContent`

	b.pickEntry("server", "drop event", true)
	b.waitForSentence("will be lost")
	b.plays("create pods default/lost", "default/lost")
	b.plays("run until WatchEventLost", "is lost on its way")
	b.wait(`!` + store + `.includes('lost')`)
	b.pickEntry("server", "delay event 5s", false)
	b.waitForSentence("late")
	b.plays("update pods default/a app=one", "default/a")
	b.plays("run until WatchEventHeld", "held back")
	b.pickEntry("server", "duplicate event", false)
	b.waitForSentence("arrive twice")
	b.pickEntry("server", "swap events", false)
	b.waitForSentence("after the event that follows it")
	b.plays("update pods default/a app=two", "default/a")
	b.plays("run until WatchEventHeld", "held back")
	b.pickEntry("server", "fail requests toomany after=5s", false)
	b.pickEntry("server", "break watch", false)
	b.plays("run until RequestFailed", "too many requests")

	b.pickEntry("processor", "takes audit forever", true)
	b.plays("update pods default/a app=three", "default/a")
	b.plays("run until call audit", "does not return")
	b.wait(audit + `.includes('∞')`)
	b.shot("blocked")
	b.pickEntry("processor", "takes audit 1ms", false)
	b.plays("run until HandlerReturned", "audit")
	b.wait(`!` + audit + `.includes('∞')`)
	b.pickEntry("processor", "blind handler audit", false)
	b.wait(audit + `.includes('ignores tombstones')`)
	b.pickEntry("processor", "mend handler audit", false)
	b.waitForSentence("audit works")
	b.pickEntry("processor", "blind handler audit panics", false)
	b.wait(audit + `.includes('panics at tombstones')`)
	b.pickEntry("processor", "mend handler audit", false)
	b.pickEntry("processor", "panic handler audit", false)
	b.plays("update pods default/a app=four", "default/a")
	b.plays("run until HandlerPanicked", "audit panics while handling default/a")

	b.pickEntry("server", "withhold initial end", false)
	b.pickEntry("processor", "mend handler audit", false)
	b.pickEntry("loop", "kill process", true)
	b.waitForSentence("starts again")
	b.wait(`!` + store + `.includes('default/a')`)
	b.plays("run until InitialEndLost", "bookmark that ends the initial events")
	b.plays("run until synced", "")
	b.pickEntry("store", "add index app…", false)
	b.wait(`document.getElementById('console-line').value === 'add index app'`)
	b.key("Enter")
	b.wait(store + `.includes('four')`)
	b.pickEntry("store", "refuse tombstones", false)
	b.waitForSentence("key function")
}

// From a search the page looks for the smallest recording in which the expression still comes
// about, tells what is left, and saves that. Opened, the small recording shows the same.
func TestMinimises(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	searches := func() {
		b.t.Helper()
		b.writes("tombstone()")
		b.presses("watchExpr")
		if says := b.hits("tombstone()"); !strings.HasPrefix(says, "1 hit") {
			t.Fatalf("the search says %q", says)
		}
	}
	searches()
	b.run(`document.querySelector('[data-act=minimise]').focus()`)
	b.key("Enter")
	b.wait(`document.querySelector('.least')?.innerText.includes('with 1 of 102 watch events, and 1 object')`)
	b.shot("minimised")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds: %q", found)
	}
	b.click(`[data-act=saveLeast]`)
	b.wait(`document.querySelector('dialog[open] select[data-act=saveAs]')?.value === 'least'`)
	file := b.saved()
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)

	b.upload(onFile, file)
	b.wait(`document.querySelector('.source').textContent.includes('small')`)
	b.loaded()
	searches()
	b.click(`.hits button`)
	b.wait(`document.querySelector('.st-server .station-foot').innerText.includes('1 of 1 event sent') && document.querySelectorAll('.rows .chip').length === 1`)
}

// The list of faults begins with those that fit the moment. What can't be done yet says so, and a click on it leads to
// where it can be done.
func TestFaultsFitTheMoment(t *testing.T) {
	t.Parallel()
	b := openScript(t, "profile classic", "informer pods", "handler audit", "exists pod default/web", "run", "advance 20s")
	b.key("Home")
	b.stepIs(0)
	b.opensTab("gestures")
	const cuts = `[...document.querySelectorAll('.gestures button')].filter((x) => x.textContent.startsWith('Cut the watch'))`
	const first = `[...document.querySelector('.gestures section').querySelectorAll('li > button > code')].map((x) => x.textContent).join(' | ')`
	b.wait(first + ` === 'fail requests expired | fail requests toomany | fail requests refused | restart server down=1s'`)
	b.wait(cuts + `.length === 2 && ` + cuts + `.every((x) => x.textContent.includes('Not until a watch is open'))`)
	b.shot("faults before the watch")
	b.click(`.gestures [data-waits]`)
	b.wait(first + `.startsWith('break watch | drop event | silence watch | compact')`)
	b.wait(cuts + `.length === 3 && !document.querySelector('.gestures [data-waits]')`)
	b.shot("faults")
	b.click(`.gestures [data-arg="break watch"]`)
	b.waitForSentence("connection")
}

// The wire is clicked to cut and to mend it, an object on the server's shelf to change and to delete it, and a
// handler to make it slow.
func TestThingsAreClicked(t *testing.T) {
	t.Parallel()
	b := openScript(t, "profile classic", "informer pods", "handler audit", "exists pod default/web", "run", "advance 20s", "fail requests refused n=2")
	b.key("End")
	wire := func(states string) {
		t.Helper()
		b.wait(`[` + states + `].includes(document.querySelector('main .wire-state').dataset.wire)`)
	}
	wire(`'open', 'quiet'`)
	b.shot("things")
	b.wait(`document.querySelector('main .wire-state').dataset.arg === 'break watch'`)
	b.click(`main .wire-state`)
	wire(`'broken'`)
	b.wait(`[...document.querySelectorAll('.noticed li')].some((e) => e.textContent === 'auditnotices nothing') && document.querySelector('.noticed code').textContent === 'break watch'`)
	b.shot("who notices")
	b.wait(`[...document.querySelectorAll('.noticed li')].some((e) => e.textContent.includes('2 requests fail') && e.querySelector('[data-act=seek]'))`)
	b.run(`document.querySelector('.noticed [data-act=noticed]').click()`)
	b.wait(`!document.querySelector('.noticed')`)
	b.plays("run until BackoffStarted", "")
	wire(`'backoff'`)
	b.wait(`document.querySelector('main .wire-state').dataset.arg?.startsWith('advance ')`)
	b.click(`main .wire-state`)
	b.plays("run until WatchOpened", "")
	wire(`'open', 'quiet'`)

	const held = `document.querySelector('.server-shelf').textContent`
	pick := func(thing, line string) {
		t.Helper()
		b.click(thing + ` .grip > button`)
		entry := thing + ` [role=menuitem][data-arg=` + quote(line) + `]`
		b.wait(`document.querySelector(` + quote(entry) + `)`)
		b.shot("menu of " + strings.Fields(line)[0])
		b.click(entry)
		b.wait(`!document.querySelector('.grip [role=menu]')`)
	}
	rv := eval[string](b, `document.querySelector('.server-shelf li > span:last-of-type').textContent`)
	pick(".server-shelf li", "patch pods default/web touched="+rv)
	b.wait(`!` + held + `.includes(` + quote(rv) + `)`)
	pick(".server-shelf li", "delete pods default/web")
	b.wait(held + `.includes('deleted')`)
	pick(".server-shelf li", "create pods default/web")
	b.wait(`!` + held + `.includes('deleted')`)
	pick(".lane .handler", "takes audit 1s")
	b.waitForSentence("audit")
}

// In a lesson, too, a fault is answered by who notices it: a handler, here, that is slow from now on.
func TestALessonSaysWhoNotices(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=handler-time")
	b.lessonIs("handler-time", 0)
	b.wait(`document.documentElement.dataset.playing === 'false'`)
	b.pickEntry("processor", "takes yours forever", false)
	b.wait(`[...document.querySelectorAll('.lesson-foot .noticed li b')].some((e) => e.textContent === 'yours') && document.querySelector('.noticed code').textContent === 'takes yours forever'`)
	b.shot("noticed")
	b.click(`.lesson-foot .noticed [data-act=noticed]`)
	b.wait(`!document.querySelector('.noticed')`)
	b.opensTab("gestures")
	b.wait(`document.querySelector('.gestures [data-arg="takes yours 1ms"]') && !document.querySelector('.gestures').textContent.includes('Nothing is broken')`)
	b.click(`.gestures [data-arg="takes yours 1ms"]`)
	b.opensTab("gestures")
	b.wait(`document.querySelector('.gestures').textContent.includes('Nothing is broken that you could fix.')`)
}
