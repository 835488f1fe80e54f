package test

import (
	"os"
	"strings"
	"testing"
)

// A teacher drops a lesson, edits it beside the stage, is told what is wrong and where, checks it
// and saves it.
func TestWritingALesson(t *testing.T) {
	t.Parallel()
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
	b.run(`const field = document.querySelector('.write-text'); field.setSelectionRange(field.value.length, field.value.length); field.scrollTop = field.scrollHeight`)
	b.click(`.write-says [data-act=toFault]`)
	b.wait(`(f => document.activeElement === f && f.value.slice(f.selectionStart, f.selectionEnd) === 'crate pod a/z')(document.querySelector('.write-text'))`)
	// Each line has its number, which stands where the line begins, and scrolls along.
	b.wait(`(f => {
		const lines = f.previousElementSibling, all = f.value.split('\n'), at = [...lines.children].findIndex((l) => l.dataset.wrong);
		const r = lines.children[at].getBoundingClientRect(), seen = f.getBoundingClientRect(), middle = (r.top + r.bottom) / 2;
		const same = Math.abs(lines.scrollHeight - f.scrollHeight) <= 1 && lines.clientWidth === f.clientWidth && lines.scrollTop === f.scrollTop;
		return lines.children.length === all.length && all[at] === 'crate pod a/z' && same && middle > seen.top && middle < seen.bottom;
	})(document.querySelector('.write-text'))`)
	if cut := eval[bool](b, `(f => f.scrollWidth > f.clientWidth + 1)(document.querySelector('.write-text'))`); cut {
		t.Error("the lines of the text are cut")
	}
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
		t.Errorf("checking %s gives %v\n%s", name, err, text)
	}
	b.key("Escape")
	b.wait(`!document.querySelector('dialog[open]')`)
	b.click(`.write [data-act=edit]`)
	b.wait(`document.querySelector('.lesson-summary')?.innerText === 'One of mine.'`)
}

// A new lesson begins as a template that plays. The editor is open beside it, and from the first
// change on it is the viewer's own.
func TestANewLesson(t *testing.T) {
	t.Parallel()
	for _, language := range []struct{ code, title, other string }{{"en", "A new lesson", "Mine"}, {"zh", "新的一课", "我的一课"}} {
		b := open(t)
		b.loaded()
		b.chooseLanguage(language.code)
		b.opensDialog("course")
		b.wait(`document.querySelector('dialog[open] .course-list')`)
		b.click(`dialog[open] [data-act=newLesson]`)
		b.wait(`document.querySelector('.write-text')?.value.includes('# ` + language.title + `')`)
		b.click(`[data-act=checkText]`)
		b.wait(`document.querySelector('.write-says')?.dataset.wrong === undefined`)
		b.run(`const field = document.querySelector('.write-text');
			field.value = field.value.replace('# ` + language.title + `', '# ` + language.other + `');
			field.setSelectionRange(60, 60);
			field.dispatchEvent(new Event('input', {bubbles: true}))`)
		b.wait(`document.querySelector('.write-text').value.includes('# ` + language.other + `') && document.querySelector('.write-says').dataset.wrong === undefined`)
		b.shot("new-lesson-" + language.code)
		b.within(b.reload)
		b.ready()
		b.wait(`document.querySelector('.write-text')?.value.includes('# ` + language.other + `')`)
	}
}

// A lesson of one's own and what is written of it outlive a reload, even where something is wrong
// with it. A link to it holds its text, so anyone can open it at the same moment.
func TestALessonOfOnesOwnIsKept(t *testing.T) {
	t.Parallel()
	keepsFiles(t)
	b := open(t)
	b.loaded()
	b.wait(`navigator.serviceWorker.controller`) // it holds the file over a reload
	b.choose([]byte(strings.Replace(lessonOfAllKinds, "\nSlower.\n", "\nTwo.\n\n```script\nupdate pod a/x\nrun\n```\n\nSlower.\n", 1)), "mine.md")
	b.lessonIs("mine", 0)
	b.key("j")
	b.stopIs(1)
	stage := b.stage()
	b.within(b.reload)
	b.ready()
	b.lessonIs("mine", 1)
	b.wait(`document.documentElement.dataset.playing !== 'true'`)
	if again := b.stage(); again != stage {
		t.Errorf("the stage differs after the reload:\n%s", differences(stage, again))
	}

	b.click(`.lesson-head [data-act=edit]`)
	b.wait(`document.activeElement.matches('.write-text') && document.activeElement.value.includes('A lesson of my own.')`)
	writes := func(old, now string) {
		b.t.Helper()
		b.run(`const field = document.querySelector('.write-text'), at = field.value.indexOf(` + quote(old) + `);
			field.value = field.value.replace(` + quote(old) + `, ` + quote(now) + `);
			field.setSelectionRange(at, at);
			field.dispatchEvent(new Event('input', {bubbles: true}))`)
	}
	writes("create pod a/y\n", "create pod a/y\ncreate pod a/z\n")
	b.wait(`document.querySelector('.write-says').innerText.includes('Nothing is wrong') && document.querySelector('.st-store').innerText.includes('3 in the cache')`)
	writes("create pod a/z\n", "create pod a/z\ncrate pod a/q\n")
	wrong := `document.querySelector('.write-says[data-wrong]')?.innerText.includes('crate')`
	b.wait(wrong)
	b.within(b.reload)
	b.ready()
	b.wait(wrong + ` && document.querySelector('.write-text').value.includes('crate pod a/q')`)
	writes("crate pod a/q\n", "")
	b.wait(`document.querySelector('.write-says').innerText.includes('Nothing is wrong') && document.querySelector('.st-store').innerText.includes('3 in the cache')`)
	b.click(`.write [data-act=edit]`)
	b.wait(`document.querySelector('.lesson-summary') && document.documentElement.dataset.playing !== 'true'`)
	at, stage := b.state("stop"), b.stage()
	link := b.shared()

	other := open(t, link[strings.IndexByte(link, '#'):])
	other.wait(`document.documentElement.dataset.lesson && document.documentElement.dataset.stop === ` + quote(at) + ` && document.documentElement.dataset.loading !== 'true'`)
	other.wait(`document.documentElement.dataset.playing !== 'true' && document.querySelector('.st-store').innerText.includes('3 in the cache')`)
	if again := other.stage(); again != stage {
		t.Errorf("the link shows another stage:\n%s", differences(stage, again))
	}
}

// What is written of a lesson of the course outlives a reload, too: it is the viewer's own from the
// first change on.
func TestAnEditedLessonOfTheCourseIsKept(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=two-deletes")
	b.lessonIs("two-deletes", 0)
	b.click(`.lesson-head [data-act=edit]`)
	b.wait(`document.activeElement.matches('.write-text')`)
	b.run(`const field = document.querySelector('.write-text'), at = field.value.indexOf('A pod is cached');
		field.value = field.value.replace('A pod is cached', 'A small pod is cached');
		field.setSelectionRange(at, at);
		field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelector('.write-says').innerText.includes('Nothing is wrong')`)
	b.within(b.reload)
	b.ready()
	b.wait(`document.querySelector('.write-text')?.value.includes('A small pod is cached')`)
}

// A lesson with a fault opens in the editor by itself: beside an empty machine, with the cursor's way to the
// line that is wrong. As soon as nothing is wrong, it is shown.
func TestALessonWithAFaultIsMended(t *testing.T) {
	t.Parallel()
	b := open(t, "#lesson=two-deletes")
	b.lessonIs("two-deletes", 0)
	b.choose([]byte(strings.Replace(lessonOfAllKinds, "create pod a/y", "crate pod a/y", 1)), "mine.md")
	b.wait(`document.querySelector('.notice')?.innerText.includes('could not be opened as a lesson')`)
	b.wait(`document.querySelector('.write-text')?.value.includes('crate pod a/y') && document.querySelector('.write-says[data-wrong]')?.innerText.includes('crate')`)
	b.shot("mend")
	b.run(`const field = document.querySelector('.write-text'); field.value = field.value.replace('crate', 'create');
		field.setSelectionRange(field.value.length, field.value.length);
		field.dispatchEvent(new Event('input', {bubbles: true}))`)
	b.wait(`document.querySelector('.write-says').innerText.includes('Nothing is wrong') && document.querySelector('.st-store').innerText.includes('2 in the cache')`)
}
