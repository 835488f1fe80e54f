package test

import (
	"io"
	"strings"
	"testing"
)

// A newcomer follows README's first steps, reads the first lessons, solves an exercise, changes what
// happens, and opens a link to that in another tab, in both browsers. On the way nothing is cut or out of
// reach, no text is missing, and what is said about the step is in view.
func TestANewcomersWalk(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			walkAsNewcomer(t, tabOf)
		})
	}
}

// walkAsNewcomer goes a newcomer's way in a browser, and returns the tab.
func walkAsNewcomer(t *testing.T, tabOf func(testing.TB) *tab) *tab {
	t.Helper()
	b := tabOf(t)
	b.asNewcomer("?newcomer")
	b.firstSteps()
	b.click(`.loop-top [data-act=course]`)
	b.wait(`document.querySelector('dialog[open] .course-list')`)
	b.click(`.course-list [data-arg=whole-loop]`)
	read := 0
	for _, lesson := range []string{"whole-loop", "delta-fifo", "deltas-pile-up", "two-deletes", "keys", "list-then-watch"} {
		b.lessonIs(lesson, 0)
		b.loaded()
		read += b.reads()
		b.wait(`document.querySelector('.lesson-foot [data-act=lesson]')`)
		b.fine("the end of " + lesson)
		b.click(`.lesson-foot [data-act=lesson]`)
	}
	b.lessonIs("lost-delete", 0)
	if read < 25 {
		t.Errorf("the six lessons have %d stops", read)
	}
	b.solvesOne()
	b.cutsTheWatch()

	at, stage, link := b.step(), b.stage(), b.shared()
	colleague := tabOf(t)
	colleague.asNewcomer(strings.TrimPrefix(link, env.site))
	colleague.stepIs(at)
	colleague.loaded()
	if there := colleague.stage(); there != stage {
		t.Errorf("the link shows another stage:\n%s", differences(stage, there))
	}
	colleague.fine("the link")
	return b
}

// asNewcomer opens an address of the page as somebody does who has never been here. What one document writes into the
// storage a busy Firefox may not show to the next one, so each document begins without a choice.
func (b *tab) asNewcomer(at string) {
	b.t.Helper()
	if _, is := b.driver.(webkit); !is { // nothing runs before its documents, which choose nothing then
		b.preload(nothing + headlines)
	}
	b.goTo("about:blank")
	b.goTo(env.site + at)
	b.ready()
	b.loaded()
}

// fine checks what holds wherever a newcomer is.
func (b *tab) fine(where string) {
	b.t.Helper()
	faults := append(b.faults(), eval[[]string](b, `(() => {
		const faults = [];
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let n = walker.nextNode(); n; n = walker.nextNode()) {
			if (/\b(ui|step|why|fail|error|remark|gesture|ask|script|profile)\.[a-z]\w*(\.\w+)*\b/.test(n.textContent) && !n.parentElement.closest('code, pre, #boot')) faults.push('a text is missing: ' + n.textContent);
		}
		const inView = (e) => { const r = e.getBoundingClientRect(); return r.height > 0 && r.top >= -1 && r.bottom <= innerHeight + 1 };
		const says = [...document.querySelectorAll('.loop-says, .explain .said, .differences-head, .chain-say, .lesson-stop[data-now] > p, .lesson-stop[data-now] .verdict-text')].filter((e) => e.checkVisibility());
		if (!document.querySelector('dialog[open]') && !says.some(inView)) faults.push('what is said is out of sight');
		if (document.querySelector('.notice.failure')) faults.push('it failed: ' + document.querySelector('.notice.failure').textContent);
		return faults;
	})()`)...)
	if len(faults) != 0 {
		b.t.Errorf("%s has these faults:\n  %s", where, strings.Join(faults, "\n  "))
		b.shot(where)
	}
}

// firstSteps does in the loop and in its microscope what README's table of keys begins with.
func (b *tab) firstSteps() {
	b.t.Helper()
	b.wait(`document.documentElement.dataset.view === 'loop' && (window.__played || document.documentElement.dataset.playing === 'true')`)
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	b.fine("the loop")
	b.passes(`document.documentElement.dataset.playing === 'true'`, func() { b.key(" ") })
	b.key(" ")
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	b.key("z")
	b.wait(`document.querySelector('.stage') && !document.documentElement.dataset.view`)
	b.loaded()
	at := b.step()
	for _, key := range []struct {
		name  string
		shift bool
	}{{"ArrowLeft", false}, {"ArrowRight", false}, {"ArrowLeft", true}, {"m", false}} {
		if key.shift {
			b.key(key.name, shift)
		} else {
			b.key(key.name)
		}
		at = b.stepMoves(at)
		b.fine("the microscope after " + key.name)
	}
	b.key("z")
	b.wait(`document.documentElement.dataset.view === 'loop'`)
	b.fine("the loop again")
	b.key("?")
	b.wait(`document.querySelector('dialog[open] [data-act=editKeys]')`)
	b.fine("the list of keys")
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
}

// reads reads a lesson to its end: it presses Next, and answers each question with its first option.
func (b *tab) reads() (stops int) {
	b.t.Helper()
	for {
		stop := b.state("stop")
		b.wait(`document.documentElement.dataset.playing !== 'true'`)
		b.fine("lesson " + b.state("lesson") + " at " + stop)
		if eval[bool](b, `document.querySelector('.lesson-stop[data-now] .lesson-question .option:enabled') !== null`) {
			b.click(`.lesson-stop[data-now] .lesson-question .option:enabled`)
			b.wait(`document.querySelector('.lesson-stop[data-now] .verdict-text')`)
			b.fine("the answer of " + b.state("lesson") + " at " + stop)
		}
		stops++
		if eval[bool](b, `document.querySelector('.lesson-foot [data-act=nextStop]') === null`) {
			return stops
		}
		b.click(`.lesson-foot [data-act=nextStop]`)
		b.wait(`document.documentElement.dataset.stop !== '` + stop + `'`)
	}
}

// solvesOne finds an exercise in the list of lessons, and solves it.
func (b *tab) solvesOne() {
	b.t.Helper()
	b.click(`.course-button`)
	b.wait(`document.querySelectorAll('.course-list button').length > 30`)
	b.fine("the list of lessons")
	b.click(`.course-list [data-arg="build-b-before-a"]`)
	b.lessonIs("build-b-before-a", 0)
	b.loaded()
	b.wait(`document.documentElement.dataset.playing !== 'true' && document.querySelector('.lesson-exercise .goal')`)
	b.fine("the exercise")
	for _, line := range []string{"step 9 reflector", "run until call h", "run until call h"} {
		n := eval[int](b, `document.querySelectorAll('.lesson-line .transcript li').length`)
		b.click(`#console-line`)
		b.write(line)
		b.wait(`document.querySelectorAll('.lesson-line .transcript li').length > ` + num(int64(n)))
	}
	b.wait(`document.querySelector('.lesson-exercise[data-solved] .verdict-text')`)
	b.fine("the solved exercise")
}

// cutsTheWatch opens the recording again, and cuts the watch at its server.
func (b *tab) cutsTheWatch() {
	b.t.Helper()
	b.inBar("open", "bundled")
	b.wait(`!document.documentElement.dataset.lesson && document.querySelector('.source').textContent.includes('shop')`)
	b.loaded()
	at := b.step()
	b.key("4")
	at = b.stepMoves(at)
	b.click(`[data-station=server] [data-act=menu]`)
	b.wait(`document.querySelector('[data-station=server] [role=menuitem]')`)
	b.run(`[...document.querySelectorAll('[data-station=server] [role=menuitem]')].find((e) => e.textContent.includes('Cut the watch')).click()`)
	b.stepMoves(at)
	b.wait(`document.querySelectorAll('.future').length === 2`)
	b.loaded()
	b.fine("the other future")
}

// errand is a task that a viewer does without help: each press is on something in view that carries
// a word of the task, or one that means the same.
type errand struct {
	*tab
	lang    string
	words   map[string]string // of the task, and what else they may be called, with the same in Chinese
	actions int
}

// inView lists what can be pressed and is in view, with its words.
const inView = `[...document.querySelectorAll('button, input, a[href], summary, [role=slider], .tile, .chip[data-act]')].filter((e) => {
	const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
	return !e.disabled && r.width > 0 && r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth && e.contains(document.elementFromPoint(x, y));
})`

// presses presses the first thing in view that has a word, which must be one of the task's.
func (x *errand) presses(word string) {
	x.t.Helper()
	find := x.waitForWord(word)
	// A person presses what has come to rest, and looks again where it has gone meanwhile.
	x.run(`let was, is;
		do {
			document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
			` + find + `?.setAttribute('data-pressed', '');
			was = is;
			for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
			is = JSON.stringify(document.querySelector('[data-pressed]')?.getBoundingClientRect());
		} while (!is || was !== is)`)
	x.click(`[data-pressed]`)
	x.run(`document.querySelector('[data-pressed]')?.removeAttribute('data-pressed')`)
	x.actions++
}

// waitForWord waits for the first thing in view that has one of the task's words, and returns what finds it.
func (x *errand) waitForWord(word string) (find string) {
	x.t.Helper()
	said, known := x.words[word]
	if !known {
		x.t.Fatalf("%q is no word of the task %v", word, x.words)
	}
	if x.lang == "en" {
		said = word
	}
	find = inView + `.find((e) => (' ' + [e.ariaLabel, e.innerText, e.placeholder, e.title].join(' ').toLowerCase()).includes(` + quote(strings.ToLower(said)) + `))`
	x.wait(find)
	return find
}

// checkActions checks how many actions the task took.
func (x *errand) checkActions(most int) {
	x.t.Helper()
	x.t.Logf("%d actions", x.actions)
	if x.actions > most {
		x.t.Errorf("it took %d actions, and at most %d are wanted", x.actions, most)
	}
}

// recovers presses something wrong three times, each from where the viewer is, and is back after one press
// of Escape.
func (x *errand) recovers(wrong ...string) {
	x.t.Helper()
	const where = `[document.documentElement.dataset.dialog, document.documentElement.dataset.lesson, !!document.querySelector('.bar-menu [role=menu], .menu-list')].join()`
	was := eval[string](x.tab, where)
	for _, selector := range wrong {
		x.click(selector)
		x.wait(where + ` !== ` + quote(was))
		x.key("Escape")
		x.wait(where + ` === ` + quote(was))
	}
}

// Five things that people come for are done without help, in few actions, by pressing only what is in
// view and carries a word of the task. Three wrong first presses are taken back by one press each. Beside
// the usual run, each task has two of the other combinations of browser, language and size.
func TestTasks(t *testing.T) {
	t.Parallel()
	for i, task := range tasks {
		t.Run(task.name, func(t *testing.T) {
			for n, at := range []struct {
				browser, lang string
				tab           func(testing.TB) *tab
				phone         bool
			}{{"Chromium", "en", newTab, false}, {"Firefox", "zh", newFox, false}, {"Chromium", "zh", newTab, true}, {"Firefox", "en", newFox, true}} {
				if n > 0 && n == 1+i%3 {
					continue // another task has it
				}
				where, phone := at.browser+" "+at.lang, at.phone && !task.room
				if phone {
					where += ", a phone"
				}
				t.Run(where, func(t *testing.T) {
					t.Parallel()
					x := &errand{tab: at.tab(t), lang: at.lang, words: task.words}
					if phone {
						x.size(390, 844)
					}
					x.reduceMotion()
					x.asNewcomer("?task")
					if at.lang != "en" {
						x.click(`.loop-top [data-act=lang]`)
					}
					x.wait(`document.documentElement.lang.startsWith('` + at.lang + `')`)
					x.recovers(`.loop-top [data-act=course]`)
					task.do(x, phone)
					x.checkActions(task.most)
				})
			}
		})
	}
}

var tasks = []struct {
	name  string
	room  bool              // it is done before a class, and so not on a phone
	most  int               // actions
	words map[string]string // of the task, as an errand's
	do    func(x *errand, phone bool)
}{
	{"what is an informer", false, 7, map[string]string{"learn": "学习", "whole loop": "走完整个循环", "next": "下一步"}, func(x *errand, _ bool) {
		x.presses("learn")
		x.wait(`document.querySelector('dialog[open] .course-list')`)
		x.presses("whole loop")
		x.lessonIs("whole-loop", 0)
		for stop := int64(1); !eval[bool](x.tab, `document.querySelectorAll('.lesson-stop h3').length >= 5`); stop++ {
			x.presses("next")
			x.stopIs(stop)
		}
		x.fine("the fifth step")
	}},
	{"why was my handler called twice", false, 6, map[string]string{"capture": "录制", "end": "末尾", "OnUpdate": "OnUpdate", "web-0": "web-0", "why": "为什么"}, func(x *errand, phone bool) {
		x.waitForWord("capture")
		x.upload(onFile, writeFile(x.t, "mine.ndjson", func(w io.Writer) { w.Write(watchStream(4)) }))
		x.actions++ // by the button that says Open my capture
		x.wait(`document.documentElement.dataset.loading === 'false' && document.documentElement.dataset.step === '0'`)
		x.loaded()
		x.presses("end")
		if phone { // the objects are below the process loop, which has moved last
			x.wait(`document.querySelector('main .tile')`)
			x.run(`document.querySelector('main .tile').scrollIntoView({block: 'center'})`)
			x.actions++
			x.presses("web-0")
		} else {
			x.presses("OnUpdate")
		}
		x.presses("why")
		x.wait(`document.querySelectorAll('.chain-link').length > 1`)
		x.fine("the chain of causes")
		x.shot("why")
	}},
	{"show my class a relist", true, 8, map[string]string{"learn": "学习", "search": "搜索", "relist": "relist", "present": "演示", "next": "下一步", "votes": "投票", "show me": "直接看答案"}, func(x *errand, _ bool) {
		x.presses("learn")
		x.wait(`document.querySelector('dialog[open] .course-list')`)
		x.presses("search") // and what is searched for is a word of the task
		for _, letter := range "relist" {
			x.key(string(letter))
		}
		x.wait(`document.querySelectorAll('.course-list:not(.course-texts) button').length < 10`)
		x.wait(`document.querySelector('.course-texts')`) // with which the list is whole
		x.presses("relist")
		x.wait(`document.documentElement.dataset.lesson`)
		x.stopIs(0)
		// A question at the first stop may leave no room for the lesson's head, to which the teacher scrolls.
		x.run(`document.querySelector('.lesson-head [data-act=present], .lesson [data-act=present]')?.scrollIntoView()`)
		x.actions++
		x.presses("present")
		x.wait(`document.querySelector('.caption')`)
		for !eval[bool](x.tab, `!!document.querySelector('.caption .option')`) {
			at := x.state("stop")
			x.presses("next")
			x.wait(`document.documentElement.dataset.stop !== ` + quote(at) + ` && document.documentElement.dataset.playing !== 'true'`)
		}
		x.presses("votes")
		x.wait(`document.activeElement.matches('.caption .vote')`)
		x.presses("show me")
		x.wait(`document.querySelector('.caption .option[data-right] + .vote-bar')`)
		x.shot("class")
	}},
	{"what does a relist do", false, 2, map[string]string{"break": "断开"}, func(x *errand, _ bool) {
		x.presses("break") // until the server forgets, so that the reflector must list again
		x.wait(`[...document.querySelectorAll('.loop-card .cost li')].some((e) => e.textContent.includes('410'))`)
		x.fine("what a relist brings")
	}},
	{"which key of my capture is the hottest", false, 2, map[string]string{"capture": "录制"}, func(x *errand, _ bool) {
		x.waitForWord("capture")
		x.upload(onFile, writeFile(x.t, "mine.ndjson", func(w io.Writer) { w.Write(watchStream(7)) }))
		x.actions += 2 // the button that says Open my capture, and the file
		x.wait(`(e => { const r = e?.getBoundingClientRect(); return r && e.textContent.includes('web-0') && r.height > 0 && r.top >= 0 && r.bottom <= innerHeight; })(document.querySelector('.card-holds td code'))`)
	}},
	{"two versions side by side", false, 2, map[string]string{"skip": "跳过", "two versions": "两个版本"}, func(x *errand, _ bool) {
		x.presses("skip")
		x.presses("two versions")
		x.wait(`document.querySelectorAll('.stage').length === 2 && ['RealFIFO', 'DeltaFIFO'].every((queue) => [...document.querySelectorAll('.stage')].some((e) => e.textContent.includes(queue)))`)
		const answer = `document.querySelector('.differences-head [role=status]')`
		x.wait(answer + `?.textContent.includes({en: 'the same calls', zh: '的调用都相同'}[document.documentElement.lang.slice(0, 2)]) && ((r) => r.height > 0 && r.top >= 0 && r.bottom <= innerHeight)(` + answer + `.getBoundingClientRect())`)
		x.shot("versions")
		x.fine("two versions")
	}},
	{"two versions, after the loop was changed", false, 2, map[string]string{"delete": "删除", "two versions": "两个版本"}, func(x *errand, _ bool) {
		x.presses("delete")
		x.run(`location.hash = '#loop=5'`)
		x.presses("two versions")
		x.wait(`document.querySelectorAll('.stage').length === 2 && ['RealFIFO', 'DeltaFIFO'].every((queue) => [...document.querySelectorAll('.stage')].some((e) => e.textContent.includes(queue)))`)
	}},
	{"break the watch and see who notices", false, 2, map[string]string{"break": "断开"}, func(x *errand, _ bool) {
		x.presses("break")
		x.wait(`document.querySelectorAll('.loop-card .cost li').length === 4`)
		x.fine("what the cut cost")
	}},
	{"a link to send to a colleague", false, 3, map[string]string{"break": "断开", "copy link": "复制链接", "microscope": "显微镜", "share": "分享", "link": "链接"}, func(x *errand, phone bool) {
		if phone { // on which the loop comes first
			x.presses("break")
			x.presses("copy link")
			x.addressIs("#loop=3")
			return
		}
		x.presses("microscope")
		x.presses("share")
		x.presses("link")
		x.wait(`document.querySelector('.link-field')?.value.startsWith(location.origin)`)
	}},
}
