package test

import (
	"strings"
	"testing"
)

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
	click(`.lesson-control [data-arg$=".2"]`)
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
