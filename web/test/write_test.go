package test

import (
	"os"
	"strings"
	"testing"
)

// A teacher drops a lesson, edits it beside the stage, is told what is wrong and where, checks it
// and saves it.
func TestWritingALesson(t *testing.T) {
	b := open(t)
	b.loaded()
	b.choose([]byte(lessonOfAllKinds), "mine.md")
	b.lessonIs("mine", 0)
	b.click(`.lesson-head [data-act=edit]`)
	b.wait(`document.activeElement.matches('.write-text') && document.activeElement.value.includes('A lesson of my own.')`)
	objects := func(n string) {
		b.t.Helper()
		b.wait(`document.querySelector('.st-store').innerText.includes('` + n + ` in the cache')`)
	}
	replaces := func(old, now string) {
		b.t.Helper()
		b.run(`const field = document.querySelector('.write-text'), at = field.value.indexOf(` + quote(old) + `);
			field.value = field.value.replace(` + quote(old) + `, ` + quote(now) + `);
			field.setSelectionRange(at, at);
			field.dispatchEvent(new Event('input', {bubbles: true}))`)
	}
	replaces("create pod a/y\n", "create pod a/y\ncreate pod a/z\n")
	b.wait(`document.querySelector('.write-says').innerText.includes('Nothing is wrong')`)
	objects("3")
	replaces("create pod a/z\n", "crate pod a/z\n")
	b.wait(`document.querySelector('.write-says[data-wrong]')?.innerText.includes('Line 15, column 1')`)
	objects("3")
	if found := b.violations(); len(found) != 0 {
		t.Errorf("axe finds in the editor:\n  %s", strings.Join(found, "\n  "))
	}
	b.shot("write")
	replaces("crate pod a/z\n", "")
	b.wait(`document.querySelector('.write-says').innerText.includes('Nothing is wrong')`)
	objects("2")
	for _, s := range []struct{ w, h int64 }{{390, 844}, {1440, 900}} {
		b.size(s.w, s.h)
		b.wait(`innerWidth === ` + num(s.w) + ` && (r => r.width > 200 && r.height > 100 && r.left >= 0 && r.right <= innerWidth)(document.querySelector('.write-text').getBoundingClientRect())`)
	}
	replaces("A lesson of my own.", "One of mine.")
	b.click(`[data-act=checkText]`)
	b.wait(`document.querySelector('.write-says').innerText.includes('everything holds')`)
	b.click(`.write [data-act=save]`)
	b.wait(`document.querySelector('dialog[open] [data-act=saveNow]')`)
	name := b.saved()
	text, err := os.ReadFile(name)
	if err != nil || !strings.HasSuffix(name, ".md") || string(text) != strings.Replace(lessonOfAllKinds, "A lesson of my own.", "One of mine.", 1) {
		t.Errorf("%s: %v\n%s", name, err, text)
	}
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	b.click(`.write [data-act=edit]`)
	b.wait(`document.querySelector('.lesson-summary')?.innerText === 'One of mine.'`)
}
