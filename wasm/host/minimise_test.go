package host

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

// The smallest recording is looked for while the viewer goes on. The page is
// told as it becomes smaller. The search can be stopped, and in what it finds
// the expression comes about.
func TestMinimise(t *testing.T) {
	p := newPage(t)
	p.ask(link.Open{Name: "shop.trace.jsonl.gz"}, shop(t))
	last := func(all []*link.Reply) (m *link.Minimised) {
		for _, r := range all {
			if news[*link.Minimised](r) != nil {
				m = news[*link.Minimised](r)
			}
		}
		return m
	}
	const expr = `behind("audit") > 3`
	m := last(p.ask(link.Minimise{Expr: expr}, nil))
	if m == nil || !m.Done || m.Stopped || m.Never || m.Text != expr || m.Events > 6 || m.Objects == 0 || m.Objects > 6 || m.Tries < 10 {
		t.Fatalf("the search ends with %+v", m)
	}
	for _, names := range []bool{false, true} {
		p.given = nil
		p.ask(link.SaveLeast{Redact: &link.Redact{Names: names}}, nil)
		text := string(p.given["shop.small.trace.jsonl.gz"])
		if got := strings.Count(text, `"event":`) + strings.Count(text, `"uid"`); got == 0 || strings.Contains(text, "containers") {
			t.Errorf("with tokens of names: %v, the file that was saved is\n%s", names, text)
		}
		opened := newPage(t)
		opened.ask(link.Open{Name: "shop.small.trace.jsonl.gz", Profile: "current"}, &file{data: []byte(text), piece: 1000})
		if d := opened.h.desk.doc; d.setup.Profile != "classic" || opened.failures() != "" {
			t.Errorf("with tokens of names: %v, the file is opened as %s, %s", names, d.setup.Profile, opened.failures())
		}
	}

	p.ask(link.Minimise{Expr: `behind("audit") > 1000`}, nil)
	if m := last(p.replies); m == nil || !m.Never || !m.Done {
		t.Errorf("for an expression that never comes about, the search says %+v", m)
	}
	p.ask(link.SaveLeast{Redact: &link.Redact{}}, nil)
	if !strings.Contains(p.failures(), "fail.request") {
		t.Error("a recording in which the expression never comes about was saved")
	}
	p.ask(link.Minimise{Expr: `behind("audit"`}, nil)
	if !strings.Contains(p.failures(), "fail.request") {
		t.Error("a broken expression is taken")
	}

	p.h.Handle((&link.Request{Op: link.Minimise{Expr: expr}}).Encode(), nil)
	p.ask(link.StopMinimising{}, nil)
	if m := last(p.replies); m == nil || !m.Done || !m.Stopped {
		t.Errorf("a search that was cancelled says %+v", m)
	}
}
