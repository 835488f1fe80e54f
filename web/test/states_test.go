package test

import (
	"os"
	"path/filepath"
)

// lessonOfAllKinds is a lesson with values to choose, a comparison, an exercise, a hint
// and a solution.
const lessonOfAllKinds = `---
minutes: 5
---

# Mine

A lesson of my own.

` + "```script\nprofile classic\ninformer pods\nhandler audit takes=20ms\nexists pod a/x\ncreate pod a/y\nrun\n```" + `

Slower.

` + "```control\nhandler audit takes={0s 20ms 3s}\n```" + `

` + "```compare\nprofile current\nexpect calls audit 2\n```" + `

Lose the other one.

` + "```exercise\nexpect store [a/x@1]\n```" + `

> [!TIP]
> Delete it at the server.

` + "```solution\ndelete pod a/y\nrun\n```" + `
`

// opensAll opens what is beside the stage, over it and above the timeline, one after the
// other, and calls look in each state. The bundled recording is open before, and a
// lesson and a notice after.
func (b *tab) opensAll(look func(state string)) {
	b.t.Helper()
	closes := func() {
		b.key("Escape")
		b.wait(`!document.querySelector('dialog[open]')`)
	}
	b.run(`document.activeElement.blur()`)
	b.run(`document.querySelector('[data-act=help]').click()`)
	b.wait(`document.querySelector('[data-act=editKeys]')`)
	b.run(`document.querySelector('[data-act=editKeys]').click()`)
	b.wait(`document.querySelector('[data-act=addKey]')`)
	look("the keys while they can be changed")
	b.run(`document.querySelector('.dialog-foot [data-act=palette]').click()`)
	b.wait(`document.querySelectorAll('.offer').length > 30`)
	look("the palette")
	closes()
	b.run(`document.activeElement.blur()`)
	b.key("g")
	b.wait(`document.documentElement.dataset.dialog === 'goTo' && document.querySelector('.found-key')`)
	look("the dialog that goes to a key")
	closes()

	b.run(`document.querySelector('[data-act=inspectIndex]').click()`)
	b.wait(`document.querySelector('.answer-rows li')`)
	look("an answer of the indexer")

	b.run(`document.querySelector('.tile').focus({preventScroll: true})`)
	b.key("y")
	b.wait(`document.querySelectorAll('.chain-part').length > 1 && document.querySelector('.spent')`)
	look("a chain of causes")

	b.run(`document.activeElement.blur()`)
	b.key("C")
	b.wait(`document.querySelector('#code[data-state=shown] .code-line[aria-current]')`)
	look("the source")
	b.key("C")
	b.wait(`!document.getElementById('code')`)

	b.run(`document.activeElement.blur()`)
	b.key("h")
	b.wait(`document.querySelectorAll('.course-list button').length > 30`)
	look("the course")
	b.run(`document.querySelector('.course-list [data-arg="delta-fifo"]').click()`)
	b.stopIs(0)
	look("the first stop of a lesson")
	b.key("j")
	b.stopIs(1)
	b.wait(`document.documentElement.dataset.covered === 'true' && document.querySelectorAll('.option').length === 3`)
	look("an open question")
	b.key("3")
	b.wait(`document.querySelector('.option[data-wrong]') && !document.documentElement.dataset.covered`)
	look("an answered question")
	b.key("j")
	b.stopIs(2)
	b.key("c")
	b.write("queue add other")
	b.wait(futures + `.endsWith(' | [queue add other]')`)
	look("two futures")
	b.run(`document.querySelector('#tab-lesson').click()`)
	b.wait(`document.querySelector('.lesson-off')`)
	look("a lesson that was left")

	b.choose([]byte(lessonOfAllKinds), "mine.md")
	b.wait(`document.documentElement.dataset.lesson === 'mine'`)
	b.stopIs(0)
	b.run(`document.querySelector('[data-act=check]').click()`)
	b.wait(`document.querySelector('.lesson-exercise [role=status]')`)
	for _, until := range []string{`.lesson-hint`, `[data-act=solve]`} {
		b.run(`document.querySelector('[data-act=hint]').click()`)
		b.wait(`document.querySelector('` + until + `')`)
	}
	look("an exercise")

	b.opensScript("30-guard-consistency")
	b.goUntil(`document.querySelector('.gate[data-shut] .unseen')`)
	look("a controller that waits")

	damaged := filepath.Join(b.t.TempDir(), "damaged.ndjson")
	b.must(os.WriteFile(damaged, append(watchStream(4), "{\"type\":\n"...), 0o600))
	b.upload(onFile, damaged)
	b.wait(`document.querySelector('.notice [data-act=notice]')`)
	b.loaded()
	look("a notice")
}
