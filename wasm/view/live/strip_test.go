package live

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/session"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// A screen reader hears of what happens to a stream without counts.
func TestSaysHasNoCounts(t *testing.T) {
	w, c := viewtest.Speaking(viewtest.Catalogue(t, "en")), &session.Cluster{Live: viewtest.Live()}
	before := Status(w, c)
	if before != "pods: watching. deployments.apps: connection lost. events: 410 Gone: lists again." {
		t.Errorf("a screen reader hears %q", before)
	}
	c.Live.Now, c.Live.Streams[0].Events, c.Live.Bytes = 61e9, 5000, 13e6
	if Status(w, c) != before {
		t.Error("a screen reader hears counts")
	}
}

// The chip says how far behind the newest step the viewer is, and leads there.
func TestTheChipLeadsToTheNewestStep(t *testing.T) {
	const step = 8214
	w, c := viewtest.Speaking(viewtest.Catalogue(t, "en")), &session.Cluster{Live: viewtest.Live()}
	if n := chip(w, c, false, step); !strings.Contains(n.TextContent(), "1\u202f786 steps behind") {
		t.Errorf("while paused, the chip says %q", n.TextContent())
	}
	c.Live.Steps = step
	if n := chip(w, c, false, step); n.TextContent() != "Paused: follow again" || viewtest.Find(n, "data-act", "end") == nil {
		t.Errorf("paused at the newest step, the chip says %q", n.TextContent())
	}
	if n := chip(w, c, true, step); n.TextContent() != "Live" {
		t.Errorf("while following, the chip says %q", n.TextContent())
	}
}
