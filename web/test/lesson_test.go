package test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/wasm/session"
	learn "github.com/informerscope/informerscope/wasm/session/lesson"
)

// stopIs waits until a lesson's stop is read, and the machine stands there.
func (b *tab) stopIs(n int64) {
	b.t.Helper()
	b.wait(`document.documentElement.dataset.stop === '` + num(n) + `' && document.documentElement.dataset.playing !== 'true'`)
}

// A newcomer is in the first lesson after one click. Text and stage move together, a
// question is answered by a key and judged by the machine, and whatever is tried
// leads back.
func TestALesson(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.click(`[data-act=lesson]`)
	b.wait(`document.documentElement.dataset.lesson === '` + learn.First + `'`)
	b.loaded()
	b.key("h")
	b.wait(`document.querySelector('.course-list [data-arg="delta-fifo"]')`)
	b.click(`.course-list [data-arg="delta-fifo"]`)
	b.lessonIs("delta-fifo", 0)
	b.wait(`document.querySelector('.st-server').classList.contains('aside') && !document.querySelector('.st-queue').classList.contains('aside')`)
	b.wait(`document.querySelector('.st-queue').textContent.includes('pod1')`)
	if step := b.step(); step == 0 {
		t.Error("the machine has not moved")
	}
	b.wait(`document.documentElement.dataset.covered === 'true' && document.querySelectorAll('.option').length === 3`)
	b.shot("question")
	b.key("3")
	b.wait(`document.querySelector('.option[data-wrong]')?.textContent.includes('3') && document.querySelector('.option[data-right]')?.textContent.includes('2')`)
	b.wait(`!document.documentElement.dataset.covered`)
	b.wait(`document.querySelector('.verdict-text').textContent.includes('value=1')`)
	b.key("j")
	b.stopIs(1)
	b.wait(`document.querySelector('.st-store').textContent.includes('pod1')`)

	b.key("k")
	b.stopIs(0)
	b.wait(`!document.querySelector('.st-store').textContent.includes('pod1')`)
	b.key("c")
	b.write("queue add other")
	b.futuresAre("As written | [queue add other]")
	b.opensTab("lesson")
	b.wait(`document.querySelector('.lesson-off')`)
	b.shot("off")
	b.click(`.lesson-off [data-act=backToLesson]`)
	b.futuresAre("[As written] | queue add other")
	b.wait(`!document.querySelector('.lesson-off')`)

	// The page stays at the same place in the other language, and what was answered stays.
	b.chooseLanguage("zh")
	b.wait(`document.querySelector('.lesson-text').textContent.includes('队列') && document.documentElement.dataset.step === '1'`)
	b.loaded()
	b.stopIs(0)
	b.wait(`document.querySelector('.option[data-wrong]')`)

	// The list of lessons knows what was read.
	b.key("h")
	b.wait(`document.querySelector('.course-list [data-arg="delta-fifo"][data-read]')`)
	b.shot("course")
	b.click(`[data-act=forgetLessons]`)
	b.wait(`!document.querySelector('.course-list [data-read]')`)
}

// A lesson is done by keyboard and by what a screen reader says, in both browsers: at most two keys a stop. Each new text is
// announced, and then each verdict. In the accessibility tree the focus is on Next, or on an open question, by its name.
func TestALessonByKeyboard(t *testing.T) {
	t.Parallel()
	for name, tabOf := range map[string]func(testing.TB) *tab{"Chromium": newTab, "Firefox": newFox} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tabOf(t)
			b.asNewcomer("#lesson=whole-loop")
			b.lessonIs("whole-loop", 0)
			b.loaded()
			stops, questions := int64(0), 0
			focusIs := func(role, name string) {
				t.Helper()
				b.within(func(ctx context.Context) error {
					for { // a change of the page gives the focus on with the next frame
						if is, err := b.driver.focused(ctx, role, name); is || err != nil {
							return err
						}
						b.run(`await new Promise(requestAnimationFrame)`)
						if ctx.Err() != nil {
							return fmt.Errorf("the focus is on %s, and not on the %s %q", eval[string](b, `document.activeElement.outerHTML.slice(0, 200)`), role, name)
						}
					}
				})
			}
			b.wait(`document.querySelector('.lesson-foot [data-goes-on=true]')`)
			b.front()
			b.focus(`.skip`)
			b.key("Enter")
			for ; ; stops++ {
				b.stopIs(stops)
				b.wait(`((says) => [...document.querySelectorAll('[aria-live=polite]')].some((e) => says && e.textContent.includes(says)))(document.querySelector('.lesson-stop[data-now] > p')?.textContent)`)
				keys := 0
				press := func(key string) {
					b.key(key)
					keys++
				}
				if eval[bool](b, `!!document.querySelector('.lesson-stop[data-now] .option:enabled')`) {
					focusIs("group", b.text(`.lesson-stop[data-now] .lesson-measured`))
					press("2")
					b.wait(`document.querySelector('.lesson-stop[data-now] .lesson-question [role=status] .verdict-text')`)
					questions++
				}
				if eval[bool](b, `!document.querySelector('.lesson-foot [data-act=nextStop]')`) {
					break
				}
				focusIs("button", "Next ›")
				press("Enter")
				if keys > 2 {
					t.Errorf("stop %d takes %d keys", stops, keys)
				}
			}
			if stops < 4 || questions == 0 {
				t.Errorf("the lesson has %d stops with %d questions", stops+1, questions)
			}
			if !eval[bool](b, `[...document.querySelectorAll('.lesson-question')].every((q) => !q.querySelector('[data-act=answer][data-arg="-1"]') || q.querySelector('.option').compareDocumentPosition(q.querySelector('[data-act=answer][data-arg="-1"]')) === Node.DOCUMENT_POSITION_FOLLOWING)`) {
				t.Error("Show me stands before an option")
			}
		})
	}
}

// Next stays Next: whoever presses it once too often at a question is shown nothing. The focus goes to
// the question, from where Tab leads to the options first. A screen reader hears the lesson.
func TestNextAtAQuestion(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=start-stop")
	b.lessonIs("start-stop", 0)
	b.focus(`.lesson-foot [data-act=nextStop]`)
	at := eval[[]float64](b, `(r => [r.x, r.y])(document.querySelector('.lesson-foot [data-act=nextStop]').getBoundingClientRect())`)
	b.run(`const next = document.activeElement; for (let i = 0; i < 3; i++) next.click()`)
	b.stopIs(1)
	b.wait(`document.querySelector('.lesson-foot [data-act=nextStop]').disabled && document.activeElement.matches('.lesson-question')`)
	now := eval[[]float64](b, `(r => [r.x, r.y])(document.querySelector('.lesson-foot [data-act=nextStop]').getBoundingClientRect())`)
	if now[0] != at[0] || now[1] != at[1] {
		t.Errorf("Next stood at %v, and stands at %v", at, now)
	}
	b.wait(`[...document.querySelectorAll('[aria-live=polite]')].some(e => e.textContent.includes('How many lists'))`)
	b.key("j")
	b.key("j")
	b.wait(`document.querySelector('.lesson-covered[data-urged=true]')`)
	if eval[bool](b, `document.querySelector('.verdict-text') !== null`) {
		t.Error("the answer is shown although nobody has asked for it")
	}
	b.key("Tab")
	b.wait(`document.activeElement.matches('.option')`)
	b.run(`document.querySelector('.skip').focus()`)
	b.key("Enter")
	b.wait(`document.activeElement.matches('.lesson-question')`)
	b.key("Tab")
	b.wait(`document.activeElement.matches('.option')`)
	b.key("Enter")
	b.wait(`document.querySelector('.verdict-text') && document.activeElement.matches('.lesson-foot [data-act=nextStop]')`)
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds at a question:\n  %s", strings.Join(found, "\n  "))
	}
}

// Whoever has chosen a wrong option is offered a schedule in which it would be right. One button, pressed on the keyboard,
// leads there and back. Where there is none, the page says so.
func TestAScheduleForAWrongOption(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=late-handler")
	b.lessonIs("late-handler", 0)
	b.stopIs(0)
	at := b.step()
	said := `document.querySelector('.lesson-schedule [role=status]').innerText`
	b.key("1")
	b.wait(`document.querySelector('[data-act=schedule]')`)
	b.run(`document.querySelector('[data-act=schedule]').focus()`)
	b.key("Enter")
	b.wait(said + `.includes('There is no such schedule: it is right in none of the 210 states') && document.activeElement.matches('.lesson-foot [data-act=nextStop]')`)
	b.stepIs(at)
	b.shot("none")

	b.click(`.lesson-head [data-act=answerAnew]`)
	b.key("4")
	b.wait(`document.querySelector('[data-act=schedule]')`)
	b.run(`document.querySelector('[data-act=schedule]').focus()`)
	b.key("Enter")
	b.wait(said + `.includes('In this schedule it is right') && document.activeElement.matches('.lesson-schedule [data-act=backToLesson]')`)
	b.stopIs(0)
	b.wait(`document.querySelector('.st-processor').innerText.includes('OnAdd') && document.querySelector('.st-store').innerText.includes('5') && ` + num(at) + ` < +document.documentElement.dataset.step`)
	b.wait(`(r => r.bottom <= document.querySelector('.lesson-text').getBoundingClientRect().bottom + 1)(document.querySelector('.lesson-schedule').getBoundingClientRect())`)
	if found := b.violations(); len(found) != 0 {
		t.Errorf("a schedule that was found has: %v", found)
	}
	b.shot("found")
	b.key("Enter")
	b.stepIs(at)
	b.wait(said + ` === '' && document.activeElement.matches('.lesson-schedule [data-act=schedule]')`)
}

// The options of a question are in sight beside it, on a phone too: the script above the text gives way.
func TestOptionsAreInSight(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=start-stop")
	b.size(390, 844)
	b.lessonIs("start-stop", 0)
	b.click(`.lesson-foot [data-act=nextStop]`)
	b.stopIs(1)
	b.wait(`(view => [...document.querySelectorAll('.lesson-stop[data-now] > p, .option')].every(e => {
		const r = e.getBoundingClientRect();
		return r.top >= view.top && r.bottom <= view.bottom;
	}))(document.querySelector('.lesson-text').getBoundingClientRect())`)
}

// On a phone, the lesson about the slow handler shows the ring in which notifications wait for it.
func TestTheRingIsInSightOnAPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.size(390, 844)
	b.goTo(env.site + "#lesson=slow-handler&at=behind")
	b.ready()
	b.stopIs(1)
	b.wait(`(r => {
		const stage = document.querySelector('main').getBoundingClientRect(), bottom = Math.min(stage.bottom, document.querySelector('aside').getBoundingClientRect().top);
		return r && r.top >= stage.top && r.bottom <= bottom;
	})(document.querySelector('main .ring[data-full]')?.getBoundingClientRect())`)
	b.shot("")
}

// Answers and score are there after a reload, until the reader wants to answer again. Who comes by a
// link goes on to the next lesson, and the list of lessons can be searched.
func TestAnswersStay(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=start-stop")
	b.lessonIs("start-stop", 0)
	for !eval[bool](b, `document.querySelector('.option') !== null`) {
		at := eval[int64](b, `+document.documentElement.dataset.stop`)
		b.key("j")
		b.stopIs(at + 1)
	}
	b.key("2")
	score := `document.querySelector('.lesson-head').innerText`
	b.wait(score + `.includes('0 of 1 right') && document.querySelector('.lesson-because').innerText.includes('An informer runs once')`)
	b.shot("because")
	b.within(b.reload)
	b.ready()
	b.wait(score + `.includes('0 of 1 right') && document.querySelector('.option[data-wrong]')?.innerText.includes('1')`)
	b.click(`.lesson-head [data-act=answerAnew]`)
	b.wait(`document.querySelector('.option:enabled') && !` + score + `.includes('right')`)
	b.key("1")
	b.wait(score + `.includes('1 of 1 right')`)
	for !eval[bool](b, `document.querySelector('.lesson-foot [data-act=lesson]') !== null`) {
		at := eval[int64](b, `+document.documentElement.dataset.stop`)
		b.key("j")
		b.stopIs(at + 1)
	}
	b.wait(`document.querySelector('.lesson-foot [data-act=lesson]').dataset.arg === 'requeue'`)
	b.key("h")
	b.wait(`document.querySelector('.course-find').innerText.includes('lessons, ')`)
	b.run(`const field = document.querySelector('.course-find input'); field.value = 'HANDLER slow'; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelector('.course-list button').innerText.includes('The slow handler') && document.querySelector('.course-list button').innerText.includes('6 min')`)
	b.run(`const field = document.querySelector('.course-find input'); field.value = ''; field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelectorAll('.course-list button').length > 30`)
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the list of lessons:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("searched")
	b.size(390, 844)
	b.shot("searched-390")
}

// Controls play the scene with another value, and a comparison with another version.
func TestTryingInALesson(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.choose([]byte(lessonOfAllKinds), "mine.md")
	b.wait(`document.documentElement.dataset.lesson === 'mine'`)
	b.stopIs(0)
	at := b.text(".clock")
	b.click(`.lesson-control [data-arg$=".2"]`)
	b.wait(`document.querySelector('.lesson-control [data-arg$=".2"]').getAttribute('aria-pressed') === 'true' && document.querySelector('.clock').textContent !== ` + quote(at))
	b.click(`.lesson-compare [data-act=compare]`)
	b.wait(`document.querySelector('.st-queue h2').textContent.includes('RealFIFO') && document.querySelector('.lesson-off')`)
	b.click(`.lesson-off [data-act=backToLesson]`)
	b.wait(`document.querySelector('.st-queue h2').textContent.includes('DeltaFIFO') && !document.querySelector('.lesson-off')`)
	b.click(`[data-act=check]`)
	b.wait(`document.querySelector('.lesson-exercise').textContent.includes('Not yet')`)
	b.click(`[data-act=hint]`)
	b.wait(`document.querySelector('.lesson-hint')`)
	b.click(`[data-act=hint]`)
	b.wait(`document.querySelector('[data-act=solve]')`)
	b.run(`document.querySelector('[data-act=solve]').scrollIntoView()`)
	b.click(`[data-act=solve]`)
	b.wait(`document.querySelector('.lesson-exercise[data-solved]')`)
	b.shot("solved")
}

// Lessons can be read to their end without an error on the browser's console: one of six in each language, or each with
// -whole. TestReaders of wasm/host reads all of them without a browser.
func TestLessonsInEachLanguage(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.media("prefers-reduced-motion", "reduce")
	b.loaded()
	for n, lang := range session.Languages {
		text, err := os.ReadFile("../lessons/" + lang.Code + "/course.md")
		if err != nil {
			t.Fatal(err)
		}
		course, err := lesson.ParseCourse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		b.chooseLanguage(lang.Code)
		b.key("h")
		b.wait(`document.querySelectorAll('.course-list button').length > 30`)
		b.wait(`document.querySelector('.course .quiet').textContent === ` + quote(lesson.PlainText(course.Summary)))
		b.key("Escape")
		for c, ch := range course.Chapters {
			for k, name := range ch.Lessons {
				if *whole || (c+k+3*n)%6 == 0 {
					b.readThrough(name)
				}
			}
		}
	}
}

// readThrough opens a lesson and reads it to its end, as quickly as the page goes.
func (b *tab) readThrough(name string) {
	b.t.Helper()
	b.key("h")
	b.wait(`document.querySelector('.course-list [data-arg="` + name + `"]')`)
	got := eval[string](b, `new Promise(done => {
		document.querySelector('.course-list [data-arg="`+name+`"]').click();
		const html = document.documentElement, end = performance.now() + `+inPage+`;
		let left = '';
		const go = () => {
			const now = document.querySelector('.lesson-stop[data-now]'), next = document.querySelector('.lesson-foot [data-act=nextStop]');
			const option = now?.querySelector('.lesson-options .option:not(:disabled)');
			if (performance.now() > end) return done('stuck at stop ' + html.dataset.stop);
			if (html.dataset.lesson === '`+name+`' && now) {
				if (option) option.click();
				else if (!html.dataset.covered && !next) return done('');
				else if (next && (left !== html.dataset.stop || now.querySelector('.lesson-leave'))) { left = html.dataset.stop; next.click(); }
			}
			requestAnimationFrame(go);
		};
		go();
	})`)
	if got != "" {
		b.t.Errorf("%s is read to its end with the fault: %s", name, got)
	}
	if c := b.complaints(); len(c) > 0 {
		b.t.Errorf("%s is read to its end with the fault: %s", name, strings.Join(c, "; "))
	}
}

// A word of the glossary opens in place: what it means stands below its paragraph, with a link to the lesson about it. A second
// click closes it, and only one is open at a time.
func TestAWordOpensInPlace(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=workqueue")
	b.media("prefers-reduced-motion", "reduce")
	b.wait(`document.querySelectorAll('.lesson-text .word').length >= 2 && !document.querySelector('.word-says')`)
	b.click(`.lesson-text .word`)
	b.wait(`document.querySelectorAll('.word-says').length === 1 && document.querySelector('.word[aria-expanded=true]')`)
	b.shot("open")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the lesson:\n  %s", strings.Join(found, "\n  "))
	}
	b.click(`.word[aria-expanded=true]`)
	b.wait(`!document.querySelector('.word-says')`)
	b.click(`.lesson-text .word`)
	b.wait(`document.querySelector('.word-says .inline-link')`)
	b.click(`.word-says .inline-link`)
	b.wait(`!document.querySelector('.word-says')`)
}

// How likely something is shows as a curve on the timeline and as a list of steps, which
// lead there.
func TestHowLikely(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("/")
	b.wait(`document.activeElement.id === 'expr'`)
	b.perform(chromedp.KeyEvent(`call("audit")`))
	b.wait(`!document.querySelector('[data-act=likelyExpr]').disabled`)
	b.click(`[data-act=likelyExpr]`)
	b.wait(`document.querySelectorAll('.odds li').length >= 20`)
	b.wait(`document.querySelector('.odds li .n').textContent.startsWith('100')`)
	b.wait(`document.querySelector('.track-names[data-plot]')`)
	b.click(`.odds li:nth-child(3) button`)
	b.stepMoves(0)
	b.shot("likely")
}

// A lesson becomes a handout: its text, a picture with its sentence for each moment, its questions,
// and at the end what the machine answers. A machine in which nothing has happened has no picture. On paper there is nothing to press.
func TestAHandout(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=delta-fifo")
	b.lessonIs("delta-fifo", 0)
	b.click(`.lesson-head [data-act=handout]`)
	b.wait(`document.documentElement.dataset.handout && document.querySelectorAll('.handout figure').length === 4`)
	b.wait(`[...document.querySelectorAll('.handout img')].every(e => e.complete && e.naturalWidth > 600 && e.alt.length > 10)`)
	text := b.text(`.handout`)
	for _, want := range []string{"One pod through a DeltaFIFO", "Question 1", "What does Pop hand", "Added pod1 1 value=1", "Answers", "so Pop has something to hand out"} {
		if !strings.Contains(text, want) {
			t.Errorf("the handout lacks %q", want)
		}
	}
	if strings.Contains(text, "Ask the class") {
		t.Error("the speaker's notes are in the handout")
	}
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in a handout:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("handout")
	b.run(`window.print = () => { window.printed = true }`)
	b.click(`.handout [data-act=print]`)
	b.wait(`window.printed`)
	b.size(390, 844)
	b.wait(`innerWidth === 390 && document.documentElement.scrollWidth <= 390 && document.querySelector('.handout').scrollWidth <= 390`)
	b.size(1440, 900)
	b.run(`document.querySelector('.handout').focus()`)
	b.key("Escape")
	b.wait(`!document.querySelector('.handout') && document.querySelector('.stage').checkVisibility()`)
	b.lessonIs("delta-fifo", 0)
}

// A knob is dragged, and the stage shows the scene with what it says.
func TestAKnobIsDragged(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=handler-time")
	at := func(choice, says string) {
		t.Helper()
		b.wait(`document.querySelector('.lesson-knob b')?.innerText === ` + quote(choice) + ` && document.querySelector('.lane-says, .st-processor')?.closest('.st-processor').innerText.includes(` + quote(says) + `)`)
	}
	at("200ms", "4 behind")
	b.run(`const knob = document.querySelector('.lesson-knob input'); knob.value = 0; knob.dispatchEvent(new Event('input', {bubbles: true})); knob.dispatchEvent(new Event('change', {bubbles: true}))`)
	at("0s", "caught up")
	b.run(`document.querySelector('.lesson-knob input').focus()`)
	b.key("End")
	at("1s", "6 behind")
}

// The stations of a lesson show their texts whole: the names of handlers beside how far they are behind, a ring's number, how long
// a key waits, a controller's program, and what it believes. Each of these lessons is looked at where its first question is answered.
func TestALessonsStationsAreWhole(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.media("prefers-reduced-motion", "reduce")
	b.size(1440, 900)
	b.asNewcomer("#lesson=whole-loop")
	for _, lang := range languages {
		b.chooseLanguage(lang)
		for lesson, stop := range map[string]int64{"predicates": 1, "slow-handler": 1, "late-handler": 1, "bucket": 2, "two-leaders": 2, "expectations": 1, "priorities": 1} {
			b.goTo(env.site + "#lesson=" + lesson + "&at=." + num(stop+1))
			b.lessonIs(lesson, stop)
			b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
			faults := append(b.cutTexts(), b.faults()...)
			if last := eval[string](b, `(l => l && l.getBoundingClientRect().bottom > l.closest('.station').getBoundingClientRect().bottom && l.textContent || '')(document.querySelector('.program-lines li:last-child'))`); last != "" {
				faults = append(faults, "the program's last line is cut: "+last)
			}
			if len(faults) != 0 {
				t.Errorf("%s in %s:\n  %s", lesson, lang, strings.Join(faults, "\n  "))
				b.shot(lesson + " " + lang)
			}
		}
	}
}

// ofLesson shows the stations of the lesson that is open, or the full microscope.
func (b *tab) ofLesson(alone bool) {
	b.t.Helper()
	if eval[bool](b, `!!document.querySelector('main[data-taught]')`) != alone {
		b.run(`document.querySelector('.top [data-act=full]').click()`)
	}
	b.wait(`!!document.querySelector('main[data-taught]') === ` + strconv.FormatBool(alone))
}

// Whoever has asked for the full microscope in a lesson has it in the next one, also after a reload.
func TestTheFullMicroscopeIsKeptForLessons(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.asNewcomer("#lesson=delta-fifo")
	b.lessonIs("delta-fifo", 0)
	b.wait(`document.querySelector('main[data-taught]')`)
	b.ofLesson(false)
	b.within(b.reload)
	b.loaded()
	b.wait(`document.querySelectorAll('main .station').length === 7`)
	b.key("z")
	b.wait(`document.querySelector('main[data-taught]')`)
}
