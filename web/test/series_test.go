package test

import (
	"path/filepath"
	"strings"
	"testing"
)

// What Prometheus has answered about the time of the recording lies over it when it is dropped on the page: the first
// series is plotted at once, any other when it is chosen. The viewer stays at the step.
func TestSeriesLieOverTheRecording(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("9")
	at := b.stepMoves(0)
	query, err := filepath.Abs("testdata/shop-query.json")
	if err != nil {
		t.Fatal(err)
	}
	b.drop("main", query)
	b.wait(`document.querySelector('.plot-name')`)
	b.loaded()
	b.stepIs(at)
	if got := eval[string](b, `document.querySelector('.plot-name').textContent`); !strings.HasPrefix(got, `workqueue_depth{job="shop<b>controller</b>",name="pods"}`) || !strings.Contains(got, "12") {
		t.Errorf("plotted is %q", got)
	}
	b.click(`.tabpanel[data-view=search] [data-arg^=process_resident]`)
	b.wait(`document.querySelector('.plot-name code').textContent.startsWith('process_resident') && document.querySelector('.plot-name .n')?.textContent.includes('50.33M')`)
	outer := b.t
	defer func() { b.t = outer }()
	for _, lang := range languages {
		b.chooseLanguage(lang)
		b.wait(`document.documentElement.lang.startsWith('` + lang + `')`)
		if faults := b.violations(); len(faults) > 0 {
			t.Errorf("%s: %s", lang, strings.Join(faults, "\n"))
		}
		b.shot("series " + lang)
		b.size(390, 844)
		b.shot("series narrow " + lang)
		b.size(1440, 900)
	}
	b.t = outer
	b.click(`.watched [data-act=dropExpr]`)
	b.wait(`!document.querySelector('.plot-name')`)
}
