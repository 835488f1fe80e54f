package widget_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
	"github.com/informerscope/informerscope/wasm/view/widget"
)

// Go and JavaScript agree on what the timeline's numbers mean, and each kind of mark has
// a shape and a colour of its own.
func TestTheTimelineIsDrawnAsItIsMeant(t *testing.T) {
	js, css := viewtest.Served(t, ".js"), viewtest.Served(t, ".css")
	shapes := map[string]link.MarkKind{}
	for _, m := range link.Marks {
		shape := widget.MarkShapes[m]
		if other, ok := shapes[shape]; ok || shape == "" {
			t.Errorf("a mark %s looks like a mark %s: %q", m, other, shape)
		}
		shapes[shape] = m
		if !strings.Contains(css, ".mark-"+string(m)) {
			t.Errorf("a mark %s has no colour", m)
		}
	}
	if len(widget.MarkShapes) != len(link.Marks) {
		t.Errorf("%d marks have %d shapes", len(link.Marks), len(widget.MarkShapes))
	}
	for i := range widget.Lanes {
		if lane := "lane" + strconv.Itoa(i); !strings.Contains(css, "."+lane+" { color: var(--"+lane+"); }") {
			t.Errorf("nothing has the colour of %s", lane)
		}
	}
	if !strings.Contains(js, "'--lane' + l % "+strconv.Itoa(widget.Lanes)) {
		t.Errorf("the timeline doesn't draw %d colours of listeners", widget.Lanes)
	}
	if rows := viewtest.Listed(t, js, "fills"); len(rows) != link.NumRows {
		t.Errorf("%d rows of events are written, and drawn as %s", link.NumRows, rows)
	}
}
