package test

import (
	"io"
	"strings"
	"testing"
)

// errand is a task that a viewer does without help: each press is on something in view that carries
// a word of the task, or one that means the same.
type errand struct {
	*tab
	words   []string // of the task, and what else they may be called
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
	find := x.sees(word)
	x.run(`document.querySelector('[data-pressed]')?.removeAttribute('data-pressed'); ` + find + `.setAttribute('data-pressed', '')`)
	x.click(`[data-pressed]`)
	x.run(`document.querySelector('[data-pressed]')?.removeAttribute('data-pressed')`)
	x.actions++
}

// sees waits for the first thing in view that has one of the task's words, and returns what finds it.
func (x *errand) sees(word string) (find string) {
	x.t.Helper()
	known := false
	for _, w := range x.words {
		known = known || strings.EqualFold(w, word)
	}
	if !known {
		x.t.Fatalf("%q is no word of the task %q", word, x.words)
	}
	find = inView + `.find((e) => (' ' + [e.ariaLabel, e.innerText, e.placeholder, e.title, e.closest('.door')?.innerText].join(' ').toLowerCase()).includes(` + quote(strings.ToLower(word)) + `))`
	x.wait(find)
	return find
}

// took checks how many actions the task took.
func (x *errand) took(most int) {
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
// view and carries a word of the task. Three wrong first presses are taken back by one press each.
func TestTasks(t *testing.T) {
	t.Parallel()
	wrong := []string{`.course-button`, `[data-act=menu][data-arg=open]`, `[data-act=help]`}
	begin := func(t *testing.T, words ...string) *errand {
		b := newTab(t)
		b.media("prefers-reduced-motion", "reduce")
		b.asNewcomer("?task")
		b.wait(`document.documentElement.dataset.step === '13'`)
		x := &errand{tab: b, words: words}
		x.recovers(wrong...)
		return x
	}
	t.Run("what is an informer", func(t *testing.T) {
		x := begin(t, "informer", "learn it", "next")
		x.presses("learn it")
		x.lessonIs("whole-loop", 0)
		for stop := int64(1); !eval[bool](x.tab, `[...document.querySelectorAll('.lesson-stop h3')].some((e) => e.textContent.includes('the loop closes'))`); stop++ {
			x.presses("next")
			x.stopIs(stop)
		}
		x.fine("the fifth step")
		x.took(7)
	})
	t.Run("why was my handler called twice", func(t *testing.T) {
		x := begin(t, "why", "handler", "called", "OnUpdate", "end", "your own")
		x.sees("your own")
		x.upload(onFile, writeFile(t, "mine.ndjson", func(w io.Writer) { w.Write(watchStream(4)) }))
		x.actions++ // by the door that says See your own
		x.wait(`document.querySelector('.source').textContent.includes('mine.ndjson')`)
		x.loaded()
		x.presses("end")
		x.presses("OnUpdate")
		x.presses("why")
		x.wait(`document.querySelectorAll('.chain-link').length > 1`)
		x.fine("the chain of causes")
		x.shot("why")
		x.took(6)
	})
	t.Run("show my class a relist", func(t *testing.T) {
		x := begin(t, "learn", "class", "relist", "present", "votes", "show me", "next", "search")
		x.presses("learn")
		x.wait(`document.querySelector('dialog[open] .course-list')`)
		x.presses("search") // and what is searched for is a word of the task
		for _, letter := range "relist" {
			x.key(string(letter))
		}
		x.wait(`document.querySelectorAll('.course-list:not(.course-texts) button').length < 10`)
		x.presses("relist")
		x.wait(`document.documentElement.dataset.lesson`)
		x.stopIs(0)
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
		x.took(8)
	})
	t.Run("what if the watch breaks here", func(t *testing.T) {
		x := begin(t, "break", "watch", "cut the watch")
		x.presses("break")
		x.presses("cut the watch")
		x.wait(`document.querySelectorAll('.future').length === 2`)
		x.fine("the other future")
		x.took(3)
	})
	t.Run("send this moment to a colleague", func(t *testing.T) {
		x := begin(t, "share", "send", "moment", "link", "copy")
		x.presses("share")
		x.presses("moment")
		x.wait(`document.querySelector('#link')?.value.includes('step=13')`)
		x.presses("copy")
		x.wait(`document.querySelector('dialog[open] [role=status]')?.textContent`)
		x.took(3)
	})
}
