package session

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/session/save"
)

// The report of a problem has the names of the last commands, however the viewer gave them, and
// nothing of what they were given. It is saved only when the viewer says so.
func TestReportOfAProblem(t *testing.T) {
	g := opened(t)
	g.play(Acted{Act: "findKey", Value: "shop/secret"}, Acted{Act: "help"}, Acted{Act: "close"}, Pressed{Key: "a"}, Acted{Act: "close"})
	for range 200 {
		g.play(Acted{Act: "theme"})
	}
	g.play(Acted{Act: "help"}, Acted{Act: "report"})
	r, is := g.cmds[len(g.cmds)-1].(save.MakeReport)
	if !is || g.m.Front.Dialog != "report" || !strings.HasPrefix(r.States, "Arrived ") {
		t.Fatalf("the report is asked for as %+v", g.cmds[len(g.cmds)-1])
	}
	if strings.Contains(r.Commands, "shop") || !strings.HasSuffix(r.Commands, "theme theme help report") || !strings.HasPrefix(r.Commands, "theme ") || len(r.Commands) > save.LastDone {
		t.Errorf("it has the commands %q", r.Commands)
	}
	n := len(g.cmds)
	if g.play(Acted{Act: "saveReport"}); len(g.cmds) != n {
		t.Error("a report is saved before it is there")
	}
	g.play(save.Reported{Text: "{}\n"}, Acted{Act: "saveReport"})
	if give, is := g.cmds[len(g.cmds)-1].(Download); !is || give.Text != "{}\n" {
		t.Errorf("it is given as %+v", g.cmds[len(g.cmds)-1])
	}
	g.play(Acted{Act: "report"}, save.Reported{Failed: "no room"})
	if g.m.Save.Report.Failed == nil || g.m.Save.Report.Text != "" {
		t.Error("nobody says why there is no report")
	}
	// The first commands are there while there are few.
	g = opened(t)
	g.play(Pressed{Key: "a"}, Acted{Act: "report"})
	if r := g.cmds[len(g.cmds)-1].(save.MakeReport); r.Commands != "about report" {
		t.Errorf("it has the commands %q", r.Commands)
	}
}
