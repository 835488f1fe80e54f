package test

import (
	"os"
	"strings"
	"testing"
)

// The goals of an exercise are ticked as lines are typed beside them. A line that the exercise forbids stays to be
// mended, with the reason. Three hints lead to a solution.
func TestAnExerciseTicksItsGoals(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=build-b-before-a")
	b.media("prefers-reduced-motion", "reduce")
	b.lessonIs("build-b-before-a", 0)
	goals := func(want string) {
		b.wait(`[...document.querySelectorAll('.lesson-exercise .goal')].map(g => g.dataset.reached === 'true' ? 'x' : '-').join('') === ` + quote(want))
	}
	goals("---") // two of them hold, and nobody has done anything
	b.key("c")
	b.wait(`document.activeElement?.id === 'console-line' && document.activeElement.closest('.lesson-foot[data-type]')`)
	b.write("update pod default/a")
	b.wait(`document.querySelector('.lesson-foot .wrong')?.innerText.includes('does without update: Choose only which goroutine moves') && document.getElementById('console-line').value === 'update pod default/a'`)
	b.shot("refused")
	b.run(`const f = document.getElementById('console-line'); f.select()`)
	b.key("Backspace")
	b.size(390, 844)
	b.write("step 9 reflector")
	b.wait(`document.querySelector('.lesson-line .transcript')?.innerText.includes('step 9 reflector') && !document.querySelector('.wrong')`)
	// On a phone the line and what was typed take the room of the goals, which come into sight again.
	b.wait(`(() => { const g = document.querySelector('.goal').getBoundingClientRect(), foot = document.querySelector('.lesson-foot').getBoundingClientRect(); return g.top >= 0 && g.bottom <= foot.top + 1 })()`)
	b.shot("on a phone")
	b.size(1440, 900)
	b.write("run until call h")
	b.write("run until call h")
	goals("xxx")
	b.wait(`document.querySelector('.lesson-exercise[data-solved] .verdict-text')`)
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the exercise:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("solved")
	for n := range 3 {
		b.wait(`document.querySelector('[data-act=hint]').innerText === 'Hint ` + num(int64(n+1)) + ` of 3'`)
		b.click(`[data-act=hint]`)
		b.wait(`(hints => hints.length === ` + num(int64(n+1)) + ` && hints[` + num(int64(n)) + `].getBoundingClientRect().bottom <= document.querySelector('.lesson-foot').getBoundingClientRect().top)(document.querySelectorAll('.lesson-hint'))`)
	}
	b.click(`[data-act=hint]`)
	b.wait(`document.querySelector('.lesson-solution') && document.querySelector('[data-act=hint]').disabled`)
}

// Who chooses other lines of Go in a lesson sees what they do: the machine plays the scene with them, the goals are ticked that
// hold then, and what comes of it is said. What was mended stays solved, and is known at the next visit.
func TestGoIsMendedByChoosingLines(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=tombstone&at=old-handler")
	b.media("prefers-reduced-motion", "reduce")
	b.wait(`document.querySelectorAll('.lesson-stop[data-now] .mend-choices .option').length === 4`)
	chosen := func(k string, says, goals string) {
		t.Helper()
		b.key(k)
		b.wait(`document.querySelector('.mend-choices .option:nth-of-type(` + k + `)').ariaPressed === 'true' && document.querySelector('.option[aria-pressed=true] + .lesson-because').innerText.includes(` + quote(says) + `)`)
		b.wait(`[...document.querySelectorAll('.lesson-mend .goal')].map(g => g.dataset.reached === 'true' ? 'x' : '-').join('') === ` + quote(goals))
	}
	chosen("2", "the tombstone is passed over", "x-")
	b.shot("wrong")
	chosen("3", "by value", "x-")
	chosen("4", "alike", "xx")
	b.wait(`document.querySelector('.lesson-mend[data-solved] .verdict-text')`)
	b.shot("mended")
	b.size(390, 844)
	b.shot("narrow")
	b.media("prefers-color-scheme", "dark", "prefers-reduced-motion", "reduce")
	b.size(1440, 900)
	b.shot("dark")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the mend:\n  %s", strings.Join(found, "\n  "))
	}
	chosen("1", "The assertion panics", "--")
	const before = `!document.querySelector('.lesson-mend[data-solved]') && document.querySelector('.lesson-mend')?.innerText.includes('fixed it before')`
	b.wait(before)
	b.within(b.reload)
	b.wait(before)
	b.click(`.lesson-head [data-act=handout]`)
	b.wait(`document.documentElement.dataset.handout && ['Fix it', 'alike', 'The assertion panics'].every(t => document.querySelector('.handout').innerText.includes(t))`)
	b.shot("handout")
}

// On any recording the viewer guesses what comes next, by key and by button.
// Whatever would give the answer away is covered until the machine is played
// on, and the score stays on the device.
func TestGuessingWhatComesNext(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	b.stepMoves(0)
	all := 0
	for _, byKey := range []bool{true, false, true} {
		step := b.step()
		b.run(`document.activeElement.blur()`)
		b.key("q")
		b.wait(`document.querySelectorAll('.prediction .option:enabled').length > 1 && document.documentElement.dataset.covered === 'true'`)
		if !eval[bool](b, `!!document.querySelector('.track-box .covered') && document.querySelectorAll('.tape .coming').length > 0 && [...document.querySelectorAll('.tape .coming')].every(e => getComputedStyle(e).visibility === 'hidden')`) {
			t.Error("what comes next can be seen")
		}
		if all == 0 {
			if found := b.violations(); len(found) != 0 {
				t.Errorf("axe finds in a guess:\n  %s", strings.Join(found, "\n  "))
			}
			b.shot("guess")
		}
		if byKey {
			b.key("1")
		} else {
			b.click(`.prediction .option`)
		}
		b.stepMoves(step)
		b.wait(`document.querySelectorAll('.prediction .option[data-right]').length === 1 && !document.documentElement.dataset.covered`)
		all++
		b.wait(`document.querySelector('.prediction-foot').innerText.includes('of ` + num(int64(all)) + `')`)
	}
	b.shot("guessed")
	b.within(b.reload)
	b.loaded()
	b.key("q")
	b.wait(`document.querySelector('.prediction')`)
	b.run(`document.querySelector('.prediction [data-act=guess][data-arg="-1"]').click()`)
	b.wait(`document.querySelector('.prediction-foot')?.innerText.includes('of 3')`)
	b.click(`[data-act=forgetScore]`)
	b.wait(`!document.querySelector('[data-act=forgetScore]') && localStorage.score === ''`)
}

// Three questions about a cache that is behind are answered from the first lesson of their
// chapter on, each in at most twelve actions: what becomes of it without a guard, what each
// guard prevents and costs, and how a back-off comes to 327 seconds.
func TestThreeQuestionsAboutGuards(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=two-are-created&at=calm")
	actions := 0
	press := func(key string) { b.key(key); actions++ }
	click := func(what string) { b.wait(`document.querySelector(` + quote(what) + `)`); b.click(what); actions++ }
	answered := func(question string) {
		t.Helper()
		if t.Logf("%s: %d actions", question, actions); actions > 12 {
			t.Errorf("%s takes %d actions", question, actions)
		}
	}
	b.wait(`document.documentElement.dataset.lesson === 'two-are-created' && document.documentElement.dataset.loading === 'false' && document.documentElement.dataset.covered`)
	next := func() {
		t.Helper()
		n := eval[int64](b, `+document.documentElement.dataset.stop`)
		press("j")
		b.stopIs(n + 1)
	}

	press("3") // two pods
	b.wait(`!document.documentElement.dataset.covered`)
	next()
	b.wait(`document.querySelector('main .belief[data-differs]') && document.querySelector('main .belief-foot').textContent.includes('web-8')`)
	answered("what becomes of it")
	if rows := eval[string](b, station); !strings.Contains(rows, "4 2!") {
		t.Errorf("the server has four pods and the cache two, and the station shows %q", rows)
	}

	click(`.st-work [data-act=menu]`)
	click(`.menu-list [data-act=countGuards]`)
	b.wait(`document.querySelectorAll('.tally tbody tr').length >= 7 && document.querySelector('.is-guards [role=status]').textContent.startsWith('All of this')`)
	answered("what each guard prevents and costs")
	heads := eval[string](b, `[...document.querySelectorAll('.tally thead th')].map((c) => c.textContent).join(' | ')`)
	for _, head := range []string{"duplicates", "requests", "longest"} {
		if !strings.Contains(heads, head) {
			t.Errorf("the table has no %s: %s", head, heads)
		}
	}
	for _, row := range eval[[]string](b, `[...document.querySelectorAll('.tally tbody tr')].map((r) => r.cells[0].textContent + ' ' + r.cells[1].textContent)`) {
		if strings.HasPrefix(row, "no guard") == strings.HasSuffix(row, " 0") {
			t.Errorf("of duplicates, a row says %q", row)
		}
	}
	press("Escape")
	b.wait(`!document.querySelector('.tally')`)

	for !eval[bool](b, `document.querySelector('.lesson-control [data-arg$=".2"]:not([disabled])') !== null`) {
		next()
	}
	if eval[bool](b, `(t => t.scrollWidth > t.clientWidth)(document.querySelector('.lesson-text'))`) {
		t.Error("the guards to choose from are wider than the lesson")
	}
	b.pressOnSight(`.lesson-control [data-arg$=".2"]`, func() {}) // the lesson scrolls to it as the machine arrives
	actions++
	b.wait(`document.querySelector('.lesson-control [data-arg$=".2"]').getAttribute('aria-pressed') === 'true' && document.documentElement.dataset.loading === 'false'`)
	b.opensTab("console")
	actions++
	b.run(`document.getElementById('console-line').focus()`)
	actions++
	for _, line := range []string{"lag server forever pods", "update replicaset default/web .spec.replicas=4", `run until requeues("default/web") == 17`, "step delaying"} {
		b.write(line)
		actions++
	}
	// 5.46 minutes are 327 seconds.
	b.wait(`document.querySelector('.set-delayed .ladder')?.title.includes('failures: 17') && document.querySelector('.set-delayed .left').textContent.includes('5.46')`)
	answered("how long the back-off becomes")
}

// A path of the course leads from its card to its lessons, one after the other, over a reload and by a link. Who is
// beside it is led back.
func TestAPath(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("h")
	b.wait(`document.querySelectorAll('.paths .path').length === 3 && document.querySelectorAll('.course .chapter-says').length > 6`)
	b.wait(`document.querySelector('.path').innerText.includes('20 min') && document.querySelector('.path:nth-child(2)').innerText.includes('90 min')`)
	b.click(`.path:nth-child(2) summary`)
	b.wait(`(at => at.length === 15 && at[0] === '0:00' && at.every((x, i) => i === 0 || x > at[i - 1]) && at[14] < '1:30')([...document.querySelectorAll('.path:nth-child(2) .path-lessons .minutes')].map(e => e.innerText))`)
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the paths:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("paths")
	b.click(`[data-act=path][data-arg=debug]`)
	b.lessonIs("whole-loop", 0)
	b.wait(`location.hash === '#lesson=whole-loop&path=debug' && document.querySelector('.lesson-path').innerText.includes('lesson 1 of 5')`)
	b.readOn()
	b.within(b.reload)
	b.ready()
	b.wait(`document.querySelector('.lesson-foot [data-act=lesson]')?.dataset.arg === 'tombstone'`)
	b.click(`.lesson-foot [data-act=lesson]`)
	b.lessonIs("tombstone", 0)
	b.wait(`location.hash === '#lesson=tombstone&path=debug'`)
	b.shot("on-path")

	b.key("h")
	b.wait(`document.querySelector('.path').innerText.includes('1 of 5 read') && document.querySelector('.path [data-act=path][data-arg=debug]').innerText === 'Go on'`)
	b.wait(`document.querySelector('.course-list [data-arg=whole-loop] .course-done').innerText.includes('1 answered')`)
	b.shot("done")
	b.key("Escape")
	b.goTo(env.site + "?last#lesson=stale-read&path=debug")
	b.ready()
	b.lessonIs("stale-read", 0)
	b.readOn()
	b.click(`.lesson-foot [data-act=record][data-arg=debug]`)
	b.wait(`document.querySelectorAll('.record tbody tr').length === 5`)
	b.goTo(env.site + "?again#lesson=keys&path=debug")
	b.ready()
	b.lessonIs("keys", 0)
	b.readOn()
	b.wait(`document.querySelector('.lesson-foot [data-act=lesson]')?.dataset.arg === 'tombstone'`)
}

// At the end of a path stands a page to be printed: what was read, answered and solved, and the name that the reader has
// typed. The name is not kept, and nothing is sent.
func TestTheRecordOfAPath(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.run(`localStorage.setItem('lessons', 'whole-loop=5/6/a:1 tombstone=1/4')`)
	b.goTo(env.site + "?record#lesson=slow-handler&path=debug")
	b.ready()
	b.wait(`document.documentElement.dataset.lesson`)
	b.loaded()
	b.key("h")
	b.wait(`document.querySelector('.path [data-act=record][data-arg=debug]')`)
	b.click(`.path [data-act=record][data-arg=debug]`)
	b.wait(`document.documentElement.dataset.handout && document.querySelectorAll('.record tbody tr').length === 5`)
	b.wait(`[...document.querySelector('.record tbody tr').children].map((e) => e.innerText).join('|') === 'The whole loop|read|1|' && document.querySelector('.record tfoot').innerText.includes('1/5')`)
	before := len(env.outside.requests(""))
	b.run(`const f = document.querySelector('.record-field input'); f.value = 'Ada <b>L</b>'; f.dispatchEvent(new Event('change', {bubbles: true}))`)
	b.wait(`document.querySelector('.record-name')?.innerText === 'Ada <b>L</b>' && !document.querySelector('.record-name b')`)
	if kept := eval[string](b, `JSON.stringify({...localStorage}) + location.href`); strings.Contains(kept, "Ada") || len(env.outside.requests("")) > before {
		t.Errorf("the name is kept: %s", kept)
	}
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("record")
	b.size(390, 844)
	b.wait(`innerWidth === 390 && document.documentElement.scrollWidth <= 390 && document.querySelector('.handout').scrollWidth <= 390`)
	b.shot("record on a phone")
	b.size(1440, 900)
	b.run(`window.print = () => { window.printed = true }`)
	b.click(`.handout [data-act=print]`)
	b.wait(`window.printed`)
	b.run(`document.querySelector('.handout').focus()`)
	b.key("Escape")
	b.wait(`!document.querySelector('.handout') && document.querySelector('.stage').checkVisibility()`)
}

// Lessons are found by words of their titles and of their texts, by functions and by numbers of issues, with the place
// where a text has them. Without a hit the list says so.
func TestLessonsAreFound(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	for _, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		b.key("h")
		b.wait(`document.querySelectorAll('.course-list button').length > 30`)
		for words, lesson := range map[string]string{"pendingNotifications": "listener", "86015": "updates-without-change", "zzzz": ""} {
			b.run(`const f = document.querySelector('.course-find input'); f.value = ` + quote(words) + `; f.dispatchEvent(new Event('input', {bubbles: true}))`)
			if lesson == "" {
				b.wait(`document.querySelectorAll('.course-list button').length === 0 && document.querySelector('.course-find [role=status]').innerText.length > 3`)
				continue
			}
			b.wait(`(e => e && e.querySelector('.course-found mark').innerText === ` + quote(words) + `)(document.querySelector('.course-texts [data-arg=` + lesson + `]'))`)
		}
		b.run(`const f = document.querySelector('.course-find input'); f.value = 'Replace'; f.dispatchEvent(new Event('input', {bubbles: true}))`)
		b.wait(`document.querySelectorAll('.course-texts button').length > 5`)
		b.shot("found " + lang)
		if found := b.violations(); len(found) != 0 {
			t.Errorf("axe finds in %s:\n  %s", lang, strings.Join(found, "\n  "))
		}
		b.key("Escape")
		b.wait(`!document.querySelector('dialog[open]')`)
	}
}

// readOn goes on to the last stop of a lesson. A question is answered with its first option.
func (b *tab) readOn() {
	b.t.Helper()
	for !eval[bool](b, `!document.querySelector('.lesson-foot [data-act=nextStop]')`) {
		at := eval[int64](b, `+document.documentElement.dataset.stop`)
		if eval[bool](b, `document.querySelector('.lesson-question .option:enabled') !== null`) {
			b.key("1")
			b.wait(`!document.querySelector('.lesson-question .option:enabled') && document.querySelector('.lesson-foot [data-goes-on=true]')`)
		} else {
			b.click(`.lesson-foot [data-act=nextStop]`)
			b.stopIs(at + 1)
		}
	}
}

// In a window of a laptop, the field, Check and Hint of each exercise are in sight.
func TestEachExerciseIsInSight(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=whole-loop")
	b.media("prefers-reduced-motion", "reduce")
	b.size(1280, 720)
	files, err := os.ReadDir("../lessons/en")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".md")
		text, err := os.ReadFile("../lessons/en/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		before, _, found := strings.Cut(string(text), "\n```exercise")
		if !found || name == "new-lesson" {
			continue
		}
		stop := int64(max(0, strings.Count(before, "\n```script")-3)) // some stops have two scripts, and others none
		for ; ; stop++ {
			b.goTo(env.site + "#lesson=" + name + "&at=" + num(stop+1))
			b.lessonIs(name, stop)
			if eval[bool](b, `!!document.querySelector('.lesson-stop[data-now] .lesson-exercise')`) {
				break
			}
		}
		b.wait(`document.querySelector('.lesson-foot [data-act=check]') && document.querySelector('.lesson-foot [data-act=hint]')`)
		if out := eval[[]string](b, `[...document.querySelectorAll('.lesson-foot :is(.button, input)')].filter((e) => {
			const r = e.getBoundingClientRect(), on = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
			return r.top < 0 || r.bottom > innerHeight + 1 || !on || !(e.contains(on) || on.contains(e));
		}).map((e) => e.textContent)`); len(out) > 0 {
			t.Errorf("in %s these are out of sight: %q", name, out)
		}
		seen++
	}
	if seen < 30 {
		t.Errorf("there are %d exercises", seen)
	}
}
